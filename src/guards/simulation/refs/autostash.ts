import { autostashFiles, type StoppedOperation } from '../../../git/history/stopped-operations.ts';
import { readPseudoRef } from '../../../git/refs/pseudo-refs.ts';
import type { Repository } from '../../../git/repository.ts';
import type { Overlay } from '../overlay.ts';

/** The commit that `--autostash` has made of the changes that were there, while the operation is stopped. */
function autostashOf(operation: StoppedOperation, { gitDir }: Repository, overlay: Overlay): string | null {
  const texts = overlay.endedAutostash ? [] : placesOf(operation).map((place) => readPseudoRef(gitDir, place));
  return texts.find((found) => found !== null) ?? null;
}

function placesOf(operation: StoppedOperation): readonly string[] {
  return autostashFiles.flatMap((file) => (file.operation === operation ? [file.path] : []));
}

/** The operation ends: what was put away is in the work tree again. */
export async function applyAutostash(
  operation: StoppedOperation,
  overlay: Overlay,
  repository: Repository,
): Promise<void> {
  const oid = autostashOf(operation, repository, overlay);
  if (oid === null) {
    return;
  }
  overlay.endedAutostash = true;
  const output = await repository.git.run(['diff', '--no-renames', '--name-only', '-z', `${oid}^1`, oid]);
  for (const path of output.stdout.toString('utf8').split('\0').filter(Boolean)) {
    overlay.written.add(path);
    overlay.restored.delete(path);
  }
}

/** git-merge(1) "--quit", git-rebase(1) "--quit": it becomes a stash. A reset and a forced switch forget a merge as well. */
export function stashAutostash(operation: StoppedOperation, overlay: Overlay, repository: Repository): void {
  if (autostashOf(operation, repository, overlay) !== null) {
    overlay.endedAutostash = true;
    overlay.shared.stashes.push();
    overlay.shared.stashes.pushes += 1;
  }
}
