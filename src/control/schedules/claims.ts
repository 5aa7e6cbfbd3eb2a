import { randomUUID } from 'node:crypto';
import type { Database } from '../store/database.ts';
import { latestSlot, nextSlot } from './cron.ts';
import { forgetOldRuns } from './run-outcome.ts';
import { type Run, type RunStatus, type Schedule, targetKey } from './schedule.ts';
import { dueSchedules, insertRuns, type Move, moveNextSlots, openRuns, queuedRuns, scheduleById } from './store.ts';

/** Schedules that are claimed in one transaction. */
const batch = 100;
/** Milliseconds that a run may come late before it counts as missed: a process that starts, a busy machine. */
const grace = 60_000;
/** Runs that wait in a target; what comes then is skipped. */
const longestQueue = 10;

/** A run, and its schedule as it was then. */
export interface Claim {
  readonly run: Run;
  readonly schedule: Schedule;
}

export interface Claimed {
  readonly claims: readonly Claim[];
  /** Whether there may be more that is due. */
  readonly isMore: boolean;
  /** Another process has claimed most of the same just now. */
  readonly isContested: boolean;
}

/**
 * Claims what is due: each schedule's latest slot in each of its targets, for the process that inserts its run first.
 * What the times are is worked out before the transaction, which finds out whether another process was faster.
 *
 * @param end of what is due: two processes that begin at different ends don't do the same work
 */
export async function claimDue(
  database: Database,
  claimant: string,
  now: number,
  end: 'first' | 'last',
): Promise<Claimed> {
  const due = await dueSchedules(database, now, batch, end);
  if (due.length === 0) {
    return { claims: [], isMore: false, isContested: false };
  }
  const plans = due.map((schedule) => planOf(schedule, now));
  const { own, runs } = await database.transaction(
    async (transaction) => {
      const moved = await moveNextSlots(transaction, plans);
      const own = plans.filter(({ schedule }) => moved.has(schedule.scheduleId));
      await insertRuns(
        transaction,
        own.flatMap((plan) => missedRuns(plan, now)),
        claimant,
      );
      return { own, runs: await claimSlots(transaction, own.flatMap(wantedOf), claimant, now) };
    },
    // A power cut must not bring a claim back whose session may have worked already.
    { durable: true },
  );
  const claims = runs.filter((claim) => claim !== null).filter(({ run }) => run.status === 'claimed');
  return { claims, isMore: due.length === batch, isContested: own.length < due.length / 2 };
}

interface Plan extends Move {
  /** The slot to run; null: none. */
  readonly run: number | null;
  /** A slot that passed while nothing ran, and won't be run; null: none. */
  readonly missed: number | null;
}

/** What to do about a schedule whose next slot has come, perhaps long ago. */
function planOf(schedule: Schedule, now: number): Plan {
  const { cron, timezone, misfire, nextAt } = schedule;
  const due = nextAt ?? now;
  const second = nextSlot(cron, timezone, due);
  const isOnlyOne = second === null || second > now;
  const latest = isOnlyOne ? due : (latestSlot(cron, timezone, now) ?? due);
  const next = isOnlyOne ? second : nextSlot(cron, timezone, now);
  if (now - latest > grace && misfire === 'skip') {
    return { schedule, run: null, missed: latest, next };
  }
  return { schedule, run: latest, missed: latest > due && misfire === 'skip' ? due : null, next };
}

function missedRuns({ schedule, missed }: Plan, now: number): readonly Run[] {
  if (missed === null || missed <= schedule.forgottenUntil) {
    return [];
  }
  const problem = 'nothing was there to run it at its time';
  return schedule.targets.map((target) =>
    newRun({ schedule, target, slot: missed, origin: 'time' }, 'missed', now, problem),
  );
}

function wantedOf({ schedule, run }: Plan): readonly WantedRun[] {
  return run === null || run <= schedule.forgottenUntil
    ? []
    : schedule.targets.map((target) => ({ schedule, target, slot: run, origin: 'time' }));
}

