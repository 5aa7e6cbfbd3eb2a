import type { UnknownWord } from './simple-command.ts';

/** Programs that pass whole lines of their input on, by the words with which they read nothing else. */
const selecting: ReadonlyMap<string, RegExp> = new Map([
  ['head', /^(?:-\d+|-n ?-?\d+)?$/],
  ['tail', /^(?:-\d+|-n ?[+-]?\d+)?$/],
  ['sort', /^(?:-[bdfghiMnRrVu]+ ?)*$/],
  ['uniq', /^(?:-[diu]+ ?)*$/],
  ['tac', /^$/],
  ['shuf', /^(?:-n ?\d+)?$/],
  ['fzf', /^(?:-\S+ ?)*$/],
  // The default branch, out of `git symbolic-ref refs/remotes/origin/HEAD`.
  [
    'sed',
    /^s([@#|,])\^?(?:refs\/(?:remotes|heads)\/)?(?:[\w-]+\/)?\1\1$|^s\/\^?refs\\\/(?:remotes|heads)\\\/(?:[\w-]+\\\/)?\/\/$/,
  ],
  ['grep', /^(?:-[vEFPiwx]+ )*(?:-e )?[^- ]\S*$/],
]);

/** Programs that print the first word of each line. */
const takingFirst: ReadonlyMap<string, RegExp> = new Map([
  ['awk', /^(?:NR ?==? ?1 ?)?\{ ?print \$1;? ?(?:; ?exit ?)?\}$/],
  ['cut', /^-d ? -f ?1$/],
]);

/**
 * What is known of lines after a program that chooses among them.
 *
 * @param args what follows the program's name
 * @param input what it reads
 */
export function namesAfter(program: string, args: readonly string[], input: UnknownWord | null): UnknownWord['names'] {
  const names = input?.prefix === '' && input.suffix.trim() === '' ? input.names : undefined;
  const words = args.join(' ');
  if (names === undefined) {
    return undefined;
  }
  return takingFirst.get(program)?.test(words) === true
    ? 'revisions'
    : selecting.get(program)?.test(words) === true
      ? names
      : undefined;
}
