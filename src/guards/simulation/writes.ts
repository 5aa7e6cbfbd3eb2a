import { relative, sep } from 'node:path';
import { literalPathspec } from '../../git/pathspec.ts';
import type { Repository } from '../../git/repository.ts';
import { trackedAt } from '../../git/tracked-files.ts';
import type { Overlay } from './overlay.ts';

/**
 * Files that the command line itself has written are work at stake when they are tracked: `echo … > README.md` before a
 * `git checkout README.md`.
 *
 * @param paths absolute
 */
export async function recordWrites(paths: readonly string[], overlay: Overlay, repository: Repository): Promise<void> {
  const { workTree } = repository;
  if (workTree === null) {
    return;
  }
  const inside = paths
    .map((path) => relative(workTree, path))
    .filter((path) => path !== '' && !path.startsWith(`..${sep}`));
  if (inside.length === 0) {
    return;
  }
  for (const path of await trackedAt(repository, inside.map(literalPathspec))) {
    overlay.written.add(path);
  }
}
