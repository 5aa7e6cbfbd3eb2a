import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Database } from '../../../src/control/store/database.ts';
import { insertToken, markRevoked } from '../../../src/control/tokens/store.ts';
import { bubblewrapProblem } from '../../agent/bubblewrap.ts';
import { temporaryDirectory } from '../../git/fixture.ts';
import { skipUnless } from '../../skip.ts';
import { type FakeClock, fakeClock } from '../fake-clock.ts';
import { isAnswered, lastPrompt, type Speaker, stage } from './stage.ts';

const patience = { timeout: 30_000 };
const never: Speaker = () => new Promise(() => {});

/** Processes of bash that have this word on their command line. */
function processesOf(word: string): number {
  return readdirSync('/proc').filter((pid) => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').includes(word);
    } catch {
      return false;
    }
  }).length;
}

describe('the end of a session', () => {
  it.each([
    ...(skipUnless(bubblewrapProblem === null, `no sandbox: ${bubblewrapProblem}`)
      ? []
      : ([['with a sandbox', true]] as const)),
    ['without one', false] as const,
  ])('ends its commands and what they have started, %s', async (_, requireSandbox) => {
    const word = temporaryDirectory();
    const speaker: Speaker = (request) =>
      isAnswered(request)
        ? [['Bash', { command: `setsid bash -c 'sleep 1000; true' ${word} & bash -c 'sleep 1000; true' ${word}` }]]
        : [['Bash', { command: `bash -c 'sleep 1000; true' ${word}`, run_in_background: true }]];
    const { sessions, project, spawn, database } = await stage({ speaker, requireSandbox });
    const { projectId } = await project();
    const { session } = await spawn(projectId, 'go');
    await expect.poll(() => processesOf(word), { timeout: 30_000 }).toBeGreaterThanOrEqual(3);
    await sessions.stop(projectId, session.sessionId, 'over');
    expect(processesOf(word)).toBe(0);
    const prompts = await database.all("SELECT outcome FROM prompts WHERE outcome = 'succeeded' OR outcome IS NULL");
    expect(prompts).toEqual([]);
    await sessions.close();
  });

  it('does not wait for a model that never answers', async () => {
    const { sessions, project, spawn, message } = await stage({ speaker: never });
    const { projectId } = await project();
    const { session } = await spawn(projectId, 'go');
    const waiting = await message(projectId, 'and then');
    await sessions.stop(projectId, session.sessionId, 'over');
    const { lastPrompt: last } = await sessions.get(projectId, session.sessionId);
    expect(last).toMatchObject({ outcome: 'interrupted' });
    expect(waiting.waiting).toBeGreaterThanOrEqual(0);
    await sessions.close();
  });

  it('comes as it should however it races with its beginning and with messages', async () => {
    const { sessions, project, spawn, message, events, database } = await stage({
      speaker: async (request) => {
        await new Promise((resolve) => setTimeout(resolve, Math.random() * 10));
        return `ok ${lastPrompt(request)}`;
      },
      limits: { max_sessions: null },
    });
    const { projectId } = await project();
    const ends = await Promise.all(
      Array.from({ length: 12 }, async (_, index) => {
        const { session } = await spawn(projectId, `${index}`, { newSession: true });
        const { sessionId } = session;
        const messages = Array.from({ length: 5 }, (_, n) =>
          message(projectId, `${n}`, { sessionId }).catch(() => null),
        );
        await new Promise((resolve) => setTimeout(resolve, Math.random() * 60));
        await Promise.all([1, 2].map((n) => sessions.stop(projectId, sessionId, `end ${n}`)));
        await Promise.all(messages);
        return sessionId;
      }),
    );
    for (const sessionId of ends) {
      const told = await events(projectId, sessionId);
      expect(told.map(({ seq }) => seq)).toEqual(told.map((_, index) => index));
      expect(told.filter(({ type }) => type === 'ended')).toHaveLength(1);
      expect(told.at(-1)).toMatchObject({ type: 'ended' });
    }
    expect(await database.all('SELECT * FROM prompts WHERE ended_at IS NULL')).toEqual([]);
    expect(await sessions.active(projectId, null)).toEqual([]);
    await sessions.close();
  });

  it('comes also where the process is gone that was asked for it', async () => {
    const clock = fakeClock();
    const { sessions, project, spawn, until, events, database } = await stage({ clock });
    const { projectId } = await project();
    const { session } = await spawn(projectId, 'go');
    await until(projectId, session.sessionId, 'idle');
    await sessions.close();
    await database.run("UPDATE sessions SET end_requested_at = ?, end_reason = 'over'", clock.now());
    const later = await stage({ clock, database });
    await later.sessions.begin();
    expect((await sessions.get(projectId, session.sessionId)).session.status).toBe('idle');
    clock.advance(31_000);
    await later.sessions.begin();
    expect((await sessions.get(projectId, session.sessionId)).session).toMatchObject({
      status: 'ended',
      endReason: 'over',
    });
    expect((await events(projectId, session.sessionId)).at(-1)).toMatchObject({ type: 'ended', reason: 'over' });
    await later.sessions.close();
  });

  it('comes with the server: what ran is interrupted, and what waits is kept', async () => {
    const { sessions, project, spawn, message } = await stage({ speaker: never });
    const { projectId } = await project();
    const { session } = await spawn(projectId, 'go');
    await message(projectId, 'more');
    await new Promise((resolve) => setTimeout(resolve, 50));
    await sessions.close();
    const after = await sessions.get(projectId, session.sessionId);
    expect(after).toMatchObject({ session: { status: 'interrupted', runnerId: null }, waiting: 1 });
  });
});

