import type { Database } from '../store/database.ts';
import { type Run, type RunStatus, type Schedule, targetKey, targetOf } from './schedule.ts';

/** Rows that one statement stores: engines limit the number of its values. */
const rowsAtOnce = 100;

interface ScheduleRow {
  readonly schedule_id: string;
  readonly name: string;
  readonly cron: string;
  readonly timezone: string;
  readonly prompt: string;
  readonly targets: string;
  readonly overlap: Schedule['overlap'];
  readonly misfire: Schedule['misfire'];
  readonly session_behavior: Schedule['sessionBehavior'];
  readonly enabled: number;
  readonly token_id: string | null;
  readonly created_at: number;
  readonly updated_at: number;
  readonly next_at: number | null;
  readonly failures: number;
  readonly paused_reason: string | null;
  readonly forgotten_until: number;
}

function scheduleOf(row: ScheduleRow): Schedule {
  return {
    scheduleId: row.schedule_id,
    name: row.name,
    cron: row.cron,
    timezone: row.timezone,
    prompt: row.prompt,
    targets: (JSON.parse(row.targets) as readonly string[]).map(targetOf),
    overlap: row.overlap,
    misfire: row.misfire,
    sessionBehavior: row.session_behavior,
    enabled: row.enabled === 1,
    tokenId: row.token_id,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    nextAt: row.next_at,
    failures: row.failures,
    pausedReason: row.paused_reason,
    forgottenUntil: row.forgotten_until,
  };
}

const columns = [
  'name',
  'cron',
  'timezone',
  'prompt',
  'targets',
  'overlap',
  'misfire',
  'session_behavior',
  'enabled',
  'token_id',
  'created_at',
  'updated_at',
  'next_at',
  'failures',
  'paused_reason',
  'forgotten_until',
] as const;

function valuesOf(schedule: Schedule) {
  return [
    schedule.name,
    schedule.cron,
    schedule.timezone,
    schedule.prompt,
    JSON.stringify(schedule.targets.map(targetKey)),
    schedule.overlap,
    schedule.misfire,
    schedule.sessionBehavior,
    schedule.enabled ? 1 : 0,
    schedule.tokenId,
    schedule.createdAt,
    schedule.updatedAt,
    schedule.nextAt,
    schedule.failures,
    schedule.pausedReason,
    schedule.forgottenUntil,
  ];
}

/** @throws what isDuplicate tells, where another has the name */
export async function insertSchedule(database: Database, schedule: Schedule): Promise<void> {
  await database.run(
    `INSERT INTO schedules (${columns.join(', ')}, schedule_id) VALUES (${columns.map(() => '?').join(', ')}, ?)`,
    ...valuesOf(schedule),
    schedule.scheduleId,
  );
}

/** @throws what isDuplicate tells, where another has the name */
export async function updateSchedule(database: Database, schedule: Schedule): Promise<void> {
  await database.run(
    `UPDATE schedules SET ${columns.map((name) => `${name} = ?`).join(', ')} WHERE schedule_id = ?`,
    ...valuesOf(schedule),
    schedule.scheduleId,
  );
}

/** Its runs go with it. */
export async function deleteSchedule(database: Database, scheduleId: string): Promise<boolean> {
  return (await database.run('DELETE FROM schedules WHERE schedule_id = ?', scheduleId)) > 0;
}

export async function scheduleById(database: Database, scheduleId: string): Promise<Schedule | null> {
  const row = await database.get<ScheduleRow>('SELECT * FROM schedules WHERE schedule_id = ?', scheduleId);
  return row === null ? null : scheduleOf(row);
}

/** By name. */
export async function allSchedules(database: Database): Promise<readonly Schedule[]> {
  return (await database.all<ScheduleRow>('SELECT * FROM schedules ORDER BY name')).map(scheduleOf);
}

/** So many of those that are due, from the one end of their order or from the other. */
export async function dueSchedules(
  database: Database,
  now: number,
  limit: number,
  end: 'first' | 'last',
): Promise<readonly Schedule[]> {
  const direction = end === 'first' ? 'ASC' : 'DESC';
  const rows = await database.all<ScheduleRow>(
    `SELECT * FROM schedules WHERE enabled = 1 AND next_at <= ?
      ORDER BY next_at ${direction}, schedule_id ${direction} LIMIT ?`,
    now,
    limit,
  );
  return rows.map(scheduleOf);
}

/** When the next schedule is due; null: none will be. */
export async function earliestSlot(database: Database): Promise<number | null> {
  const row = await database.get<{ next_at: number }>(
    'SELECT next_at FROM schedules WHERE enabled = 1 AND next_at IS NOT NULL ORDER BY next_at LIMIT 1',
  );
  return row?.next_at ?? null;
}

/** A schedule as it was read, and when it is to be due next; null: never. */
export interface Move {
  readonly schedule: Schedule;
  readonly next: number | null;
}

