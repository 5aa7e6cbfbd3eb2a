import type { Repository } from '../../../git/repository.ts';
import { isUnmerged } from '../../work-in-conflict.ts';
import type { Overlay } from '../overlay.ts';
import { applyAutostash } from './autostash.ts';
import { startOf } from './bisection.ts';

/**
 * A stopped rebase goes on to its end: git-rebase(1) checks the branch out again, on what was picked. It takes what is
 * staged with it and refuses to go on from other changes.
 */
export async function applyFinishedRebase(overlay: Overlay, repository: Repository): Promise<void> {
  const branch = startOf('rebase', overlay, repository);
  const head = await repository.head();
  if (branch === null || head.kind === 'branch') {
    return;
  }
  const ref = `refs/heads/${branch}`;
  const before = await repository.ref(ref);
  const picked = {
    holdsWork: false,
    merged: before === null ? [] : [before],
    mergedMade: overlay.made.on(ref),
    takesTheirPlace: true,
  };
  overlay.made.set(ref, [...overlay.made.on('HEAD'), picked]);
  overlay.made.set('HEAD', []);
  overlay.refs.set(ref, head.oid);
  overlay.head = { kind: 'branch', ref, branch, oid: head.oid };
  overlay.headIsOpen = false;
  const changed = (await repository.status()).filter(({ index }) => index !== '?');
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
