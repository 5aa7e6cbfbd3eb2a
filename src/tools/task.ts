import { z } from 'zod';
import { backgroundRun } from './bash.ts';
import type { Subagents, TaskStart, TaskState, Tasks } from './session-ports.ts';
import { defineSessionTool, type ToolContext, type ToolSession } from './tool.ts';
import { failure, fitText, success, type ToolFailure, type ToolResult } from './tool-result.ts';

const schema = z
  .strictObject({
    description: z.string().min(1).describe('What the task does, in three to five words'),
    prompt: z.string().min(1).optional().describe('What the subagent has to do; it knows nothing else'),
    subagent_type: z.string().min(1).optional().describe('Which kind of subagent does it'),
    command: z.string().min(1).optional().describe('Instead of prompt and subagent_type: a command line for bash'),
    run_in_background: z
      .boolean()
      .optional()
      .describe('Give the task_id at once and go on; TaskOutput tells how it goes. Default: wait for the result'),
  })
  .refine(
    ({ prompt, subagent_type: type, command }) =>
      command === undefined ? prompt !== undefined && type !== undefined : prompt === undefined && type === undefined,
    {
      message: 'either a `prompt` with its `subagent_type`, or a `command`',
    },
  );

type TaskInput = z.output<typeof schema>;

export const task = defineSessionTool({
  name: 'Task',
  description:
    'Starts a task of the session: a subagent with a prompt, or a command line (under the same guard, permissions and ' +
    'sandbox as Bash). With run_in_background it gives a task_id at once, for TaskOutput; otherwise the result. Every ' +
    'task is listed by its id and ends with the session.',
  effect: 'changes',
  schema,
  example: { description: 'Find dead code', prompt: 'List exports that nothing imports.', subagent_type: 'general' },
  shellCommand: ({ command }) => (command === undefined ? null : { command, unsandboxed: false }),
  run: async (input, context, session) => {
    const tasks = session?.tasks;
    if (tasks === undefined) {
      return failure('no-background', 'There is no session here that could keep a task.', {
        remedy: 'Use Bash for a command.',
      });
    }
    const start = startOf(input, context, session);
    if ('ok' in start) {
      return start;
    }
    const { id } = tasks.start(start);
    return input.run_in_background === true
      ? success(`Task ${id} runs in the background. Its output: TaskOutput with task_id "${id}".`, {
          task_id: id,
          status: 'running',
        })
      : foreground(tasks, id, context.signal);
  },
});

function startOf(input: TaskInput, context: ToolContext, session: ToolSession | null): TaskStart | ToolFailure {
  const { description, command, prompt = '', subagent_type: subagentType = '' } = input;
  if (command !== undefined) {
    return { kind: 'shell', description, run: backgroundRun({ command }, null, context, session) };
  }
  const subagents = session?.subagents;
  const unknown = unknownType(subagents, subagentType);
  return subagents === undefined || unknown !== null
    ? (unknown ?? noSubagents())
    : { kind: 'agent', description, run: subagentRun(subagents, { description, prompt, subagentType }) };
}

/** A subagent as background work: its text is the output. */
export function subagentRun(
  subagents: Subagents,
  request: Omit<Parameters<Subagents['run']>[0], 'signal' | 'onOutput'>,
): TaskStart['run'] {
  return async ({ signal, onOutput }) => {
    let hasWritten = false;
    const outcome = await subagents.run({
      ...request,
      signal,
      onOutput: (text) => {
        hasWritten ||= text !== '';
        onOutput(text);
      },
    });
    if (!outcome.ok) {
      onOutput(`${outcome.text}\n`);
      return { status: signal.aborted ? 'stopped' : 'failed' };
    }
    if (!hasWritten) {
      onOutput(outcome.text);
    }
    return { status: 'completed' };
  };
}

/** The failure that names the known types, where the wanted one is none of them. */
export function unknownType(subagents: Subagents | undefined, type: string): ToolFailure | null {
  const types = subagents?.types() ?? [];
  if (subagents === undefined || types.some(({ name }) => name === type)) {
    return null;
  }
  const known = types.map(({ name, description }) => `- ${name}: ${description}`).join('\n');
  return failure('unknown-subagent-type', `There is no subagent type '${type}'.`, {
    remedy: known === '' ? 'None is defined.' : `The types are:\n${known}`,
  });
}

export function noSubagents(): ToolFailure {
  return failure('no-subagents', 'No subagent can be started here: there is no session, or they are nested too deep.', {
    remedy: 'Do the work yourself.',
  });
}

/** Waits for the end; an interruption ends the task, too. */
async function foreground(tasks: Tasks, id: string, signal: AbortSignal): Promise<ToolResult> {
  await tasks.wait(id, Number.POSITIVE_INFINITY, signal);
  const state = signal.aborted ? await tasks.stop(id) : tasks.get(id);
  return state === null ? failure('unknown-task', `Task ${id} is gone.`) : endOf(state);
}

function endOf(state: TaskState): ToolResult {
  const { id, status, output, exitCode } = state;
  const data = { task_id: id, status, output, ...(exitCode === null ? {} : { exitCode }) };
  const remark =
    status === 'completed' ? '' : `[The task ${status}${exitCode === null ? '' : ` with exit code ${exitCode}`}.]`;
  const text = fitText(
    [output.replace(/\n$/, ''), remark].filter((part) => part !== '').join('\n') || '[No output.]',
  ).text;
  return status === 'completed' ? success(text, data) : failure(`task-${status}`, text, { data });
}
