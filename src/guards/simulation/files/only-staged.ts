import type { Repository } from '../../../git/repository.ts';
import { textsOf } from '../../git-command/words.ts';
import type { DiscardIntent } from '../../intent.ts';
import type { Overlay } from '../overlay.ts';
import { meant } from './meant-paths.ts';

/**
 * `git restore --source=HEAD FILE` leaves the only copy of what was staged to the index; `git restore FILE` takes it from
 * there again.
 */
export async function applyBesideIndex(
  { what }: DiscardIntent,
  overlay: Overlay,
  repository: Repository,
): Promise<void> {
  const paths = what.kind === 'paths' && what.from === 'index' ? textsOf(what.paths) : null;
  if (what.kind !== 'paths' || paths === null) {
    return;
  }
  const asStaged = (await repository.status()).filter(
    ({ index, worktree }) => index !== '.' && index !== '?' && index !== 'D' && worktree === '.',
  );
  for (const path of await meant(paths, asStaged, repository)) {
    if (what.besideIndex === true) {
      overlay.onlyStaged.add(path);
    } else {
      overlay.onlyStaged.delete(path);
    }
  }
}
