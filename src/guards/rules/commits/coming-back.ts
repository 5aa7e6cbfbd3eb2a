import { commitsOnlyReachableFrom, type RefMove } from '../../../git/history/reachability.ts';
import type { Repository } from '../../../git/repository.ts';
import type { Scene } from '../../scene.ts';

/**
 * Does the line come back to what a move leaves, or keep it otherwise?
 *
 * @param move of HEAD, or of the branch that is checked out
 * @param succeeds whether git surely does not refuse the move
 */
export async function isTakenBack(move: RefMove, succeeds: () => Promise<boolean>, scene: Scene): Promise<boolean> {
  const { comesBack: back, repository } = scene;
  if (back === null) {
    return false;
  }
  const { how, needsSuccess } = back;
  if (how.kind === 'picks') {
    return isPickedAgain(move, how.which, scene);
  }
  return (how.kind === 'head' || (await isNameFree(how.name, repository))) && (!needsSuccess || (await succeeds()));
}

/** git makes no branch or tag of a name that is one already, nor below or above one. @param ref its full name */
async function isNameFree(ref: string, repository: Repository): Promise<boolean> {
  const names = [...(await repository.refs()).keys()];
  return !names.some((name) => `${name}/`.startsWith(`${ref}/`) || `${ref}/`.startsWith(`${name}/`));
}

/**
 * Are all commits that a ref leaves picked onto where it goes: `git switch main && git cherry-pick -`? Where git stops at
 * a conflict, CHERRY_PICK_HEAD and the list of what is left to pick have them. Nothing may be in its way before it
 * begins, and without `-m` git picks no merge.
 */
async function isPickedAgain(move: RefMove, which: 'one' | 'all', { repository, overlay }: Scene): Promise<boolean> {
  if (move.to === null || (await repository.status()).length > 0) {
    return false;
  }
  const { commits, total } = await commitsOnlyReachableFrom([move], repository);
  const merges = await repository.resolveAll(commits.map(({ oid }) => `${oid}^2`));
  const isAll = total + overlay.made.on(move.ref).length === (which === 'one' ? 1 : commits.length);
  return isAll && [...merges.values()].every((parent) => parent === null);
}
