import { commitsOnlyReachableFrom, type RefMove } from '../../../git/history/reachability.ts';
import type { Scene } from '../../scene.ts';

/**
 * Are all commits that a ref leaves picked onto where it goes: `git switch main && git cherry-pick -`? Where git stops at
 * a conflict, CHERRY_PICK_HEAD and the list of what is left to pick have them. Nothing may be in its way before it
 * begins, and without `-m` git picks no merge.
 */
export async function isPickedAgain(move: RefMove, { comesBack, repository, overlay }: Scene): Promise<boolean> {
  if (comesBack?.picked == null || move.to === null || (await repository.status()).length > 0) {
    return false;
  }
  const lost = await commitsOnlyReachableFrom([move], repository);
  const total = lost.total + overlay.made.on(move.ref).length;
  const merges = await Promise.all(lost.commits.map(({ oid }) => repository.resolve(`${oid}^2`)));
  return total === (comesBack.picked === 'one' ? 1 : lost.commits.length) && merges.every((parent) => parent === null);
}
