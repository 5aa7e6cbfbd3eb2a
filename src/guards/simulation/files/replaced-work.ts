import { readTreeEntries, type TreeEntry } from '../../../git/contents/tree-entries.ts';
import { commitsOnlyReachableFrom } from '../../../git/history/reachability.ts';
import type { Repository } from '../../../git/repository.ts';
import type { CommitIntent } from '../../intent.ts';
import type { Overlay } from '../overlay.ts';
import type { MadeCommit } from '../refs/made-commit.ts';
import { mergedRef } from '../refs/made-commits.ts';
import { lastReindexed } from './recorded-index.ts';

/** The commit that `git commit --amend` replaces. */
export interface Replaced {
  /** The full name of the branch; `HEAD` where it is detached. */
  readonly ref: string;
  /** What was there before the line. */
  readonly oid: string;
  readonly parent: string;
}

/**
 * `git reset HEAD~1 -- FILE && git commit --amend`: what only the replaced commit had of a file is in the work tree alone.
 * Where something else reaches that commit, it keeps it.
 */
export async function bringOutReplaced(
  { all, paths, includes }: CommitIntent,
  { ref, oid, parent }: Replaced,
  overlay: Overlay,
  repository: Repository,
): Promise<void> {
  const takesIndex = !all && (paths.length === 0 || includes === true);
  if (!takesIndex || overlay.reindexed.length === 0) {
    return;
  }
  const moves = [
    { ref, to: parent },
    { ref: mergedRef(oid), to: null },
  ];
  const isLost = (await commitsOnlyReachableFrom(moves, repository, { limit: 1 })).total > 0;
  for (const entry of isLost ? await filesOf(oid, repository) : []) {
    const has = await indexedInstead(entry, overlay, repository);
    if (has !== null) {
      (has === 'nothing' ? overlay.unversioned : overlay.written).add(entry.path);
    }
  }
}

/** The commit that was there before the line and that amended ones stand in the place of; null: none. */
export function replacedBy(commit: MadeCommit | undefined): string | null {
  const [oid = null] = commit?.takesTheirPlace === true ? commit.merged : [];
  return oid ?? (commit?.takesTheirPlace === true ? replacedBy(commit.mergedMade.at(-1)) : null);
}

/** What a commit has brought. */
async function filesOf(oid: string, { git }: Repository): Promise<readonly TreeEntry[]> {
  const words = ['show', '-m', '--first-parent', '--format=', '--raw', '--no-abbrev', '--no-renames', '-z'];
  const { stdout } = await git.run([...words, '--diff-filter=AMT', oid]);
  return readTreeEntries(stdout);
}

/** What the index has of a file, since commands have named it; null: still the same. */
async function indexedInstead(
  { path, oid }: TreeEntry,
  overlay: Overlay,
  { git }: Repository,
): Promise<'nothing' | 'other' | null> {
  const has = lastReindexed(path, overlay);
  if (has === null || has === 'work tree' || has === 'nothing') {
    return has === 'nothing' ? has : null;
  }
  const listed = await git.run(['--literal-pathspecs', 'ls-tree', '-z', '--full-tree', has.commit, '--', path]);
  const [found] = readTreeEntries(listed.stdout);
  return found === undefined ? 'nothing' : found.oid === oid ? null : 'other';
}
