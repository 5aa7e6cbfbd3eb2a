import { isStopped } from '../../../git/history/stopped-operations.ts';
import type { Repository, StatusEntry } from '../../../git/repository.ts';
import type { CallOffIntent } from '../../intent.ts';
import type { Overlay } from '../overlay.ts';
import { applyAutostash, stashAutostash } from './autostash.ts';
import { endBegunRebase } from './conflicting-picks.ts';

/**
 * The files of a stopped operation are as they were before it. git-reset(1): `--merge`, by which all but a rebase end,
 * keeps changes that are not in the index.
 */
export async function applyCallOff(
  { operation, way }: CallOffIntent,
  overlay: Overlay,
  repository: Repository,
): Promise<void> {
  const endsRevert = callsOffRevert({ operation, way }, overlay);
  if (operation === 'rebase' && way !== 'skip') {
    await endBegunRebase(way, overlay, repository);
  }
  overlay.opensRevert &&= !/^(?:cherry-pick|revert)$/.test(operation);
  if (way === 'quit') {
    return stashAutostash(operation, overlay, repository);
  }
  // The next commit may stop it again. A rebase begins that one with what HEAD has.
  const isCleared = way === 'abort' || (way === 'skip' && operation === 'rebase');
  if (!endsRevert && !(isCleared && isStopped(operation, repository.gitDir))) {
    return;
  }
  const isRestored = ({ index }: StatusEntry) => index !== '?' && (operation === 'rebase' || index !== '.');
  for (const { path } of (await repository.status()).filter(isRestored)) {
    overlay.restored.add(path);
    overlay.written.delete(path);
    overlay.index.delete(path);
  }
  if (way !== 'skip') {
    await applyAutostash(operation, overlay, repository);
  }
}

/** `git cherry-pick --abort` ends a revert as well: sequencer.c `rollback_single_pick`. */
export function callsOffRevert(
  { operation, way }: Pick<CallOffIntent, 'operation' | 'way'>,
  overlay: Overlay,
): boolean {
  const ways = operation === 'revert' ? ['abort', 'skip'] : operation === 'cherry-pick' ? ['abort'] : [];
  return overlay.opensRevert && ways.includes(way);
}
