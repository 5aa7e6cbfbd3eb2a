import { z } from 'zod';
import type { TaskState, Tasks } from './session-ports.ts';
import { defineSessionTool } from './tool.ts';
import { failure, fitText, success, type ToolFailure, type ToolResult } from './tool-result.ts';

/** Milliseconds. */
const defaultTimeout = 30_000;
const longestTimeout = 600_000;

export const taskOutput = defineSessionTool({
  name: 'TaskOutput',
  description:
    'Tells what a task in the background has written so far and whether it still runs. With block (the default) it ' +
    'waits for the end, at most timeout milliseconds; then the status is "timeout" and the task goes on.',
  effect: 'reads',
  schema: z.strictObject({
    task_id: z.string().min(1).describe('What Task or Bash gave when it started the task'),
    block: z.boolean().default(true).describe('Wait for the end; false: tell the present state at once'),
    timeout: z
      .number()
      .int()
      .min(0)
      .max(longestTimeout)
      .default(defaultTimeout)
      .describe('How long to wait, in milliseconds'),
  }),
  example: { task_id: 'task-1', block: true, timeout: defaultTimeout },
  run: async ({ task_id: id, block, timeout }, { signal }, session) => {
    const tasks = session?.tasks;
    const present = tasks?.get(id) ?? null;
    if (tasks === undefined || present === null) {
      return unknownTask(id, tasks);
    }
    if (!block || present.status !== 'running') {
      return report(present, present.status);
    }
    const state = (await tasks.wait(id, timeout, signal)) ?? present;
    if (signal.aborted) {
      return failure('interrupted', `Waiting for ${id} was interrupted; the task goes on.`, {
        data: dataOf(state, state.status),
      });
    }
    return report(state, state.status === 'running' ? 'timeout' : state.status);
  },
});

type ShownStatus = TaskState['status'] | 'timeout';

function report(state: TaskState, status: ShownStatus): ToolResult {
  const said: Readonly<Record<ShownStatus, string>> = {
    running: 'still runs; this is its output so far',
    timeout: 'still runs after the time to wait; this is its output so far',
    completed: 'is complete',
    failed: 'failed',
    stopped: 'was stopped',
  };
  const exit = state.exitCode === null ? '' : `, exit code ${state.exitCode}`;
  const output = state.output === '' ? '[No output.]' : state.output;
  return success(
    fitText(`[${state.id} (${state.description}) ${said[status]}${exit}.]\n${output}`).text,
    dataOf(state, status),
  );
}

function dataOf(state: TaskState, status: ShownStatus) {
  const { id, kind, description, output, exitCode } = state;
  return { task_id: id, kind, description, status, output, ...(exitCode === null ? {} : { exitCode }) };
}

function unknownTask(id: string, tasks: Tasks | undefined): ToolFailure {
  const known = (tasks?.list() ?? []).map((task) => `- ${task.id}: ${task.description} (${task.status})`).join('\n');
  return failure('unknown-task', `There is no task '${id}'.`, {
    remedy: known === '' ? 'No task was started in this session.' : `The tasks are:\n${known}`,
  });
}
