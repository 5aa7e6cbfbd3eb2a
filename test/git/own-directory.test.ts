import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { openRepository } from '../../src/git/open-repository.ts';
import { ownDirectory } from '../../src/git/own-directory.ts';
import { bareRepository, git, repositoryWithCommit } from './fixture.ts';

async function homeOf(cwd: string, env: Record<string, string> = {}): Promise<string | null> {
  const repository = await openRepository({ cwd, env: { ...process.env, ...env } });
  return repository === null ? null : ownDirectory(repository);
}

it('is the work tree, from within', async () => {
  const work = repositoryWithCommit();
  mkdirSync(join(work, 'docs'));
  expect(await homeOf(join(work, 'docs'))).toBe(work);
});

it('stays the work tree under another one, from outside, and in the git directory', async () => {
  const work = repositoryWithCommit();
  mkdirSync(join(work, 'docs'));
  expect(await homeOf(work, { GIT_WORK_TREE: join(work, 'docs') })).toBe(work);
  expect(await homeOf(join(work, 'docs'), { GIT_DIR: '../.git' })).toBe(work);
  expect(await homeOf(dirname(work), { GIT_DIR: join(work, '.git') })).toBe(work);
  expect(await homeOf(join(work, '.git'))).toBe(work);
});

it('is the linked work tree, under another one as well', async () => {
  const work = repositoryWithCommit();
  const linked = join(dirname(work), 'linked');
  git(work, 'worktree', 'add', '-q', '--detach', linked);
  expect(await homeOf(linked)).toBe(linked);
  expect(await homeOf(linked, { GIT_DIR: join(work, '.git/worktrees/linked'), GIT_WORK_TREE: work })).toBe(linked);
});

it('is the bare repository, whatever work tree is given', async () => {
  const bare = bareRepository();
  const work = repositoryWithCommit();
  expect(await homeOf(bare)).toBe(bare);
  expect(await homeOf(work, { GIT_DIR: bare, GIT_WORK_TREE: work })).toBe(bare);
});

it('is the work tree that a git directory elsewhere names', async () => {
  const work = repositoryWithCommit();
  const elsewhere = join(dirname(work), 'elsewhere.git');
  git(work, 'init', '-q', '--separate-git-dir', elsewhere);
  git(work, 'config', 'core.worktree', work);
  mkdirSync(join(work, 'docs'));
  expect(await homeOf(work, { GIT_DIR: elsewhere, GIT_WORK_TREE: join(work, 'docs') })).toBe(work);
});