/** A slot of a schedule in one of its targets. */
export interface WantedRun extends Pick<Run, 'target' | 'slot' | 'origin'> {
  readonly schedule: Schedule;
}

/**
 * Claims slots, no two of the same schedule and target: each run is `claimed`, or `queued` or `skipped` as its schedule's
 * overlap says.
 *
 * @returns for each slot its run; null: it has been claimed before
 */
export async function claimSlots(
  transaction: Database,
  wanted: readonly WantedRun[],
  claimant: string,
  now: number,
): Promise<readonly (Claim | null)[]> {
  const schedules = new Set(wanted.map(({ schedule }) => schedule).filter(({ overlap }) => overlap !== 'parallel'));
  const open = new Map<string, number>();
  for (const run of await openRuns(transaction, [...schedules].map(idOf))) {
    open.set(placeOf(run), (open.get(placeOf(run)) ?? 0) + 1);
  }
  const claims = wanted.map((one) => {
    const { schedule, target } = one;
    const place = placeOf({ scheduleId: schedule.scheduleId, target });
    const { status, problem } = overlapWith(open.get(place) ?? 0, schedule);
    return { run: newRun(one, status, now, problem), schedule };
  });
  const runs = claims.map(({ run }) => run);
  const inserted = await insertRuns(transaction, runs, claimant);
  const skipped = runs.filter(({ runId, status }) => status === 'skipped' && inserted.has(runId));
  for (const scheduleId of new Set(skipped.map(idOf))) {
    await forgetOldRuns(transaction, scheduleId);
  }
  return claims.map((claim) => (inserted.has(claim.run.runId) ? claim : null));
}

function idOf({ scheduleId }: { readonly scheduleId: string }): string {
  return scheduleId;
}

function placeOf({ scheduleId, target }: Pick<Run, 'scheduleId' | 'target'>): string {
  return `${scheduleId} ${targetKey(target)}`;
}

function overlapWith(
  open: number,
  { overlap }: Schedule,
): { status: 'claimed' | 'queued' | 'skipped'; problem: string | null } {
  if (open === 0) {
    return { status: 'claimed', problem: null };
  }
  if (overlap === 'skip') {
    return { status: 'skipped', problem: 'the run before was not done' };
  }
  return open <= longestQueue
    ? { status: 'queued', problem: null }
    : { status: 'skipped', problem: `${longestQueue} runs were waiting already` };
}

function newRun(
  { schedule: { scheduleId }, target, slot, origin }: WantedRun,
  status: RunStatus,
  now: number,
  problem: string | null,
): Run {
  const endedAt = status === 'skipped' || status === 'missed' ? now : null;
  const runId = `run_${randomUUID()}`;
  return { runId, scheduleId, target, slot, origin, status, claimedAt: now, sessionId: null, problem, endedAt };
}

/** Claims the runs that waited for one that is done now: of each target the oldest. */
export async function claimQueued(database: Database, claimant: string, now: number): Promise<readonly Claim[]> {
  if ((await queuedRuns(database)).length === 0) {
    return [];
  }
  return database.transaction(
    async (transaction) => {
      const claims: Claim[] = [];
      const queued = await queuedRuns(transaction);
      const open = await openRuns(transaction, [...new Set(queued.map(idOf))]);
      for (const run of queued) {
        const there = open.filter((other) => placeOf(other) === placeOf(run));
        const isNext = there[0]?.runId === run.runId && there.every(({ status }) => status === 'queued');
        const schedule = isNext ? await scheduleById(transaction, run.scheduleId) : null;
        if (schedule !== null) {
          await transaction.run(
            "UPDATE runs SET status = 'claimed', claimed_by = ?, claimed_at = ? WHERE run_id = ?",
            claimant,
            now,
            run.runId,
          );
          claims.push({ run: { ...run, status: 'claimed', claimedAt: now }, schedule });
        }
      }
      return claims;
    },
    { durable: true },
  );
}
