import { type Call, framed, type ProgramReader, type Shell, through } from '../call.ts';
import { isClearlyHarmful } from '../inline/source/clear-harm.ts';
import { isGravePush } from '../inline/source/open-command.ts';
import { resolvePath } from '../path-resolution.ts';
import { doubtful, either, type Outcome } from '../shell-state.ts';
import { beginningOf, knownWord, programName, type Word } from '../simple-command.ts';
import type { ScriptFinder } from './command-words.ts';
import { runAsProgram } from './file-changes.ts';
import { awks, each, otherShells, scriptFinders, secureShells, seds, tcls, vims } from './script-finders.ts';
import { runCommandString } from './shell-invocation.ts';

/**
 * Programs that also read a script of their own language from a file or from their input: by the option that names the
 * file, or as the first operand.
 */
const scriptFiles: ReadonlyMap<string, RegExp | 'operand'> = new Map<string, RegExp | 'operand'>([
  ...each([...awks, ...seds], /^(?:-f|--file=?)(.*)$/s),
  ...each([...tcls, ...otherShells], 'operand' as const),
  ['cmake', /^-P(.*)$/s],
  ...each(['psql', 'sqlite3', 'mysql'], /^(?:-f|-init|--file=?)(.*)$/s),
  ['gdb', /^(?:-x|--command=?)(.*)$/s],
  ...each(vims, /^(?:-[Sul]|--cmd-file)(.*)$/s),
  ...each(secureShells, /^-(?!-)[^BbcDEeFIiJLlmOopPQRSWw]*F(.*)$/s),
  ['emacs', /^(?:-l|--load=?|--script=?)(.*)$/s],
]);

/** A script of such a program; of one that was there before the line, only what it says in so many words counts. */
interface ScriptText {
  readonly text: string;
  readonly isPresent: boolean;
}

/** The texts of such scripts. */
function scriptTexts(program: string, { argv, state, frame }: Call, { overlay }: Shell): readonly ScriptText[] {
  const kind = scriptFiles.get(program);
  const words = argv.slice(1).map((word) => (word.kind === 'known' ? word.value : ''));
  if (kind === undefined) {
    return [];
  }
  const names =
    kind === 'operand'
      ? words.filter((word) => !word.startsWith('-')).slice(0, 1)
      : words.flatMap((word, index) => {
          const attached = kind.exec(word)?.[1];
          return attached === undefined ? [] : [attached === '' ? (words[index + 1] ?? '') : attached];
        });
  const readsInput =
    names.some((name) => name === '-' || name === '/dev/stdin') ||
    (names.length === 0 && !/awk|sed|vi|^ex$|emacs|ssh|scp|sftp/.test(program));
  const files = names.flatMap((name) => {
    const path = resolvePath(knownWord(name), state.cwd);
    const text = path === null ? null : overlay.text(path);
    return path === null || text === null ? [] : [{ text, isPresent: !overlay.wasWritten(path) }];
  });
  const input = readsInput ? (frame.input?.rest() ?? null) : null;
  return input === null ? files : [...files, { text: input, isPresent: false }];
}

function linesOf({ text, isPresent }: ScriptText): readonly ScriptText[] {
  return text.split('\n').map((line) => ({ text: line, isPresent }));
}

/** Runs the scripts that a program's words hand to a shell, beside the program itself. */
function runOptionScripts(finder: ScriptFinder, call: Call, shell: Shell): Outcome {
  const program = programName(call.argv[0]) ?? '';
  const texts = scriptTexts(program, call, shell);
  const state = doubtful(call.state);
  const frame = framed(through(call.frame, program), { input: null, output: null });
  const seen = new Set<string>();
  const isPresent = false;
  const words = call.argv
    .slice(1)
    .map((word, index) => ({ text: beginningOf(word), next: call.argv[index + 2], isPresent }));
  const lines = [...vims, ...secureShells].includes(program) ? texts.flatMap(linesOf) : texts;
  const files = lines.map((line) => ({ ...line, next: undefined }));
  for (const { text, next, isPresent } of [...words, ...files]) {
    for (const script of finder(text, next, call)) {
      const value: Word = typeof script === 'string' ? knownWord(script.replaceAll('\\"', '"')) : script;
      const key = value.kind === 'known' ? value.value : value.source;
      const isSaid = !isPresent || (value.kind === 'known' && saysItself(value.value, text));
      if (isSaid && !seen.has(key) && key.trim() !== '') {
        seen.add(key);
        runCommandString({ ...call, state, frame }, shell, 'sh -c', value, []);
      }
    }
  }
  // It starts them before it is done: what they are is not what it may make of the files on its command line.
  return runAsProgram(program, call, shell);
}

