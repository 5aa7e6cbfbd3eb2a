import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { systemClock } from '../../../src/control/clock.ts';
import { packing } from '../../../src/control/sessions/event-data.ts';
import { EventLog } from '../../../src/control/sessions/event-log.ts';
import { EventWriter } from '../../../src/control/sessions/event-writer.ts';
import { nothingUsed, type Session } from '../../../src/control/sessions/session.ts';
import { projectLimits } from '../../../src/control/sessions/session-limits.ts';
import { insertSession } from '../../../src/control/sessions/store.ts';
import type { Database } from '../../../src/control/store/database.ts';
import { openSqlite } from '../../../src/control/store/sqlite.ts';
import { temporaryDirectory } from '../../git/fixture.ts';
import { describeOnEachEngine } from '../store/engines.ts';

const never = new AbortController().signal;

async function projectIn(database: Database): Promise<void> {
  await database.run(
    `INSERT INTO projects (project_id, name, description, protected_branches, limits, default_branch, created_at)
      VALUES ('p', 'p', '', '[]', '{}', 'main', 0)`,
  );
}

async function sessionIn(database: Database, sessionId: string, parent: Session | null = null): Promise<Session> {
  const session: Session = {
    ...{ sessionId, projectId: 'p', workspaceId: 'w', parentId: parent?.sessionId ?? null },
    ...{ rootId: parent?.rootId ?? sessionId, depth: parent === null ? 0 : parent.depth + 1, status: 'running' },
    ...{ model: null, tokenId: null, toolsAllowed: null, toolsDisallowed: [] },
    ...{ limits: projectLimits({}, {}), used: nothingUsed, createdAt: 0, updatedAt: 0, endedAt: null },
    ...{ endReason: null, endRequestedAt: null, runnerId: 'here', runnerSeenAt: 0 },
    ...{ nextSeq: 0, firstSeq: 0, nextIndex: 0, firstIndex: 0 },
  };
  await insertSession(database, session);
  return session;
}

async function openLog(kept?: number, open: () => Promise<Database> = () => openSqlite(':memory:')) {
  const database = await open();
  return { database, log: new EventLog({ database, clock: systemClock, ...(kept === undefined ? {} : { kept }) }) };
}

const event = (number: number, data: object = {}) => ({
  ts: 1,
  type: 'text',
  data: JSON.stringify({ number, ...data }),
});
const numbersOf = (page: { readonly events: readonly object[] }) =>
  page.events.map((found) => (found as { number: number }).number);

describeOnEachEngine('events of many sessions at the same time', (open) => {
  it('are numbered without gaps in each session and each tree, and a lost session loses only its own', async () => {
    const { database, log } = await openLog(undefined, open);
    await projectIn(database);
    const roots = [await sessionIn(database, 'a'), await sessionIn(database, 'b')];
    const children = await Promise.all(
      roots.flatMap((root) => [1, 2, 3].map((n) => sessionIn(database, `${root.sessionId}${n}`, root))),
    );
    const lost = await sessionIn(database, 'lost', roots[0]);
    const all = [children[0]!, roots[0]!, lost, ...children.slice(1), roots[1]!];
    const rounds = [1, 2, 3, 2];
    const outcomes = await Promise.all(
      rounds.flatMap((count, round) =>
        all.map(async (session) => {
          const events = Array.from({ length: count }, (_, index) => event(10 * round + index));
          const runner = session === lost ? 'another' : 'here';
          return log.append(session, events, runner).then(
            () => 'stored',
            (error: { code: string }) => `${session.sessionId} ${error.code}`,
          );
        }),
      ),
    );
    expect(outcomes.filter((outcome) => outcome !== 'stored')).toEqual(rounds.map(() => 'lost session-lost'));
    const numbers = [0, 10, 11, 20, 21, 22, 30, 31];
    for (const { sessionId } of all) {
      const page = await log.poll({ sessionId, since: 0, max: 100, includeChildren: false }, 0);
      expect(numbersOf(page)).toEqual(sessionId === 'lost' ? [] : numbers);
      expect(page.events.map(({ seq }) => seq)).toEqual(numbersOf(page).map((_, index) => index));
    }
    for (const { sessionId } of roots) {
      const page = await log.poll({ sessionId, since: 0, max: 100, includeChildren: true }, 0);
      expect(page.events.map(({ index }) => index)).toEqual(Array.from({ length: 4 * numbers.length }, (_, n) => n));
      expect(page.nextIndex).toBe(4 * numbers.length);
    }
    await database.close();
  });
});

