import { ExitCode, OxideError } from '../errors.ts';
import type { Git } from './runner.ts';

/**
 * Where there is no work tree: tells a bare repository from a place inside of the git directory of one that has files.
 *
 * @param cwd for the message
 * @throws OxideError `outside-work-tree`
 */
export async function refuseInsideGitDirectory(git: Git, cwd: string): Promise<void> {
  const isBare = await git.text(['rev-parse', '--is-bare-repository']);
  if (isBare.trim() === 'false') {
    throw new OxideError('outside-work-tree', `${cwd} is inside a repository's git directory.`, {
      remedy: 'Go to the work tree and run it there.',
      exitCode: ExitCode.usage,
    });
  }
}
