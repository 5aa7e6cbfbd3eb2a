import type { CommitList } from '../../../git/history/commit.ts';
import { commitsOnlyReachableFrom } from '../../../git/history/reachability.ts';
import type { Repository } from '../../../git/repository.ts';
import { isTrackingRef } from '../../../git/settings/remote.ts';
import type { Finding } from '../../finding.ts';
import { freeName } from '../../free-name.ts';
import { isUnknown } from '../../git-command/words.ts';
import type { DeleteRefIntent } from '../../intent.ts';
import type { Scene } from '../../scene.ts';
import { forgottenBy } from '../../simulation/refs/open-names.ts';
import { replaced } from '../../simulation/replaced.ts';
import { count } from '../../wording.ts';
import { unreadable } from '../unreadable-command.ts';
import { judgeLoss, refNamed } from './lose-commits.ts';

/**
 * `git branch -D x && git branch -dr origin/x`: the remote has what its tracking refs show, so that these may go. But
 * where the line has put a branch elsewhere, or deleted it, because such a ref had its commits, nothing here has them then.
 */
export async function judgeDeletedTrackingRefs(
  { refs, means }: DeleteRefIntent,
  scene: Scene,
): Promise<readonly Finding[]> {
  const { repository, overlay } = scene;
  const left = [...overlay.shared.left];
  if (left.length === 0) {
    return [];
  }
  const config = await repository.config();
  const isMeant = (name: string | null) => name !== null && isTrackingRef(name, config);
  const named = (await Promise.all(refs.map((ref) => refNamed(ref, scene)))).filter((name) => name !== null);
  const deleted = named.filter(isMeant);
  const lost = await lostWithout(deleted, left, repository);
  if (lost.total > 0) {
    const [newest] = lost.commits;
    const kept = await freeName('kept-work', repository);
    const suggestion = `git branch ${kept} ${(newest?.oid ?? left[0] ?? '').slice(0, 12)}`;
    return judgeLoss(lost, { means, refs: deleted, scene, suggestion });
  }
  const word = refs.map(({ name }) => name).find(isUnknown);
  const possible = word === undefined ? [] : (await forgottenBy(refs, repository)).filter(isMeant);
  const { total } = await lostWithout([...deleted, ...possible], left, repository);
  if (word === undefined || total === 0) {
    return [];
  }
  const could = `what shows ${count(total, 'commit')} that nothing else here has (${possible.join(', ')})`;
  return unreadable(scene.policy, { source: word.source, reason: word.reason, could });
}

/** What of these commits nothing has any more once the refs are gone. */
async function lostWithout(
  refs: readonly string[],
  commits: readonly string[],
  repository: Repository,
): Promise<CommitList> {
  if (refs.length === 0) {
    return { commits: [], total: 0 };
  }
  const [before, after] = [await missing(commits, [], repository), await missing(commits, refs, repository)];
  const wereMissing = new Set(before.commits.map(({ oid }) => oid));
  return {
    commits: after.commits.filter(({ oid }) => !wereMissing.has(oid)),
    total: after.total - before.total,
  };
}

/** What these commits reach and no ref does. @param without refs that do not count */
function missing(commits: readonly string[], without: readonly string[], repository: Repository) {
  const names = commits.map((oid) => `refs/left/${oid}`);
  const refs = async () => {
    const staying = [...(await repository.refs())].filter(([name]) => !without.includes(name));
    const left = commits.map((oid, at) => [names[at] ?? oid, { oid, symref: null }] as const);
    return new Map([...staying, ...left]);
  };
  return commitsOnlyReachableFrom(
    names.map((ref) => ({ ref, to: null })),
    replaced(repository, { refs }),
  );
}
