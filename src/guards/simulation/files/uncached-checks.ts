import { readIndexedPaths } from '../../../git/contents/index-file.ts';
import { filesInTree } from '../../../git/contents/tree-entries.ts';
import type { Repository } from '../../../git/repository.ts';
import { checksIn } from '../../files/checks-in-work-tree.ts';
import { isWithin } from '../../files/guarded-file.ts';
import type { Intent } from '../../intent.ts';
import type { Overlay } from '../overlay.ts';

/**
 * Files by which the checks work leave the index, or come back: git-status(1) tells nothing of those that are as HEAD has
 * them.
 *
 * @param isMeant by the path from the work tree's root
 * @param source what the index gets instead; of a commit null: it is not known which
 */
export async function recordUncached(
  isMeant: (path: string) => boolean,
  source: 'HEAD' | 'nothing' | { readonly commit: string | null },
  { overlay, repository }: { readonly overlay: Overlay; readonly repository: Repository },
): Promise<void> {
  const { uncached } = overlay;
  for (const path of [...uncached].filter(isMeant)) {
    uncached.delete(path);
  }
  const checks = source === 'HEAD' ? [] : await checksIn(repository);
  const indexed = checks.length === 0 ? [] : ((await readIndexedPaths(repository)) ?? []);
  const taken = indexed.filter((path) => isMeant(path) && checks.some((check) => isWithin(path, check)));
  const commit = typeof source === 'string' ? null : source.commit;
  const held = taken.length === 0 || commit === null ? null : await filesInTree(commit, taken, repository);
  for (const path of taken.filter((one) => held?.has(one) !== true)) {
    uncached.add(path);
  }
}

/** May the index have everything of HEAD again? */
export function putsIndexBack(intent: Intent): boolean {
  switch (intent.kind) {
    case 'switch':
    case 'move-ref':
    case 'stash':
    case 'bring-files':
      return true;
    case 'discard':
      return intent.what.kind !== 'untracked' && !(intent.what.kind === 'paths' && intent.what.from === 'index');
    default:
      return false;
  }
}
