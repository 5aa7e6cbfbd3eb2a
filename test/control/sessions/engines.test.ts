import { afterEach, expect, it, vi } from 'vitest';
import { localAdmin } from '../../../src/control/principal.ts';
import type { Database } from '../../../src/control/store/database.ts';
import { OxideError } from '../../../src/errors.ts';
import { describeOnEachEngine } from '../store/engines.ts';
import { stage } from './stage.ts';

/** A store that can go away, as one on another machine does. */
function unreliable(database: Database) {
  const state = { isAway: false };
  const check = async () => {
    if (state.isAway) {
      throw new OxideError('store-unreachable', 'The store can’t be reached.');
    }
  };
  const wrapped: Database = {
    engine: database.engine,
    all: async (...query) => check().then(() => database.all(...query)),
    get: async (...query) => check().then(() => database.get(...query)),
    run: async (...query) => check().then(() => database.run(...query)),
    transaction: async (work, options) => check().then(() => database.transaction(work, options)),
    close: () => database.close(),
  };
  return { database: wrapped, state };
}

afterEach(() => {
  vi.useRealTimers();
});

describeOnEachEngine('sessions', (open) => {
  it('are at rest as soon as a prompt is said to be done', async () => {
    const { sessions, project } = await stage({ database: await open(), requireSandbox: false });
    const { projectId } = await project();
    const request = { projectId, workspaceId: null, prompt: 'Go', newSession: false, principal: localAdmin };
    for (let index = 0; index < 20; index += 1) {
      const started = await sessions.start(request);
      expect(await started.done).toEqual({ outcome: 'succeeded', problem: null });
      expect(await sessions.active(projectId, null)).toEqual([]);
    }
    await sessions.close();
  });

  it('take hundreds of messages at once, and work on each of them once, in their order', async () => {
    const limits = { max_sessions: null };
    const { sessions, project, message, spawn, until, events, database } = await stage({
      ...{ database: await open(), requireSandbox: false, limits },
      speaker: ({ messages }) => `${messages.length}`,
    });
    const { projectId } = await project();
    const { session } = await spawn(projectId, '0');
    await Promise.all(Array.from({ length: 200 }, (_, index) => message(projectId, `${index + 1}`)));
    await until(projectId, session.sessionId, 'idle');
    const prompts = await database.all<{ text: string; outcome: string }>(
      'SELECT text, outcome FROM prompts ORDER BY position',
    );
    expect(new Set(prompts.map(({ outcome }) => outcome))).toEqual(new Set(['succeeded']));
    const told = (await events(projectId, session.sessionId)).filter(({ type }) => type === 'prompt');
    expect(told.map(({ text }) => text)).toEqual(prompts.map(({ text }) => text));
    await sessions.close();
  });

  it('go on when the store is away for a moment, and lose nothing', async () => {
    const { database, state } = unreliable(await open());
    const { sessions, project, spawn, until, events } = await stage({
      database,
      requireSandbox: false,
      speaker: async () => {
        state.isAway = true;
        setTimeout(() => {
          state.isAway = false;
        }, 1_500);
        return 'While it was away.';
      },
    });
    const { projectId } = await project();
    const { session } = await spawn(projectId, 'Go');
    await expect.poll(() => state.isAway).toBe(true);
    await expect.poll(() => state.isAway, { timeout: 10_000 }).toBe(false);
    await until(projectId, session.sessionId, 'idle');
    const found = await events(projectId, session.sessionId);
    expect(found.map(({ type }) => type)).toEqual(['prompt', 'session', 'text', 'result']);
    expect(await sessions.get(projectId, session.sessionId)).toMatchObject({ lastPrompt: { outcome: 'succeeded' } });
    await sessions.close();
  });

  it('are interrupted, and not held for ever, when it was away for too long', async () => {
    const { database, state } = unreliable(await open());
    const { sessions, project, spawn, message, until, problems } = await stage({
      database,
      requireSandbox: false,
      speaker: async () => {
        state.isAway = true;
        vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
        return 'Nobody will read this.';
      },
    });
    const { projectId } = await project();
    const { session } = await spawn(projectId, 'Go');
    await vi.waitUntil(() => state.isAway, { timeout: 20_000 });
    const given = () => problems.filter((problem) => problem.includes("its events can't be stored")).length;
    // The store's own work takes real time, of which a busy machine needs more.
    for (const start = Date.now(); Date.now() - start < 20_000 && given() === 0; ) {
      await vi.advanceTimersByTimeAsync(1_000);
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(given()).toBe(1);
    // Once for each thing that failed, not once for each time.
    expect(problems.length).toBeLessThan(10);
    state.isAway = false;
    await vi.advanceTimersByTimeAsync(10_000);
    vi.useRealTimers();
    await until(projectId, session.sessionId, 'interrupted');
    expect(await sessions.active(projectId, null)).toEqual([]);
    await message(projectId, 'Again');
    await sessions.close();
  });
});
