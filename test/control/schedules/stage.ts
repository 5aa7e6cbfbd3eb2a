import type { Clock } from '../../../src/control/clock.ts';
import { localAdmin, type Principal } from '../../../src/control/principal.ts';
import type { Run, ScheduleSettings } from '../../../src/control/schedules/schedule.ts';
import { createScheduler, type Scheduler } from '../../../src/control/schedules/scheduler.ts';
import { createSchedules, type Schedules } from '../../../src/control/schedules/schedules.ts';
import type { SessionRequest } from '../../../src/control/services.ts';
import type { Database } from '../../../src/control/store/database.ts';
import { OxideError } from '../../../src/errors.ts';

/** Time that stands still until a test sets it; timers never come by themselves. */
export class StillClock implements Clock {
  #now: number;

  constructor(iso: string) {
    this.#now = Date.parse(iso);
  }

  now(): number {
    return this.#now;
  }

  set(iso: string): void {
    this.#now = Date.parse(iso);
  }

  after(): () => void {
    return () => undefined;
  }
}

/** A session that a run has started. */
export interface StartedPrompt {
  readonly request: SessionRequest;
  end(outcome: 'succeeded' | 'failed', problem?: string): Promise<void>;
}

/** One process with a scheduler, whose sessions the test ends. */
export interface Stage {
  readonly clock: StillClock;
  readonly scheduler: Scheduler;
  readonly schedules: Schedules;
  readonly started: StartedPrompt[];
  readonly errors: unknown[];
  /** Whom a token stands for; what is not in it does not hold. */
  readonly tokens: Map<string, Principal>;
  /** Set: what starting a session throws. */
  refusal: Error | null;
  /** Projects that are not there, besides `gone`. */
  readonly deleted: Set<string>;
  /** Sets the time, and lets the scheduler do what is due then. */
  at(iso: string): Promise<void>;
  create(changes?: Partial<ScheduleSettings>, principal?: Principal): Promise<string>;
  /** The runs of a schedule, the oldest first. */
  runs(scheduleId: string): Promise<readonly Run[]>;
  /** Their slots and statuses. */
  history(scheduleId: string): Promise<readonly string[]>;
}

export function stageOn(database: Database, clock: StillClock, silence = 30_000): Stage {
  const started: StartedPrompt[] = [];
  const errors: unknown[] = [];
  const tokens = new Map<string, Principal>();
  const deleted = new Set(['gone']);
  const ports = {
    database,
    clock,
    principal: async (tokenId: string) => tokens.get(tokenId) ?? null,
    onError: (error: unknown) => errors.push(error),
    sessions: {
      start: async (request: SessionRequest) => {
        if (stage.refusal !== null) {
          throw stage.refusal;
        }
        await projects.workspace(request.projectId);
        let settle: (end: { outcome: 'succeeded' | 'failed'; problem: string | null }) => void = () => undefined;
        const done = new Promise<{ outcome: 'succeeded' | 'failed'; problem: string | null }>((resolve) => {
          settle = resolve;
        });
        const sessionId = `session-${started.length}`;
        started.push({
          request,
          end: async (outcome, problem) => {
            settle({ outcome, problem: problem ?? null });
            await untilTrue(async () => {
              const run = await database.get<{ status: string }>(
                'SELECT status FROM runs WHERE session_id = ?',
                sessionId,
              );
              return run?.status !== 'running';
            });
          },
        });
        return { sessionId, workspaceId: request.workspaceId ?? 'default', done };
      },
    },
  };
  const projects = {
    workspace: async (projectId: string) => {
      if (deleted.has(projectId)) {
        throw new OxideError('unknown-project', `There is no project '${projectId}'.`);
      }
      return { workspaceId: 'w', projectId, branch: 'b', directory: '/', isDefault: true, createdAt: 0 };
    },
  };
  const scheduler = createScheduler(ports, { silence });
  const schedules = createSchedules({ database, clock, projects, scheduler });
  let names = 0;
  const stage: Stage = {
    clock,
    scheduler,
    schedules,
    started,
    errors,
    tokens,
    refusal: null,
    deleted,
    at: async (iso) => {
      clock.set(iso);
      await scheduler.look();
      await scheduler.settled();
    },
    create: async (changes = {}, principal = localAdmin) => {
      const settings = { ...usual, name: `schedule ${++names} ${Math.random()}`, ...changes };
      return (await schedules.create(settings, principal)).scheduleId;
    },
    runs: async (scheduleId) => [...(await schedules.get(scheduleId)).runs].reverse(),
    history: async (scheduleId) =>
      (await stage.runs(scheduleId)).map(
        ({ slot, status }) => `${new Date(slot).toISOString().slice(0, 16)} ${status}`,
      ),
  };
  return stage;
}

const usual: Omit<ScheduleSettings, 'name'> = {
  cron: '0 * * * *',
  timezone: 'UTC',
  prompt: 'Look for what is out of date.',
  targets: [{ projectId: 'p1', workspaceId: null }],
  overlap: 'skip',
  misfire: 'skip',
  sessionBehavior: 'resume',
  enabled: true,
};

export async function untilTrue(condition: () => Promise<boolean>): Promise<void> {
  while (!(await condition())) {
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
}
