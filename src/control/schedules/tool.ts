import { z } from 'zod';
import { type ActionTool, defineAction } from '../action.ts';
import { nameSchema } from '../name.ts';
import { cronProblem, zoneProblem } from './cron.ts';
import {
  misfires,
  overlaps,
  type Run,
  type Schedule,
  type ScheduleSettings,
  sessionBehaviors,
  type Target,
  targetKey,
} from './schedule.ts';
import type { Schedules } from './schedules.ts';

/** Longer ones are files, which a prompt names. */
const longestPrompt = 100_000;
const mostTargets = 50;

/** A string that a function finds nothing wrong with. */
const checked = (problem: (text: string) => string | null) =>
  z.string().superRefine((text, context) => {
    const message = problem(text);
    if (message !== null) {
      context.addIssue({ code: 'custom', message });
    }
  });

const id = z.string().regex(/^[\w-]+$/, 'must be an id');
const target = z.union([id, z.strictObject({ project_id: id, workspace_id: id.optional() })]);
const targets = z
  .array(target)
  .min(1)
  .max(mostTargets)
  .refine(
    (given) => new Set(given.map((one) => targetKey(targetFrom(one)))).size === given.length,
    'names a target twice',
  )
  .describe('Where to run: projects’ ids, or {project_id, workspace_id}');

const settings = {
  name: nameSchema.describe('A name that no other schedule has'),
  cron: checked(cronProblem).describe('Minute, hour, day of the month, month, day of the week, as in crontab(5)'),
  prompt: z.string().trim().min(1).max(longestPrompt).describe('What each session is to do'),
  targets,
  timezone: checked(zoneProblem).describe('An IANA time zone, such as Europe/Berlin; default: UTC'),
  overlap: z.enum(overlaps).describe('When the run before is not done; default: skip'),
  misfire: z.enum(misfires).describe('About times that passed while nothing ran; default: skip'),
  session_behavior: z
    .enum(sessionBehaviors)
    .describe('Resume the workspace’s latest session, or a new one; default: resume'),
  enabled: z.boolean().describe('Default: true'),
};

const create = z.strictObject({
  ...settings,
  timezone: settings.timezone.default('UTC'),
  overlap: settings.overlap.default('skip'),
  misfire: settings.misfire.default('skip'),
  session_behavior: settings.session_behavior.default('resume'),
  enabled: settings.enabled.default(true),
});

const scheduleId = z.string().min(1).describe('The schedule’s id');
const one = z.strictObject({ schedule_id: scheduleId });

const update = z
  .strictObject(settings)
  .partial()
  .extend({ schedule_id: scheduleId })
  .refine((input) => Object.keys(input).length > 1, { message: 'gives nothing to change' });

/** The `schedule` tool: prompts that sessions are given at set times. */
export function scheduleTool(schedules: Schedules): ActionTool {
  return {
    name: 'schedule',
    description:
      'Schedules: give sessions a prompt at set times (cron). A run acts with the token of whoever gave the schedule its prompt. trigger runs it now; get shows its history.',
    actions: {
      create: defineAction(create, async (input, { principal }) => {
        const schedule = await schedules.create(settingsOf(input), principal);
        return {
          text: `Created the schedule '${schedule.name}' (${schedule.scheduleId}); ${when(schedule)}.`,
          data: described(schedule),
        };
      }),
      list: defineAction(z.strictObject({}), async (_, { principal }) => {
        const found = await schedules.list(principal);
        return {
          text: found.map(lineOf).join('\n') || 'There are no schedules.',
          data: { schedules: found.map(described) },
        };
      }),
      get: defineAction(one, async ({ schedule_id }) => {
        const { schedule, runs, missing } = await schedules.get(schedule_id);
        const problems = missing.map(({ problem }) => `  a target is missing: ${problem}`);
        const text = [lineOf(schedule), ...problems, ...runs.slice(0, 10).map((run) => `  ${runLine(run)}`)].join('\n');
        const missing_targets = missing.map(({ target, problem }) => ({ ...wireTarget(target), problem }));
        return { text, data: { ...described(schedule), missing_targets, runs: runs.map(describedRun) } };
      }),
      update: defineAction(update, async ({ schedule_id, ...input }, { principal }) => {
        const schedule = await schedules.update(schedule_id, changesOf(input), principal);
        return { text: `Changed the schedule '${schedule.name}'; ${when(schedule)}.`, data: described(schedule) };
      }),
      delete: defineAction(one, async ({ schedule_id }) => {
        await schedules.delete(schedule_id);
        return { text: `Deleted the schedule ${schedule_id}.`, data: { schedule_id, deleted: true } };
      }),
      trigger: defineAction(one, async ({ schedule_id }) => {
        const runs = await schedules.trigger(schedule_id);
        return { text: runs.map(runLine).join('\n'), data: { schedule_id, runs: runs.map(describedRun) } };
      }),
    },
  };
}

