import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { fakeClock } from '../fake-clock.ts';
import { describeOnEachEngine } from '../store/engines.ts';
import { isAnswered, lastPrompt, type Speaker, stage } from './stage.ts';

/** Writes the file that it is told to, then says so. */
const writer: Speaker = (request) =>
  isAnswered(request)
    ? `Wrote ${lastPrompt(request)}.`
    : [['Write', { file_path: lastPrompt(request), content: 'hello\n' }]];

describeOnEachEngine('a session', (open) => {
  it('works in the workspace without asking anybody, and tells what it does', async () => {
    const { sessions, project, spawn, events, until } = await stage({ speaker: writer, database: await open() });
    const { projectId, workspace } = await project();
    const { session, resumed } = await spawn(projectId, 'a.txt');
    await until(projectId, session.sessionId, 'idle');
    expect(resumed).toBe(false);
    expect(readFileSync(join(workspace.directory, 'a.txt'), 'utf8')).toBe('hello\n');
    const told = await events(projectId, session.sessionId);
    expect(told.map(({ seq }) => seq)).toEqual(told.map((_, index) => index));
    expect(told.map(({ type }) => type)).toEqual([
      'prompt',
      'session',
      'tool_call',
      'checkpoint',
      'tool_result',
      'text',
      'result',
    ]);
    expect(told.at(-1)).toMatchObject({ stop_reason: 'end_turn', text: 'Wrote a.txt.' });
    await sessions.close();
  });

  it('goes on with what was said before, and begins anew where that is wanted', async () => {
    const seen: number[] = [];
    const { sessions, project, spawn, message, until } = await stage({
      database: await open(),
      speaker: ({ messages }) => {
        seen.push(messages.length);
        return 'Yes.';
      },
    });
    const { projectId } = await project();
    const first = await spawn(projectId, 'one');
    await until(projectId, first.session.sessionId, 'idle');
    const second = await spawn(projectId, 'two');
    await until(projectId, first.session.sessionId, 'idle');
    expect(second).toMatchObject({ resumed: true, session: { sessionId: first.session.sessionId } });
    await message(projectId, 'three');
    await until(projectId, first.session.sessionId, 'idle');
    const other = await spawn(projectId, 'four', { newSession: true });
    await until(projectId, other.session.sessionId, 'idle');
    expect(other.resumed).toBe(false);
    expect(seen).toEqual([1, 3, 5, 1]);
    await sessions.close();
  });

  it('ends for good, and takes no message any more', async () => {
    const { sessions, project, spawn, message, until, events } = await stage({ database: await open() });
    const { projectId } = await project();
    const { session } = await spawn(projectId, 'one');
    await until(projectId, session.sessionId, 'idle');
    await sessions.stop(projectId, session.sessionId, 'enough');
    await sessions.stop(projectId, session.sessionId, 'once more');
    expect((await sessions.get(projectId, session.sessionId)).session).toMatchObject({
      status: 'ended',
      endReason: 'enough',
      runnerId: null,
    });
    expect((await events(projectId, session.sessionId)).at(-1)).toMatchObject({ type: 'ended', reason: 'enough' });
    await expect(message(projectId, 'two')).rejects.toMatchObject({ code: 'no-session' });
    await expect(message(projectId, 'two', { sessionId: session.sessionId })).rejects.toMatchObject({
      code: 'session-ended',
    });
    expect((await spawn(projectId, 'three')).resumed).toBe(false);
    await sessions.close();
  });
});

describe('a session that is told a lot', () => {
  it('takes a thousand messages at once, one after the other, in their order', async () => {
    const said: string[] = [];
    const { sessions, project, spawn, message, until, events } = await stage({
      speaker: (request) => {
        said.push(lastPrompt(request));
        return 'ok';
      },
    });
    const { projectId } = await project();
    const { session } = await spawn(projectId, 'first');
    const accepted = await Promise.all(Array.from({ length: 1_000 }, (_, index) => message(projectId, `m${index}`)));
    expect(new Set(accepted.map(({ promptId }) => promptId)).size).toBe(1_000);
    await until(projectId, session.sessionId, 'idle');
    expect(said).toEqual(['first', ...Array.from({ length: 1_000 }, (_, index) => `m${index}`)]);
    const told = await events(projectId, session.sessionId);
    expect(told.filter(({ type }) => type === 'prompt')).toHaveLength(1_001);
    await sessions.close();
  });
});

describe('what a session is refused', () => {
  it('a model that can’t be opened is said at once, and makes no workspace', async () => {
    const { sessions, project, spawn, database } = await stage();
    const { projectId } = await project();
    await expect(spawn(projectId, 'x', { model: 'missing', createWorkspace: true })).rejects.toMatchObject({
      code: 'no-model',
    });
    expect(await database.all('SELECT * FROM workspaces')).toHaveLength(1);
    await sessions.close();
  });

  it('a tool that it may not have is not there, and a misspelt name is said', async () => {
    const { sessions, project, spawn, events, until } = await stage({ speaker: writer });
    const { projectId, workspace } = await project();
    await expect(spawn(projectId, 'x', { toolsDisallowed: ['Wirte'] })).rejects.toMatchObject({ code: 'unknown-tool' });
    const { session } = await spawn(projectId, 'b.txt', { toolsDisallowed: ['Write'] });
    await until(projectId, session.sessionId, 'idle');
    expect(existsSync(join(workspace.directory, 'b.txt'))).toBe(false);
    expect((await events(projectId, session.sessionId)).find(({ type }) => type === 'tool_result')).toMatchObject({
      is_error: true,
      content: expect.stringContaining("There is no tool 'Write'"),
    });
    await sessions.close();
  });

  it('more sessions at once than the project may have', async () => {
    let go: () => void = () => {};
    const waiting = new Promise<void>((resolve) => {
      go = resolve;
    });
    const { sessions, project, spawn, until } = await stage({
      speaker: async () => {
        await waiting;
        return 'ok';
      },
    });
    const { projectId } = await project({ max_sessions: 2 });
    const outcomes = await Promise.allSettled(
      Array.from({ length: 5 }, () => spawn(projectId, 'x', { newSession: true })),
    );
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(2);
    expect(outcomes.find(({ status }) => status === 'rejected')).toMatchObject({
      reason: { code: 'too-many-sessions' },
    });
    go();
    const [first] = (await sessions.list({ projectId })).sessions;
    await until(projectId, first!.sessionId, 'idle');
    await sessions.close();
  });
});

describe('a list of sessions', () => {
  it('comes in pages that leave none out and show none twice, and says when there are more', async () => {
    const clock = fakeClock();
    const { sessions, project, spawn } = await stage({ clock, limits: { max_sessions: null }, requireSandbox: false });
    const { projectId } = await project();
    const made: string[] = [];
    for (let index = 0; index < 7; index += 1) {
      // Two at a time are of the same moment.
      clock.advance(index % 2);
      made.push((await spawn(projectId, 'Go', { newSession: true })).session.sessionId);
    }
    const found: string[] = [];
    for (let after: string | null = null, pages = 0; ; pages += 1) {
      const page = await sessions.list({ projectId, limit: 3, after });
      found.push(...page.sessions.map(({ sessionId }) => sessionId));
      if (page.next === null) {
        expect(pages).toBe(2);
        break;
      }
      after = page.next;
    }
    expect([...found].sort()).toEqual([...made].sort());
    const other = await project();
    await expect(sessions.list({ projectId: other.projectId, after: made[0] ?? '' })).rejects.toMatchObject({
      code: 'unknown-session',
    });
    await sessions.close();
  });
});
