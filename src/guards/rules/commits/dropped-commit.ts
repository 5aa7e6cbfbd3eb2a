import { commitsOnlyReachableFrom } from '../../../git/history/reachability.ts';
import type { Finding } from '../../finding.ts';
import { freeName } from '../../free-name.ts';
import { isUnknown, textOf } from '../../git-command/words.ts';
import type { RewriteIntent } from '../../intent.ts';
import type { Scene } from '../../scene.ts';
import { count } from '../../wording.ts';
import { unreadable } from '../unreadable-command.ts';
import { judgeLoss } from './lose-commits.ts';

/** More commits than these are not told apart one by one. */
const manyCommits = 1000;

/**
 * `git history drop COMMIT`: what follows the commit is made again without it, on the branch that is checked out or on
 * every one that has it. It may stay on another ref.
 */
export async function judgeDroppedCommit(
  { means, range, drops }: RewriteIntent,
  scene: Scene,
): Promise<readonly Finding[]> {
  if (drops === undefined || range === 'head') {
    return [];
  }
  const { repository, policy } = scene;
  const head = await repository.head();
  const current = head.kind === 'branch' ? head.ref : 'HEAD';
  const branches = [...(await repository.refs()).keys()].filter((ref) => ref.startsWith('refs/heads/'));
  const rewritten = range.branch === 'containing' ? [...new Set([current, ...branches])] : [current];
  const lost = await commitsOnlyReachableFrom(
    rewritten.map((ref) => ({ ref, to: null })),
    repository,
    { limit: manyCommits },
  );
  if (isUnknown(drops)) {
    const { source, reason } = drops;
    const could = `one of ${count(lost.total, 'commit')} that nothing else has`;
    return lost.total === 0 ? [] : unreadable(policy, { source, reason, could });
  }
  const oid = await repository.resolve(`${textOf(drops)}^{commit}`);
  const commits = lost.commits.filter((commit) => commit.oid === oid);
  const suggestion = `git branch ${await freeName('kept-work', repository)} ${oid?.slice(0, 12)}`;
  return judgeLoss({ commits, total: commits.length }, { means, refs: [current], scene, suggestion });
}
