import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { readCommitsByHand } from '../../src/git/history/commits-by-hand.ts';
import { stoppedOperations } from '../../src/git/history/stopped-operations.ts';
import { openRepository } from '../../src/git/open-repository.ts';
import { branchCheckedOut } from '../../src/git/refs/head.ts';
import { readBranchesInUse, readOtherDetachedHeads } from '../../src/git/refs/worktree-heads.ts';
import type { Repository } from '../../src/git/repository.ts';
import { skipUnless } from '../skip.ts';

const root = mkdtempSync(join(tmpdir(), 'reftable-'));
const work = join(root, 'work');
afterAll(() => rmSync(root, { recursive: true, force: true }));

function git(...args: string[]): void {
  const identity = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com'];
  execFileSync('git', ['-C', work, ...identity, ...args], { stdio: 'pipe' });
}

function commit(text: string, subject: string): void {
  writeFileSync(join(work, 'a.txt'), `${text}\n`);
  git('add', 'a.txt');
  git('commit', '-q', '-m', subject);
}

/** Is git new enough (2.45)? */
function isKnown(): boolean {
  try {
    execFileSync('git', ['init', '-q', '-b', 'main', '--ref-format=reftable', work], { stdio: 'pipe' });
    return true;
  } catch {
    return false;
  }
}

async function opened(): Promise<Repository> {
  const repository = await openRepository({ cwd: work });
  if (repository === null) {
    throw new Error('no repository');
  }
  return repository;
}

describe.skipIf(skipUnless(isKnown(), 'repositories whose refs are in a table: git before 2.45'))(
  'a repository whose refs are in a table',
  () => {
    it('tells which branches are checked out, and by which names other HEADs go', async () => {
      commit('one', 'feat: one');
      git('worktree', 'add', '-q', '-b', 'beside', '../beside');
      git('worktree', 'add', '-q', '--detach', '../loose');
      const repository = await opened();
      expect(branchCheckedOut(repository, work)).toBe('refs/heads/main');
      expect(branchCheckedOut({ ...repository, gitDir: join(work, '.git/worktrees/loose') }, join(root, 'loose'))).toBe(
        'detached',
      );
      expect(await readBranchesInUse(repository)).toEqual(new Set(['refs/heads/beside']));
      expect([...(await readOtherDetachedHeads(repository)).keys()]).toEqual(['worktrees/loose/HEAD']);
    });

    it('tells of a cherry-pick that has stopped, and of what was committed since', async () => {
      git('switch', '-q', '-c', 'topic');
      commit('two', 'feat: two');
      commit('three', 'feat: three');
      git('switch', '-q', 'main');
      commit('four', 'feat: four');
      expect(stoppedOperations(join(work, '.git'))).toEqual([]);
      expect(() => git('cherry-pick', 'topic~1', 'topic')).toThrow();
      expect(stoppedOperations(join(work, '.git'))).toEqual(['cherry-pick']);
      writeFileSync(join(work, 'a.txt'), 'two and four\n');
      git('add', 'a.txt');
      expect(() => git('-c', 'core.editor=true', 'cherry-pick', '--continue')).toThrow();
      expect((await readCommitsByHand('cherry-pick', await opened()))?.oids.size).toBe(1);
    });
  },
);
