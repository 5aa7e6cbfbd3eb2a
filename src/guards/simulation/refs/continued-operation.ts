import { countPicksLeft } from '../../../git/history/picks-left.ts';
import { isStopped, waitsForEdits } from '../../../git/history/stopped-operations.ts';
import type { Repository, StatusEntry } from '../../../git/repository.ts';
import type { GoOnIntent } from '../../intent.ts';
import { isUnmerged, ownChanges, wasInConflict } from '../../work-in-conflict.ts';
import { isStaged } from '../files/indexed-entry.ts';
import type { Overlay } from '../overlay.ts';
import { applyAutostash } from './autostash.ts';
import { startOf } from './bisection.ts';
import { takeUpIndex } from './commits.ts';
import { currentRef } from './current-ref.ts';
import { type MadeCommit, madeCommit } from './made-commit.ts';

/** A stopped operation goes on to its end: with what is staged, and with the commits that it has still to make. */
export async function applyContinued(
  { operation }: GoOnIntent,
  overlay: Overlay,
  repository: Repository,
): Promise<void> {
  if (operation === 'rebase') {
    return applyFinishedRebase(overlay, repository);
  }
  const changed = await trackedNow(repository);
  // What the line writes and then stages is resolved by that.
  const isOpen = (entry: StatusEntry) => isUnmerged(entry) && overlay.index.get(entry.path) !== 'work tree';
  if (!isStopped(operation, repository.gitDir) || changed.some(isOpen)) {
    return;
  }
  const current = await currentRef(repository);
  overlay.shared.stood.delete(current);
  for (const commit of await commitsToCome(operation, changed, { overlay, repository })) {
    overlay.made.add(current, commit);
  }
  overlay.opensRevert = false;
  takeUpIndex(overlay);
}

/**
 * git-rebase(1) checks the branch out again, on what was picked. It takes what is staged with it and refuses to go on from
 * other changes.
 */
async function applyFinishedRebase(overlay: Overlay, repository: Repository): Promise<void> {
  const branch = startOf('rebase', overlay, repository);
  const head = await repository.head();
  if (branch === null || head.kind === 'branch') {
    return;
  }
  const ref = `refs/heads/${branch}`;
  const before = await repository.ref(ref);
  const changed = await trackedNow(repository);
  const coming = await commitsToCome('rebase', changed, { overlay, repository });
  const picked = {
    ...(coming.at(-1) ?? madeCommit(false)),
    merged: before === null ? [] : [before],
    mergedMade: overlay.made.on(ref),
    takesTheirPlace: true,
  };
  overlay.made.set(ref, [...overlay.made.on('HEAD'), ...coming.slice(0, -1), picked]);
  overlay.made.set('HEAD', []);
  overlay.refs.set(ref, head.oid);
  overlay.head = { kind: 'branch', ref, branch, oid: head.oid };
  overlay.headIsOpen = false;
  if (changed.some((entry) => entry.worktree !== '.' || isUnmerged(entry))) {
    return;
  }
  for (const { path } of changed) {
    overlay.restored.add(path);
    overlay.written.delete(path);
    overlay.index.delete(path);
  }
  await applyAutostash('rebase', overlay, repository);
}

async function trackedNow(repository: Repository): Promise<readonly StatusEntry[]> {
  return (await repository.status()).filter(({ index }) => index !== '?');
}

/** The one with what is staged, if anything is, and those that are picked behind it. */
async function commitsToCome(
  operation: GoOnIntent['operation'],
  changed: readonly StatusEntry[],
  { overlay, repository }: { readonly overlay: Overlay; readonly repository: Repository },
): Promise<readonly MadeCommit[]> {
  const { gitDir } = repository;
  const staged = changed.filter((entry) => entry.index !== '.' || wasInConflict(entry));
  const own = await ownChanges(staged, repository, (path) => isStaged(overlay.index.get(path)));
  const holdsWork = own.length > 0 || staged.some(({ path }) => overlay.written.has(path));
  // What was changed where it waits for that goes into the commit before.
  const isAmended = operation === 'rebase' && waitsForEdits(gitDir);
  const stopped = staged.length === 0 || (isAmended && !holdsWork) ? [] : [madeCommit(holdsWork)];
  const left = Array.from({ length: countPicksLeft(operation, gitDir) }, () => madeCommit(false));
  return [...stopped, ...left];
}
