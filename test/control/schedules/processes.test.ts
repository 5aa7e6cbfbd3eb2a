import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '../../../src/control/clock.ts';
import { createSchedules } from '../../../src/control/schedules/schedules.ts';
import type { Database } from '../../../src/control/store/database.ts';
import { openStore } from '../../../src/control/store/open.ts';
import { skipUnless } from '../../skip.ts';
import { type Cluster, postgresPrograms, startCluster } from '../store/cluster.ts';
import { untilTrue } from './stage.ts';

const scheduleCount = 150;

let database: Database;
let log: string;
const processes: ChildProcess[] = [];

/** Starts a process that runs schedules, each of whose sessions takes a while to start. */
async function startProcess(store: string): Promise<ChildProcess> {
  const jiti = resolve('node_modules/jiti/lib/jiti-cli.mjs');
  const child = spawn(process.execPath, [jiti, 'bench/control-schedules-process.ts', store, log, '20', '1000'], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  processes.push(child);
  await new Promise<void>((ready, failed) => {
    child.stdout?.once('data', () => ready());
    child.once('exit', (code) => failed(new Error(`ended with ${code}`)));
  });
  return child;
}

/** Schedules that are all due now. */
async function makeDue(): Promise<void> {
  const scheduler = { trigger: async () => [] };
  const workspace = { workspaceId: 'w', projectId: 'p1', branch: 'b', directory: '/', isDefault: true, createdAt: 0 };
  const projects = { workspace: async () => workspace };
  const schedules = createSchedules({ database, clock: systemClock, projects, scheduler });
  for (let index = 0; index < scheduleCount; index++) {
    const settings = {
      name: `schedule ${index}`,
      cron: `${index % 60} 3 1 1 *`,
      timezone: 'UTC',
      prompt: `prompt-${index}`,
      targets: [{ projectId: 'p1', workspaceId: null }],
      overlap: 'skip',
      misfire: 'run_once',
      sessionBehavior: 'new',
      enabled: true,
    } as const;
    await schedules.create(settings, { tokenId: null, scope: { kind: 'admin', readOnly: false } });
  }
  await database.run('UPDATE schedules SET next_at = ?', Date.now());
}

const startedPrompts = () =>
  existsSync(log)
    ? readFileSync(log, 'utf8')
        .trim()
        .split('\n')
        .map((line) => line.split(' '))
    : [];

async function countOf(statuses: readonly string[]): Promise<number> {
  const rows = await database.all<{ status: string }>('SELECT status FROM runs');
  return rows.filter(({ status }) => statuses.includes(status)).length;
}

async function killBetweenClaimAndRun(store: string): Promise<void> {
  log = join(mkdtempSync(join(tmpdir(), 'oxide-guard-runs-')), 'log');
  database = await openStore(store, { state: '', projects: '', trash: '' });
  const both = await Promise.all([startProcess(store), startProcess(store)]);
  await makeDue();
  // Either may be the first to look, and claim them all.
  const busy = () => both.find(({ pid }) => startedPrompts().filter(([, , by]) => by === String(pid)).length > 10);
  await untilTrue(async () => busy() !== undefined);
  busy()?.kill('SIGKILL');
  await untilTrue(async () => (await countOf(['succeeded', 'lost'])) === scheduleCount);

  const prompts = startedPrompts().map(([prompt]) => prompt);
  expect(new Set(prompts).size).toBe(prompts.length);
  const lost = await countOf(['lost']);
  expect(lost).toBeGreaterThan(0);
  expect(prompts.length).toBeGreaterThanOrEqual(scheduleCount - lost);
  const problem = 'the process that had claimed it ended before it was done';
  expect(await database.all("SELECT DISTINCT problem FROM runs WHERE status = 'lost'")).toEqual([{ problem }]);
}

describe('two processes with the same schedules, one of which is killed', () => {
  let cluster: Cluster | undefined;
  const programs = postgresPrograms();
  const missing = skipUnless(
    programs !== null,
    'a killed scheduler on PostgreSQL: initdb and postgres are not installed',
  );
  beforeAll(async () => {
    cluster = programs === null ? undefined : await startCluster(programs);
  });
  afterEach(async () => {
    for (const child of processes.splice(0)) {
      child.kill('SIGKILL');
    }
    await database.close();
  });
  afterAll(() => cluster?.stop());

  it('run each at most once on SQLite, and say which runs were lost', async () => {
    await killBetweenClaimAndRun(join(mkdtempSync(join(tmpdir(), 'oxide-guard-store-')), 'store.sqlite'));
  }, 180_000);

  it.skipIf(missing)(
    'run each at most once on PostgreSQL, and say which runs were lost',
    async () => {
      await killBetweenClaimAndRun((await cluster?.schema()) ?? '');
    },
    180_000,
  );
});
