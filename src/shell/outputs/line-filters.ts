import { type NamesKind, nameOfEachWord, nameOfOneWord, type UnknownWord } from '../simple-command.ts';
import { namesWithoutMarks } from './branch-marks.ts';
import { grepped } from './text-filters.ts';

/** Programs that pass whole lines of their input on, by the words with which they read nothing else. */
const selecting: ReadonlyMap<string, RegExp> = new Map([
  ['head', /^(?:-\d+|-n ?-?\d+)?$/],
  ['tail', /^(?:-\d+|-n ?[+-]?\d+)?$/],
  ['sort', /^(?:-[bdfghiMnRrVuz]+ ?)*$/],
  ['uniq', /^(?:-[diuz]+ ?)*$/],
  ['tac', /^$/],
  // The same lines for `xargs -0`.
  ['tr', /^(?:\\n|\\012|\n) \\0+$/],
  ['shuf', /^(?:-n ?\d+)?$/],
  ['fzf', /^(?:-\S+ ?)*$/],
  // The default branch, out of `git symbolic-ref refs/remotes/origin/HEAD`.
  [
    'sed',
    /^-n [\d,$]+p$|^(?:\d+(?:,(?:\d+|\$))?|\$)d$|^-n \d+\{ ?p; ?q;? ?\}$|^\d+(?:q;|!)d$|^s([@#|,])\^?(?:refs\/(?:remotes|heads)\/)?(?:[\w-]+\/)?\1\1$|^s\/\^?refs\\\/(?:remotes|heads)\\\/(?:[\w-]+\\\/)?\/\/$/,
  ],
  ['awk', /^NR ?(?:==|[<>]=?) ?\d+(?: ?\{ ?print(?: \$0)? ?(?:; ?exit ?)?;? ?\})?$/],
]);

/** grep(1): how lines are chosen, and nothing about what is printed of them. */
const choosing =
  /^(?:-[vEFGPiwx]+|--(?:invert-match|ignore-case|(?:word|line)-regexp|(?:extended|basic|perl)-regexp|fixed-strings))$/;

/** Does `grep` pass lines of its input on, and read nothing else? */
function greps(args: readonly string[]): boolean {
  let [patterns, operands] = [0, 0];
  for (let at = 0; at < args.length; at += 1) {
    const arg = args[at] ?? '';
    if (/^-[vEFGPiwx]*e$/.test(arg) || /^--regexp=/.test(arg)) {
      at += arg.startsWith('--') ? 0 : 1;
      patterns += 1;
    } else if (!arg.startsWith('-')) {
      operands += 1;
    } else if (!choosing.test(arg)) {
      return false;
    }
  }
  return patterns === 0 ? operands === 1 : operands === 0;
}

function selects(program: string, args: readonly string[]): boolean {
  return /^[ef]?grep$/.test(program) ? greps(args) : selecting.get(program)?.test(args.join(' ')) === true;
}

/** Programs that print the first word of each line. */
const takingFirst: ReadonlyMap<string, RegExp> = new Map([
  ['awk', /^(?:NR ?==? ?\d+ ?)?\{ ?print \$1;? ?(?:; ?exit ?)?\}$/],
  ['cut', /^-d ? -f ?1$/],
]);

/** Programs that print the last word of each line, as `HEAD branch: main` has it. */
const takingLast: ReadonlyMap<string, RegExp> = new Map([
  ['awk', /^(?:-F ?: ?)?\{ ?print \$(?:NF|3)(?: ?; ?exit)? ?\}$/],
  ['cut', /^-d ? -f ?5$/],
  ['sed', /^s\/\^?\.\*: ?\/\/$|^s\/\^? ?\*?HEAD branch: ?\/\/$/],
]);

/** Programs that find the default branch in what `git remote show` says. */
const takingDefaultBranch: ReadonlyMap<string, RegExp> = new Map([
  ['sed', /^-n \/HEAD branch:?\/ ?\{? ?s\/\^?\.\*: ?\/\/ ?;? ?p;? ?\}?$/],
  ['awk', /^\/HEAD branch:?\/ ?\{ ?print \$(?:NF|3) ?\}$/],
]);

/** Programs that print what comes after the name of a remote: `main` of `origin/main`. */
const takingBranch: ReadonlyMap<string, RegExp> = new Map([
  ['cut', /^-d ?\/ -f ?[24]-?$/],
  ['awk', /^-F ?\/ \{ ?print \$NF ?\}$/],
]);

/** What grep chooses of `git status --short`, by its words: git-status(1) "Short Format". */
const choosingStatus: readonly (readonly [RegExp, NamesKind])[] = [
  [/^(?:-E |-e )?\^ D ?$/, 'deletions in status'],
  [/^(?:-E |-e )?\^(?:[AU]?U|AA|DD|U[AD]|DU) ?$|^-E \^\((?:[AU]U|AA|DD|U[AD]|DU|\|)+\)$/, 'conflicts in status'],
];

/** Programs that print the file of each such line. */
const takingFile: ReadonlyMap<string, RegExp> = new Map([
  ['awk', /^\{ ?print \$(?:2|NF);? ?\}$/],
  ['cut', /^-c ?4-$/],
  ['sed', /^s\/\^(?:\.\.\.|\.\{3\}| D |UU )\/\/$/],
]);

/** `s/^origin\///`: the lines are others then. */
const changesLines = /^s\W/;

/**
 * A listing (`find`, `grep -rl`) after a program that chooses among its lines: each begins, ends and fits as before, and
 * as `grep` says. Null: the program does something else, or reads no listing.
 *
 * @param args what follows the program's name
 * @param input what it reads
 */
export function listingAfter(
  program: string,
  args: readonly string[],
  input: UnknownWord | null,
): Pick<UnknownWord, 'prefix' | 'suffix' | 'fits' | 'whenNothing'> | null {
  const words = args.join(' ');
  if (input?.fits === undefined || !selects(program, args) || changesLines.test(words)) {
    return null;
  }
  const { prefix, suffix, fits } = input;
  const chooses = program === 'grep' ? (path: string) => grepped(args, path, false) !== '' : () => true;
  return { prefix, suffix, whenNothing: '', fits: (path) => fits(path) && chooses(path) };
}

/** More words than these are as good as any. */
const maximumWords = 200;

/**
 * The words of which each is one that a program passes on where it chooses among lines, or puts them in another order. Null:
 * it does something else, or a line is no single word.
 *
 * @param args what follows the program's name
 * @param text what it reads, where that is known
 * @param input what is known of it else
 */
export function amongAfter(
  program: string,
  args: readonly string[],
  text: string | null,
  input: UnknownWord | null,
): Pick<UnknownWord, 'among'> | null {
  const words = text === null ? (input?.prefix === '' ? input.among : undefined) : text.split('\n').filter(Boolean);
  const isWhole = input === null || input.suffix.trim() === '';
  if (
    words === undefined ||
    !isWhole ||
    words.length > maximumWords ||
    !words.every((word) => /^[^\s'"\\]+$/.test(word))
  ) {
    return null;
  }
  if (/^[ef]?grep$/.test(program)) {
    const chosen = grepped(args, words.map((word) => `${word}\n`).join(''), program === 'egrep');
    return greps(args) && chosen !== null && program !== 'fgrep' ? { among: chosen.split('\n').filter(Boolean) } : null;
  }
  return program !== 'fzf' && selects(program, args) && !changesLines.test(args.join(' ')) ? { among: words } : null;
}

/** `git status --short | grep '^ D' | cut -c4-` */
function namesOutOfStatus(program: string, words: string, names: NamesKind): UnknownWord['names'] {
  if (names === 'status') {
    return program === 'grep' ? choosingStatus.find(([chosen]) => chosen.test(words))?.[1] : undefined;
  }
  const files = names === 'conflicts in status' ? 'conflicts' : 'deletions';
  return takingFile.get(program)?.test(words) === true ? files : undefined;
}

/**
 * What is known of lines after a program that chooses among them.
 *
 * @param args what follows the program's name
 * @param input what it reads
 */
export function namesAfter(program: string, args: readonly string[], input: UnknownWord | null): UnknownWord['names'] {
  const names = input?.prefix === '' && input.suffix.trim() === '' ? input.names : undefined;
  const words = args.join(' ');
  if (names === undefined || names === 'work trees') {
    return names;
  }
  if (names.endsWith('status')) {
    return namesOutOfStatus(program, words, names);
  }
  if (names === 'a remote') {
    return takingDefaultBranch.get(program)?.test(words) === true
      ? 'default branch'
      : program === 'grep' && /^HEAD branch:?$/.test(words)
        ? 'default branch last'
        : undefined;
  }
  // What somebody chose among them is not all of them, and what is said of the files would be wrong.
  if (names === 'changes' && !/^(?:sort|uniq|tac)$/.test(program)) {
    return undefined;
  }
  const unmarked = namesWithoutMarks(program, args, names);
  if (unmarked !== undefined) {
    return unmarked;
  }
  const taking = names.endsWith(' last') ? [takingLast] : [takingFirst, names === 'revisions' ? takingBranch : null];
  return taking.some((programs) => programs?.get(program)?.test(words) === true)
    ? (nameOfEachWord(names) ?? nameOfOneWord(names))
    : selects(program, args)
      ? names
      : undefined;
}
