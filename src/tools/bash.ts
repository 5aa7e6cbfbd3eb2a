import { StringDecoder } from 'node:string_decoder';
import { z } from 'zod';
import { BoundedOutput } from './bounded-output.ts';
import { gitOperation } from './git-operation.ts';
import type { TaskEnd } from './session-ports.ts';
import { isWithinRoots, runShell, type ShellEnd } from './shell-run.ts';
import { defineSessionTool, type ToolContext, type ToolSession } from './tool.ts';
import { failure, fitText, success, type ToolResult } from './tool-result.ts';

/** Milliseconds. */
const defaultTimeout = 120_000;
const longestTimeout = 600_000;

/** The warning that goes wherever this input is explained: to the model, to the person who is asked, to the reader of the manual. */
export const unsandboxedWarning =
  'Runs the command WITHOUT the sandbox: it may read every file of the person, secrets included, write anywhere and ' +
  'reach the network. This bypasses an important safety measure. Only for controlled environments and only when the ' +
  'command cannot work otherwise; a person must confirm each such call.';

const schema = z.strictObject({
  command: z.string().min(1).describe('The command line, for bash'),
  timeout: z
    .number()
    .int()
    .min(1)
    .max(longestTimeout)
    .optional()
    .describe(`Milliseconds after which the command is ended; default ${defaultTimeout}, none in the background`),
  description: z.string().optional().describe('What the command does, in five to ten words'),
  run_in_background: z
    .boolean()
    .optional()
    .describe('Start it and go on: gives a task_id at once, for TaskOutput. It ends with the session at the latest'),
  dangerouslyDisableSandbox: z.boolean().optional().describe(unsandboxedWarning),
});

type BashInput = z.output<typeof schema>;

export const bash = defineSessionTool({
  name: 'Bash',
  description:
    'Runs a command line in bash, in the working directory; `cd` within the project lasts until the next call. There ' +
    'is no terminal and no input. The command runs in a sandbox: it may write in the project and in /tmp only, sees no ' +
    'secrets, changes neither git hooks nor git settings, and has no network unless the configuration allows it. ' +
    'Processes that it leaves behind (`&`) end with it: use run_in_background for servers and long work. ' +
    'Prefer Read, Edit, Glob and Grep to cat, sed, find and grep.',
  effect: 'changes',
  schema,
  example: { command: 'npm test', timeout: 300_000, description: 'Run the test suite' },
  shellCommand: ({ command, dangerouslyDisableSandbox = false }) => ({
    command,
    unsandboxed: dangerouslyDisableSandbox,
  }),
  run: (input, context, session) =>
    input.run_in_background === true
      ? startInBackground(input, context, session)
      : runInForeground(input, context, session),
});

async function runInForeground(
  input: BashInput,
  context: ToolContext,
  session: ToolSession | null,
): Promise<ToolResult> {
  const { command, timeout = defaultTimeout } = input;
  const operation = await gitOperation(command, context);
  const outputs = { stdout: new BoundedOutput(), stderr: new BoundedOutput() };
  const decoders = decoderOfEach();
  const readOnly = isReadOnly(input, session);
  try {
    const end = await runShell(
      {
        command,
        timeout,
        readOnly,
        signal: context.signal,
        onOutput: (chunk, stream) => {
          outputs[stream].write(chunk);
          context.progress?.(decoders[stream].write(chunk));
        },
      },
      context,
    );
    const output = { stdout: outputs.stdout.text(), stderr: outputs.stderr.text() };
    const notes = [...end.notes, ...changeDirectory(end, context)];
    return resultOf({ ...output, end, timeout, readOnly, operation, notes });
  } finally {
    outputs.stdout.close();
    outputs.stderr.close();
  }
}

/** The directory in which the shell ended is where the next command begins, unless it lies outside. */
function changeDirectory({ directory }: ShellEnd, { cwd, roots, changeDirectory }: ToolContext): readonly string[] {
  if (directory === null || directory === cwd || changeDirectory === undefined) {
    return [];
  }
  if (!isWithinRoots(directory, roots)) {
    return [`The working directory is still '${cwd}': '${directory}' is outside of what this session may work in.`];
  }
  changeDirectory(directory);
  return [`The working directory is now '${directory}'.`];
}

interface Run {
  readonly stdout: string;
  readonly stderr: string;
  readonly end: ShellEnd;
  readonly timeout: number;
  readonly readOnly: boolean;
  readonly operation: string | null;
  readonly notes: readonly string[];
}

