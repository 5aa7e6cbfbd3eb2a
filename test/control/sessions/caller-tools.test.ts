import { describe, expect, it } from 'vitest';
import { permissionTool } from '../../../src/control/sessions/caller-tools.ts';
import type { CallerTool } from '../../../src/control/sessions/session.ts';
import { git, temporaryDirectory } from '../../git/fixture.ts';
import { fakeClock } from '../fake-clock.ts';
import { isAnswered, lastPrompt, type Speaker, type Stage, stage, write } from './stage.ts';

const weather: CallerTool = {
  name: 'weather',
  description: 'Tells the weather.',
  input_schema: { type: 'object', properties: { place: { type: 'string' } } },
};

/** Asks for the weather, then says what it heard. */
const curious: Speaker = (request) => {
  const last = request.messages.at(-1);
  if (last?.role === 'tool') {
    return `It is ${last.results[0]?.content}.`;
  }
  const offered = request.tools.some(({ name }) => name === 'weather');
  return lastPrompt(request) === 'weather' && offered ? [['weather', { place: 'here' }]] : 'No weather.';
};

async function asked({ sessions }: Stage, projectId: string, sessionId: string) {
  for (;;) {
    const [request] = (await sessions.get(projectId, sessionId)).requests;
    if (request !== undefined) {
      return request;
    }
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

async function begin(options: Parameters<typeof stage>[0] = {}) {
  const made = await stage({ speaker: curious, ...options });
  const { projectId, workspace } = await made.project();
  const { session } = await made.spawn(projectId, 'hello');
  await made.until(projectId, session.sessionId, 'idle');
  return { ...made, made, projectId, workspace, sessionId: session.sessionId };
}

describe('a tool that a caller lends', () => {
  it('is called, its request is an event and listed, and the answer goes to the model', async () => {
    const { sessions, made, projectId, sessionId, message, events, until } = await begin();
    await message(projectId, 'weather', { callerId: 'me', callerTools: [weather] });
    const request = await asked(made, projectId, sessionId);
    expect(request).toMatchObject({ callerId: 'me', kind: 'tool', tool: 'weather', input: { place: 'here' } });
    await sessions.respond(sessionId, request.requestId, { kind: 'result', result: 'sunny' });
    await until(projectId, sessionId, 'idle');
    const told = await events(projectId, sessionId);
    expect(told.find(({ type }) => type === 'caller_request')).toMatchObject({
      request_id: request.requestId,
      tool: 'weather',
      caller_id: 'me',
    });
    expect(told.at(-1)).toMatchObject({ text: 'It is sunny.' });
    expect((await sessions.get(projectId, sessionId)).requests).toEqual([]);
    await sessions.close();
  });

  it('is there for that message only', async () => {
    const { sessions, made, projectId, sessionId, message, events, until } = await begin();
    await message(projectId, 'weather', { callerTools: [weather] });
    await message(projectId, 'weather');
    const { requestId } = await asked(made, projectId, sessionId);
    await sessions.respond(sessionId, requestId, { kind: 'error', message: 'no idea' });
    await until(projectId, sessionId, 'idle');
    const said = (await events(projectId, sessionId)).filter(({ type }) => type === 'result').map(({ text }) => text);
    expect(said).toEqual(['No weather.', 'It is no idea.', 'No weather.']);
    await sessions.close();
  });

  it('is answered once, whoever comes first', async () => {
    const { sessions, made, projectId, sessionId, message, until } = await begin();
    await message(projectId, 'weather', { callerTools: [weather] });
    const { requestId } = await asked(made, projectId, sessionId);
    const answers = await Promise.allSettled(
      Array.from({ length: 10 }, (_, n) => sessions.respond(sessionId, requestId, { kind: 'result', result: n })),
    );
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(answers.at(-1)).toMatchObject({ reason: { code: 'request-answered' } });
    await until(projectId, sessionId, 'idle');
    await expect(sessions.respond(sessionId, 'other', { kind: 'result', result: 1 })).rejects.toMatchObject({
      code: 'unknown-request',
    });
    await sessions.close();
  });

  it('has sixty seconds: then the model hears that nobody answered', async () => {
    const clock = fakeClock();
    const { sessions, made, projectId, sessionId, message, events, until } = await begin({ clock });
    await message(projectId, 'weather', { callerTools: [weather] });
    const { requestId } = await asked(made, projectId, sessionId);
    clock.advance(59_000);
    expect((await sessions.get(projectId, sessionId)).requests).toHaveLength(1);
    clock.advance(1_001);
    await until(projectId, sessionId, 'idle');
    expect((await events(projectId, sessionId)).at(-1)).toMatchObject({
      text: expect.stringContaining('did not answer weather within 60 s'),
    });
    await expect(sessions.respond(sessionId, requestId, { kind: 'result', result: 1 })).rejects.toMatchObject({
      code: 'request-expired',
    });
    await sessions.close();
  });

  it('can be answered by a client that has come back, through another process', async () => {
    const root = temporaryDirectory();
    const { sessions, projectId, sessionId, message, until, events } = await begin({ root, file: true });
    await message(projectId, 'weather', { callerTools: [weather] });
    const other = await stage({ root, file: true });
    const { requestId } = await asked(other, projectId, sessionId);
    await other.sessions.respond(sessionId, requestId, { kind: 'result', result: 'rainy' });
    await until(projectId, sessionId, 'idle');
    expect((await events(projectId, sessionId)).at(-1)).toMatchObject({ text: 'It is rainy.' });
    await sessions.close();
    await other.sessions.close();
  });

  it('is waited for no longer than the session lives', async () => {
    const { sessions, made, projectId, sessionId, message } = await begin();
    await message(projectId, 'weather', { callerTools: [weather] });
    const { requestId } = await asked(made, projectId, sessionId);
    await sessions.stop(projectId, sessionId, 'over');
    await expect(sessions.respond(sessionId, requestId, { kind: 'result', result: 1 })).rejects.toMatchObject({
      code: 'request-answered',
    });
    await sessions.close();
  });

  it('can’t take the place of a tool that the session has', async () => {
    const { sessions, projectId, message } = await begin();
    for (const callerTools of [[{ ...weather, name: 'Bash' }], [weather, weather]]) {
      await expect(message(projectId, 'x', { callerTools })).rejects.toMatchObject({ code: 'duplicate-tool' });
    }
    await sessions.close();
  });
});

describe('a permission question of a session that nobody watches', () => {
  const rules = { agent: { permissions: { ask: ['Write(secret/**)'] } } };
  const writes: Speaker = (request) =>
    isAnswered(request) ? 'ok' : [['Write', { file_path: 'secret/a.txt', content: 'x' }]];
  const permission: CallerTool = { name: permissionTool, description: '', input_schema: { type: 'object' } };

  const ask = async () => {
    const made = await stage({ speaker: writes });
    const { projectId, workspace } = await made.project();
    write(workspace.directory, 'oxide-guard.config.json', JSON.stringify(rules));
    return { ...made, made, projectId };
  };

  it('is told, and denied with the reason', async () => {
    const { sessions, projectId, spawn, until, events } = await ask();
    const { session } = await spawn(projectId, 'go');
    await until(projectId, session.sessionId, 'idle');
    const told = await events(projectId, session.sessionId);
    expect(told.find(({ type }) => type === 'permission_request')).toMatchObject({ tool: 'Write', answerable: false });
    expect(told.find(({ type }) => type === 'tool_result')).toMatchObject({
      is_error: true,
      content: expect.stringContaining('nobody could answer'),
    });
    await sessions.close();
  });

  it.each([
    ['a yes', { behavior: 'allow' }, false],
    ['a no', { behavior: 'deny', message: 'not that file' }, true],
    ['anything else', 'sure', true],
  ])('is put to a caller that lends its permission tool: %s', async (_, result, isError) => {
    const { sessions, made, projectId, spawn, until, events } = await ask();
    const { session } = await spawn(projectId, 'go', { callerTools: [permission] });
    const request = await asked(made, projectId, session.sessionId);
    expect(request).toMatchObject({ kind: 'permission', input: { tool: 'Write' } });
    await sessions.respond(session.sessionId, request.requestId, { kind: 'result', result });
    await until(projectId, session.sessionId, 'idle');
    const told = await events(projectId, session.sessionId);
    expect(told.find(({ type }) => type === 'tool_result')).toMatchObject({ is_error: isError });
    await sessions.close();
  });

  it('of the guard is for a person at a terminal alone', async () => {
    const { sessions, projectId, spawn, until, events } = await stage({
      speaker: (request) => (isAnswered(request) ? 'ok' : [['Bash', { command: 'git reset --hard' }]]),
      requireSandbox: false,
    }).then(async (made) => {
      const { projectId, workspace } = await made.project();
      write(workspace.directory, 'new.txt', 'not committed');
      git(workspace.directory, 'add', '-A');
      return { ...made, projectId };
    });
    const { session } = await spawn(projectId, 'go', { callerTools: [permission] });
    await until(projectId, session.sessionId, 'idle');
    const told = await events(projectId, session.sessionId);
    expect((await sessions.get(projectId, session.sessionId)).requests).toEqual([]);
    expect(told.find(({ type }) => type === 'tool_result')).toMatchObject({
      is_error: true,
      content: expect.stringContaining('Denied'),
    });
    await sessions.close();
  });
});
