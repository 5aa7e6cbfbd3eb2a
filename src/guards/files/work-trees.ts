import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
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

/** A linked work tree by its path, or by the end of it where only one has that end: git-worktree(1). */
export async function linkedWorktree(name: string, repository: Repository): Promise<string> {
  const path = resolve(repository.cwd, name);
  if (existsSync(path)) {
    return path;
  }
  return (await worktreesOf(repository)).find((place) => place.endsWith(`/${name}`)) ?? path;
}
