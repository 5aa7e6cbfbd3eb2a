import type { Repository, StatusEntry } from '../../../git/repository.ts';
import { textsOf } from '../../git-command/words.ts';
import type { CommitIntent } from '../../intent.ts';
import { ownChanges } from '../../work-in-conflict.ts';
import type { Overlay } from '../overlay.ts';
import { currentRef } from '../refs/current-ref.ts';
import { type MadeCommit, workIn, workKept, workReached } from '../refs/made-commit.ts';
import { asOpened } from '../replaced.ts';
import { isNew, isStaged } from './indexed-entry.ts';
import { meant } from './meant-paths.ts';
import { statusNow } from './status-after.ts';
import type { TakenOut } from './taken-out.ts';

/** Files of which a commit will not have the work that those before it have taken up. @param takenOut see {@link Overlay} */
export async function lackedBy(
  { all, paths, includes }: CommitIntent,
  takenOut: ReadonlyMap<string, TakenOut>,
  repository: Repository,
): Promise<ReadonlySet<string>> {
  const entries = [...takenOut.keys()].map((path) => ({ path, index: '.', worktree: '.' }));
  const given = new Set(paths.length === 0 ? [] : await meant(textsOf(paths) ?? [], entries, repository));
  const isAlone = paths.length > 0 && includes !== true;
  const lacks = ([path, { index, inTree }]: [string, TakenOut]) =>
    all || given.has(path) ? !inTree || index === 'nothing' : !isAlone && index !== 'held';
  return new Set([...takenOut].filter(lacks).map(([path]) => path));
}

/**
 * Files of which a commit takes up what is not committed, as git-status(1) tells them before it.
 *
 * @param isMerge what git has merged is nobody's
 */
export function takenUp(
  { all, paths, includes }: CommitIntent,
  isMerge: boolean,
  overlay: Overlay,
  repository: Repository,
): () => Promise<ReadonlySet<string>> {
  const statusAtCommit = statusNow(overlay);
  const stagedHere = new Set([...overlay.index].flatMap(([path, indexed]) => (isStaged(indexed) ? [path] : [])));
  const find = async () => {
    const entries = statusAtCommit(await asOpened(repository).status());
    const there = entries.filter(({ index, worktree }) => index !== '?' && index !== 'D' && worktree !== 'D');
    const given = new Set(paths.length === 0 ? [] : await meant(textsOf(paths) ?? [], there, repository));
    const isStaged = paths.length === 0 || includes === true;
    const isTaken = ({ path, index, worktree }: (typeof there)[number]) =>
      given.has(path) || (isStaged && index !== '.') || (all && worktree !== '.');
    const taken = there.filter(isTaken);
    const own = isMerge ? await ownChanges(taken, asOpened(repository), (path) => stagedHere.has(path)) : taken;
    return new Set(own.map(({ path }) => path));
  };
  let found: Promise<ReadonlySet<string>> | null = null;
  return () => {
    found ??= find();
    return found;
  };
}

/**
 * Commits are left, or replaced: what of them only the work tree still has is uncommitted work again.
 *
 * @param left by the branch that is checked out
 * @param putsBack the index becomes what the branch has now
 */
export async function bringOutWork(
  left: readonly MadeCommit[],
  putsBack: boolean,
  overlay: Overlay,
  repository: Repository,
): Promise<void> {
  const { takenOut, made } = overlay;
  if (takenOut.size === 0) {
    return;
  }
  const [went, kept] = [await workReached(left), await workKept(made.all)];
  const held = await workIn(made.on(await currentRef(repository)));
  const before = new Map((await asOpened(repository).status()).map((entry) => [entry.path, entry]));
  for (const [path, place] of [...takenOut]) {
    if (kept.has(path)) {
      takenOut.set(path, putsBack ? { ...place, index: held.has(path) ? 'held' : 'other' } : place);
      continue;
    }
    takenOut.delete(path);
    if (went.has(path)) {
      leaveInTree(path, place, before.get(path), overlay);
    }
  }
}

/** @param entry as git-status(1) tells it before the line */
function leaveInTree(
  path: string,
  { index, inTree }: TakenOut,
  entry: StatusEntry | undefined,
  overlay: Overlay,
): void {
  overlay.committed.delete(path);
  overlay.index.delete(path);
  if (overlay.forced.delete(path)) {
    // Ignored again.
    overlay.restored.delete(path);
  } else if (inTree) {
    const isUntracked = entry === undefined || entry.index === '?' || isNew(entry);
    overlay.restored.delete(path);
    (isUntracked ? overlay.unversioned : overlay.written).add(path);
  } else if (index !== 'held') {
    overlay.restored.add(path);
    overlay.written.delete(path);
  }
}
