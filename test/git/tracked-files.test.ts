import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { literalPathspec } from '../../src/git/contents/pathspec.ts';
import { trackedAt } from '../../src/git/contents/tracked-files.ts';
import type { Repository } from '../../src/git/repository.ts';
import { gitProcessesStarted } from '../../src/git/runner.ts';
import { addFiles, git, open, repositoryWithCommit, tryGit } from './fixture.ts';

const names = [
  'README.md',
  'src/a.ts',
  'src/a.ts.orig',
  'src/deep/b.ts',
  'sr',
  'späße/ä b.txt',
  `long/${'x'.repeat(200)}`,
];

function repositoryWithFiles(...options: string[]): string {
  const work = repositoryWithCommit(undefined, ...options);
  addFiles(work, names);
  return work;
}

async function tracked(repository: Repository, pathspecs: readonly string[]) {
  // How long object names are.
  await repository.config();
  const before = gitProcessesStarted();
  const found = await trackedAt(repository, pathspecs);
  return { found, processes: gitProcessesStarted() - before };
}

describe('what is tracked and matches pathspecs', () => {
  it.each(['sha1', 'sha256'])('is told without a process: %s', async (format) => {
    const work = repositoryWithFiles(`--object-format=${format}`);
    rmSync(join(work, 'README.md'));
    expect(await tracked(await open(work), ['README.md', 'src', 'rc', 'new'])).toEqual({
      found: ['README.md', 'src/a.ts', 'src/a.ts.orig', 'src/deep/b.ts'],
      processes: 0,
    });
  });

  it('is what git lists, asked where only git can tell', async () => {
    const work = repositoryWithFiles();
    writeFileSync(join(work, 'src', 'a*.ts'), 'a name with a star');
    git(work, 'add', '--all');
    const below = join(work, 'src');
    const cases: readonly (readonly [cwd: string, pathspec: string, processes: number])[] = [
      [work, '.', 0],
      [work, 'src/', 0],
      [work, 'src/a.ts', 0],
      [work, 'src/a.ts/', 0],
      [work, 'sr', 0],
      [work, 'README.md', 0],
      [work, join(work, 'src'), 0],
      [below, '.', 0],
      [below, '../README.md', 0],
      [below, 'deep/../a.ts', 0],
      [below, literalPathspec('src/a*.ts'), 0],
      [below, ':/README.md', 1],
      [below, 'a*.ts', 1],
      [below, ':!a.ts', 1],
      [work, 'späße', 1],
      [work, '..', 1],
    ];
    for (const [cwd, pathspec, processes] of cases) {
      const listed = (tryGit(cwd, 'ls-files', '-z', '--full-name', '--', pathspec) ?? '').split('\0').filter(Boolean);
      expect({ pathspec, ...(await tracked(await open(cwd), [pathspec])) }).toEqual({
        pathspec,
        found: listed,
        processes,
      });
    }
  });

  it('is asked of git where another index is named, this one can’t tell, or letters’ case is all the same', async () => {
    const work = repositoryWithFiles();
    const elsewhere = await open(work, { env: { ...process.env, GIT_INDEX_FILE: join(work, '.git', 'other') } });
    expect(await tracked(elsewhere, ['src'])).toEqual({ found: [], processes: 1 });
    const anyCase = await open(work, { env: { ...process.env, GIT_ICASE_PATHSPECS: '1' } });
    expect(await tracked(anyCase, ['readme.MD'])).toEqual({ found: ['README.md'], processes: 1 });
    git(work, 'update-index', '--split-index');
    expect(await tracked(await open(work), ['src/deep'])).toEqual({ found: ['src/deep/b.ts'], processes: 1 });
  });
});