function targetFrom(given: z.output<typeof target>): Target {
  return typeof given === 'string'
    ? { projectId: given, workspaceId: null }
    : { projectId: given.project_id, workspaceId: given.workspace_id ?? null };
}

function settingsOf({ session_behavior, targets: given, ...rest }: z.output<typeof create>): ScheduleSettings {
  return { ...rest, sessionBehavior: session_behavior, targets: given.map(targetFrom) };
}

/** What is given; what is not stays as it was. */
function changesOf(input: Omit<z.output<typeof update>, 'schedule_id'>): Partial<ScheduleSettings> {
  const { session_behavior: sessionBehavior, targets: given, ...rest } = input;
  const changes = { ...rest, sessionBehavior, targets: given?.map(targetFrom) };
  return Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
}

const date = (time: number | null) => (time === null ? null : new Date(time).toISOString());

function wireTarget({ projectId, workspaceId }: Target) {
  return { project_id: projectId, ...(workspaceId === null ? {} : { workspace_id: workspaceId }) };
}

/** A schedule as results show it. */
export function described(schedule: Schedule): Readonly<Record<string, unknown>> {
  return {
    schedule_id: schedule.scheduleId,
    name: schedule.name,
    cron: schedule.cron,
    timezone: schedule.timezone,
    prompt: schedule.prompt,
    targets: schedule.targets.map(wireTarget),
    overlap: schedule.overlap,
    misfire: schedule.misfire,
    session_behavior: schedule.sessionBehavior,
    enabled: schedule.enabled,
    paused_reason: schedule.pausedReason,
    failures: schedule.failures,
    next_run_at: date(schedule.nextAt),
    acts_as: schedule.tokenId,
    created_at: date(schedule.createdAt),
    updated_at: date(schedule.updatedAt),
  };
}

/** A run as results show it. */
export function describedRun(run: Run): Readonly<Record<string, unknown>> {
  return {
    run_id: run.runId,
    project_id: run.target.projectId,
    workspace_id: run.target.workspaceId,
    slot: date(run.slot),
    origin: run.origin,
    status: run.status,
    session_id: run.sessionId,
    problem: run.problem,
    claimed_at: date(run.claimedAt),
    ended_at: date(run.endedAt),
  };
}

function when({ enabled, nextAt, pausedReason }: Schedule): string {
  if (!enabled) {
    return pausedReason === null ? 'it is disabled' : `it is paused: ${pausedReason}`;
  }
  return nextAt === null ? 'it has no next time' : `it runs next at ${date(nextAt)}`;
}

function lineOf(schedule: Schedule): string {
  return `${schedule.scheduleId}  ${schedule.name}  ${schedule.cron} ${schedule.timezone}  ${when(schedule)}`;
}

function runLine({ slot, target, status, sessionId, problem }: Run): string {
  const session = sessionId === null ? '' : `  ${sessionId}`;
  return `${date(slot)}  ${targetKey(target)}  ${status}${session}${problem === null ? '' : `  ${problem}`}`;
}
