import type { Repository } from '../../../git/repository.ts';
import type { Finding } from '../../finding.ts';
import { known, textOf } from '../../git-command/words.ts';
import type { SwitchIntent } from '../../intent.ts';
import type { Scene } from '../../scene.ts';
import { branchNamed, tracked } from '../../simulation/refs/branch-names.ts';
import { isUnmerged } from '../../work-in-conflict.ts';
import { isTakenBack } from './coming-back.ts';
import { judgeMoves } from './lose-commits.ts';

/** A detached HEAD is the only name of the commits that were made on it. */
export async function judgeLeftHead(intent: SwitchIntent, scene: Scene): Promise<readonly Finding[]> {
  const { repository, overlay } = scene;
  const head = await repository.head();
  if (head.kind !== 'detached' || intent.to === null) {
    return [];
  }
  if (await isHeldByConflict(intent, repository)) {
    return [];
  }
  const given = intent.orphan === true ? null : textOf(intent.create ? (intent.start ?? known('HEAD')) : intent.to);
  const isUnborn =
    intent.mayBeUnborn === true && given !== null && (await repository.ref(`refs/heads/${given}`)) === null;
  const name = isUnborn ? null : given;
  const to =
    name === null
      ? null
      : ((await branchNamed(name, repository, overlay)) ?? (await tracked(name, repository)) ?? name);
  const move = { ref: 'HEAD', to };
  // With nothing uncommitted, no switch fails for what it would overwrite.
  const isClean = async () => (await repository.status()).length === 0;
  return (await isTakenBack(move, isClean, scene)) ? [] : judgeMoves([move], 'Leaving the detached HEAD', scene);
}

/** "you need to resolve your current index first" */
export async function isHeldByConflict(intent: SwitchIntent, repository: Repository): Promise<boolean> {
  return intent.forced !== true && intent.mayBeUnborn !== true && (await repository.status()).some(isUnmerged);
}
