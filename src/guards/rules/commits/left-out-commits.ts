import type { CommitList } from '../../../git/history/commit.ts';
import { commitsOnlyReachableFrom, type RefMove } from '../../../git/history/reachability.ts';
import type { Repository } from '../../../git/repository.ts';
import type { Scene } from '../../scene.ts';
import { type RebasedOnto, reachedRef } from '../../simulation/overlay.ts';
import { refsAdrift } from '../../simulation/refs/brought-refs.ts';
import { type Forked, forkedFrom } from '../../simulation/refs/fork-point.ts';

/** More commits than these are not told apart one by one. */
const manyCommits = 1000;
const shownCommits = 20;

/**
 * What only these refs reach, counting what a `git rebase` of the line has left out of another branch, or what one
 * had that now stands nobody knows where: they may have been the last that had it. What a rebase has picked is in other
 * commits now.
 */
export async function reachedOnlyFrom(
  given: readonly RefMove[],
  { repository, overlay }: Pick<Scene, 'repository' | 'overlay'>,
): Promise<CommitList> {
  const moves = [...given, ...reachedBy(given, overlay)];
  const isMoving = (ref: string) => moves.some((move) => move.ref === ref);
  const adrift = (await refsAdrift(overlay, repository)).filter((ref) => !isMoving(ref));
  const rebased: RefMove[] = adrift.map((ref) => ({ ref, to: null }));
  const picked = new Set<string>();
  for (const [branch, rebase] of overlay.shared.rebasedOnto) {
    const { tip, onto, keepers } = rebase;
    const left = await leftOutBy(rebase, repository);
    if (left === null) {
      continue;
    }
    const refs = [branch, ...namedSince(tip, [branch, ...keepers], overlay)];
    const standing = await Promise.all(refs.map(async (ref) => (await repository.ref(ref)) === tip));
    const others = refs.filter((ref, n) => standing[n] && !isMoving(ref));
    if (others.length > 0) {
      rebased.push(...others.map((ref) => ({ ref, to: onto })));
      const { commits } = await repository.commits([tip], [left.fork, onto], manyCommits);
      for (const oid of [...commits.map((commit) => commit.oid), ...left.rewritten]) {
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

/**
 * A branch that the line has rebased stands on other commits than its ref still names: what is at its base is there again.
 *
 * @param to a revision to which a ref goes
 * @returns the same, or where that branch was put
 */
export async function withoutLeftOut(
  to: string,
  { repository, overlay }: Pick<Scene, 'repository' | 'overlay'>,
): Promise<string> {
  if (overlay.shared.rebasedOnto.size === 0) {
    return to;
  }
  const head = /^(?:HEAD|@)$/.test(to) ? await repository.head() : null;
  const ref = head === null ? `refs/heads/${to}` : head.kind === 'branch' ? head.ref : 'HEAD';
  const rebase = overlay.shared.rebasedOnto.get(ref);
  const isThere = rebase !== undefined && (await repository.ref(ref)) === rebase.tip;
  return isThere && (await leftOutBy(rebase, repository)) !== null ? rebase.onto : to;
}

/** Behind which commit a rebase has begun to pick; null: all that the branch has of its own. */
async function leftOutBy({ upstream, tip }: RebasedOnto, repository: Repository): Promise<Forked | null> {
  return typeof upstream === 'string'
    ? { fork: upstream, rewritten: new Set() }
    : forkedFrom(upstream, tip, repository);
}

/** With a ref goes what it has by a rebase of the line, or as the line has found out, and no ref of its own has. */
function reachedBy(moves: readonly RefMove[], { refs, shared }: Scene['overlay']): readonly RefMove[] {
  const isMoving = (ref: string) => moves.some((move) => move.ref === ref);
  const there = shared.reached.filter(({ by, since }) => isMoving(by) && refs.get(by) === since);
  return there.map(({ oid }) => ({ ref: reachedRef(oid), to: null }));
}

/** What was pushed, branched off or tagged since the rebase names what the rebase has made as well, not the tip before. */
function namedSince(tip: string, before: readonly string[], { refs }: Scene['overlay']): readonly string[] {
  return [...refs].flatMap(([ref, oid]) => (oid === tip && !before.includes(ref) ? [ref] : []));
}
