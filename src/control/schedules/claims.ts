import { randomUUID } from 'node:crypto';
import type { Database } from '../store/database.ts';
import { latestSlot, nextSlot } from './cron.ts';
import { forgetOldRuns } from './run-outcome.ts';
import type { Run, RunStatus, Schedule, Target } from './schedule.ts';
import { dueSchedules, insertRun, moveNextSlot, openRuns, queuedRuns, scheduleById } from './store.ts';

/** Schedules that are claimed in one transaction. */
const batch = 100;
/** Milliseconds that a run may come late before it counts as missed: a process that starts, a busy machine. */
const grace = 60_000;
/** Runs that wait in a target; what comes then is skipped. */
const longestQueue = 10;

/** A run that this process has claimed, and its schedule as it was then. */
export interface Claim {
  readonly run: Run;
  readonly schedule: Schedule;
}

export interface Claimed {
  readonly claims: readonly Claim[];
  /** Whether there may be more that is due. */
  readonly isMore: boolean;
}

/**
 * Claims what is due: each schedule's latest slot in each of its targets, for the process that inserts its run first.
 * What the times are is worked out before the transaction, which finds out whether another process was faster.
 */
export async function claimDue(database: Database, claimant: string, now: number): Promise<Claimed> {
  const due = await dueSchedules(database, now, batch);
  if (due.length === 0) {
    return { claims: [], isMore: false };
  }
  const plans = due.map((schedule) => ({ schedule, plan: planOf(schedule, now) }));
  const claims = await database.transaction(
    async (transaction) => {
      const found: Claim[] = [];
      for (const { schedule, plan } of plans) {
        if (await moveNextSlot(transaction, schedule, plan.next)) {
          found.push(...(await claimPlan(transaction, schedule, plan, claimant, now)));
        }
      }
      return found;
    },
    // A power cut must not bring a claim back whose session may have worked already.
    { durable: true },
  );
  return { claims, isMore: due.length === batch };
}

interface Plan {
  /** The slot to run; null: none. */
  readonly run: number | null;
  /** A slot that passed while nothing ran, and won't be run; null: none. */
  readonly missed: number | null;
  readonly next: number | null;
}

/** What to do about a schedule whose next slot has come, perhaps long ago. */
function planOf({ cron, timezone, misfire, nextAt }: Schedule, now: number): Plan {
  const due = nextAt ?? now;
  const second = nextSlot(cron, timezone, due);
  const isOnlyOne = second === null || second > now;
  const latest = isOnlyOne ? due : (latestSlot(cron, timezone, now) ?? due);
  const next = isOnlyOne ? second : nextSlot(cron, timezone, now);
  if (now - latest > grace && misfire === 'skip') {
    return { run: null, missed: latest, next };
  }
  return { run: latest, missed: latest > due && misfire === 'skip' ? due : null, next };
}

async function claimPlan(
  transaction: Database,
  schedule: Schedule,
  { run, missed }: Plan,
  claimant: string,
  now: number,
): Promise<readonly Claim[]> {
  const claims: Claim[] = [];
  for (const target of schedule.targets) {
    if (missed !== null && missed > schedule.forgottenUntil) {
      const problem = 'nothing was there to run it at its time';
      await insertRun(transaction, newRun(schedule, target, missed, 'time', 'missed', now, problem), null);
    }
    if (run !== null && run > schedule.forgottenUntil) {
      const claimed = await claimSlot(transaction, schedule, target, { slot: run, origin: 'time' }, claimant, now);
      if (claimed?.status === 'claimed') {
        claims.push({ run: claimed, schedule });
      }
    }
  }
  return claims;
}

/**
 * Claims one slot of a target: the run is `claimed`, or `queued` or `skipped` as the schedule's overlap says. Null: it has
 * been claimed before.
 */
export async function claimSlot(
  transaction: Database,
  schedule: Schedule,
  target: Target,
  { slot, origin }: Pick<Run, 'slot' | 'origin'>,
  claimant: string,
  now: number,
): Promise<Run | null> {
  const { status, problem } = await overlapOf(transaction, schedule, target);
  const run = newRun(schedule, target, slot, origin, status, now, problem);
  if (!(await insertRun(transaction, run, status === 'claimed' ? claimant : null))) {
    return null;
  }
  if (status === 'skipped') {
    await forgetOldRuns(transaction, schedule.scheduleId);
  }
  return run;
}

async function overlapOf(
  transaction: Database,
  { scheduleId, overlap }: Schedule,
  target: Target,
): Promise<{ status: 'claimed' | 'queued' | 'skipped'; problem: string | null }> {
  const open = overlap === 'parallel' ? [] : await openRuns(transaction, scheduleId, target);
  if (open.length === 0) {
    return { status: 'claimed', problem: null };
  }
  if (overlap === 'skip') {
    return { status: 'skipped', problem: 'the run before was not done' };
  }
  return open.length <= longestQueue
    ? { status: 'queued', problem: null }
    : { status: 'skipped', problem: `${longestQueue} runs were waiting already` };
}

function newRun(
  { scheduleId }: Schedule,
  target: Target,
  slot: number,
  origin: Run['origin'],
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
      for (const run of await queuedRuns(transaction)) {
        const open = await openRuns(transaction, run.scheduleId, run.target);
        const isNext = open[0]?.runId === run.runId && open.every(({ status }) => status === 'queued');
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