describeOnEachEngine('a cursor', (open) => {
  it('sees every event once, in its order, however the pages and the writes fall', async () => {
    const { database, log } = await openLog(undefined, open);
    await projectIn(database);
    let sessions = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.oneof(
            fc.record({ write: fc.integer({ min: 1, max: 9 }) }),
            fc.record({ read: fc.integer({ min: 1, max: 5 }) }),
          ),
          {
            maxLength: 25,
          },
        ),
        fc.boolean(),
        async (steps, inTree) => {
          sessions += 1;
          const root = await sessionIn(database, `s${sessions}`);
          const child = await sessionIn(database, `c${sessions}`, root);
          let written = 0;
          const seen: number[] = [];
          const wanted: number[] = [];
          let since: number | null = null;
          const read = async (max: number) => {
            const query = { sessionId: root.sessionId, since, max, includeChildren: inTree };
            const page = await log.poll(query, 0);
            seen.push(...numbersOf(page));
            expect(page.nextIndex).toBeGreaterThanOrEqual(since ?? 0);
            since = page.nextIndex;
            return page.hasMore;
          };
          for (const step of steps) {
            if ('read' in step) {
              await read(step.read);
              continue;
            }
            const to = written % 3 === 0 ? child : root;
            const events = Array.from({ length: step.write }, () => {
              written += 1;
              return event(written);
            });
            await log.append(to, events, 'here');
            if (inTree || to === root) {
              wanted.push(...events.map(({ data }) => (JSON.parse(data) as { number: number }).number));
            }
          }
          while (await read(7)) {
            // Until there are no more.
          }
          expect(seen).toEqual(wanted);
        },
      ),
      { numRuns: 60 },
    );
    await database.close();
  });

  it('beyond the end is refused: it comes from another store', async () => {
    const { database, log } = await openLog(undefined, open);
    await projectIn(database);
    const session = await sessionIn(database, 's');
    await log.append(session, [event(1), event(2)], 'here');
    const poll = (since: number) => log.poll({ sessionId: 's', since, max: 10, includeChildren: false }, 0);
    expect((await poll(2)).events).toEqual([]);
    await expect(poll(3)).rejects.toMatchObject({ code: 'cursor-ahead' });
    await expect(poll(Number.MAX_SAFE_INTEGER)).rejects.toMatchObject({ code: 'cursor-ahead' });
    await expect(log.poll({ sessionId: 'other', since: 0, max: 1, includeChildren: false }, 0)).rejects.toMatchObject({
      code: 'unknown-session',
    });
    await database.close();
  });

  it('older than what is kept is refused, and never skipped over', async () => {
    const { database, log } = await openLog(20, open);
    await projectIn(database);
    const root = await sessionIn(database, 's');
    const child = await sessionIn(database, 'c', root);
    for (let number = 0; number < 50; number += 1) {
      await log.append(root, [event(number)], 'here');
      await log.append(child, [event(1_000 + number)], 'here');
    }
    const own = { sessionId: 's', max: 1_000, includeChildren: false };
    await expect(log.poll({ ...own, since: 0 }, 0)).rejects.toMatchObject({ code: 'cursor-expired' });
    const page = await log.poll({ ...own, since: null }, 0);
    expect(numbersOf(page)).toEqual(
      Array.from({ length: 50 - page.firstIndex }, (_, index) => page.firstIndex + index),
    );
    expect(page.firstIndex).toBeGreaterThan(20);
    const tree = { ...own, includeChildren: true };
    await expect(log.poll({ ...tree, since: 0 }, 0)).rejects.toMatchObject({ code: 'cursor-expired' });
    const all = await log.poll({ ...tree, since: null }, 0);
    const indexes = all.events.map(({ index }) => Number(index));
    expect(indexes).toEqual(indexes.map((_, position) => all.firstIndex + position));
    await database.close();
  });
});

