import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createTasks } from '../../src/agent/background/task-manager.ts';
import { task } from '../../src/tools/task.ts';
import { scriptedSessions } from '../agent/scripted-session.ts';
import { repositoryWithRemote, temporaryDirectory, write } from '../git/fixture.ts';
import { contextIn, fail, session, succeed, workspace } from './fixture.ts';
import { until } from './processes.ts';

const start = scriptedSessions();

const waitFor = 'while [ ! -e go ]; do sleep 0.02; done';

describe('创建后台任务', () => {
  it('starts in the background and gives the task id at once', async () => {
    const { root, context } = workspace();
    const tasks = createTasks();
    const input = { description: 'wait', command: `${waitFor}; echo gone`, run_in_background: true };
    const { data } = await succeed(task, input, context, { ...session(), tasks });
    expect(data).toEqual({ task_id: 'task-1', status: 'running' });
    expect(tasks.get('task-1')?.status).toBe('running');
    write(root, 'go', '');
    expect(await tasks.wait('task-1', 30_000, context.signal)).toMatchObject({ status: 'completed', output: 'gone\n' });
    await tasks.stopAll();
  });

  it('lets the main agent go on meanwhile', async () => {
    const root = temporaryDirectory();
    const { say, resultOf } = await start(
      {
        main: [
          [['Task', { description: 'wait', command: `${waitFor}; echo gone`, run_in_background: true }]],
          [['Bash', { command: 'echo meanwhile; touch go' }]],
          [['TaskOutput', { task_id: 'task-1' }]],
          'done',
        ],
      },
      root,
    );
    expect(await say('go')).toBe('done');
    expect(resultOf('Bash')).toBe('meanwhile');
    expect(resultOf('TaskOutput')).toMatch(/is complete, exit code 0\.\]\ngone/);
  });
});

describe('创建同步任务', () => {
  it('runs in the foreground, and its result is the result', async () => {
    const { context } = workspace();
    const tasks = createTasks();
    const input = { description: 'say', command: 'echo said', run_in_background: false };
    const { data, text } = await succeed(task, input, context, { ...session(), tasks });
    expect(text).toBe('said');
    expect(data).toEqual({ task_id: 'task-1', status: 'completed', output: 'said\n', exitCode: 0 });
    await tasks.stopAll();
  });

  it('is a failure when the command fails', async () => {
    const { context } = workspace();
    const tasks = createTasks();
    const { error, text } = await fail(task, { description: 'fail', command: 'echo no >&2; exit 4' }, context, {
      ...session(),
      tasks,
    });
    expect(error.code).toBe('task-failed');
    expect(text).toBe('no\n[The task failed with exit code 4.]');
    await tasks.stopAll();
  });

  it('is stopped by an interruption', async () => {
    const { root, context } = workspace();
    const tasks = createTasks();
    const controller = new AbortController();
    const running = fail(
      task,
      { description: 'wait', command: 'touch begun; sleep 60' },
      { ...context, signal: controller.signal },
      { ...session(), tasks },
    );
    await until(() => existsSync(join(root, 'begun')));
    controller.abort();
    expect((await running).error.code).toBe('task-stopped');
    expect(tasks.get('task-1')?.status).toBe('stopped');
    await tasks.stopAll();
  });
});

describe('指定 Subagent 类型', () => {
  it('has the agent of that type do it, and gives its answer', async () => {
    const root = temporaryDirectory();
    write(root, '.oxide-guard/agents/reviewer.md', '---\ndescription: Reviews.\nmodel: opus\n---\nYou review code.\n');
    const { say, resultOf, requests } = await start(
      {
        main: [[['Task', { description: 'Review', prompt: 'Review this.', subagent_type: 'reviewer' }]], 'done'],
        'claude-opus': ['It is fine.'],
      },
      root,
    );
    await say('go');
    expect(requests[1]?.request.system).toContain('You review code.');
    expect(resultOf('Task')).toBe('It is fine.');
  });

  it('lists the types when there is none of that name', async () => {
    const { say, resultOf } = await start({
      main: [[['Task', { description: 'x', prompt: 'y', subagent_type: 'wizard' }]], 'done'],
    });
    await say('go');
    expect(resultOf('Task')).toMatch(/no subagent type 'wizard'.*\n- general-purpose: /);
  });
});

describe('任务状态追踪', () => {
  it('adds every task to the manager, where its state is found by its id', async () => {
    const { root, context } = workspace();
    const tasks = createTasks();
    const within = { ...session(), tasks };
    const run = (description: string, command: string) =>
      succeed(task, { description, command, run_in_background: true }, context, within);
    await run('ends', 'echo a');
    await run('fails', 'exit 2');
    await run('waits', waitFor);
    await tasks.wait('task-1', 30_000, context.signal);
    await tasks.wait('task-2', 30_000, context.signal);
    expect(
      tasks.list().map(({ id, description, status, exitCode }) => ({ id, description, status, exitCode })),
    ).toEqual([
      { id: 'task-1', description: 'ends', status: 'completed', exitCode: 0 },
      { id: 'task-2', description: 'fails', status: 'failed', exitCode: 2 },
      { id: 'task-3', description: 'waits', status: 'running', exitCode: null },
    ]);
    expect(await tasks.stop('task-3')).toMatchObject({ status: 'stopped' });
    expect(existsSync(join(root, 'go'))).toBe(false);
    await tasks.stopAll();
  });
});

describe('a command as a task', () => {
  it('is what the guard and the permission rules see', () => {
    expect(task.shellCommand?.({ description: 'x', command: 'git push -f' })).toEqual({
      command: 'git push -f',
      unsandboxed: false,
    });
    expect(task.shellCommand?.({ description: 'x', prompt: 'y', subagent_type: 'z' })).toBeNull();
  });

  it('passes the same guard as Bash, in the background, too', async () => {
    const { work, remote } = repositoryWithRemote();
    const before = readFileSync(join(remote, 'refs/heads/main'), 'utf8');
    const push = 'git commit --amend --allow-empty -m "feat: other" && git push --force origin main';
    const { say, resultOf } = await start(
      { main: [[['Task', { description: 'push', command: push, run_in_background: true }]], 'done'] },
      work,
    );
    await say('go');
    expect(resultOf('Task')).toMatch(/main/);
    expect(resultOf('Task')).not.toContain('task-1');
    expect(readFileSync(join(remote, 'refs/heads/main'), 'utf8')).toBe(before);
  });
});

describe('an input that is neither or both', () => {
  it.each([
    { description: 'x' },
    { description: 'x', prompt: 'y' },
    { description: 'x', prompt: 'y', subagent_type: 'z', command: 'true' },
  ])('%j says what it must be', async (input) => {
    const { text } = await fail(task, input, contextIn(temporaryDirectory()), { ...session(), tasks: createTasks() });
    expect(text).toContain('either a `prompt` with its `subagent_type`, or a `command`');
  });

  it('needs a session', async () => {
    const { error } = await fail(task, { description: 'x', command: 'true' }, contextIn(temporaryDirectory()));
    expect(error.code).toBe('no-background');
  });
});
