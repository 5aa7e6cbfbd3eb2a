import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Repository, StatusEntry } from '../../git/repository.ts';
import { isStopped, type StoppedOperation } from '../../git/stopped-operations.ts';
import type { CallOffIntent } from '../intent.ts';
import type { Overlay } from './overlay.ts';

/** What `--autostash` has put away comes back then. */
const autostashes: Readonly<Partial<Record<StoppedOperation, readonly string[]>>> = {
  merge: ['MERGE_AUTOSTASH'],
  rebase: ['rebase-merge/autostash', 'rebase-apply/autostash'],
};

/**
 * The files of a stopped operation are as they were before it. git-reset(1): `--merge`, by which all but a rebase end,
 * keeps changes that are not in the index.
 */
export async function applyCallOff(
  { operation, way }: CallOffIntent,
  overlay: Overlay,
  repository: Repository,
): Promise<void> {
  const hasAutostash = autostashes[operation]?.some((file) => existsSync(join(repository.gitDir, file))) === true;
  if (way === 'quit' && hasAutostash) {
    overlay.shared.stashes.push();
    overlay.shared.stashes.pushes += 1;
  }
  // The next commit may stop it again.
  if (way !== 'abort' || hasAutostash || !isStopped(operation, repository.gitDir)) {
    return;
  }
  const isRestored = ({ index }: StatusEntry) => index !== '?' && (operation === 'rebase' || index !== '.');
  for (const { path } of (await repository.status()).filter(isRestored)) {
    overlay.restored.add(path);
    overlay.written.delete(path);
    overlay.index.delete(path);
  }
}
