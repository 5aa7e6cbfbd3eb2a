import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { runOxideGuard } from '../e2e/guarded-repository.ts';
import { git, repositoryWithCommit } from '../git/fixture.ts';

let work: string;
beforeEach(() => {
  work = repositoryWithCommit();
});

const run = (...words: string[]) => runOxideGuard(words, { cwd: work });

it.each(['1e3', '007', 'two\nlines \u001b[2J'])('a checkpoint keeps its reason as it was typed: %j', (reason) => {
  writeFileSync(join(work, 'draft'), reason);
  run('checkpoint', 'create', '--reason', reason);
  const [found] = JSON.parse(run('checkpoint', '--json').stdout);
  expect(found.reason).toBe(reason);
  const { stdout, status } = run('checkpoint', 'list');
  expect(stdout.trim()).toContain(reason.replace('\n', ' ⏎ ').replace('\u001b', '\ufffd'));
  expect(stdout.trim().split('\n')).toHaveLength(1);
  expect(status).toBe(0);
});

it('is made anew where a reason is given, and is told as the list tells it', () => {
  const documentOf = (...words: string[]) => JSON.parse(run('checkpoint', ...words, '--json').stdout);
  const first = documentOf('create');
  const second = documentOf('create', '--reason', 'before I tidy up');
  expect(documentOf('create')).toEqual(second);
  expect(documentOf('list')).toEqual([second, first]);
  expect([first.reason, second.reason]).toEqual(['', 'before I tidy up']);
});

it('is shown with the time and the commit as the list and git show them', () => {
  run('checkpoint', 'create');
  const [, time = ''] = / {2}(\S+ \S+)$/.exec(run('checkpoint', 'list').stdout.trim()) ?? [];
  const shown = run('checkpoint', 'show').stdout;
  expect(shown).toContain(`manual/1  ${time}\n`);
  expect(shown).toContain(`  HEAD     main at ${git(work, 'rev-parse', 'HEAD').slice(0, 7)}\n`);
});

it.each(['list x', 'create x', 'prune 1', 'list --all', 'create --all', 'list --reason x'])(
  'does not take a word that is nothing to it: %s',
  (words) => {
    const { status, stderr } = run('checkpoint', ...words.split(' '));
    expect(status).toBe(2);
    expect(stderr).toContain('takes no');
    expect(git(work, 'for-each-ref', 'refs/oxide-guard')).toBe('');
  },
);

it.each([['checkpoint'], ['undo']])('%s inside of the git directory says where to go', (command) => {
  const cwd = join(work, '.git');
  expect(runOxideGuard([command], { cwd })).toMatchObject({
    status: 2,
    stderr: `oxide-guard: ${cwd} is inside a repository's git directory.\n  → Go to the work tree and run it there.\n`,
  });
});

it('undo names files on one line each, and says what is gone', () => {
  writeFileSync(join(work, 'new\nline'), 'before');
  run('checkpoint', 'create');
  writeFileSync(join(work, 'new\nline'), 'after');
  expect(run('undo', '--dry-run').stdout).toContain('  restored   "new\\nline"\n');
  git(work, 'update-ref', '-d', 'refs/oxide-guard/checkpoints/manual/1');
  expect(run('undo', 'manual/1')).toMatchObject({ status: 1, stderr: expect.stringContaining("'manual/1'") });
});
