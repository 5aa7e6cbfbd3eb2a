import { join } from 'node:path';
import { namesIn } from '../../git/files.ts';
import type { Repository } from '../../git/repository.ts';

/** Every work tree of a repository, by its path; the main one first. */
export async function worktreesOf(repository: Repository): Promise<readonly string[]> {
  const { workTree, commonDir } = repository;
  // gitrepository-layout(5) `worktrees`: without any there is the main one alone.
  const isAlone = namesIn(join(commonDir, 'worktrees')).length === 0;
  if (isAlone && workTree !== null && commonDir === join(workTree, '.git')) {
    return [workTree];
  }
  const output = await repository.git.run(['worktree', 'list', '--porcelain']);
  return Array.from(output.stdout.toString('utf8').matchAll(/^worktree (.*)$/gm), ([, place = '']) => place);
}
