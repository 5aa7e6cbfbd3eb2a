import { type ChildProcess, spawn as spawnProcess } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, describe, expect, it } from 'vitest';
import { temporaryDirectory } from '../../git/fixture.ts';
import { fakeClock } from '../fake-clock.ts';
import { lastPrompt, type StageOptions, stage } from './stage.ts';

const started: ChildProcess[] = [];

afterEach(() => {
  for (const child of started.splice(0)) {
    child.kill('SIGKILL');
  }
});

/** A process of its own that runs sessions in the middle of their work. */
async function busyProcess(root: string, count: number) {
  const program = resolve('test/control/sessions/server-process.ts');
  const args = [resolve('node_modules/jiti/lib/jiti-cli.mjs'), program, root, String(count)];
  const child = spawnProcess(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  started.push(child);
  const [line] = (await once(createInterface({ input: child.stdout! }), 'line')) as [string];
  const { projectId, ids } = JSON.parse(line) as { projectId: string; ids: readonly string[] };
  return {
    projectId,
    ids,
    kill: async () => {
      child.kill('SIGKILL');
      await once(child, 'exit');
    },
    stop: () => child.kill('SIGSTOP'),
    goOn: () => child.kill('SIGCONT'),
  };
}

const patience = { timeout: 30_000 };

/** How many processes have this word on their command line. */
function processesOf(word: string): number {
  return readdirSync('/proc').filter((pid) => {
    try {
      const words = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
      return words[0]?.endsWith('bash') === true && words.includes(word);
    } catch {
      return false;
    }
  }).length;
}

// Each starts a process that has to load everything first.
describe('a process that is killed', { timeout: 180_000 }, () => {
  it('leaves interrupted sessions, which go on with the next message where they were', async () => {
    const root = temporaryDirectory();
    const { projectId, ids, kill } = await busyProcess(root, 2);
    await expect.poll(() => processesOf(root), patience).toBe(2);
    await kill();
    await expect.poll(() => processesOf(root), patience).toBe(0);
    const seen: (readonly string[])[] = [];
    const { sessions, message, events, until } = await stage({
      root,
      file: true,
      speaker: (request) => {
        seen.push(request.messages.map((said) => `${said.role}`));
        return `After ${lastPrompt(request)}.`;
      },
    });
    expect(await sessions.begin()).toBe(2);
    for (const sessionId of ids) {
      const { session, waiting, lastPrompt: last } = await sessions.get(projectId, sessionId);
      expect(session).toMatchObject({ status: 'interrupted', runnerId: null });
      expect(waiting).toBe(1);
      expect(last).toMatchObject({ outcome: 'interrupted' });
      const told = await events(projectId, sessionId);
      expect(told.map(({ seq }) => seq)).toEqual(told.map((_, index) => index));
      expect(told.at(-1)).toMatchObject({ type: 'interrupted' });
      expect(told.some(({ text }) => text === 'Said before.')).toBe(true);
    }
    await message(projectId, 'more', { sessionId: ids[0] });
    await until(projectId, ids[0]!, 'idle');
    const said = (await events(projectId, ids[0]!)).filter(({ type }) => type === 'result').map(({ text }) => text);
    expect(said).toEqual(['Said before.', 'After after.', 'After more.']);
    expect(seen[0]).toEqual(['user', 'assistant', 'user', 'assistant', 'tool', 'user']);
    await sessions.close();
  });

  it('is seen by two others at once, and each session is recovered once', async () => {
    const root = temporaryDirectory();
    const { projectId, ids, kill } = await busyProcess(root, 2);
    await kill();
    const others = await Promise.all([stage({ root, file: true }), stage({ root, file: true })]);
    await Promise.all(others.map(({ sessions }) => sessions.begin()));
    for (const sessionId of ids) {
      const told = await others[0].events(projectId, sessionId);
      expect(told.filter(({ type }) => type === 'interrupted')).toHaveLength(1);
    }
    await Promise.all(others.map(({ sessions }) => sessions.close()));
  });

  it('that only stands still keeps its sessions', async () => {
    const root = temporaryDirectory();
    const { projectId, ids, stop, goOn } = await busyProcess(root, 1);
    stop();
    const { sessions } = await stage({ root, file: true });
    expect(await sessions.begin()).toBe(0);
    expect((await sessions.get(projectId, ids[0]!)).session.status).toBe('running');
    goOn();
    await sessions.close();
  });

  it('is asked by another process to end a session, and ends all that runs for it', async () => {
    const root = temporaryDirectory();
    const { projectId, ids } = await busyProcess(root, 1);
    await expect.poll(() => processesOf(root), patience).toBe(1);
    const { sessions, events } = await stage({ root, file: true });
    await sessions.begin();
    await sessions.stop(projectId, ids[0]!, 'from elsewhere');
    expect(processesOf(root)).toBe(0);
    expect((await events(projectId, ids[0]!)).at(-1)).toMatchObject({ type: 'ended', reason: 'from elsewhere' });
    await sessions.close();
  });
});

describe('two processes on one store', () => {
  const pair = async (options: StageOptions) => {
    const root = temporaryDirectory();
    const [here, there] = await Promise.all([
      stage({ root, file: true, ...options }),
      stage({ root, file: true, speaker: () => 'From there.' }),
    ]);
    await here.sessions.begin();
    await there.sessions.begin();
    return { here, there, close: () => Promise.all([here.sessions.close(), there.sessions.close()]) };
  };

  it('a message reaches the process that runs the session, and its events every other', async () => {
    const { here, there, close } = await pair({ speaker: (request) => `Here: ${lastPrompt(request)}` });
    const { projectId } = await here.project();
    const { session } = await here.spawn(projectId, 'one');
    await there.until(projectId, session.sessionId, 'idle');
    const query = { sessionId: session.sessionId, since: null, max: 100, includeChildren: false };
    const { nextIndex } = await there.sessions.events(projectId, query, 0, new AbortController().signal);
    const waiting = there.sessions.events(
      projectId,
      { ...query, since: nextIndex },
      30_000,
      new AbortController().signal,
    );
    const accepted = await there.message(projectId, 'two');
    expect(accepted.session.sessionId).toBe(session.sessionId);
    expect((await waiting).events[0]).toMatchObject({ type: 'prompt', text: 'two' });
    await there.until(projectId, session.sessionId, 'idle');
    expect((await there.events(projectId, session.sessionId)).at(-1)).toMatchObject({ text: 'Here: two' });
    await close();
  });

  it('a session whose process was shut down goes on in the other', async () => {
    const { here, there } = await pair({ speaker: () => new Promise(() => {}) });
    const { projectId } = await here.project();
    const { session } = await here.spawn(projectId, 'one');
    await here.until(projectId, session.sessionId, 'running');
    await here.sessions.close();
    expect((await there.sessions.get(projectId, session.sessionId)).session.status).toBe('interrupted');
    await there.message(projectId, 'two');
    await there.until(projectId, session.sessionId, 'idle');
    expect((await there.events(projectId, session.sessionId)).at(-1)).toMatchObject({ text: 'From there.' });
    await there.sessions.close();
  });

  it('a session that another process has taken is told by the first one no more', async () => {
    let go: (text: string) => void = () => {};
    const { here, there, close } = await pair({
      speaker: () =>
        new Promise((done) => {
          go = done;
        }),
    });
    const { projectId } = await here.project();
    const { session } = await here.spawn(projectId, 'one');
    while ((await here.events(projectId, session.sessionId)).length < 2) {
      await new Promise((done) => setTimeout(done, 5));
    }
    await here.database.run("UPDATE sessions SET runner_id = 'host/ns/1/1/taken'");
    const before = (await there.events(projectId, session.sessionId)).length;
    go('Too late.');
    await new Promise((done) => setTimeout(done, 300));
    const told = await there.events(projectId, session.sessionId);
    expect(told.slice(before).some(({ text }) => text === 'Too late.')).toBe(false);
    await close();
  });

  it('one that stood still for too long lets go of what another has taken', async () => {
    const clock = fakeClock();
    const root = temporaryDirectory();
    const [here, there] = await Promise.all([
      stage({ root, file: true, clock }),
      stage({ root, file: true, clock, speaker: () => 'From there.' }),
    ]);
    await here.sessions.begin();
    const { projectId } = await here.project();
    const { session } = await here.spawn(projectId, 'one');
    await here.until(projectId, session.sessionId, 'idle');
    await here.database.run('UPDATE sessions SET runner_seen_at = 0');
    expect(await there.sessions.begin()).toBe(1);
    clock.advance(3_000);
    await expect
      .poll(async () => {
        await there.message(projectId, 'two');
        await there.until(projectId, session.sessionId, 'idle');
        return (await there.events(projectId, session.sessionId)).at(-1)?.text;
      }, patience)
      .toBe('From there.');
    await Promise.all([here.sessions.close(), there.sessions.close()]);
  });

  it('one that runs a session without serving says so, and keeps it', async () => {
    const clock = fakeClock();
    const root = temporaryDirectory();
    const [here, there] = await Promise.all([
      stage({ root, file: true, clock, speaker: () => new Promise(() => {}) }),
      stage({ root, file: true, clock }),
    ]);
    const { projectId } = await here.project();
    const { session } = await here.spawn(projectId, 'one');
    for (let beat = 0; beat < 10; beat += 1) {
      const before = clock.now();
      clock.advance(3_000);
      const seen = async () => (await there.sessions.get(projectId, session.sessionId)).session.runnerSeenAt ?? 0;
      await expect.poll(seen, patience).toBeGreaterThan(before);
    }
    expect(await there.sessions.begin()).toBe(0);
    await Promise.all([here.sessions.close(), there.sessions.close()]);
  });
});
