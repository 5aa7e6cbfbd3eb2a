import { subcommandAt } from '../git-words.ts';
import type { Word } from '../simple-command.ts';

/** When a subcommand of git prints nothing to its standard output, where it succeeds. */
interface Silence {
  /** With `--quiet` alone; `several`: where it has more than one operand, with `--quiet` alone. */
  readonly quiet?: 'always' | 'several';
  /** Short options that take a value: what follows is none. */
  readonly valued?: string;
  /** Options with which it prints something all the same: short ones, and the names of long ones. */
  readonly printing?: RegExp;
  /** What its operands must be, put together with blanks. */
  readonly operands?: RegExp;
}

/** git-branch(1), git-tag(1): what lists them, and what says which one is no more. */
const listings = 'list|contains|no-contains|merged|no-merged|points-at|sort|format|column';
const listingBranches = new RegExp(
  `^(?:[avrldDtu]|${listings}|all|remotes|verbose|show-current|edit-description|(?:un)?set-upstream.*|track|delete)$`,
);
const listingTags = new RegExp(`^(?:[dvlnf]|${listings}|delete|verify|force)$`);

/**
 * The subcommands' manual pages say what `--quiet` leaves out; the rest is as git 2.39 does it. What hooks print goes to
 * the standard error: githooks(5).
 */
const silences: ReadonlyMap<string, Silence> = new Map<string, Silence>([
  ['init', { quiet: 'always', valued: 'b' }],
  ['clone', { quiet: 'always', valued: 'boucj' }],
  ['add', { printing: /^(?:[nvpie]|dry-run|verbose|patch|interactive|edit)$/ }],
  ['commit', { quiet: 'always', valued: 'mFcCt', printing: /^(?:p|patch|interactive|dry-run|short|porcelain|long)$/ }],
  ['config', { printing: /^(?:get|list|l|e|edit|show).*$/, operands: /^(?:set )?\S+\.\S+ [\s\S]+$/ }],
  ['checkout', { quiet: 'always', valued: 'bB', printing: /^(?:p|patch)$/ }],
  ['switch', { quiet: 'always', valued: 'cC' }],
  ['branch', { quiet: 'several', printing: listingBranches, operands: /\S/ }],
  ['tag', { valued: 'mFu', printing: listingTags, operands: /^\S+(?: \S+)?$/ }],
  ['remote', { valued: 'tm', printing: /^(?:[fv]|fetch|verbose)$/, operands: /^(?:add|set-url) \S+ \S+$/ }],
  ['reset', { quiet: 'always', printing: /^(?:p|patch)$/ }],
  ['restore', { valued: 's', printing: /^(?:p|patch)$/ }],
  ['rm', { quiet: 'always', printing: /^(?:n|dry-run)$/ }],
  ['mv', { printing: /^(?:[nv]|dry-run|verbose)$/ }],
  ['fetch', { quiet: 'always', printing: /^porcelain$/ }],
  ['push', { quiet: 'always', valued: 'o', printing: /^porcelain$/ }],
  [
    'stash',
    { quiet: 'always', valued: 'm', printing: /^(?:p|patch)$/, operands: /^(?:(?:push|save|pop|apply|drop)(?: |$)|$)/ },
  ],
  ['clean', { quiet: 'always', valued: 'e', printing: /^(?:n|dry-run|i|interactive)$/ }],
  ['gc', { quiet: 'always' }],
  ['update-ref', { valued: 'm', printing: /^stdin$/ }],
  ['symbolic-ref', { valued: 'm', operands: /^\S+ \S+$/ }],
  ['worktree', { quiet: 'always', valued: 'bB', operands: /^add / }],
]);

/** Does a call of git print nothing, if it succeeds, by its words alone? @param argv from the name of the program on */
export function printsNothing(argv: readonly Word[]): boolean {
  const at = subcommandAt(argv);
  const [subcommand, ...words] = argv.slice(at).map((word) => (word.kind === 'known' ? word.value : null));
  const silence = subcommand == null ? undefined : silences.get(subcommand);
  if (silence === undefined || words.includes(null)) {
    return false;
  }
  const { options, operands } = partsOf(
    words.filter((word) => word !== null),
    silence.valued ?? '',
  );
  const needsQuiet = silence.quiet === 'always' || (silence.quiet === 'several' && operands.length > 1);
  return (
    (!needsQuiet || options.some((option) => option === 'q' || option === 'quiet')) &&
    !options.some((option) => silence.printing?.test(option) === true) &&
    silence.operands?.test(operands.join(' ')) !== false
  );
}

/** @param valued short options that take a value */
function partsOf(
  words: readonly string[],
  valued: string,
): { readonly options: string[]; readonly operands: string[] } {
  const options: string[] = [];
  const operands: string[] = [];
  for (let index = 0; index < words.length; index += 1) {
    const word = words[index] ?? '';
    const letters = /^-([a-zA-Z].*)$/.exec(word)?.[1];
    if (letters !== undefined) {
      const end = Array.from(letters).findIndex((letter) => valued.includes(letter));
      options.push(...(end < 0 ? letters : letters.slice(0, end)));
      index += end === letters.length - 1 ? 1 : 0;
    } else if (word.startsWith('--')) {
      options.push(word.slice(2).replace(/=.*$/s, ''));
    } else {
      operands.push(word);
    }
  }
  return { options, operands };
}