describeOnEachEngine('a poll', (open) => {
  it('ends when its time is over, its client is gone, or nothing can come any more', async () => {
    const { database, log } = await openLog(undefined, open);
    await projectIn(database);
    await sessionIn(database, 's');
    const query = { sessionId: 's', since: 0, max: 10, includeChildren: false };
    expect((await log.poll(query, 30)).events).toEqual([]);
    const controller = new AbortController();
    const waiting = log.poll(query, 60_000, controller.signal);
    controller.abort();
    expect((await waiting).events).toEqual([]);
    await database.run("UPDATE sessions SET status = 'ended'");
    expect(await log.poll(query, 60_000)).toMatchObject({ events: [], status: 'ended', hasMore: false });
    await database.close();
  });

  it('of many clients at once gives each of them every event', async () => {
    const { database, log } = await openLog(undefined, open);
    await projectIn(database);
    const session = await sessionIn(database, 's');
    const clients = Array.from({ length: 50 }, async () => {
      const seen: number[] = [];
      for (let since = 0; seen.length < 40; ) {
        const page = await log.poll({ sessionId: 's', since, max: 3, includeChildren: false }, 30_000);
        seen.push(...numbersOf(page));
        since = page.nextIndex;
      }
      return seen;
    });
    for (let number = 0; number < 40; number += 1) {
      await log.append(session, [event(number)], 'here');
    }
    const wanted = Array.from({ length: 40 }, (_, index) => index);
    expect(await Promise.all(clients)).toEqual(clients.map(() => wanted));
    await database.close();
  });

  it('gives large events in pages that a client can take', async () => {
    const { database, log } = await openLog(undefined, open);
    await projectIn(database);
    const session = await sessionIn(database, 's');
    const large = Array.from({ length: 30 }, (_, number) => event(number, { text: 'x'.repeat(100_000) }));
    await log.append(session, large, 'here');
    const page = await log.poll({ sessionId: 's', since: 0, max: 1_000, includeChildren: false }, 0);
    expect(page.hasMore).toBe(true);
    expect(JSON.stringify(page.events).length).toBeLessThan(1_100_000);
    await database.close();
  });
});

describe('a poll of two processes', () => {
  it('waits for the next event, of this process and of another one', async () => {
    const location = join(temporaryDirectory(), 'store.sqlite');
    const openFile = () => openSqlite(location);
    const [here, there] = [await openLog(undefined, openFile), await openLog(undefined, openFile)];
    await projectIn(here.database);
    const session = await sessionIn(here.database, 's');
    for (const [number, { log }] of [here, there, here, there].entries()) {
      const waiting = here.log.poll({ sessionId: 's', since: number, max: 10, includeChildren: false }, 30_000, never);
      await new Promise((resolve) => setTimeout(resolve, 50));
      await log.append(session, [event(number)], 'here');
      expect(numbersOf(await waiting)).toEqual([number]);
    }
    await here.database.close();
    await there.database.close();
  });
});

describe('a session that has ended, or that another process runs', () => {
  it('takes no event', async () => {
    const { database, log } = await openLog();
    await projectIn(database);
    const session = await sessionIn(database, 's');
    await expect(log.append(session, [event(1)], 'elsewhere')).rejects.toMatchObject({ code: 'session-lost' });
    await database.run("UPDATE sessions SET status = 'ended'");
    await expect(log.append(session, [event(1)], 'here')).rejects.toMatchObject({ code: 'session-lost' });
    const page = await log.poll({ sessionId: 's', since: 0, max: 10, includeChildren: false }, 0);
    expect(page).toMatchObject({ events: [], nextIndex: 0 });
    await database.close();
  });
});

