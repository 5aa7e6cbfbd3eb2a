/**
 * 1,000 schedules that are due at once, claimed by two processes on one store: from the moment they are due until the
 * last is claimed, as it can be read in the store, and until the last session is started. Each round once with both processes, and once where the first to claim
 * is killed (`kill -9`) meanwhile. A run that was started twice ends the benchmark.
 * Run: `npx jiti bench/control-schedules.ts [ROUNDS] [postgres://…]`; a PostgreSQL database has to be empty.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { systemClock } from '../src/control/clock.ts';
import { createSchedules } from '../src/control/schedules/schedules.ts';
import type { Database } from '../src/control/store/database.ts';
import { openStore } from '../src/control/store/open.ts';
import { milliseconds } from './interleaved.ts';

const scheduleCount = 1_000;
const rounds = Number(process.argv[2] ?? 5);
const postgres = process.argv[3] ?? null;

/** Of different times, in different zones: no two need the same work. */
async function makeSchedules(database: Database): Promise<void> {
  const zones = ['UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Tokyo'];
  const workspace = { workspaceId: 'w', projectId: 'p', branch: 'b', directory: '/', isDefault: true, createdAt: 0 };
  const ports = {
    clock: systemClock,
    projects: { workspace: async () => workspace },
    scheduler: { trigger: async () => [] },
  };
  await database.transaction(async (transaction) => {
    const schedules = createSchedules({ database: transaction, ...ports });
    for (let index = 0; index < scheduleCount; index++) {
      const settings = {
        name: `schedule ${index}`,
        cron: `${index % 60} ${index % 24} * * ${index % 7}`,
        timezone: zones[index % zones.length] ?? 'UTC',
        prompt: `prompt-${index}`,
        targets: [{ projectId: 'p', workspaceId: null }],
        overlap: 'skip',
        misfire: 'run_once',
        sessionBehavior: 'new',
        enabled: true,
      } as const;
      await schedules.create(settings, { tokenId: null, scope: { kind: 'admin', readOnly: false } });
    }
  });
}

async function startProcess(store: string, log: string): Promise<ChildProcess> {
  const jiti = resolve('node_modules/jiti/lib/jiti-cli.mjs');
  const args = [jiti, 'bench/control-schedules-process.ts', store, log, '0', '15000'];
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  await new Promise((ready) => child.stdout?.once('data', ready));
  return child;
}

/** Milliseconds from when they were due until all were claimed, and until the last was started. */
interface Times {
  readonly claimed: number;
  readonly started: number;
}

async function measure(kill: boolean): Promise<Times> {
  const directory = mkdtempSync(join(tmpdir(), 'oxide-guard-bench-'));
  const store = postgres ?? join(directory, 'store.sqlite');
  const log = join(directory, 'log');
  const database = await openStore(store, { state: '', projects: '', trash: '' });
  await database.run('DELETE FROM schedules');
  await makeSchedules(database);
  const processes = await Promise.all([startProcess(store, log), startProcess(store, log)]);
  const due = Date.now() + 1_500;
  await database.run('UPDATE schedules SET next_at = ?', due);
  const claimed = async () => (await database.get<{ count: number }>('SELECT COUNT(*) AS count FROM runs'))?.count ?? 0;
  await pause(due - Date.now());
  let isKilled = !kill;
  while ((await claimed()) < scheduleCount) {
    if (!isKilled && existsSync(log)) {
      const first = readFileSync(log, 'utf8').split(/\s/)[2];
      processes.find(({ pid }) => String(pid) === first)?.kill('SIGKILL');
      isKilled = true;
    }
    await pause(5);
  }
  const allClaimed = Date.now() - due;
  await untilEnded(database);
  const lines = readFileSync(log, 'utf8').trim().split('\n');
  const prompts = lines.map((line) => line.split(' ')[0]);
  const allStarted = Math.max(...lines.map((line) => Number(line.split(' ')[3]))) - due;
  const runs = await database.all<{ prompt: string; count: number }>(
    'SELECT prompt, COUNT(*) AS count FROM runs JOIN schedules USING (schedule_id) GROUP BY prompt',
  );
  // More than one where a schedule's own time came meanwhile, too.
  if (runs.some(({ prompt, count }) => prompts.filter((started) => started === prompt).length > count)) {
    throw new Error('a run was started twice');
  }
  const lost = (await database.all("SELECT run_id FROM runs WHERE status = 'lost'")).length;
  const times = `claimed after ${allClaimed} ms, started after ${allStarted} ms`;
  console.log(`${kill ? 'one killed' : 'both stay '}: ${times}; ${prompts.length} started, ${lost} lost`);
  await Promise.all(
    processes.map(async (child) => {
      const ended =
        child.exitCode === null && child.signalCode === null ? new Promise((end) => child.once('exit', end)) : null;
      child.stdin?.end();
      await ended;
    }),
  );
  await database.close();
  return { claimed: allClaimed, started: allStarted };
}

async function untilEnded(database: Database): Promise<void> {
  const open = "SELECT run_id FROM runs WHERE status IN ('claimed', 'running') LIMIT 1";
  while ((await database.all(open)).length > 0) {
    await pause(100);
  }
}

const times = { both: [] as Times[], killed: [] as Times[] };
for (let round = 0; round < rounds; round++) {
  times.both.push(await measure(false));
  times.killed.push(await measure(true));
}
for (const [name, values] of Object.entries(times)) {
  for (const what of ['claimed', 'started'] as const) {
    const sorted = values.map((took) => took[what]).sort((a, b) => a - b);
    const median = sorted[Math.floor(sorted.length / 2)] ?? 0;
    console.log(`${name}, ${what}: median ${milliseconds(median)}, ${sorted[0]}–${sorted.at(-1)} ms`);
  }
}
