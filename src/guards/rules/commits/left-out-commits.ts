import type { CommitList } from '../../../git/history/commit.ts';
import { commitsOnlyReachableFrom, type RefMove } from '../../../git/history/reachability.ts';
import type { Scene } from '../../scene.ts';
import { refsAdrift } from '../../simulation/refs/brought-refs.ts';

/** More commits than these are not told apart one by one. */
const manyCommits = 1000;
const shownCommits = 20;

/**
 * What only these refs reach, counting what a `git rebase --onto` of the line has left out of another branch, or what one
 * had that now stands nobody knows where: they may have been the last that had it. What a rebase has picked is in other
 * commits now.
 */
export async function reachedOnlyFrom(
  moves: readonly RefMove[],
  { repository, overlay }: Pick<Scene, 'repository' | 'overlay'>,
): Promise<CommitList> {
  const isMoving = (ref: string) => moves.some((move) => move.ref === ref);
  const adrift = (await refsAdrift(overlay, repository)).filter((ref) => !isMoving(ref));
  const rebased: RefMove[] = adrift.map((ref) => ({ ref, to: null }));
  const picked = new Set<string>();
  for (const [branch, { tip, onto, upstream, keepers }] of overlay.shared.rebasedOnto) {
    const refs = [branch, ...namedSince(tip, [branch, ...keepers], overlay)];
    const standing = await Promise.all(refs.map(async (ref) => (await repository.ref(ref)) === tip));
    const others = refs.filter((ref, n) => standing[n] && !isMoving(ref));
    if (others.length > 0) {
      rebased.push(...others.map((ref) => ({ ref, to: onto })));
      const { commits } = await repository.commits([tip], [upstream, onto], manyCommits);
      for (const { oid } of commits) {
        picked.add(oid);
      }
    }
  }
  if (rebased.length === 0) {
    return commitsOnlyReachableFrom(moves, repository);
  }
  const [all, before] = await Promise.all(
    [[...moves, ...rebased], rebased].map((some) => commitsOnlyReachableFrom(some, repository, { limit: manyCommits })),
  );
  const wereLost = new Set(before?.commits.map(({ oid }) => oid));
  const commits = (all?.commits ?? []).filter(({ oid }) => !picked.has(oid) && !wereLost.has(oid));
  return { commits: commits.slice(0, shownCommits), total: commits.length };
}

/** What was pushed, branched off or tagged since the rebase names what the rebase has made as well, not the tip before. */
function namedSince(tip: string, before: readonly string[], { refs }: Scene['overlay']): readonly string[] {
  return [...refs].flatMap(([ref, oid]) => (oid === tip && !before.includes(ref) ? [ref] : []));
}
