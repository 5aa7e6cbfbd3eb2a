import type { RefValue } from '../refs/ref-files.ts';
import type { Repository } from '../repository.ts';
import { type CommitList, noCommits } from './commit.ts';
import { readFetchedCommits } from './fetched-commits.ts';
import { plannedReplacement } from './replaced-commits.ts';

/** A local ref that is about to move or to go. */
export interface RefMove {
  /** Full name; `HEAD` for a detached HEAD that goes elsewhere, `worktrees/x/HEAD` for another work tree's. */
  readonly ref: string;
  /** The revision it moves to; null: the ref goes. */
  readonly to: string | null;
}

/**
 * The commits that nothing but the moving refs reaches and that would be reached by nothing afterwards: not by another
 * branch, tag, remote tracking ref or worktree's HEAD, nor from where the refs move to, nor from what a remote has where
 * nothing else tells of that. Reflogs do not count: they expire. Neither do this guard's own refs and those of a bisection.
 *
 * Two processes for the refs and the commits, and one for each target; where some would be lost, two more at the most.
 *
 * @param options.stash whether refs/stash counts as reaching (default: no, it is dropped lightly)
 * @param options.limit bounds the list, not the total
 */
export async function commitsOnlyReachableFrom(
  moves: readonly RefMove[],
  repository: Repository,
  options: { readonly stash?: boolean; readonly limit?: number } = {},
): Promise<CommitList> {
  const { tips, kept } = await tipsOf(moves, repository, options.stash === true);
  if (tips.length === 0) {
    return noCommits;
  }
  const lost = await repository.commits(tips, kept, options.limit);
  const moving = moves.map(({ ref }) => ref);
  const fetched = lost.total === 0 ? [] : await readFetchedCommits(moving, repository);
  return fetched.length === 0 ? lost : repository.commits(tips, [...new Set([...kept, ...fetched])], options.limit);
}

/** Object names of commits, each once. */
interface Tips {
  /** At which the moving refs stand. */
  readonly tips: readonly string[];
  /** At which all others do, and where the moving ones go. */
  readonly kept: readonly string[];
}

/** What refs that move let go of, and what stays. @param stash whether refs/stash stays */
export async function tipsOf(moves: readonly RefMove[], repository: Repository, stash = false): Promise<Tips> {
  const [refs, head, otherHeads] = await Promise.all([repository.refs(), repository.head(), repository.otherHeads()]);
  const moving = new Set(moves.map(({ ref }) => ref));
  const detached = head.kind === 'detached' ? head.oid : null;
  const tips = [...moving].flatMap(
    (ref) => (ref === 'HEAD' ? detached : (refs.get(ref)?.oid ?? otherHeads.get(ref))) ?? [],
  );
  if (tips.length === 0 && moves.length > 0) {
    return { tips: [], kept: [] };
  }
  const staying = [...refs].filter(([name, value]) => stays(name, value, moving, stash));
  const targets = await Promise.all(
    moves.flatMap(({ to }) => (to === null ? [] : repository.resolve(`${to}^{commit}`))),
  );
  const kept = [
    ...staying.map(([, { oid }]) => oid),
    ...[...otherHeads].flatMap(([name, oid]) => (moving.has(name) ? [] : oid)),
    ...(detached !== null && !moving.has('HEAD') ? [detached] : []),
    ...targets.flatMap((oid) => oid ?? []),
  ];
  return { tips: [...new Set(tips)], kept: [...new Set(kept)] };
}

/** Refs that go by themselves: this guard's own ones, and those of a bisection at its end; and one that is none. */
const passing: readonly string[] = ['refs/oxide-guard/', 'refs/bisect/', plannedReplacement];

function stays(name: string, { symref }: RefValue, moving: ReadonlySet<string>, stash: boolean): boolean {
  const isPassing = passing.some((prefix) => name.startsWith(prefix));
  const isMoving = moving.has(name) || (symref !== null && moving.has(symref));
  return !isMoving && !isPassing && (stash || name !== 'refs/stash');
}