describe('the end of a token', () => {
  const principal = { tokenId: 't', scope: { kind: 'admin', readOnly: false } } as const;

  async function withToken(speaker: Speaker) {
    const clock = fakeClock();
    const there = await stage({ clock, speaker });
    await insertToken(there.database, {
      ...{ tokenId: 't', name: 't', scope: 'admin', secretDigest: 'x', createdBy: null, createdAt: 0 },
      expiresAt: clock.now() + 3_600_000,
    });
    /** Lets the process look what is new for it. */
    const ended = (projectId: string, sessionId: string) =>
      expect
        .poll(async () => {
          clock.advance(200);
          return (await there.sessions.get(projectId, sessionId)).session;
        }, patience)
        .toMatchObject({ status: 'ended', endReason: 'its token was revoked or has expired' });
    return { ...there, clock, ended };
  }

  it.each([
    ['revoked', (clock: FakeClock, database: Database) => markRevoked(database, 't', clock.now())],
    ['expired', (clock: FakeClock) => clock.advance(3_600_000)],
  ])('that is %s ends what it has running, and what runs below that', async (_, end) => {
    const speaker: Speaker = (request) =>
      lastPrompt(request) === 'go' && !isAnswered(request)
        ? [['SpawnSession', { prompt: 'work', workspace: 'same', run_in_background: true }]]
        : new Promise(() => {});
    const { sessions, project, spawn, message, clock, database, ended } = await withToken(speaker);
    const { projectId } = await project({ max_seconds: null });
    const { session } = await spawn(projectId, 'go', { principal });
    await message(projectId, 'and then', { principal });
    const other = await spawn(projectId, 'of somebody else', { newSession: true });
    const childOf = async () => (await sessions.get(projectId, session.sessionId)).children[0]?.sessionId ?? null;
    await expect.poll(childOf, patience).not.toBeNull();
    await end(clock, database);
    await ended(projectId, session.sessionId);
    await ended(projectId, (await childOf())!);
    expect((await sessions.get(projectId, other.session.sessionId)).session.status).toBe('running');
    await sessions.close();
  });

  it('leaves what others go on with', async () => {
    const { sessions, project, spawn, message, until, clock, database } = await withToken(() => 'ok');
    const { projectId } = await project();
    const { session } = await spawn(projectId, 'go', { principal });
    await until(projectId, session.sessionId, 'idle');
    await markRevoked(database, 't', clock.now());
    clock.advance(1_000);
    await message(projectId, 'more');
    await until(projectId, session.sessionId, 'idle');
    expect((await sessions.get(projectId, session.sessionId)).lastPrompt).toMatchObject({ outcome: 'succeeded' });
    await sessions.close();
  });

  it('drops what still waits for a session that another goes on with', async () => {
    const { root, sessions, project, spawn, message, clock, database } = await withToken(never);
    const { projectId } = await project();
    const { session } = await spawn(projectId, 'go', { principal });
    await message(projectId, 'bad', { principal });
    await sessions.close();
    await markRevoked(database, 't', clock.now());
    const said: string[] = [];
    const later = await stage({
      root,
      database,
      clock,
      speaker: (request) => {
        said.push(lastPrompt(request));
        return 'ok';
      },
    });
    await later.message(projectId, 'good');
    await later.until(projectId, session.sessionId, 'idle');
    expect(said).toEqual(['good']);
    await later.sessions.close();
  });
});

