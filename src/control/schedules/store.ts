import type { Database } from '../store/database.ts';
import { type Run, type RunStatus, type Schedule, type Target, targetKey, targetOf } from './schedule.ts';

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

export async function dueSchedules(database: Database, now: number, limit: number): Promise<readonly Schedule[]> {
  const rows = await database.all<ScheduleRow>(
    'SELECT * FROM schedules WHERE enabled = 1 AND next_at <= ? ORDER BY next_at, schedule_id LIMIT ?',
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

/** Sets a schedule's next time, where it is still as it was read. */
export async function moveNextSlot(database: Database, schedule: Schedule, nextAt: number | null): Promise<boolean> {
  const changed = await database.run(
    'UPDATE schedules SET next_at = ? WHERE schedule_id = ? AND enabled = 1 AND next_at = ? AND updated_at = ?',
    nextAt,
    schedule.scheduleId,
    schedule.nextAt,
    schedule.updatedAt,
  );
  return changed > 0;
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

/** Inserts a run, unless there is one of this schedule, target and slot. */
export async function insertRun(database: Database, run: Run, claimedBy: string | null): Promise<boolean> {
  const changed = await database.run(
    `INSERT INTO runs (run_id, schedule_id, target, slot, origin, status, claimed_by, claimed_at, problem, ended_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
    run.runId,
    run.scheduleId,
    targetKey(run.target),
    run.slot,
    run.origin,
    run.status,
    claimedBy,
    run.claimedAt,
    run.problem,
    run.endedAt,
  );
  return changed > 0;
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

/** The runs of a target that are not done, the oldest first. */
export async function openRuns(database: Database, scheduleId: string, target: Target): Promise<readonly Run[]> {
  const rows = await database.all<RunRow>(
    `SELECT * FROM runs WHERE schedule_id = ? AND target = ? AND status IN ('claimed', 'queued', 'running') ORDER BY slot`,
    scheduleId,
    targetKey(target),
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
