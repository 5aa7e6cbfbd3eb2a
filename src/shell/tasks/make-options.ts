import { posix } from 'node:path';
import type { Call } from '../call.ts';

/** The command line of make (GNU make manual "Options Summary"). */
export interface MakeOptions {
  readonly directory: string | null;
  /** In the order in which they are read; none: the one that make finds. */
  readonly files: readonly (string | null)[];
  /** `-I`: where included makefiles are looked for as well. */
  readonly includeDirectories: readonly string[];
  readonly targets: readonly string[];
  readonly variables: ReadonlyMap<string, string>;
  /** `-n`, `-t`, `-q`: of recipes, only what starts another make runs, or is marked with `+`. */
  readonly dryRun: boolean;
  /** `--help`, `--version`: no makefile is read. */
  readonly showsOnly: boolean;
  /** `-i`: what fails stops nothing. `-k`: it stops its own target alone. */
  readonly goesOn: 'everywhere' | 'elsewhere' | null;
  /** `-j`: what a target does not need may run beside it. */
  readonly isParallel: boolean;
  /** `-o FILE`: a target may be left as it is. */
  readonly leavesOld: boolean;
  /** `-e`: what the environment says counts more than what the makefile says. */
  readonly environmentWins: boolean;
  /** `--eval=TEXT`: lines of a makefile that are read before all others. */
  readonly evaluated: string;
  /** What makes that it starts find in MAKEFLAGS. */
  readonly flags: string;
}

/** Letters that take a value, attached or as the next word; `-j`, `-l` and `-O` take an attached one at the most. */
const valuedLetters = 'fCIEoW';
const attachedLetters = 'jlO';
const letterOf: Readonly<Record<string, string>> = {
  directory: 'C',
  file: 'f',
  makefile: 'f',
  'include-dir': 'I',
  eval: 'E',
  'old-file': 'o',
  'assume-old': 'o',
  'what-if': 'W',
  'new-file': 'W',
  'assume-new': 'W',
  'dry-run': 'n',
  'just-print': 'n',
  recon: 'n',
  touch: 't',
  question: 'q',
  help: 'h',
  version: 'v',
  'ignore-errors': 'i',
  'keep-going': 'k',
  'environment-overrides': 'e',
  jobs: 'j',
};

interface Given {
  readonly letter: string;
  readonly value: string | null;
}

/** @param flags what the variable MAKEFLAGS says: options and variables, as on the command line */
export function readMakeOptions(call: Call, flags: string): MakeOptions {
  const targets: string[] = [];
  const variables = new Map<string, string>();
  const options: Given[] = [];
  const given = call.argv.slice(1).map((word) => (word.kind === 'known' ? word.value : null));
  const words = [...optionsIn(flags), ...given];
  for (let index = 0; index < words.length; index += 1) {
    const text = words[index] ?? '';
    const assignment = /^(\w+)(?::{1,3}|\?)?=([\s\S]*)$/.exec(text);
    if (text.startsWith('-')) {
      index += takeOptions(text, words[index + 1] ?? null, options);
    } else if (assignment !== null) {
      variables.set(assignment[1] ?? '', assignment[2] ?? '');
    } else if (text !== '' && !isCount(text, words[index - 1])) {
      targets.push(text);
    }
  }
  const has = (letters: string) => options.some(({ letter }) => letters.includes(letter));
  const values = (of: string) => options.filter(({ letter }) => letter === of).map(({ value }) => value);
  return {
    directory: directoryOf(values('C')),
    files: values('f'),
    includeDirectories: values('I').filter((value): value is string => value !== null),
    targets,
    variables,
    dryRun: has('ntq'),
    showsOnly: has('hv'),
    goesOn: has('i') ? 'everywhere' : has('k') ? 'elsewhere' : null,
    isParallel: has('j'),
    leavesOld: has('o'),
    environmentWins: has('e'),
    evaluated: values('E').join('\n').trim(),
    flags: flagsFor(options, variables),
  };
}

/** `make -j 4`: a number of its own behind it is none of the targets. */
function isCount(text: string, before: string | null | undefined): boolean {
  return /^\d+(?:\.\d+)?$/.test(text) && /^-\w*[jl]$|^--(?:jobs|load-average|max-load)$/.test(before ?? '');
}

/** Takes the options of a word. @returns how many of the words behind it are theirs */
function takeOptions(word: string, next: string | null, options: Given[]): 0 | 1 {
  const [, long, attached] = /^--([a-z][\w-]*)(?:=([\s\S]*))?$/.exec(word) ?? [];
  if (long !== undefined) {
    const name = Object.keys(letterOf).find(
      (option) => option === long || (long.length > 3 && option.startsWith(long)),
    );
    const letter = letterOf[name ?? ''];
    if (letter === undefined) {
      // Of the others (`--silent`, `--trace`) none changes what runs.
      return 0;
    }
    const isApart = valuedLetters.includes(letter) && attached === undefined;
    options.push({ letter, value: isApart ? next : (attached ?? '') });
    return isApart ? 1 : 0;
  }
  for (let at = 1; at < word.length; at += 1) {
    const letter = word.charAt(at);
    const rest = word.slice(at + 1);
    if (valuedLetters.includes(letter)) {
      options.push({ letter, value: rest === '' ? next : rest });
      return rest === '' ? 1 : 0;
    }
    if (attachedLetters.includes(letter)) {
      options.push({ letter, value: rest });
      return 0;
    }
    options.push({ letter, value: '' });
  }
  return 0;
}

/** Each `-C` counts from the one before. */
function directoryOf(given: readonly (string | null)[]): string | null {
  return given.reduce<string | null>(
    (before, one) => (one === null || before === null || posix.isAbsolute(one) ? one : posix.join(before, one)),
    '.',
  );
}

function flagsFor(options: readonly Given[], variables: ReadonlyMap<string, string>): string {
  const letters = ['n', 't', 'q', 'i', 'k', 'e'].filter((one) => options.some(({ letter }) => letter === one));
  const escaped = Array.from(variables, ([name, value]) => `${name}=${value.replace(/[\\\s]/g, '\\$&')}`);
  return [letters.join(''), ...(escaped.length === 0 ? [] : ['--', ...escaped])].join(' ').trim();
}

/** In MAKEFLAGS the first word may be letters without a dash (GNU make manual "Communicating Options to a Sub-make"). */
function optionsIn(flags: string): readonly string[] {
  const words = flags.match(/(?:\\[\s\S]|\S)+/g) ?? [];
  return words
    .map((word) => word.replace(/\\([\s\S])/g, '$1'))
    .filter((word) => word !== '--')
    .map((word, index) => (index === 0 && /^[a-zA-Z]+$/.test(word) ? `-${word}` : word));
}
