import { relative, sep } from 'node:path';
import type { Repository } from '../../git/repository.ts';
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
  const pathspecs = inside.map((path) => `:(top,literal)${path}`);
  const output = await repository.git.run(['ls-files', '-z', '--full-name', '--', ...pathspecs]);
  for (const path of output.stdout.toString('utf8').split('\0').filter(Boolean)) {
    overlay.written.add(path);
  }
}
