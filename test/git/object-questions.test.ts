import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ObjectQuestions } from '../../src/git/history/object-questions.ts';
import { Git, type GitContext, gitProcessesStarted } from '../../src/git/runner.ts';

let context: GitContext;
const objectQuestion = ['cat-file', '--batch-check'];
const asking = (place = context) => {
  const questions = new ObjectQuestions();
  return { ask: async (input: string) => questions.answer(objectQuestion, { input }, place) };
};
const git = (...args: string[]) =>
  execFileSync('git', args, { cwd: context.cwd, encoding: 'utf8', stdio: 'pipe' }).trim();
const commit = (subject: string) => git('commit', '-q', '--allow-empty', '-m', subject);

beforeAll(() => {
  context = { cwd: mkdtempSync(join(tmpdir(), 'oxide-guard-objects-')), env: process.env };
  git('init', '-q', '-b', 'main');
  commit('feat: one');
  commit('feat: two');
});
afterAll(() => rmSync(context.cwd, { recursive: true, force: true }));

describe('questions about objects', () => {
  it('are answered as by a process for each, in the order in which they were asked', async () => {
    const questions = asking();
    const inputs = ['HEAD\n', 'HEAD~1\nnothing\n', 'main^{tree}\n', ':/one\nHEAD~7\nHEAD^{/two}\n'];
    const alone = await Promise.all(inputs.map((input) => new Git(context).run(objectQuestion, { input })));
    const before = gitProcessesStarted();
    const together = await Promise.all(inputs.map((input) => questions.ask(input)));
    expect(together.map((answer) => String(answer?.stdout))).toEqual(alone.map(({ stdout }) => String(stdout)));
    expect(gitProcessesStarted() - before).toBe(1);
  });

  it('see refs, objects and packs that came after git was started', async () => {
    const questions = asking();
    const oid = async (revision: string) => String((await questions.ask(`${revision}\n`))?.stdout).split(' ')[0];
    expect(await oid('HEAD')).toBe(git('rev-parse', 'HEAD'));
    commit('feat: three');
    git('tag', 'new');
    expect(await oid('HEAD')).toBe(git('rev-parse', 'HEAD'));
    expect(await oid('new~1')).toBe(git('rev-parse', 'HEAD~1'));
    commit('feat: four');
    git('gc', '-q', '--prune=now');
    expect(await oid('HEAD~2^{commit}')).toBe(git('rev-parse', 'HEAD~2'));
    git('switch', '-q', '-c', 'topic', 'HEAD~1');
    git('branch', '-q', '-D', 'main');
    expect(await oid('main')).toBe('main');
    expect(await oid('HEAD')).toBe(git('rev-parse', 'topic'));
  });

  it('that may make git give up are left to be asked by themselves', async () => {
    expect(await asking().ask('HEAD@{upstream}\n')).toBeNull();
  });

  it('of another place or with other settings are left to others', async () => {
    const questions = new ObjectQuestions();
    expect(await questions.answer(objectQuestion, { input: 'HEAD\n' }, context)).not.toBeNull();
    expect(questions.answer(objectQuestion, { input: 'HEAD\n' }, { ...context, parameters: ['a.b=c'] })).toBeNull();
    expect(questions.answer(['rev-parse', 'HEAD'], {}, context)).toBeNull();
  });

  it('are left to others where git can not start, or ends at once', async () => {
    const outside = asking({ ...context, cwd: tmpdir() });
    expect(await outside.ask('HEAD\n')).toBeNull();
    expect(await outside.ask('HEAD\n')).toBeNull();
    const questions = asking({ ...context, cwd: join(context.cwd, 'gone') });
    expect(await questions.ask('HEAD\n')).toBeNull();
    expect(await questions.ask('HEAD\n')).toBeNull();
  });
});
