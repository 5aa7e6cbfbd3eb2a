import { programName, type SimpleCommand } from '../../shell/simple-command.ts';
import { readInvocation } from './invocation.ts';
import { hasGitVariables } from './own-variables.ts';
import { textsOf } from './words.ts';

/** What commits have changed, as a command prints it. */
export interface CommittedPatch {
  /** Revisions and ranges, as git-revert(1) takes them. */
  readonly commits: readonly string[];
  /** Pathspecs; none: everything. */
  readonly paths: readonly string[];
  /** And nothing that is not committed. */
  readonly isOnlyCommitted: boolean;
}

/** Options that change nothing of which files there are. */
const indifferent =
  /^(?:-[pu]|--patch|--(?:no-)?(?:color|ext-diff|textconv|renames|stat)|--(?:binary|full-index|stdout|root|minimal|histogram|patience)|--(?:format|pretty)=.*|-[rR]|-U\d+)$/;
/** What names a commit wherever it stands; a short name beside another operand of git-diff(1) may be a path. */
const surely = /^(?:HEAD|@|[0-9a-f]{7,64}|.*[~^].*|.*@\{.*\})$/;

/**
 * The commits of which a git command prints the changes: git-show(1), git-diff(1) of two commits, git-diff-tree(1),
 * git-format-patch(1), and git-log(1) of some. Null: it prints none, or nobody knows which.
 */
export function readCommittedPatch(printer: SimpleCommand | undefined): CommittedPatch | null {
  if (printer === undefined || programName(printer.argv[0]) !== 'git' || hasGitVariables(printer)) {
    return null;
  }
  const { words, settings } = readInvocation(printer.argv.slice(1), printer.cwd, () => null);
  const [subcommand, ...rest] = textsOf(words) ?? [];
  const separator = rest.includes('--') ? rest.indexOf('--') : rest.length;
  const given = rest.slice(0, separator).filter((word) => !indifferent.test(word));
  const numbers = given.flatMap((word) => /^(?:-|-n|--max-count=)(\d+)$/.exec(word)?.[1] ?? []);
  const operands = given.filter((word) => !/^(?:-|-n|--max-count=)\d+$/.test(word));
  const isOpen = settings.length > 0 || numbers.length > 1 || operands.some((word) => word.startsWith('-'));
  const commits = isOpen ? null : commitsOf(subcommand ?? '', operands, numbers[0] ?? null);
  // git-diff(1) compares a commit alone with the work tree.
  const isOnlyCommitted = subcommand !== 'diff' || operands.length > 1 || operands[0]?.includes('..') === true;
  return commits === null ? null : { commits, paths: rest.slice(separator + 1), isOnlyCommitted };
}

/** @param number how many commits are asked for */
function commitsOf(subcommand: string, operands: readonly string[], number: string | null): readonly string[] | null {
  const [first = 'HEAD', second, ...more] = operands;
  if (more.length > 0 && subcommand !== 'show') {
    return null;
  }
  switch (subcommand) {
    case 'show':
      return number === null ? [first, ...operands.slice(1)] : null;
    case 'diff-tree':
      return second === undefined ? [first] : [`${first}..${second}`];
    case 'diff':
      return between(operands);
    case 'log':
      return second === undefined ? counted(first, number) : null;
    case 'format-patch':
      return second === undefined ? (counted(first, number) ?? [`${first}..HEAD`]) : null;
    default:
      return null;
  }
}

/** git-diff(1) of two commits, of a range, or of a commit and the work tree, which has those behind it as well. */
function between([first, second]: readonly string[]): readonly string[] | null {
  if (first === undefined) {
    return null;
  }
  if (second !== undefined) {
    return surely.test(second) ? [`${first}..${second}`] : null;
  }
  return first.includes('..') ? [first] : surely.test(first) ? [`${first}..HEAD`] : null;
}

/** The newest of what a revision reaches; a range is taken as it is. */
function counted(revision: string, number: string | null): readonly string[] | null {
  if (revision.includes('..')) {
    return [revision];
  }
  return number === null ? null : [number === '1' ? revision : `${revision}~${number}..${revision}`];
}
