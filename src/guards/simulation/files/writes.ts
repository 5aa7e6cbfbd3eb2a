import { relative, sep } from 'node:path';
import { literalPathspec } from '../../../git/contents/pathspec.ts';
import { trackedAt } from '../../../git/contents/tracked-files.ts';
import type { Repository } from '../../../git/repository.ts';
import type { Overlay } from '../overlay.ts';

/**
 * Files that the command line itself has written are work at stake when they are tracked: `echo … > README.md` before a
 * `git checkout README.md`.
 *
 * @param written absolute paths of all so far; those that the overlay knows already may be committed since
 */
export async function recordWrites(
  written: readonly string[],
  overlay: Overlay,
  repository: Repository,
): Promise<void> {
  const { workTree } = repository;
  const paths = written.slice(overlay.recordedWrites);
  if (workTree === null || paths.length === 0) {
    return;
  }
  overlay.recordedWrites = written.length;
  const inside = paths
    .map((path) => relative(workTree, path))
    .filter((path) => path !== '' && !path.startsWith(`..${sep}`));
  if (inside.length === 0) {
    return;
  }
  for (const path of await trackedAt(repository, inside.map(literalPathspec))) {
    overlay.written.add(path);
  }
  for (const path of inside) {
    overlay.inStash.delete(path);
    // What was staged of it was so before.
    if (overlay.index.get(path) === 'work tree') {
      overlay.index.set(path, 'other');
    }
  }
}
