import { isDirectory } from '../../git/files.ts';
import { openRepository } from '../../git/open-repository.ts';
import type { Repository } from '../../git/repository.ts';
import type { Environment } from '../../git/runner.ts';

/**
 * Another repository than the one that a command works on; null where none is there, or no directory either.
 *
 * @throws OxideError as {@link openRepository} does
 */
export async function repositoryThere(directory: string, env: Environment): Promise<Repository | null> {
  return isDirectory(directory) ? openRepository({ cwd: directory, env }) : null;
}
