import type { Git } from '../runner.ts';

/** One entry of `git status --porcelain`. Path relative to the work tree's root, unquoted. */
export interface StatusEntry {
  readonly path: string;
  /** State of the index against HEAD: git's letters, `.` for unchanged, `?` untracked, `U` or others when unmerged. */
  readonly index: string;
  /** State of the work tree against the index. */
  readonly worktree: string;
  /** It is a submodule: what is changed there is in another repository. */
  readonly isSubmodule?: true;
  /** The index has the stages of a conflict as yet; the line takes them away. */
  readonly wasUnmerged?: true;
}

/** A tracked file with changes that `git status` does not show: git-update-index(1). */
export interface HiddenChange {
  /** Relative to the work tree's root. */
  readonly path: string;
  /** `assumed`: by `--assume-unchanged`, overwritten all the same; `skipped`: by `--skip-worktree`, left alone. */
  readonly kind: 'assumed' | 'skipped';
}

/**
 * Tracked changes and untracked files (each file, not folded into directories; no ignored ones). Renames are shown as
 * a deletion and an addition, so every entry has one path. Of submodules only another commit counts: looking for
 * changes in them starts git there, with whatever their own settings name.
 *
 * @param filters settings that keep the repository's own filters from running; a file that only such a filter would show
 *   to be unchanged counts as changed then
 */
export async function readStatus(git: Git, filters: readonly string[] = []): Promise<readonly StatusEntry[]> {
  return parseStatus(await git.text([...filters.flatMap((setting) => ['-c', setting]), ...statusArguments]));
}

/** The question that {@link readStatus} asks. */
export const statusArguments: readonly string[] = [
  'status',
  '--porcelain=v2',
  '-z',
  '--no-renames',
  '--untracked-files=all',
  '--ignore-submodules=dirty',
];

/** Fields that stand before the path, by the entry's first letter: git-status(1) "Porcelain Format Version 2". */
const fieldsBeforePath: Readonly<Record<string, number>> = { '1': 8, '2': 9, u: 10 };

/** Parses `git status --porcelain=v2 -z`. */
export function parseStatus(text: string): readonly StatusEntry[] {
  const records = text.split('\0');
  const entries: StatusEntry[] = [];
  for (let index = 0; index < records.length; index += 1) {
    const record = records[index] ?? '';
    const kind = record.charAt(0);
    const fields = fieldsBeforePath[kind];
    if (kind === '?' || kind === '!') {
      entries.push({ path: record.slice(2), index: kind, worktree: kind });
    } else if (fields !== undefined) {
      const entry = { path: afterFields(record, fields), index: record.charAt(2), worktree: record.charAt(3) };
      entries.push(record.charAt(5) === 'S' ? { ...entry, isSubmodule: true } : entry);
    }
    if (kind === '2') {
      index += 1; // the path before the rename, a record of its own
    }
  }
  return entries;
}

/** A path may itself contain spaces: only the first ones separate fields. */
function afterFields(record: string, count: number): string {
  let position = 0;
  for (let seen = 0; seen < count; seen += 1) {
    position = record.indexOf(' ', position) + 1;
  }
  return record.slice(position);
}
