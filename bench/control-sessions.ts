/**
 * Sessions of the control plane: from an event's appending to the answer of a client that polls for it, in one process,
 * with 20 others at work, and from another process; and the recovery of 100 sessions whose process was killed.
 * Run: `npx jiti bench/control-sessions.ts [EVENTS] [postgres://…]`; a PostgreSQL database has to be empty.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { systemClock } from '../src/control/clock.ts';
import { localAdmin } from '../src/control/principal.ts';
import { EventLog } from '../src/control/sessions/event-log.ts';
import { openStore } from '../src/control/store/open.ts';
import { emptyProjects, openSessions, quickAgents, timeNow } from './control-sessions-process.ts';

const events = Number(process.argv[2] ?? 1_000);
const postgres = process.argv[3] ?? null;
const prompts = 1_000;
const directory = mkdtempSync(join(tmpdir(), 'oxide-guard-bench-'));
const jiti = resolve(import.meta.dirname, '../node_modules/jiti/lib/jiti-cli.mjs');
/** The other process, and its end, which may come before anybody waits for it. */
function other(...args: readonly string[]) {
  const program = resolve(import.meta.dirname, 'control-sessions-process.ts');
  const child = spawn(process.execPath, [jiti, program, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  return { child, ended: once(child, 'exit') };
}

/** The SQLite file of this name, or the PostgreSQL database with nothing in it any more. */
async function emptyStore(name: string) {
  const path = postgres ?? join(directory, `${name}.sqlite`);
  const database = await openStore(path, { state: '', projects: '', trash: '' });
  await database.run('DELETE FROM projects');
  return { path, database };
}

/** A store with one session that has no events. */
async function storeWithSession(name: string, sessions = 1) {
  const { path, database } = await emptyStore(name);
  const { projectId, lookup, insert } = emptyProjects(database);
  await insert();
  const starter = openSessions(database, lookup);
  const ids: string[] = [];
  for (let index = 0; index < sessions; index += 1) {
    const { session } = await starter.spawn({
      ...{ projectId, workspaceId: null, createWorkspace: false, newSession: true, principal: localAdmin },
      ...{ text: 'work', callerId: null, callerTools: [], model: null, toolsAllowed: null, toolsDisallowed: [] },
    });
    ids.push(session.sessionId);
  }
  await pause(300);
  return { path, database, ids, log: new EventLog({ database, clock: systemClock }) };
}

/** Polls as a client does, and gives the milliseconds since each event was handed over. */
async function follow(log: EventLog, sessionId: string, count: number): Promise<readonly number[]> {
  const query = { sessionId, max: 100, includeChildren: false };
  const found: number[] = [];
  for (let since: number | null = null; found.length < count; ) {
    const page: Awaited<ReturnType<EventLog['poll']>> = await log.poll({ ...query, since }, 60_000);
    const now = timeNow();
    found.push(...page.events.flatMap(({ at }) => (typeof at === 'number' ? [now - at] : [])));
    since = page.nextIndex;
  }
  return found;
}

const event = () => ({ ts: 0, type: 'text', data: JSON.stringify({ at: timeNow() }) });

async function appendAll(log: EventLog, sessionId: string, count: number, apart: number): Promise<void> {
  for (let index = 0; index < count; index += 1) {
    await pause(apart);
    await log.append({ sessionId, rootId: sessionId }, [event()], null);
  }
}

function report(name: string, samples: readonly number[]): void {
  const sorted = [...samples].sort((a, b) => a - b);
  const at = (share: number) =>
    (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0).toFixed(1);
  console.log(`${name}: median ${at(0.5)} ms, p95 ${at(0.95)} ms, longest ${at(1)} ms (${sorted.length} events)`);
}

async function inOneProcess(): Promise<void> {
  const { database, ids, log } = await storeWithSession('one');
  const [sessionId = ''] = ids;
  const [samples] = await Promise.all([follow(log, sessionId, events), appendAll(log, sessionId, events, 2)]);
  report('append to poll, one process', samples);
  await database.close();
}

async function besideOthers(): Promise<void> {
  const { database, ids, log } = await storeWithSession('many', 21);
  const each = Math.ceil(events / 4);
  const followed = ids.map((id) => follow(log, id, each));
  await Promise.all(ids.map((id) => appendAll(log, id, each, 20)));
  report('append to poll, 21 sessions at work', (await Promise.all(followed)).flat());
  await database.close();
}

async function fromAnotherProcess(): Promise<void> {
  const { path, database, ids, log } = await storeWithSession('two');
  const { ended } = other('append', path, String(events));
  report('append to poll, from another process', await follow(log, ids[0] ?? '', events));
  await ended;
  await database.close();
}

async function recovery(): Promise<void> {
  const { path, database } = await emptyStore('killed');
  const { child, ended } = other('run', path, '100');
  await once(child.stdout ?? child, 'data');
  child.kill('SIGKILL');
  await ended;
  await database.close();
  const from = performance.now();
  const opened = await openStore(path, { state: '', projects: '', trash: '' });
  const sessions = openSessions(opened, emptyProjects(opened).lookup);
  const recovered = await sessions.begin();
  const took = performance.now() - from;
  const row = await opened.get<{ count: number }>("SELECT COUNT(*) AS count FROM events WHERE type = 'interrupted'");
  console.log(`recovery of ${recovered} sessions after kill -9: ${took.toFixed(0)} ms (${row?.count} interrupted)`);
  await sessions.close();
  await opened.close();
}

/** Messages to one session, each as soon as the one before is done, by an agent that answers at once. */
async function messages(): Promise<void> {
  const { database } = await emptyStore('messages');
  const { projectId, lookup, insert } = emptyProjects(database);
  await insert();
  const sessions = openSessions(database, lookup, quickAgents);
  const request = { projectId, workspaceId: null, prompt: 'x', newSession: false, principal: localAdmin };
  const from = performance.now();
  for (let index = 0; index < prompts; index += 1) {
    await (await sessions.start(request)).done;
  }
  const took = performance.now() - from;
  console.log(`${prompts} messages to one session, each answered: ${(took / 1_000).toFixed(1)} s`);
  await sessions.close();
  await database.close();
}

await inOneProcess();
await besideOthers();
await fromAnotherProcess();
await recovery();
await messages();
rmSync(directory, { recursive: true, force: true });
process.exit(0);
