import { commitsOnlyReachableFrom } from '../../../git/history/reachability.ts';
import type { Finding } from '../../finding.ts';
import { freeName } from '../../free-name.ts';
import type { RewriteIntent } from '../../intent.ts';
import type { Scene } from '../../scene.ts';
import { reachedRef } from '../../simulation/overlay.ts';
import { baseOf, leftBases } from '../../simulation/refs/rebased-onto.ts';
import { judgeLoss } from './lose-commits.ts';

/** `git rebase x && git branch -D x && git rebase --onto main HEAD~1`: what only the first rebase has kept. */
export async function judgeLeftBases(intent: RewriteIntent, scene: Scene): Promise<readonly Finding[]> {
  const { range, means } = intent;
  const { overlay, repository } = scene;
  const left = await leftBases(intent, overlay, repository);
  if (left.length === 0 || range === 'head') {
    return [];
  }
  const to = baseOf(range);
  const moves = left.map(({ oid }) => ({ ref: reachedRef(oid), to }));
  const lost = await commitsOnlyReachableFrom(moves, repository);
  return judgeLoss(lost, {
    means,
    may: true,
    refs: left.map(({ by }) => by),
    scene,
    suggestion: `git branch ${await freeName('kept-work', repository)} ${left[0]?.oid.slice(0, 12)}`,
  });
}