describe('what an event holds', () => {
  it('is bounded, whatever a model wrote', () => {
    const pack = packing({});
    const packed = pack({ input: { content: 'é'.repeat(10_000_000), list: Array.from({ length: 1e6 }, (_, n) => n) } });
    expect(packed.length).toBeLessThan(400_000);
    expect(JSON.parse(packed)).toMatchObject({ truncated: true });
    let deep: unknown = 'end';
    for (let depth = 0; depth < 100_000; depth += 1) {
      deep = [deep];
    }
    expect(JSON.parse(pack({ deep }))).toMatchObject({ truncated: true });
  });

  it('is never a secret of this process, also where a text is cut', () => {
    const secret = 'sk-live-0123456789abcdef';
    const pack = packing({
      ANTHROPIC_API_KEY: secret,
      PATH: '/usr/bin/secret-less',
      DATABASE_URL: 'postgres://u:pw123456@h/d',
    });
    for (const before of [0, 31_990, 31_999, 63_990, 73_990]) {
      const packed = pack({ text: `${'x'.repeat(before)}${secret}${'y'.repeat(90_000)}`, [secret]: 1 });
      expect(packed).not.toContain(secret.slice(0, 10));
    }
    expect(pack({ text: 'at postgres://u:pw123456@h/d' })).not.toContain('pw123456');
    expect(pack({ text: '/usr/bin/secret-less' })).toContain('/usr/bin/secret-less');
  });
});

describe('the writer of a session', () => {
  const open = async (database: Database, log: EventLog, onLost: (error: unknown) => void = () => {}) => {
    const session = await sessionIn(database, 's');
    return new EventWriter({ log, clock: systemClock, packing: packing({}), session, runner: 'here', onLost });
  };

  it('gathers streamed text to few events, and keeps the order', async () => {
    const { database, log } = await openLog();
    await projectIn(database);
    const writer = await open(database, log);
    for (let number = 0; number < 500; number += 1) {
      writer.text(`word${number} `, undefined);
    }
    writer.text('of another', 'agent-1');
    writer.emit('tool_call', { name: 'Bash' });
    await writer.flush();
    const { events } = await log.poll({ sessionId: 's', since: 0, max: 100, includeChildren: false }, 0);
    const text = events.filter(({ type, agent_id }) => type === 'text' && agent_id === undefined);
    expect(text.length).toBeLessThan(5);
    expect(text.map((found) => found.text).join('')).toBe(Array.from({ length: 500 }, (_, n) => `word${n} `).join(''));
    expect(events.at(-2)).toMatchObject({ type: 'text', agent_id: 'agent-1' });
    expect(events.at(-1)).toMatchObject({ type: 'tool_call' });
    await database.close();
  });

  it('tries again when the store fails for a moment, and loses nothing', async () => {
    const { database, log } = await openLog();
    await projectIn(database);
    let failures = 2;
    const failing = {
      append: (...args: Parameters<EventLog['append']>) => {
        failures -= 1;
        return failures >= 0 ? Promise.reject(new Error('busy')) : log.append(...args);
      },
    } as EventLog;
    const writer = await open(database, failing);
    writer.emit('one', {});
    writer.emit('two', {});
    await writer.flush();
    const { events } = await log.poll({ sessionId: 's', since: 0, max: 100, includeChildren: false }, 0);
    expect(events.map(({ type }) => type)).toEqual(['one', 'two']);
    await database.close();
  });

  it('says once that nothing can be stored any more', async () => {
    const { database, log } = await openLog();
    await projectIn(database);
    const lost: unknown[] = [];
    const writer = await open(database, log, (error) => lost.push(error));
    await database.run("UPDATE sessions SET runner_id = 'elsewhere'");
    writer.emit('one', {});
    await writer.flush();
    writer.emit('two', {});
    await writer.flush();
    expect(lost).toMatchObject([{ code: 'session-lost' }]);
    await database.close();
  });
});
