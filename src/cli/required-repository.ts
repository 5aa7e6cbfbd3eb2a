import { ExitCode, OxideError } from '../errors.ts';
import { openRepository } from '../git/open-repository.ts';
import type { Repository } from '../git/repository.ts';

/**
 * The repository of the working directory, for a command that is about one.
 *
 * @param lack what is not to be had without one: `there is nothing to undo`
 * @throws OxideError `not-a-repository`
 */
export async function requiredRepository(lack: string): Promise<Repository> {
  const repository = await openRepository();
  if (repository === null) {
    throw notInRepository(lack);
  }
  return repository;
}

/** @param lack see {@link requiredRepository} */
export function notInRepository(lack: string): OxideError {
  return new OxideError('not-a-repository', `${process.cwd()} is not in a git repository, so ${lack}.`, {
    remedy: 'Go to a repository, or make one: git init',
    exitCode: ExitCode.usage,
  });
}