function resultOf({ stdout, stderr, end, timeout, readOnly, operation, notes }: Run): ToolResult {
  const { exitCode, stopped, sandboxed } = end;
  const data = {
    stdout,
    stderr,
    exitCode,
    interrupted: stopped === 'interrupted',
    ...(stopped === 'timed-out' ? { timedOutAfterMs: timeout } : {}),
    sandboxed,
    ...(operation !== null && exitCode === 0 ? { gitOperation: operation } : {}),
  };
  const { ending, code } = endingOf(end, timeout);
  const hint = sandboxed && exitCode !== 0 && stopped === null ? sandboxHint(stderr, readOnly) : null;
  const remarks = [ending, hint, ...notes].flatMap((text) => (text === null ? [] : [`[${text}]`]));
  const body = [stdout, stderr].filter((text) => text !== '').map((text) => text.replace(/\n$/, ''));
  const text = fitText([...body, ...remarks].join('\n') || '[No output.]').text;
  return code === null ? success(text, data) : failure(code, text, { data });
}

/** What the model hears of how a command ended, and the code of the failure; both null where it went well. */
function endingOf({ exitCode, stopped }: ShellEnd, timeout: number) {
  switch (stopped) {
    case 'timed-out': {
      const advice = 'Give it more time with `timeout`, or use run_in_background.';
      return { ending: `The command was ended after ${timeout} ms. ${advice}`, code: 'command-timed-out' };
    }
    case 'interrupted':
      return { ending: 'The command was interrupted.', code: 'interrupted' };
    case null:
      return exitCode === 0
        ? { ending: null, code: null }
        : { ending: `Exit code ${exitCode}.`, code: 'command-failed' };
  }
}

const deniedWriting = /Read-only file system|Permission denied|Operation not permitted|Device or resource busy/i;
const deniedNetwork =
  /Could not resolve host|Temporary failure in name resolution|Network is unreachable|EAI_AGAIN|ENETUNREACH|ENOTFOUND/i;

function sandboxHint(stderr: string, readOnly: boolean): string | null {
  if (/^bwrap: /m.test(stderr)) {
    return 'The sandbox could not be set up; the command did not run.';
  }
  if (deniedNetwork.test(stderr)) {
    return 'Commands in the sandbox have no network here.';
  }
  if (readOnly && deniedWriting.test(stderr)) {
    return 'Nothing reaches the disk in this session: commands write in /tmp only, and see none of the session’s changes.';
  }
  return deniedWriting.test(stderr)
    ? 'This may be the sandbox: a command may write in the project and in /tmp only, not to git hooks and git settings.'
    : null;
}

async function startInBackground(
  input: BashInput,
  context: ToolContext,
  session: ToolSession | null,
): Promise<ToolResult> {
  const tasks = session?.tasks;
  if (tasks === undefined) {
    return failure('no-background', 'There is no session that could keep a command in the background.', {
      remedy: 'Run it without run_in_background.',
    });
  }
  const { command, timeout = null, description = command } = input;
  const { id } = tasks.start({ kind: 'shell', description, run: backgroundRun(input, timeout, context, session) });
  return success(`Started in the background as ${id}. Its output: TaskOutput with task_id "${id}".`, {
    task_id: id,
    sandboxed: context.sandbox !== undefined,
  });
}

/**
 * A command line as background work.
 *
 * @param timeout milliseconds; null: until it ends, or the session does
 */
export function backgroundRun(
  input: Pick<BashInput, 'command' | 'dangerouslyDisableSandbox'>,
  timeout: number | null,
  context: ToolContext,
  session: ToolSession | null,
) {
  return async (io: { readonly signal: AbortSignal; readonly onOutput: (text: string) => void }): Promise<TaskEnd> => {
    const decoders = decoderOfEach();
    const { exitCode, stopped, notes } = await runShell(
      {
        command: input.command,
        timeout,
        readOnly: isReadOnly(input, session),
        signal: io.signal,
        onOutput: (chunk, stream) => io.onOutput(decoders[stream].write(chunk)),
      },
      context,
    );
    const ending = stopped === 'timed-out' ? [`The command was ended after ${timeout} ms.`] : [];
    for (const remark of [...ending, ...notes]) {
      io.onOutput(`\n[${remark}]\n`);
    }
    const status = exitCode === 0 ? 'completed' : 'failed';
    return { status: stopped === 'interrupted' ? 'stopped' : status, exitCode };
  };
}

/** A person who has confirmed a call without the sandbox has confirmed that it writes. */
function isReadOnly(
  { dangerouslyDisableSandbox = false }: Pick<BashInput, 'dangerouslyDisableSandbox'>,
  session: ToolSession | null,
): boolean {
  return session?.files.mode === 'virtual' && !dangerouslyDisableSandbox;
}

/** A character may arrive in two pieces, with a piece of the other stream between them. */
function decoderOfEach() {
  return { stdout: new StringDecoder('utf8'), stderr: new StringDecoder('utf8') };
}
