import type { Repository, StatusEntry } from '../../../git/repository.ts';
import { grepped } from '../../../shell/outputs/text-filters.ts';
import { programName, type SimpleCommand } from '../../../shell/simple-command.ts';
import type { Invocation } from '../../git-command/invocation.ts';
import { textsOf } from '../../git-command/words.ts';
import type { LookedFor } from './known-clean.ts';

/** Paths that git prints as they are: git-config(1) "core.quotePath". */
const plainPath = /^[\w./+@%=,:~-]+$/;

/** How a call prints one entry; null: in a form that is not written here. */
type LineOf = (entry: StatusEntry) => string;

function lineOf([subcommand = '', ...words]: readonly string[], { staged, unstaged }: LookedFor): LineOf | null {
  const has = (option: RegExp) => words.some((word) => option.test(word));
  const letter = ({ index, worktree }: StatusEntry) => (staged && (!unstaged || index !== '.') ? index : worktree);
  if (has(/^-\w*[ztd]|2$|^--(?:raw|stat|shortstat|numstat|patch|deleted|directory)$|^-p$/)) {
    return null;
  }
  switch (subcommand) {
    case 'status':
      return has(/^(?:-s|--short|--porcelain(?:=v?1)?)$/)
        ? ({ path, index, worktree }) => `${(index + worktree).replaceAll('.', ' ')} ${path}`
        : null;
    case 'ls-files':
      return ({ path }) => path;
    default:
      return has(/^--name-only$/)
        ? ({ path }) => path
        : has(/^--name-status$/)
          ? (entry) => `${letter(entry)}\t${entry.path}`
          : null;
  }
}

/**
 * Lines that are surely among those which a call prints, where it stands at the work tree's root. Files that git may show as
 * renamed or copied are left out, and what lies in a directory of which it may name that alone.
 *
 * @param entries that it surely finds
 */
export async function linesOfChanges(
  entries: readonly StatusEntry[],
  { words }: Invocation,
  looked: LookedFor,
  repository: Repository,
): Promise<readonly string[]> {
  const texts = textsOf(words);
  const line = texts === null ? null : lineOf(texts, looked);
  const { entries: settings } = await repository.config();
  const isColored = settings.some(({ key, value }) => key.startsWith('color.') && value === 'always');
  if (line === null || isColored || repository.cwd !== repository.workTree) {
    return [];
  }
  const isCopying = settings.some(
    ({ key, value }) => /^(?:diff|status)\.renames$/.test(key) && /^cop/i.test(value ?? ''),
  );
  const isAdded = ({ index }: StatusEntry) => index === 'A';
  const isGone = ({ index, worktree }: StatusEntry) => index === 'D' || worktree === 'D';
  const status = await repository.status();
  const mayPair = isCopying || (status.some(isAdded) && status.some(isGone));
  const isPrinted = (entry: StatusEntry) =>
    plainPath.test(entry.path) &&
    !(entry.index === '?' && entry.path.includes('/')) &&
    !(mayPair && (isAdded(entry) || isGone(entry)));
  return entries.filter(isPrinted).map(line);
}

/** Are there lines among these that the programs surely choose, one after the other? */
export function surelyChooses(programs: readonly SimpleCommand[], lines: readonly string[]): boolean {
  const left = programs.reduce<string | null>(
    (text, program) => (text === null ? null : chosenBy(program, text)),
    lines.map((line) => `${line}\n`).join(''),
  );
  return left !== null && left !== '';
}

/** Options of grep by which it says less than the lines that it finds. */
const saysLess = /^--(?:quiet|silent|no-messages|count)$/;

function chosenBy({ argv }: SimpleCommand, text: string): string | null {
  const program = programName(argv[0]);
  const words = textsOf(argv.slice(1));
  if (program === 'cat' || program === 'sort') {
    return text;
  }
  const args = words
    ?.filter((word) => !saysLess.test(word))
    .map((word) => (/^-[a-zA-Z]+$/.test(word) ? word.replace(/[qsc]/g, '') : word))
    .filter((word) => word !== '-');
  const isPlain = words !== null && !words.includes('-') && !words.includes('--');
  return args === undefined || !isPlain || args.filter((word) => !word.startsWith('-')).length !== 1
    ? null
    : grepped(args, text, program === 'egrep');
}
