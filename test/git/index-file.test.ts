import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { mayHideChanges, readIndexedPaths } from '../../src/git/contents/index-file.ts';
import { addFiles, git, open, repositoryWithCommit, tryGit } from './fixture.ts';

const names = ['README.md', 'ab', 'abc/def', 'späße/ä b.txt', `long/${'x'.repeat(200)}`, 'z'];

function repositoryWithFiles(...options: string[]): string {
  const work = repositoryWithCommit(undefined, ...options);
  addFiles(work, names);
  return work;
}

function withConflict(): string {
  const work = repositoryWithFiles();
  git(work, 'commit', '--quiet', '-m', 'feat: files');
  for (const [branch, text] of [
    ['one', '1'],
    ['two', '2'],
  ] as const) {
    git(work, 'checkout', '--quiet', '-b', branch, 'main');
    writeFileSync(join(work, 'README.md'), text);
    git(work, 'commit', '--quiet', '-am', 'feat: change');
  }
  tryGit(work, 'merge', 'one');
  return work;
}

const pathsOf = async (work: string) => readIndexedPaths(await open(work));
const hidesAny = async (work: string) => mayHideChanges(await open(work));

describe('the entries that are read from the index are those that git lists', () => {
  const situations: Record<string, () => string> = {
    'version 2': () => repositoryWithFiles(),
    'version 3, with flags of its own': () => {
      const work = repositoryWithFiles();
      git(work, 'update-index', '--skip-worktree', 'abc/def');
      return work;
    },
    'version 4, with shared beginnings': () => {
      const work = repositoryWithFiles();
      git(work, 'update-index', '--index-version', '4');
      return work;
    },
    'version 4 with flags': () => {
      const work = repositoryWithFiles();
      git(work, 'update-index', '--index-version', '4', '--skip-worktree', 'abc/def');
      return work;
    },
    'a conflict': withConflict,
    'a directory that has been committed and removed': () => {
      const work = repositoryWithFiles();
      git(work, 'commit', '--quiet', '-m', 'feat: files');
      git(work, 'rm', '--quiet', '-r', 'abc');
      return work;
    },
  };
  it.each(Object.entries(situations))('%s', async (_, prepare) => {
    const work = prepare();
    const listed = git(work, 'ls-files', '-z').split('\0').filter(Boolean);
    // A conflict has up to three entries of a path.
    const found = [...new Set(await pathsOf(work))];
    expect(found).toEqual([...new Set(listed)]);
  });

  it('is empty where there is none', async () => {
    const work = repositoryWithFiles();
    rmSync(join(work, '.git', 'index'));
    expect(await pathsOf(work)).toEqual([]);
    expect(await hidesAny(work)).toBe(false);
  });

  it('leaves to git what is split, cut off or no index', async () => {
    const work = repositoryWithFiles();
    git(work, 'update-index', '--split-index');
    expect([await pathsOf(work), await hidesAny(work)]).toEqual([null, true]);
    for (const text of ['', 'DIRC', 'DIRC\0\0\0\x02\0\0\0\x09', 'a file of somebody else’s, as long as may be']) {
      writeFileSync(join(work, '.git', 'index'), text, 'latin1');
      expect([await pathsOf(work), await hidesAny(work)]).toEqual([null, true]);
    }
  });
});

describe.each(['sha1', 'sha256'])('an index of %s', (format) => {
  it.each([2, 3, 4])('in version %i tells whether git shall not look at a file', async (version) => {
    const work = repositoryWithFiles(`--object-format=${format}`);
    git(work, 'update-index', `--index-version=${version}`);
    expect(await hidesAny(work)).toBe(false);
    for (const [on, off] of [
      ['--assume-unchanged', '--no-assume-unchanged'],
      ['--skip-worktree', '--no-skip-worktree'],
    ] as const) {
      for (const name of names) {
        git(work, 'update-index', on, name);
        expect(await hidesAny(work), `${on} ${name}`).toBe(true);
        git(work, 'update-index', off, name);
        expect(await hidesAny(work), `${off} ${name}`).toBe(false);
      }
    }
  });

  it('with a file that is meant to be added has more flags, and hides nothing', async () => {
    const work = repositoryWithFiles(`--object-format=${format}`);
    writeFileSync(join(work, 'm'), 'new');
    git(work, 'add', '--intent-to-add', 'm');
    expect(await hidesAny(work)).toBe(false);
  });
});
