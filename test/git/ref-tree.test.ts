import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readRefTree } from '../../src/git/refs/ref-tree.ts';
import { commit, git, open, repositoryWithCommit, repositoryWithRemote, temporaryDirectory } from './fixture.ts';

const format = '--format=%(refname)%00%(objectname)%00%(symref)';

function asGitSays(work: string): readonly string[] {
  return git(work, 'for-each-ref', format).split('\n').filter(Boolean);
}

async function asFilesSay(work: string): Promise<readonly string[] | null> {
  const refs = readRefTree(await open(work));
  return refs === null ? null : [...refs].map(([name, { oid, symref }]) => [name, oid, symref ?? ''].join('\0'));
}

describe('the refs that lie in files are those that git lists', () => {
  const situations: Record<string, () => string> = {
    'no commit yet': () => {
      const work = temporaryDirectory();
      git(work, 'init', '--quiet');
      return work;
    },
    'branches, tags, a remote with its HEAD': () => {
      const { work } = repositoryWithRemote();
      git(work, 'branch', 'feature/a.b');
      git(work, 'branch', 'feature-x');
      git(work, 'tag', '-a', '-m', 'one', 'v1.0');
      return work;
    },
    'packed, one of them updated and one deleted since': () => {
      const { work } = repositoryWithRemote();
      git(work, 'branch', 'old');
      git(work, 'tag', '-a', '-m', 'one', 'v1');
      git(work, 'pack-refs', '--all');
      commit(work, 'feat: more');
      git(work, 'branch', '-D', 'old');
      return work;
    },
    'a symbolic branch, and one to nothing': () => {
      const work = repositoryWithCommit();
      git(work, 'symbolic-ref', 'refs/heads/alias', 'refs/heads/main');
      git(work, 'symbolic-ref', 'refs/heads/other-alias', 'refs/heads/alias');
      git(work, 'symbolic-ref', 'refs/heads/dangling', 'refs/heads/nothing');
      return work;
    },
    'a linked worktree in the middle of a bisection': () => {
      const work = repositoryWithCommit();
      commit(work, 'feat: second');
      git(work, 'update-ref', 'refs/worktree/mine', 'HEAD');
      git(work, 'worktree', 'add', '--quiet', '../linked');
      const linked = join(work, '..', 'linked');
      git(linked, 'bisect', 'start', 'HEAD', 'HEAD~1');
      return linked;
    },
    'a linked worktree without refs of its own': () => {
      const work = repositoryWithCommit();
      git(work, 'worktree', 'add', '--quiet', '../linked');
      return join(work, '..', 'linked');
    },
    'the main worktree beside it': () => {
      const work = repositoryWithCommit();
      git(work, 'update-ref', 'refs/worktree/mine', 'HEAD');
      git(work, 'worktree', 'add', '--quiet', '../linked');
      git(join(work, '..', 'linked'), 'update-ref', 'refs/worktree/other', 'HEAD');
      return work;
    },
    'SHA-256 names': () => {
      const work = temporaryDirectory();
      git(work, 'init', '--quiet', '--object-format=sha256');
      commit(work, 'feat: begin');
      git(work, 'pack-refs', '--all');
      return work;
    },
  };
  it.each(Object.entries(situations))('%s', async (_, prepare) => {
    const work = prepare();
    expect(await asFilesSay(work)).toEqual(asGitSays(work));
  });
});

describe('git is asked', () => {
  const odd: Record<string, (work: string) => void> = {
    'for a lock that lies about': (work) => writeFileSync(join(work, '.git/refs/heads/main.lock'), ''),
    'for a name in another alphabet': (work) => git(work, 'branch', 'ünï'),
    'for a broken ref': (work) => writeFileSync(join(work, '.git/refs/heads/broken'), 'nonsense\n'),
    'for an empty ref': (work) => writeFileSync(join(work, '.git/refs/heads/empty'), ''),
    'for a ref of zeros': (work) => writeFileSync(join(work, '.git/refs/heads/zero'), `${'0'.repeat(40)}\n`),
    'for a symbolic link': (work) => symlinkSync('main', join(work, '.git/refs/heads/link')),
    'for packed refs that are none': (work) => writeFileSync(join(work, '.git/packed-refs'), '<<<<<<< ours\n'),
    'for a table of refs': (work) => mkdirSync(join(work, '.git/reftable')),
    'for hundreds of loose refs': (work) => {
      const oid = git(work, 'rev-parse', 'HEAD');
      for (let n = 0; n < 301; n += 1) {
        writeFileSync(join(work, `.git/refs/heads/b${n}`), `${oid}\n`);
      }
    },
  };
  it.each(Object.entries(odd))('%s', async (_, prepare) => {
    const work = repositoryWithCommit();
    prepare(work);
    expect(await asFilesSay(work)).toBeNull();
  });
});
