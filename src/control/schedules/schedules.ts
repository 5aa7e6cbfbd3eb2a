import { randomUUID } from 'node:crypto';
import { messageOf } from '../../error-message.ts';
import { OxideError } from '../../errors.ts';
import type { Clock } from '../clock.ts';
import { type Principal, scopeProject } from '../principal.ts';
import type { ProjectLookup } from '../services.ts';
import { type Database, isDuplicate } from '../store/database.ts';
import { nextSlot } from './cron.ts';
import { skipQueued } from './run-outcome.ts';
import type { Run, Schedule, ScheduleSettings, Target } from './schedule.ts';
import { assertSchedule, type Scheduler } from './scheduler.ts';
import { allSchedules, deleteSchedule, insertSchedule, runsOf, scheduleById, updateSchedule } from './store.ts';

/** What somebody was told to be done, and a schedule that was deleted, outlive a power cut. */
const durable = { durable: true };
/** Runs that `get` shows. */
const shownRuns = 50;

/** A schedule with what has come of it. */
export interface ScheduleReport {
  readonly schedule: Schedule;
  /** The newest ones, the newest first. */
  readonly runs: readonly Run[];
  /** Targets that are not there any more, and so fail: with why. */
  readonly missing: readonly { readonly target: Target; readonly problem: string }[];
}

/** The schedules of sessions. */
export interface Schedules {
  /** @throws OxideError `schedule-exists`, `unknown-project`, `unknown-workspace` */
  create(settings: ScheduleSettings, principal: Principal): Promise<Schedule>;
  /** By name: all that work in nothing but what the principal may see. */
  list(principal: Principal): Promise<readonly Schedule[]>;
  /** @throws OxideError `unknown-schedule` */
  get(scheduleId: string): Promise<ScheduleReport>;
  /**
   * Changes what is given. Whoever gives it a prompt or targets is whom it acts as from then on; enabling it forgets its
   * failures.
   *
   * @throws OxideError `unknown-schedule`, `schedule-exists`, `unknown-project`, `unknown-workspace`
   */
  update(scheduleId: string, changes: Partial<ScheduleSettings>, principal: Principal): Promise<Schedule>;
  /** Its runs that were started go on. @throws OxideError `unknown-schedule` */
  delete(scheduleId: string): Promise<void>;
  /** Runs it now, also where it is not enabled, as whom it acts as. @throws OxideError `unknown-schedule` */
  trigger(scheduleId: string): Promise<readonly Run[]>;
  /** The projects that a schedule works in; null: there is no such schedule. */
  projects(scheduleId: string): Promise<readonly string[] | null>;
}

export interface SchedulePorts {
  readonly database: Database;
  readonly clock: Clock;
  readonly projects: Pick<ProjectLookup, 'workspace'>;
  readonly scheduler: Pick<Scheduler, 'trigger'>;
}

export function createSchedules({ database, clock, projects, scheduler }: SchedulePorts): Schedules {
  const assertTargets = async (targets: readonly Target[]) => {
    for (const { projectId, workspaceId } of targets) {
      await projects.workspace(projectId, workspaceId);
    }
  };
  const problemOf = async (target: Target) => {
    try {
      await assertTargets([target]);
      return [];
    } catch (error) {
      return [{ target, problem: messageOf(error) }];
    }
  };
  const byId = async (scheduleId: string) => assertSchedule(await scheduleById(database, scheduleId), scheduleId);
  const nextOf = ({ enabled, cron, timezone }: ScheduleSettings) =>
    enabled ? nextSlot(cron, timezone, clock.now()) : null;

  return {
    create: async (settings, { tokenId }) => {
      await assertTargets(settings.targets);
      const now = clock.now();
      const schedule: Schedule = {
        ...settings,
        scheduleId: `sched_${randomUUID()}`,
        tokenId,
        createdAt: now,
        updatedAt: now,
        nextAt: nextOf(settings),
        failures: 0,
        pausedReason: null,
        forgottenUntil: 0,
      };
      await named(
        settings.name,
        database.transaction((transaction) => insertSchedule(transaction, schedule), durable),
      );
      return schedule;
    },
    list: async (principal) => {
      const project = scopeProject(principal);
      const schedules = await allSchedules(database);
      return project === null
        ? schedules
        : schedules.filter(({ targets }) => targets.every(({ projectId }) => projectId === project));
    },
    get: async (scheduleId) => {
      const schedule = await byId(scheduleId);
      const found = await Promise.all(schedule.targets.map(problemOf));
      return { schedule, runs: await runsOf(database, scheduleId, shownRuns), missing: found.flat() };
    },
    update: async (scheduleId, changes, { tokenId }) => {
      await assertTargets(changes.targets ?? []);
      const changed = database.transaction(async (transaction) => {
        const before = assertSchedule(await scheduleById(transaction, scheduleId), scheduleId);
        const now = clock.now();
        const settings = { ...before, ...changes };
        const isTakenOver = changes.prompt !== undefined || changes.targets !== undefined;
        const isTimed = changes.cron !== undefined || changes.timezone !== undefined || changes.enabled === true;
        const after: Schedule = {
          ...settings,
          tokenId: isTakenOver ? tokenId : before.tokenId,
          // Two changes in one millisecond are two changes.
          updatedAt: Math.max(now, before.updatedAt + 1),
          nextAt: isTimed || !settings.enabled ? nextOf(settings) : before.nextAt,
          failures: changes.enabled === true ? 0 : before.failures,
          pausedReason: changes.enabled === undefined ? before.pausedReason : null,
        };
        await updateSchedule(transaction, after);
        if (!after.enabled) {
          await skipQueued(transaction, scheduleId, 'the schedule was disabled', now);
        }
        return after;
      }, durable);
      return named(changes.name ?? '', changed);
    },
    delete: async (scheduleId) => {
      if (!(await database.transaction((transaction) => deleteSchedule(transaction, scheduleId), durable))) {
        assertSchedule(null, scheduleId);
      }
    },
    trigger: async (scheduleId) => scheduler.trigger(await byId(scheduleId)),
    projects: async (scheduleId) => {
      const schedule = await scheduleById(database, scheduleId);
      return schedule === null ? null : [...new Set(schedule.targets.map(({ projectId }) => projectId))];
    },
  };
}

/** @throws OxideError `schedule-exists` in place of the store's refusal */
async function named<Result>(name: string, writing: Promise<Result>): Promise<Result> {
  try {
    return await writing;
  } catch (error) {
    throw isDuplicate(error)
      ? new OxideError('schedule-exists', `There is a schedule named '${name}' already.`, {
          remedy: 'Choose another name, or change that one with action=update.',
        })
      : error;
  }
}
