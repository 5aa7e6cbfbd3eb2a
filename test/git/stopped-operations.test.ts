import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { isStopped, stoppedOperations } from '../../src/git/history/stopped-operations.ts';
import { git, repositoryWithCommit, tryGit, write } from './fixture.ts';

/** Branches `one` and `two`, which change the same file; `one` is checked out. */
function inConflict(): string {
  const work = repositoryWithCommit();
  for (const branch of ['two', 'one']) {
    git(work, 'switch', '--quiet', '--create', branch, 'main');
    write(work, 'file', branch);
    git(work, 'add', '--all');
    git(work, 'commit', '--quiet', '-m', `feat: ${branch}`);
  }
  return work;
}

/** The patch of `two`, beside the repository. */
function patchOfTwo(work: string): string {
  return write(join(work, '..'), 'two.patch', `${git(work, 'format-patch', '--stdout', '-1', 'two')}\n`);
}

describe('what git has stopped at a conflict', () => {
  const situations: readonly (readonly [stopped: readonly string[], command: (work: string) => readonly string[]])[] = [
    [['merge'], () => ['merge', 'two']],
    [['rebase'], () => ['rebase', '--merge', 'two']],
    [['rebase'], () => ['rebase', '--apply', 'two']],
    [['cherry-pick'], () => ['cherry-pick', 'two']],
    [['revert'], () => ['revert', '--no-edit', 'two']],
    [['am'], (work) => ['am', '--3way', patchOfTwo(work)]],
    [[], () => ['status']],
  ];
  it.each(situations)('is told: %j', (stopped, command) => {
    const work = inConflict();
    tryGit(work, ...command(work));
    const gitDir = join(work, '.git');
    const found = stoppedOperations(gitDir);
    expect(found).toEqual(stopped);
    for (const operation of found) {
      expect(isStopped(operation, gitDir)).toBe(true);
      git(work, operation, '--quit');
    }
    expect(stoppedOperations(gitDir)).toEqual([]);
  });

  it('is told of the rest of a sequence whose commit was made by hand', () => {
    const work = inConflict();
    tryGit(work, 'cherry-pick', 'two', 'main');
    write(work, 'file', 'both');
    git(work, 'commit', '--quiet', '--all', '-m', 'feat: both');
    const gitDir = join(work, '.git');
    expect(stoppedOperations(gitDir)).toEqual([]);
    expect(isStopped('cherry-pick', gitDir)).toBe(true);
    expect(isStopped('merge', gitDir)).toBe(false);
  });
});