describe('a prompt', () => {
  it('may take so many seconds, and no more', async () => {
    const clock = fakeClock();
    const { sessions, project, spawn, message, until, events } = await stage({
      clock,
      speaker: (request) => (lastPrompt(request) === 'long' ? new Promise(() => {}) : 'ok'),
      limits: { max_seconds: 90 },
    });
    const { projectId } = await project();
    const { session } = await spawn(projectId, 'long');
    await message(projectId, 'short');
    await expect
      .poll(async () => {
        clock.advance(1_000);
        return (await events(projectId, session.sessionId)).some(({ type }) => type === 'session');
      })
      .toBe(true);
    clock.advance(91_000);
    await until(projectId, session.sessionId, 'idle');
    const told = await events(projectId, session.sessionId);
    expect(told.find(({ type }) => type === 'limit')).toMatchObject({ limit: 'max_seconds', value: 90 });
    expect(told.filter(({ type }) => type === 'result').map(({ stop_reason }) => stop_reason)).toEqual([
      'interrupted',
      'end_turn',
    ]);
    await sessions.close();
  });

  it('tells whoever started it how it ended', async () => {
    const { sessions, project } = await stage({
      speaker: (request) => {
        if (lastPrompt(request) === 'bad') {
          throw new Error('the model broke');
        }
        return 'ok';
      },
    });
    const { projectId } = await project();
    const request = { projectId, workspaceId: null, newSession: true };
    const principal = { tokenId: null, scope: { kind: 'admin', readOnly: false } } as const;
    const good = await sessions.start({ ...request, prompt: 'good', principal });
    expect(await good.done).toEqual({ outcome: 'succeeded', problem: null });
    const bad = await sessions.start({ ...request, prompt: 'bad', principal });
    expect(await bad.done).toEqual({ outcome: 'failed', problem: 'the model broke' });
    expect(await sessions.active(projectId, good.workspaceId)).toEqual([]);
    await sessions.endAll(projectId, good.workspaceId, 'over');
    expect((await sessions.list({ projectId })).sessions.map(({ status }) => status)).toEqual(['ended', 'ended']);
    await sessions.close();
  });
});

describe('cleaning', () => {
  it('removes what is old, whole trees, and nothing that runs', async () => {
    const clock = fakeClock();
    const { sessions, project, spawn, until } = await stage({
      clock,
      speaker: (request) => (lastPrompt(request) === 'stay' ? new Promise(() => {}) : 'ok'),
    });
    const { projectId } = await project();
    const old = await spawn(projectId, 'old', { newSession: true });
    await until(projectId, old.session.sessionId, 'idle');
    await sessions.stop(projectId, old.session.sessionId, 'over');
    const running = await spawn(projectId, 'stay', { newSession: true });
    clock.advance(3_600_000);
    expect(await sessions.clean(projectId, 2 * 3_600_000)).toEqual([]);
    expect(await sessions.clean(projectId, 3_600_000)).toEqual([old.session.sessionId]);
    await expect(sessions.get(projectId, old.session.sessionId)).rejects.toMatchObject({ code: 'unknown-session' });
    expect((await sessions.get(projectId, running.session.sessionId)).session.status).toBe('running');
    await sessions.close();
  });
});
