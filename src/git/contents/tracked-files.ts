import type { Repository } from '../repository.ts';
import { readIndexedPaths } from './index-file.ts';
import { plainPathspecs } from './pathspec.ts';

/**
 * What is tracked and matches pathspecs: read from the index itself, without a process, where that can tell.
 *
 * @param pathspecs as git reads them in the repository's `cwd`
 * @returns paths relative to the work tree's root
 */
export async function trackedAt(repository: Repository, pathspecs: readonly string[]): Promise<readonly string[]> {
  const isMeant = plainPathspecs(pathspecs, repository);
  const indexed = isMeant === null ? null : await readIndexedPaths(repository);
  if (isMeant === null || indexed === null) {
    const { stdout } = await repository.git.run(['ls-files', '-z', '--full-name', '--', ...pathspecs]);
    return stdout.toString('utf8').split('\0').filter(Boolean);
  }
  return indexed.filter(isMeant);
}