/** Does a script say what it does in so many words, or what harm it does whatever is put in? */
function saysItself(script: string, source: string): boolean {
  const parts = script.split(/\$(?:\w+|\{[^{}]*\})/);
  const open = { script: parts.flatMap((part, at) => (at === 0 ? [part] : [{ expression: '$' }, part])) };
  return !script.includes('$') || isGravePush(open, source) || isClearlyHarmful(open, source);
}

/** What a pattern finds in a text, a line each. */
function linesBy(pattern: RegExp): (text: string) => string {
  return (text) => Array.from(text.matchAll(pattern), (match) => match[1] ?? '').join('\n');
}

/** Programs whose input is a script, wholly (`at`) or by lines that start with `!` (`ed`). */
const inputScripts: ReadonlyMap<string, (text: string) => string> = new Map([
  ...each(['at', 'batch'], (text: string) => text),
  ['ed', linesBy(/^[\d,$]*(?:[rwe]\s*)?!(.*)$/gm)],
  ...each(vims, linesBy(/^:?[\d,$%]*(?:[rwe]\s*)?!(.*)$/gm)),
  ['dc', linesBy(/!\s*([^<>=\n].*)$/gm)],
  ['sqlite3', linesBy(/^\.(?:shell|system)\s+(.*)$/gm)],
]);

/** `at -f FILE`: what at(1) reads in the place of its input; null: no file is named, or nobody knows what it holds. */
function jobText(name: string, { argv, state }: Call, { overlay }: Shell): string | null {
  const at = name === 'at' || name === 'batch' ? argv.findIndex((word) => /^-[mvM]*f/.test(beginningOf(word))) : -1;
  const attached = beginningOf(argv[at]).replace(/^-[mvM]*f/, '');
  const file = attached === '' ? argv[at + 1] : knownWord(attached);
  const path = at < 0 || file === undefined ? null : resolvePath(file, state.cwd);
  return path === null ? null : overlay.text(path);
}

const readInputScript =
  (name: string): ProgramReader =>
  (call, shell) => {
    const finder = scriptFinders.get(name);
    const outcome = finder === undefined ? null : runOptionScripts(finder, call, shell);
    if (name === 'ed') {
      runAsProgram(name, call, shell);
    } else if (outcome === null) {
      shell.emitCommand(call);
    }
    const isRead = !/vi|view/.test(name) || call.argv.some((word) => /^-[eE]/.test(beginningOf(word)));
    const text = isRead ? (jobText(name, call, shell) ?? call.frame.input?.rest() ?? null) : null;
    const script = text === null ? '' : (inputScripts.get(name)?.(text) ?? '');
    if (script.trim() !== '') {
      shell.runProcess(call, script, { label: name, name: knownWord('sh'), positional: [], input: null });
    } else if (text === null && call.frame.input !== null && (name === 'at' || name === 'batch')) {
      shell.emitUnreadable(call, 'script', 'what it reads is not known');
    }
    return either(call.state);
  };

/** Rows for the table of carriers. */
export const optionScripts: readonly (readonly [string, ProgramReader])[] = [
  ...[...scriptFinders]
    .filter(([name]) => !inputScripts.has(name))
    .map(([name, finder]): [string, ProgramReader] => [name, (call, shell) => runOptionScripts(finder, call, shell)]),
  ...[...inputScripts.keys()].map((name): [string, ProgramReader] => [name, readInputScript(name)]),
];
