import type { Client } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { remote } from '../projects/fixture.ts';
import { httpClient, type Stage, stage } from './stage.ts';

/*
 * What a token of one project sees of another, over HTTP with the real tools. Two projects, each with a session and a
 * schedule; a third schedule is of both.
 */

interface Place {
  readonly project_id: string;
  readonly workspace_id: string;
  readonly session_id: string;
  readonly schedule_id: string;
}

let server: Stage;
let mine: Place;
let other: Place;
let both: string;
const clients = new Map<string, Client>();

type Data = Readonly<Record<string, unknown>>;

async function asAdmin(tool: string, input: object): Promise<Data> {
  const { isError, text, data } = await server.call(tool, input);
  expect(isError, text).toBe(false);
  return data;
}

async function schedule(name: string, targets: readonly string[]): Promise<string> {
  const input = { action: 'create', name, cron: '0 3 1 1 *', prompt: 'Read it', targets };
  return String((await asAdmin('schedule', input)).schedule_id);
}

async function place(name: string, source_url: string): Promise<Place> {
  const { project_id, workspace_id } = await asAdmin('project', { action: 'create', name, source_url });
  const { session_id } = await asAdmin('session', { action: 'spawn', project_id, prompt: 'Read it' });
  return {
    project_id: String(project_id),
    workspace_id: String(workspace_id),
    session_id: String(session_id),
    schedule_id: await schedule(name, [String(project_id)]),
  };
}

async function call(scope: string, tool: string, input: object) {
  const client = clients.get(scope);
  const { isError, structuredContent } = (await client?.callTool({ name: tool, arguments: { ...input } })) ?? {};
  return {
    isError: isError === true,
    data: (structuredContent ?? {}) as Data & { readonly error?: { readonly code: string; readonly message: string } },
  };
}

beforeAll(async () => {
  server = await stage('http', { turns: [{ text: 'Done.' }] });
  const source = remote();
  mine = await place('mine', source);
  other = await place('other', source);
  both = await schedule('both', [mine.project_id, other.project_id]);
  const scopes = { rw: `project:${mine.project_id}`, ro: `project:${mine.project_id}:ro`, 'admin:ro': 'admin:ro' };
  for (const [name, scope] of Object.entries(scopes)) {
    const { token } = await asAdmin('token', { action: 'create', name, scope });
    clients.set(name, await httpClient(server.url ?? '', String(token)));
  }
}, 300_000);

afterAll(async () => {
  for (const client of clients.values()) {
    await client.close();
  }
  await server?.close();
});

describe.each(['rw', 'ro'])('a token of one project (%s)', (scope) => {
  it('lists what is of its project', async () => {
    const ids = async (tool: string, list: string, id: string) =>
      ((await call(scope, tool, { action: 'list' })).data[list] as readonly Data[]).map((row) => row[id]);
    expect(await ids('project', 'projects', 'project_id')).toEqual([mine.project_id]);
    expect(await ids('schedule', 'schedules', 'schedule_id')).toEqual([mine.schedule_id]);
    expect(await ids('session', 'sessions', 'session_id')).toEqual([mine.session_id]);
  });

  it.each([
    ['project', (at: Place) => ({ action: 'get', project_id: at.project_id })],
    ['workspace', (at: Place) => ({ action: 'list', project_id: at.project_id })],
    ['session', (at: Place) => ({ action: 'list', project_id: at.project_id })],
    ['session', (at: Place) => ({ action: 'get', project_id: at.project_id, session_id: at.session_id })],
    ['session', (at: Place) => ({ action: 'events', project_id: at.project_id, session_id: at.session_id })],
    ['schedule', (at: Place) => ({ action: 'get', schedule_id: at.schedule_id })],
    ['config_limits', (at: Place) => ({ project_id: at.project_id, session_id: at.session_id })],
    ['project_changes', (at: Place) => ({ project_id: at.project_id })],
    ['workspace_glob', (at: Place) => ({ project_id: at.project_id, pattern: '*' })],
    ['workspace_read', (at: Place) => ({ project_id: at.project_id, file_path: 'readme.md' })],
  ] as const)('%s: its own, and of another what it would hear of one that is not there', async (tool, input) => {
    const answer = async (at: Place) => call(scope, tool, input(at));
    expect(await answer(mine)).toMatchObject({ isError: false });
    const made = { project_id: 'none', workspace_id: 'none', session_id: 'none', schedule_id: 'none' };
    const [foreign, missing] = [await answer(other), await answer(made)];
    expect(foreign.isError).toBe(true);
    const told = (at: Place, text: string) => Object.values(at).reduce((all, id) => all.replaceAll(id, 'ID'), text);
    expect(told(other, JSON.stringify(foreign.data.error))).toBe(told(made, JSON.stringify(missing.data.error)));
  });

  it('gets nothing of another project through an id of its own beside', async () => {
    const { project_id } = mine;
    for (const [tool, input] of [
      ['session', { action: 'get', project_id, session_id: other.session_id }],
      ['session', { action: 'events', project_id, session_id: other.session_id }],
      ['config_limits', { project_id, session_id: other.session_id }],
      ['workspace_read', { project_id, workspace_id: other.workspace_id, file_path: 'readme.md' }],
      ['container', { action: 'logs', project_id, workspace_id: other.workspace_id }],
      ['schedule', { action: 'get', schedule_id: both }],
    ] as const) {
      expect(await call(scope, tool, input), tool).toMatchObject({ isError: true });
    }
  });

  it('has nothing to do with tokens', async () => {
    for (const input of [
      { action: 'list' },
      { action: 'create', name: 'x', scope: 'admin' },
      { action: 'revoke', token_id: 'x' },
    ]) {
      expect((await call(scope, 'token', input)).data.error?.code).toBe('forbidden');
    }
  });
});

