import { afterEach, describe, expect, it } from 'vitest';
import { createTasks } from '../../src/agent/background/task-manager.ts';
import { task } from '../../src/tools/task.ts';
import { taskOutput } from '../../src/tools/task-output.ts';
import { write } from '../git/fixture.ts';
import { fail, session, succeed, workspace } from './fixture.ts';

const ends: (() => Promise<void>)[] = [];
afterEach(async () => {
  await Promise.all(ends.splice(0).map((end) => end()));
});

async function running(command: string) {
  const { root, context } = workspace();
  const tasks = createTasks();
  ends.push(tasks.stopAll);
  const within = { ...session(), tasks };
  await succeed(task, { description: 'work', command, run_in_background: true }, context, within);
  const untilOutput = async () => {
    while (tasks.get('task-1')?.output === '') {
      await tasks.wait('task-1', 10, context.signal);
    }
  };
  return { root, context, tasks, within, untilOutput };
}

const work = 'echo begun; while [ ! -e go ]; do sleep 0.02; done; echo ended';

describe('查询任务输出', () => {
  it('waits for the end with block, and gives the whole output', async () => {
    const { root, context, within, untilOutput } = await running(work);
    await untilOutput();
    const asking = succeed(taskOutput, { task_id: 'task-1', block: true }, context, within);
    write(root, 'go', '');
    const { data, text } = await asking;
    expect(data).toEqual({
      task_id: 'task-1',
      kind: 'shell',
      description: 'work',
      status: 'completed',
      output: 'begun\nended\n',
      exitCode: 0,
    });
    expect(text).toBe('[task-1 (work) is complete, exit code 0.]\nbegun\nended\n');
  });
});

describe('非阻塞查询', () => {
  it('tells the present state and the output so far at once', async () => {
    const { context, within, untilOutput } = await running(work);
    await untilOutput();
    const { data } = await succeed(taskOutput, { task_id: 'task-1', block: false }, context, within);
    expect(data).toMatchObject({ status: 'running', output: 'begun\n' });
    expect(data).not.toHaveProperty('exitCode');
  });
});

describe('任务已完成', () => {
  it.each([
    ['echo all', { status: 'completed', output: 'all\n', exitCode: 0 }],
    ['echo some; exit 3', { status: 'failed', output: 'some\n', exitCode: 3 }],
  ])('%s: gives the whole output and the final status', async (command, expected) => {
    const { context, tasks, within } = await running(command);
    await tasks.wait('task-1', 30_000, context.signal);
    for (const block of [true, false]) {
      expect((await succeed(taskOutput, { task_id: 'task-1', block }, context, within)).data).toMatchObject(expected);
    }
  });
});

describe('超时处理', () => {
  it('gives partial output and the status timeout, and the task goes on', async () => {
    const { root, context, tasks, within, untilOutput } = await running(work);
    await untilOutput();
    const { data } = await succeed(taskOutput, { task_id: 'task-1', block: true, timeout: 50 }, context, within);
    expect(data).toMatchObject({ status: 'timeout', output: 'begun\n' });
    expect(tasks.get('task-1')?.status).toBe('running');
    write(root, 'go', '');
    expect((await succeed(taskOutput, { task_id: 'task-1' }, context, within)).data).toMatchObject({
      status: 'completed',
      output: 'begun\nended\n',
    });
  });

  it('waits 30 seconds unless told otherwise', () => {
    expect(taskOutput.validate({ task_id: 'x' })).toMatchObject({ input: { block: true, timeout: 30_000 } });
  });
});

describe('a question that can’t be answered', () => {
  it('about an unknown task lists the known ones', async () => {
    const { context, within } = await running('true');
    const { error } = await fail(taskOutput, { task_id: 'task-9' }, context, within);
    expect(error.code).toBe('unknown-task');
    expect(error.remedy).toMatch(/- task-1: work \(/);
  });

  it('is interrupted with the session; the task goes on', async () => {
    const { context, tasks, within } = await running(work);
    const controller = new AbortController();
    const asking = fail(taskOutput, { task_id: 'task-1' }, { ...context, signal: controller.signal }, within);
    controller.abort();
    expect((await asking).error.code).toBe('interrupted');
    expect(tasks.get('task-1')?.status).toBe('running');
  });

  it.each([{}, { task_id: '' }, { task_id: 'x', timeout: -1 }, { task_id: 'x', block: 'yes' }])('%j', async (input) => {
    const { context, within } = await running('true');
    expect((await fail(taskOutput, input, context, within)).error.code).toBe('invalid-input');
  });
});
