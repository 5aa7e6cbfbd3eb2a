import { describe, expect, it } from 'vitest';
import { nothingUsed, type Session } from '../../../src/control/sessions/session.ts';
import { childLimits, projectLimits } from '../../../src/control/sessions/session-limits.ts';
import { leftOf, tokensOf } from '../../../src/control/sessions/session-tree.ts';
import { isAnswered, lastPrompt, type Speaker, stage } from './stage.ts';

/** Does what its prompt says: `spawn N` starts N children with a prompt of their own, anything else is said back. */
const nested =
  (share: object = {}): Speaker =>
  (request) => {
    const [word, ...rest] = lastPrompt(request).split(' ');
    if (word === 'spawn' && !isAnswered(request)) {
      return { calls: [['SpawnSession', { prompt: rest.join(' '), ...share }]] };
    }
    return `Said ${lastPrompt(request)}.`;
  };

describe('a session’s children', () => {
  it('work on branches of their own, and tell their parent what they found', async () => {
    const { sessions, project, spawn, until, events } = await stage({ speaker: nested() });
    const { projectId } = await project();
    const { session } = await spawn(projectId, 'spawn hello');
    await until(projectId, session.sessionId, 'idle');
    const { children } = await sessions.get(projectId, session.sessionId);
    expect(children).toMatchObject([
      { depth: 1, status: 'ended', endReason: 'completed', parentId: session.sessionId },
    ]);
    expect(children[0]!.workspaceId).not.toBe(session.workspaceId);
    const own = await events(projectId, session.sessionId);
    expect(own.find(({ type }) => type === 'tool_result')).toMatchObject({
      is_error: false,
      content: expect.stringContaining('Said hello.'),
    });
    const all = await events(projectId, session.sessionId, true);
    expect(all.map(({ index }) => index)).toEqual(all.map((_, position) => position));
    expect(new Set(all.map(({ session_id }) => session_id)).size).toBe(2);
    const types = all.map(
      ({ type, session_id }) => `${session_id === session.sessionId ? '' : 'child '}${String(type)}`,
    );
    expect(types.indexOf('tool_call')).toBeLessThan(types.indexOf('child prompt'));
    expect(types.indexOf('child ended')).toBeLessThan(types.indexOf('tool_result'));
    await sessions.close();
  });

  it('are at most three levels deep', async () => {
    const { sessions, project, spawn, until, database } = await stage({ speaker: nested() });
    const { projectId } = await project();
    const { session } = await spawn(projectId, 'spawn spawn spawn spawn deep');
    await until(projectId, session.sessionId, 'idle');
    const rows = await database.all<{ depth: number }>('SELECT depth FROM sessions ORDER BY depth');
    expect(rows.map(({ depth }) => depth)).toEqual([0, 1, 2, 3]);
    await sessions.close();
  });

  it('are at most fifty in a tree', async () => {
    const speaker: Speaker = (request) =>
      lastPrompt(request) === 'many' && !isAnswered(request)
        ? Array.from({ length: 52 }, () => ['SpawnSession', { prompt: 'x', workspace: 'same' }] as const)
        : 'ok';
    const { sessions, project, spawn, until, events } = await stage({ speaker });
    const { projectId } = await project();
    const { session } = await spawn(projectId, 'many');
    await until(projectId, session.sessionId, 'idle');
    const results = (await events(projectId, session.sessionId)).filter(({ type }) => type === 'tool_result');
    expect(results.map(({ is_error }) => is_error)).toEqual(Array.from({ length: 52 }, (_, index) => index >= 50));
    expect(results.at(-1)).toMatchObject({ content: expect.stringContaining('50') });
    await sessions.close();
  });

  it('end with their parent, also those in the background, and none begins any more', async () => {
    const speaker: Speaker = (request) => {
      if (lastPrompt(request) === 'go' && !isAnswered(request)) {
        return [1, 2, 3].map((n) => ['SpawnSession', { prompt: `child ${n}`, run_in_background: true }] as const);
      }
      return new Promise(() => {});
    };
    const { sessions, project, spawn, events, until } = await stage({ speaker });
    const { projectId } = await project();
    const { session } = await spawn(projectId, 'go');
    while ((await sessions.get(projectId, session.sessionId)).children.length < 3) {
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    const { children } = await sessions.get(projectId, session.sessionId);
    await sessions.stop(projectId, session.sessionId, 'over');
    for (const { sessionId } of children) {
      expect(await until(projectId, sessionId, 'ended')).toMatchObject({ endReason: 'over', runnerId: null });
    }
    const all = await events(projectId, session.sessionId, true);
    expect(all.at(-1)).toMatchObject({ type: 'ended', session_id: session.sessionId });
    await sessions.close();
  });

  it.each([
    ['asked for here', false],
    ['asked for by another process', true],
  ])('end before their parent however long they take, %s', async (_, isElsewhere) => {
    const started: string[] = [];
    const speaker: Speaker = (request) => {
      const [word = '', ...rest] = lastPrompt(request).split(' ');
      if (isAnswered(request)) {
        return new Promise(() => {});
      }
      started.push(word);
      return rest.length > 0
        ? [['SpawnSession', { prompt: rest.join(' '), workspace: 'same', run_in_background: true }]]
        : new Promise(() => {});
    };
    // Longer than it takes the process to see by itself that an end is wanted.
    const here = await stage({ speaker, file: true, closing: (depth) => depth * 300 });
    const there = isElsewhere ? await stage({ root: here.root, file: true }) : here;
    const { projectId } = await here.project();
    const { session } = await here.spawn(projectId, 'top middle bottom');
    await expect.poll(() => started, { timeout: 30_000 }).toEqual(['top', 'middle', 'bottom']);
    await there.sessions.stop(projectId, session.sessionId, 'over');
    const all = await here.events(projectId, session.sessionId, true);
    const tree = await here.database.all('SELECT session_id, end_reason, runner_id FROM sessions ORDER BY depth DESC');
    expect(tree.map(({ end_reason, runner_id }) => [end_reason, runner_id])).toEqual(Array(3).fill(['over', null]));
    expect(all.filter(({ type }) => type === 'ended').map(({ session_id }) => session_id)).toEqual(
      tree.map(({ session_id }) => session_id),
    );
    expect(all.at(-1)).toMatchObject({ type: 'ended', session_id: session.sessionId });
    await Promise.all([here, there].map(({ sessions }) => sessions.close()));
  });

  it('have a share of the budget, in parallel, too, and together use no more than there is', async () => {
    const budget = 40_000;
    const turn = 1_500;
    const speaker: Speaker = (request) => {
      if (lastPrompt(request) === 'go') {
        return isAnswered(request)
          ? { text: 'ok', tokens: turn }
          : {
              tokens: turn,
              calls: Array.from({ length: 6 }, () => [
                'SpawnSession',
                { prompt: 'use', workspace: 'same', max_tokens: 5_000, run_in_background: true },
              ]),
            };
      }
      // A child that never has enough.
      return { calls: [['Glob', { pattern: '*' }]], tokens: turn };
    };
    const { sessions, project, spawn, until, events, database } = await stage({ speaker });
    const { projectId } = await project({ max_tokens: budget, max_sessions: null });
    const { session } = await spawn(projectId, 'go');
    await until(projectId, session.sessionId, 'idle');
    const { children } = await sessions.get(projectId, session.sessionId);
    expect(children).toHaveLength(6);
    const promised = children.map(({ limits }) => limits.max_tokens);
    expect(promised.every(({ source }) => source === 'parent')).toBe(true);
    expect(promised.reduce((sum, { value }) => sum + (value ?? Number.NaN), 0)).toBeLessThanOrEqual(budget);
    for (const { sessionId } of children) {
      const child = await until(projectId, sessionId, 'ended');
      const told = await events(projectId, sessionId);
      expect(told.findLast(({ type }) => type === 'result')).toMatchObject({ stop_reason: 'error' });
      expect(tokensOf(child.used)).toBeLessThanOrEqual(child.limits.max_tokens.value ?? 0);
    }
    expect((await sessions.used(session.sessionId)).tokens).toBeLessThanOrEqual(budget);
    const limits = await sessions.limits(projectId, session.sessionId);
    const used = await database.get<{ used: string }>('SELECT used FROM sessions WHERE parent_id IS NULL');
    expect(JSON.parse(used!.used)).toMatchObject({ turns: 2, input_tokens: 2 * turn });
    expect(limits.find(({ name }) => name === 'max_tokens')).toMatchObject({
      value: budget,
      source: 'project',
      left: budget - (await sessions.used(session.sessionId)).tokens,
    });
    await sessions.close();
  });

  it('are refused where nothing of the budget is left', async () => {
    const speaker: Speaker = (request) =>
      lastPrompt(request) === 'go' && !isAnswered(request)
        ? {
            tokens: 1_000,
            calls: [1, 2].map(() => [
              'SpawnSession',
              { prompt: 'x', workspace: 'same', max_tokens: 1_000_000, run_in_background: true },
            ]),
          }
        : new Promise(() => {});
    const { sessions, project, spawn, until, events } = await stage({ speaker });
    const { projectId } = await project({ max_tokens: 20_000 });
    const { session } = await spawn(projectId, 'go');
    await until(projectId, session.sessionId, 'idle');
    const told = await events(projectId, session.sessionId);
    expect(told.filter(({ type }) => type === 'tool_result').map(({ is_error }) => is_error)).toEqual([false, true]);
    expect(told.at(-1)).toMatchObject({
      type: 'result',
      stop_reason: 'error',
      text: expect.stringContaining('budget'),
    });
    await sessions.close();
  });
});

describe('a budget', () => {
  it('in tokens stops a session before the turn that does not fit', async () => {
    const { sessions, project, spawn, until, events } = await stage({
      speaker: () => ({ calls: [['Glob', { pattern: '*' }]], tokens: 4_000 }),
    });
    const { projectId } = await project({ max_tokens: 10_000 });
    const { session } = await spawn(projectId, 'go');
    await until(projectId, session.sessionId, 'idle');
    const { session: after, lastPrompt: last } = await sessions.get(projectId, session.sessionId);
    expect(after.used.turns).toBeLessThanOrEqual(3);
    expect(last).toMatchObject({ outcome: 'failed', problem: expect.stringContaining('10000 tokens (max_tokens)') });
    expect((await events(projectId, session.sessionId)).at(-1)).toMatchObject({ stop_reason: 'error' });
    await sessions.close();
  });

  it('in dollars needs a price, and stops by it', async () => {
    const dear: Speaker = () => ({ calls: [['Glob', { pattern: '*' }]], tokens: 100_000 });
    const unpriced = await stage({ speaker: dear });
    const one = await unpriced.project({ max_cost_usd: 1 });
    await expect(unpriced.spawn(one.projectId, 'go')).rejects.toMatchObject({ code: 'price-unknown' });
    await unpriced.sessions.close();
    const { sessions, project, spawn, until } = await stage({
      speaker: dear,
      prices: { scripted: { input: 3, output: 15 } },
    });
    const { projectId } = await project({ max_cost_usd: 1 });
    const { session } = await spawn(projectId, 'go');
    const after = await until(projectId, session.sessionId, 'idle');
    expect(after.used.turns).toBe(3);
    expect(after.used.cost_usd).toBeCloseTo(0.9);
    expect(await sessions.limits(projectId, session.sessionId)).toContainEqual({
      name: 'max_cost_usd',
      value: 1,
      source: 'project',
      left: expect.closeTo(0.1) as number,
    });
    await sessions.close();
  });

  it('in turns ends a prompt, and the next prompt has turns again', async () => {
    const { sessions, project, spawn, message, until } = await stage({
      speaker: (request) => (lastPrompt(request) === 'go' ? [['Glob', { pattern: '*' }]] : 'ok'),
    });
    const { projectId } = await project({ max_turns: 3 });
    const { session } = await spawn(projectId, 'go');
    await until(projectId, session.sessionId, 'idle');
    expect((await sessions.get(projectId, session.sessionId)).lastPrompt).toMatchObject({
      outcome: 'failed',
      problem: expect.stringContaining('3 turns'),
    });
    await message(projectId, 'more');
    await until(projectId, session.sessionId, 'idle');
    expect((await sessions.get(projectId, session.sessionId)).lastPrompt).toMatchObject({ outcome: 'succeeded' });
    await sessions.close();
  });
});

describe('limits', () => {
  it('come from the project, else from the configuration, else they are the defaults', () => {
    expect(projectLimits({ max_turns: 7, max_tokens: 9 }, { max_tokens: null })).toMatchObject({
      max_sessions: { value: 10, source: 'default' },
      max_turns: { value: 7, source: 'configuration' },
      max_tokens: { value: null, source: 'project' },
    });
  });

  it('of a child are what it asks for, as far as it is there, and half of it otherwise', () => {
    const parent = projectLimits({}, { max_tokens: 100 });
    const share = (left: number | null, asked: number | null) =>
      childLimits(parent, { max_tokens: left, max_cost_usd: null }, { max_tokens: asked, max_cost_usd: null })
        .max_tokens;
    expect(share(100, null)).toEqual({ value: 50, source: 'parent' });
    expect(share(100, 80)).toEqual({ value: 80, source: 'parent' });
    expect(share(100, 800)).toEqual({ value: 100, source: 'parent' });
    expect(share(null, 800)).toEqual({ value: 800, source: 'session' });
  });

  it('count what children were promised until they end, then what they have used', () => {
    const of = (sessionId: string, parentId: string | null, tokens: number, limit: number, ended = false) =>
      ({
        sessionId,
        parentId,
        status: ended ? 'ended' : 'running',
        used: { ...nothingUsed, input_tokens: tokens },
        limits: projectLimits({}, { max_tokens: limit }),
      }) as Session;
    const tree = (ended: boolean) => [of('r', null, 10, 100), of('a', 'r', 5, 40, ended), of('b', 'a', 20, 30, ended)];
    expect(leftOf('r', tree(false)).max_tokens).toBe(100 - 10 - 40);
    expect(leftOf('a', tree(false)).max_tokens).toBe(40 - 5 - 30);
    expect(leftOf('r', tree(true)).max_tokens).toBe(100 - 10 - 25);
  });
});
