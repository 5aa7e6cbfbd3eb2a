import { OxideError } from '../errors.ts';
import type { GitConfiguration } from './configuration.ts';
import type { Git } from './runner.ts';

/** One entry of `git status --porcelain`. Path relative to the work tree's root, unquoted. */
export interface StatusEntry {
  readonly path: string;
  /** State of the index against HEAD: git's letters, `.` for unchanged, `?` untracked, `U` or others when unmerged. */
  readonly index: string;
  /** State of the work tree against the index. */
  readonly worktree: string;
}

/**
 * Tracked changes and untracked files (each file, not folded into directories; no ignored ones). Renames are shown as
 * a deletion and an addition, so every entry has one path. Of submodules only another commit counts: looking for
 * changes in them starts git there, with whatever their own settings name.
 *
 * @param filters settings that keep the repository's own filters from running: see {@link ownFiltersOff}
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

/**
 * gitattributes(5) "filter": to compare a file whose times have changed, git starts the program that the configuration
 * names. One that the repository itself configures may have been put there by whoever made it, so looking at a
 * repository must not start it; the person's own filters (Git LFS) run. Such a file then counts as changed.
 *
 * @throws OxideError `unsafe-filter` for a name that no option can carry
 */
export function ownFiltersOff({ entries }: GitConfiguration): readonly string[] {
  const isOwn = (scope: string) => scope === 'local' || scope === 'worktree' || scope === 'unknown';
  const names = entries.flatMap(({ key, scope }) => {
    const name = /^filter\.(.*)\.(?:clean|process|smudge)$/s.exec(key)?.[1];
    return name !== undefined && isOwn(scope) ? [name] : [];
  });
  return [...new Set(names)].flatMap((name) => {
    if (/[=\n]/.test(name)) {
      throw new OxideError(
        'unsafe-filter',
        `The repository configures a filter named ${JSON.stringify(name)}, which can't be kept from running.`,
        { remedy: "git config --local --get-regexp '^filter'   # what does it run?" },
      );
    }
    return [`filter.${name}.clean=`, `filter.${name}.process=`, `filter.${name}.required=false`];
  });
}

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
      entries.push({ path: afterFields(record, fields), index: record.charAt(2), worktree: record.charAt(3) });
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
