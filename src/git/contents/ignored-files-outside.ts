import { dirname } from 'node:path';
import { type Environment, Git, withoutRepositoryVariables } from '../runner.ts';

/**
 * Ignored files of a directory, as git would find them if a repository was made there: git-grep(1) "--no-index" needs
 * none. Not what is empty, nor what is in `node_modules`, which takes long to look at.
 *
 * @param directory absolute
 * @returns paths from there
 */
export async function ignoredWithoutRepository(directory: string, env: Environment): Promise<readonly string[]> {
  // What a repository around it ignores does not count in there.
  const own = { ...withoutRepositoryVariables(env), GIT_CEILING_DIRECTORIES: dirname(directory) };
  const git = new Git({ cwd: directory, env: own });
  const listed = async (...options: readonly string[]) => {
    const words = ['grep', '--no-index', '-z', '--files-with-matches', ...options, '-e', ''];
    const output = await git.run([...words, '--', '.', ':(exclude,glob)**/node_modules/**']);
    return output.stdout.toString('utf8').split('\0').filter(Boolean);
  };
  const [all, seen] = await Promise.all([listed(), listed('--exclude-standard')]);
  const left = new Set(seen);
  return all.filter((path) => !left.has(path));
}
