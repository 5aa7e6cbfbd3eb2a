import type { Database } from '../store/database.ts';
import type { Run } from './schedule.ts';

/** Runs that fail one after another until the schedule is paused. */
export const failuresUntilPause = 5;
/** Runs of a schedule that are remembered. */
const rememberedRuns = 500;

/** How a run that was claimed has ended. */
export interface RunOutcome {
  readonly status: 'succeeded' | 'failed' | 'refused' | 'lost';
  /** Null for one that succeeded. */
  readonly problem: string | null;
}

/**
 * Writes down how a run ended, and what that means for its schedule: a success ends a row of failures, the fifth failure
 * or a refusal pauses it. A run whose end is known already keeps it.
 */
export function endRun(database: Database, run: Run, { status, problem }: RunOutcome, now: number): Promise<void> {
  return database.transaction(async (transaction) => {
    const changed = await transaction.run(
      "UPDATE runs SET status = ?, problem = ?, ended_at = ? WHERE run_id = ? AND status IN ('claimed', 'running')",
      status,
      problem,
      now,
      run.runId,
    );
    if (changed === 0) {
      return;
    }
    if (status === 'succeeded') {
      await transaction.run('UPDATE schedules SET failures = 0 WHERE schedule_id = ?', run.scheduleId);
    } else if (status === 'refused') {
      await pauseSchedule(transaction, run.scheduleId, problem ?? '', now);
    } else {
      await countFailure(transaction, run.scheduleId, problem ?? '', now);
    }
    await forgetOldRuns(transaction, run.scheduleId);
  });
}

async function countFailure(transaction: Database, scheduleId: string, problem: string, now: number): Promise<void> {
  const schedule = await transaction.get<{ failures: number }>(
    'UPDATE schedules SET failures = failures + 1 WHERE schedule_id = ? RETURNING failures',
    scheduleId,
  );
  if (schedule !== null && schedule.failures >= failuresUntilPause) {
    const reason = `${schedule.failures} runs in a row failed, the last one: ${problem}`;
    await pauseSchedule(transaction, scheduleId, reason, now);
  }
}

async function pauseSchedule(transaction: Database, scheduleId: string, reason: string, now: number): Promise<void> {
  const paused = await transaction.run(
    'UPDATE schedules SET enabled = 0, next_at = NULL, paused_reason = ?, updated_at = ? WHERE schedule_id = ? AND enabled = 1',
    reason,
    now,
    scheduleId,
  );
  if (paused > 0) {
    await skipQueued(transaction, scheduleId, 'the schedule was paused', now);
  }
}

/** Runs that wait for another don't come after all. */
export async function skipQueued(database: Database, scheduleId: string, problem: string, now: number): Promise<void> {
  await database.run(
    "UPDATE runs SET status = 'skipped', problem = ?, ended_at = ? WHERE schedule_id = ? AND status = 'queued'",
    problem,
    now,
    scheduleId,
  );
}

/** Forgets the oldest runs of many, and remembers up to when: of that time none may be claimed again. */
export async function forgetOldRuns(transaction: Database, scheduleId: string): Promise<void> {
  const oldest = await transaction.get<{ slot: number }>(
    'SELECT slot FROM runs WHERE schedule_id = ? ORDER BY slot DESC LIMIT 1 OFFSET ?',
    scheduleId,
    rememberedRuns,
  );
  if (oldest !== null) {
    await transaction.run(
      'DELETE FROM runs WHERE schedule_id = ? AND slot <= ? AND ended_at IS NOT NULL',
      scheduleId,
      oldest.slot,
    );
    await transaction.run(
      'UPDATE schedules SET forgotten_until = ? WHERE schedule_id = ? AND forgotten_until < ?',
      oldest.slot,
      scheduleId,
      oldest.slot,
    );
  }
}
