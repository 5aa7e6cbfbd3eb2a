import { commitsOnlyReachableFrom } from '../../../git/history/reachability.ts';
import type { PushPlan } from '../../../git/push/push-plan.ts';
import { shortBranchName } from '../../../git/refs/refspec.ts';
import type { Finding } from '../../finding.ts';
import { freeName } from '../../free-name.ts';
import type { Scene } from '../../scene.ts';
import { asOpened } from '../../simulation/replaced.ts';
import { judgeLoss } from './lose-commits.ts';

/** A longer list of what is overwritten is not looked through. */
const mostOverwritten = 1000;

/**
 * `git branch -D x && git push --force-with-lease origin main:x`: the branch could go because the remote had its commits,
 * and what is pushed there with a lease because they were here. Without a lease, the push is asked about anyway.
 */
export async function judgeLastCopies({ remote, updates }: PushPlan, scene: Scene): Promise<readonly Finding[]> {
  const deleted = await deletedTips(scene);
  const leased = updates.filter(({ kind, force }) => kind === 'forced' && force === 'lease');
  if (deleted.size === 0 || remote === null || leased.length === 0) {
    return [];
  }
  const moves = leased.map(({ remoteRef, localOid }) => ({
    ref: `refs/remotes/${remote}/${shortBranchName(remoteRef)}`,
    to: localOid,
  }));
  const lost = await commitsOnlyReachableFrom(moves, scene.repository, { limit: mostOverwritten });
  const newest = lost.commits.find(({ oid }) => deleted.has(oid));
  return newest === undefined
    ? []
    : judgeLoss(lost, {
        means: 'This push, of commits whose branch this command line deletes,',
        refs: leased.map(({ remoteRef }) => remoteRef),
        scene,
        suggestion: `git branch ${await freeName('kept-work', scene.repository)} ${newest.oid.slice(0, 12)}`,
      });
}

/** The commits on which local refs stood that the line has deleted. */
async function deletedTips({ overlay, repository }: Scene): Promise<ReadonlySet<string>> {
  const names = [...overlay.refs].flatMap(([name, oid]) =>
    oid === null && !name.startsWith('refs/remotes/') ? [name] : [],
  );
  const before = asOpened(repository);
  const tips = await Promise.all(names.map((name) => before.ref(name)));
  return new Set(tips.flatMap((oid) => oid ?? []));
}
