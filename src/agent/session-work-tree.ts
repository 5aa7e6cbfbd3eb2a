import { discoverRepository } from '../git/discovery.ts';
import type { Repository } from '../git/repository.ts';
import type { Environment } from '../git/runner.ts';

/**
 * The work tree in which a session may work. By core.worktree (git-config(1)) a repository's own configuration can name
 * any directory, a home or one with keys: whoever made it would decide what the session reads, writes and snapshots. It
 * counts where git, started there, finds this repository, and where the person's environment names it.
 *
 * @param notify told where it does not count
 * @returns null in a bare repository, too
 */
export async function sessionWorkTree(
  { workTree, gitDir }: Pick<Repository, 'workTree' | 'gitDir'>,
  cwd: string,
  env: Environment,
  notify: (text: string) => void,
): Promise<string | null> {
  if (workTree === null || env.GIT_DIR !== undefined || env.GIT_WORK_TREE !== undefined) {
    return workTree;
  }
  const found = await discoverRepository({ cwd: workTree, env }).catch(() => null);
  if (found?.gitDir === gitDir) {
    return workTree;
  }
  notify(
    `core.worktree of this repository names '${workTree}', which does not belong to it: the session works in '${cwd}' only, and takes no checkpoints.`,
  );
  return null;
}