describe('a token that may change one project', () => {
  it('changes nothing of another', async () => {
    const { project_id, session_id, schedule_id, workspace_id } = other;
    const attempts = [
      ['session', { action: 'spawn', project_id, prompt: 'x' }],
      ['session', { action: 'spawn', project_id: mine.project_id, workspace_id, prompt: 'x' }],
      ['session', { action: 'message', project_id, workspace_id, message: 'x' }],
      ['session', { action: 'message', project_id: mine.project_id, workspace_id, message: 'x' }],
      ['session', { action: 'message', project_id: mine.project_id, session_id, message: 'x' }],
      ['session', { action: 'end', project_id: mine.project_id, session_id }],
      ['session', { action: 'cleanup', project_id, max_age_hours: 0 }],
      ['workspace', { action: 'delete', project_id, workspace_id, force: true }],
      ['container', { action: 'exec', project_id, command: 'true' }],
      ['container', { action: 'exec', project_id: mine.project_id, workspace_id, command: 'true' }],
      ['schedule', { action: 'create', name: 'x', cron: '* * * * *', prompt: 'x', targets: [project_id] }],
      [
        'schedule',
        { action: 'create', name: 'x', cron: '* * * * *', prompt: 'x', targets: [mine.project_id, { project_id }] },
      ],
      ['schedule', { action: 'update', schedule_id: mine.schedule_id, targets: [project_id] }],
      ['schedule', { action: 'update', schedule_id, enabled: false }],
      ['schedule', { action: 'delete', schedule_id }],
      ['schedule', { action: 'trigger', schedule_id: both }],
      ['caller_tool_response', { session_id, request_id: 'x', result: 'x' }],
      ['image_rebuild', { project_id }],
      ['image_rebuild', { container_type: 'node' }],
      ['workspace_bash', { project_id, command: 'true' }],
      ['workspace_write', { project_id, file_path: 'x', content: 'x' }],
      ['project', { action: 'create', name: 'x' }],
      ['project', { action: 'delete', project_id }],
      ['project', { action: 'delete', project_id: mine.project_id }],
    ] as const;
    const before = await asAdmin('schedule', { action: 'get', schedule_id });
    for (const [tool, input] of attempts) {
      expect(await call('rw', tool, input), `${tool} ${JSON.stringify(input)}`).toMatchObject({ isError: true });
    }
    expect(await asAdmin('schedule', { action: 'get', schedule_id })).toEqual(before);
  });

  it('works in its own', async () => {
    const { project_id } = mine;
    expect(await call('rw', 'workspace_write', { project_id, file_path: 'new.txt', content: 'x' })).toMatchObject({
      isError: false,
    });
    expect(
      await call('rw', 'schedule', { action: 'update', schedule_id: mine.schedule_id, enabled: false }),
    ).toMatchObject({ isError: false });
  });
});

describe('a token that only reads', () => {
  it.each(['ro', 'admin:ro'])('changes nothing (%s)', async (scope) => {
    const { project_id, session_id, schedule_id } = mine;
    for (const [tool, input] of [
      ['project', { action: 'create', name: 'x' }],
      ['session', { action: 'spawn', project_id, prompt: 'x' }],
      ['session', { action: 'end', project_id, session_id }],
      ['schedule', { action: 'delete', schedule_id }],
      ['container', { action: 'exec', project_id, command: 'true' }],
      ['workspace_bash', { project_id, command: 'true' }],
      ['token', { action: 'create', name: 'x', scope: 'admin' }],
    ] as const) {
      expect((await call(scope, tool, input)).data.error?.code, tool).toBe('forbidden');
    }
  });

  it('of an admin sees all projects, and the tokens without their secrets', async () => {
    expect((await call('admin:ro', 'project', { action: 'list' })).data.projects).toHaveLength(2);
    const { data } = await call('admin:ro', 'token', { action: 'list' });
    expect(data.tokens).toHaveLength(4);
    expect(JSON.stringify(data)).not.toContain('oxg_');
  });
});
