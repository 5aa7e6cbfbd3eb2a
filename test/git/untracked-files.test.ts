import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { mayHaveUntracked } from '../../src/git/contents/untracked-files.ts';
import { gitProcessesStarted } from '../../src/git/runner.ts';
import { addFiles, git, open, repositoryWithCommit, write } from './fixture.ts';

const isModules = (path: string) => path === 'node_modules/';

async function look(work: string): Promise<boolean> {
  const repository = await open(work);
  // What the configuration says is remembered between processes.
  await repository.config();
  const before = gitProcessesStarted();
  const found = await mayHaveUntracked(repository, isModules);
  expect(gitProcessesStarted()).toBe(before);
  return found;
}

it('what is not tracked is found without a process', async () => {
  const work = repositoryWithCommit();
  addFiles(work, ['a.txt', 'src/deep/below/b.txt', 'src/c.txt', 'src/deep/d.txt']);
  write(work, 'node_modules/x/index.js', 'installed');
  expect(await look(work)).toBe(false);
  for (const path of ['.env', 'src/.env', 'src/deep/below/.env', 'new/node_modules/x.js', 'src/node_modules/x.js']) {
    write(work, path, 'mine');
    expect(await look(work)).toBe(true);
    rmSync(join(work, path.startsWith('new') ? 'new' : path.replace('/x.js', '')), { recursive: true });
    expect(await look(work)).toBe(false);
  }
  rmSync(join(work, 'src/deep'), { recursive: true });
  expect(await look(work)).toBe(false);
});

it('where the index is a large one, git is to tell', async () => {
  const work = repositoryWithCommit();
  for (let at = 0; at < 200; at += 1) {
    mkdirSync(join(work, `${at}`));
    write(work, `${at}/a.txt`, 'a');
  }
  git(work, 'add', '.');
  expect(await look(work)).toBe(true);
});
