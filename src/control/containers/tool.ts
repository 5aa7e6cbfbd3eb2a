import { z } from 'zod';
import { fitText } from '../../tools/tool-result.ts';
import { type ActionResult, type ActionTool, defineAction } from '../action.ts';
import type { ExecResult, LogsResult, StartResult, StopResult } from './container-calls.ts';
import type { Containers } from './containers.ts';

/** Milliseconds. */
const defaultTimeout = 120_000;
const longestTimeout = 3_600_000;
const longestCommand = 100_000;
const defaultTail = 200;

const place = {
  project_id: z.string().min(1).describe('The project'),
  workspace_id: z.string().min(1).optional().describe('One of its workspaces; default: its default one'),
};
const isolation = z
  .enum(['required', 'preferred'])
  .optional()
  .describe('required: fail where no container engine answers, instead of using bubblewrap');

const start = z.strictObject({ ...place, isolation });
const stop = z.strictObject(place);
const logs = z.strictObject({
  ...place,
  tail: z.int().min(1).max(10_000).default(defaultTail).describe('Lines, the newest'),
  since: z
    .union([z.int().min(0), z.iso.datetime({ offset: true })])
    .optional()
    .describe('Only what was written at this time or later: ISO 8601, or milliseconds since the epoch'),
});
const exec = z.strictObject({
  ...place,
  command: z
    .string()
    .min(1)
    .max(longestCommand)
    .refine((text) => !text.includes('\0'), 'has a NUL character')
    .describe('The command line, for /bin/sh -c'),
  working_dir: z.string().min(1).optional().describe('Relative to the workspace; default: the workspace'),
  timeout_ms: z
    .int()
    .min(1)
    .max(longestTimeout)
    .default(defaultTimeout)
    .describe('Milliseconds after which the command and all that it started is ended'),
  isolation,
});

/** The tool `container`: what runs in the containers of workspaces. */
export function containerTool(containers: Pick<Containers, 'start' | 'stop' | 'logs' | 'exec'>): ActionTool {
  return {
    name: 'container',
    description:
      'One container for each workspace, on Docker or Podman, or under bubblewrap where there is no engine: `tier` in ' +
      'a result says which. It has no network, no secrets and few rights; it sees the workspace and its repository at ' +
      'their own paths. exec runs a command line by /bin/sh, which the git guard judges before. A container that ' +
      'nobody uses is stopped, and the next exec starts it again.',
    actions: {
      start: defineAction(start, async (input) =>
        startResult(await containers.start(placeOf(input), input.isolation === 'required')),
      ),
      stop: defineAction(stop, async (input) => stopResult(await containers.stop(placeOf(input)))),
      logs: defineAction(logs, async ({ tail, since = 0, ...input }) => {
        const from = typeof since === 'number' ? since : Date.parse(since);
        return logsResult(await containers.logs({ ...placeOf(input), tail, since: from }));
      }),
      exec: defineAction(exec, async ({ command, working_dir = null, timeout_ms, isolation, ...input }, { signal }) =>
        execResult(
          await containers.exec({
            ...placeOf(input),
            command,
            workingDirectory: working_dir,
            timeout: timeout_ms,
            isolationRequired: isolation === 'required',
            signal,
          }),
          timeout_ms,
        ),
      ),
    },
  };
}

interface PlaceInput {
  readonly project_id: string;
  readonly workspace_id?: string | undefined;
}

function placeOf({ project_id, workspace_id }: PlaceInput) {
  return { projectId: project_id, workspaceId: workspace_id ?? null };
}

function startResult({ workspaceId, tier, tierReason, image, started, outdated }: StartResult): ActionResult {
  const what = tier === 'bwrap' ? 'under bubblewrap' : `on ${tier}, from ${image}`;
  const remarks = [
    tierReason === null ? null : `There is no container engine: ${tierReason}.`,
    outdated ? 'Its image was rebuilt since: stop and start it to run the new one.' : null,
  ].flatMap((remark) => remark ?? []);
  return {
    text: [`The container ${started ? 'was started' : 'was running already'} ${what}.`, ...remarks].join(' '),
    data: { workspace_id: workspaceId, tier, tier_reason: tierReason, image, started, outdated },
  };
}

function stopResult({ workspaceId, tier, stopped }: StopResult): ActionResult {
  return {
    text: stopped ? 'The container was stopped.' : 'No container was running.',
    data: { workspace_id: workspaceId, tier, stopped },
  };
}

function logsResult({ workspaceId, tier, entries, truncated }: LogsResult): ActionResult {
  const lines = entries.map(({ ts, stream, text }) => `${new Date(ts).toISOString()} ${prefixes[stream]}${text}`);
  return {
    text: lines.length === 0 ? 'No command has written anything.' : fitText(lines.join('\n')).text,
    data: { workspace_id: workspaceId, tier, entries, truncated },
  };
}

const prefixes = { command: '$ ', stdout: '', stderr: '! ', end: '= ' } as const;

function execResult(result: ExecResult, timeout: number): ActionResult {
  const { workspaceId, tier, execId, stdout, stderr, exitCode, timedOut, truncated, notes } = result;
  const ending = timedOut
    ? [`The command was ended after ${timeout} ms.`]
    : exitCode === 0
      ? []
      : [`Exit code ${exitCode}.`];
  const remarks = [...ending, ...notes].map((remark) => `[${remark}]`);
  const body = [stdout, stderr].filter((text) => text !== '').map((text) => text.replace(/\n$/, ''));
  return {
    text: fitText([...body, ...remarks].join('\n') || '[No output.]').text,
    data: {
      workspace_id: workspaceId,
      exec_id: execId,
      stdout,
      stderr,
      exit_code: exitCode,
      timed_out: timedOut,
      truncated,
      tier,
      notes,
    },
  };
}