/**
 * Sets the next times of schedules, each where the schedule is still as it was read.
 *
 * @returns the ids of those whose time was set
 */
export async function moveNextSlots(database: Database, moves: readonly Move[]): Promise<ReadonlySet<string>> {
  // Both engines call the columns of a list of values column1, column2 ….
  const places = moves.map(() => '(?, CAST(? AS BIGINT), CAST(? AS BIGINT), CAST(? AS BIGINT))').join(', ');
  const rows = await database.all<{ schedule_id: string }>(
    `UPDATE schedules SET next_at = moves.column2 FROM (VALUES ${places}) AS moves
      WHERE schedule_id = moves.column1 AND enabled = 1 AND next_at = moves.column3 AND updated_at = moves.column4
      RETURNING schedule_id`,
    ...moves.flatMap(({ schedule: { scheduleId, nextAt, updatedAt }, next }) => [scheduleId, next, nextAt, updatedAt]),
  );
  return new Set(rows.map(({ schedule_id }) => schedule_id));
}

interface RunRow {
  readonly run_id: string;
  readonly schedule_id: string;
  readonly target: string;
  readonly slot: number;
  readonly origin: Run['origin'];
  readonly status: RunStatus;
  readonly claimed_at: number;
  readonly session_id: string | null;
  readonly problem: string | null;
  readonly ended_at: number | null;
}

function runOf(row: RunRow): Run {
  return {
    runId: row.run_id,
    scheduleId: row.schedule_id,
    target: targetOf(row.target),
    slot: row.slot,
    origin: row.origin,
    status: row.status,
    claimedAt: row.claimed_at,
    sessionId: row.session_id,
    problem: row.problem,
    endedAt: row.ended_at,
  };
}

/**
 * Inserts runs, each unless there is one of its schedule, target and slot.
 *
 * @returns the ids of those that were inserted
 */
export async function insertRuns(
  database: Database,
  runs: readonly Run[],
  claimant: string,
): Promise<ReadonlySet<string>> {
  const inserted = new Set<string>();
  for (let from = 0; from < runs.length; from += rowsAtOnce) {
    const some = runs.slice(from, from + rowsAtOnce);
    const rows = await database.all<{ run_id: string }>(
      `INSERT INTO runs (run_id, schedule_id, target, slot, origin, status, claimed_by, claimed_at, problem, ended_at)
        VALUES ${some.map(() => '(?, ?, ?, ?, ?, ?, ?, ?, ?, ?)').join(', ')} ON CONFLICT DO NOTHING RETURNING run_id`,
      ...some.flatMap((run) => rowOf(run, claimant)),
    );
    for (const { run_id } of rows) {
      inserted.add(run_id);
    }
  }
  return inserted;
}

function rowOf(
  { runId, scheduleId, target, slot, origin, status, claimedAt, problem, endedAt }: Run,
  claimant: string,
) {
  const claimedBy = status === 'claimed' ? claimant : null;
  return [runId, scheduleId, targetKey(target), slot, origin, status, claimedBy, claimedAt, problem, endedAt];
}

/** The newest first. */
export async function runsOf(database: Database, scheduleId: string, limit: number): Promise<readonly Run[]> {
  const rows = await database.all<RunRow>(
    'SELECT * FROM runs WHERE schedule_id = ? ORDER BY slot DESC, target LIMIT ?',
    scheduleId,
    limit,
  );
  return rows.map(runOf);
}

export async function runById(database: Database, runId: string): Promise<Run | null> {
  const row = await database.get<RunRow>('SELECT * FROM runs WHERE run_id = ?', runId);
  return row === null ? null : runOf(row);
}

/** The runs of schedules that are not done, the oldest first. */
export async function openRuns(database: Database, scheduleIds: readonly string[]): Promise<readonly Run[]> {
  if (scheduleIds.length === 0) {
    return [];
  }
  const rows = await database.all<RunRow>(
    `SELECT * FROM runs WHERE schedule_id IN (${scheduleIds.map(() => '?').join(', ')})
      AND status IN ('claimed', 'queued', 'running') ORDER BY slot`,
    ...scheduleIds,
  );
  return rows.map(runOf);
}

/** All that wait for the run before, the oldest first. */
export async function queuedRuns(database: Database): Promise<readonly Run[]> {
  return (await database.all<RunRow>("SELECT * FROM runs WHERE status = 'queued' ORDER BY slot, run_id")).map(runOf);
}

/** Runs whose process is not there any more. */
export async function abandonedRuns(database: Database): Promise<readonly Run[]> {
  const rows = await database.all<RunRow>(
    `SELECT * FROM runs WHERE status IN ('claimed', 'running')
     AND NOT EXISTS (SELECT 1 FROM schedulers WHERE scheduler_id = claimed_by)`,
  );
  return rows.map(runOf);
}
