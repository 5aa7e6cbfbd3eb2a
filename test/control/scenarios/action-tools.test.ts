import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { git, remote } from '../projects/fixture.ts';
import { actionsOfTools, standalone } from '../tool-names.ts';
import { type Answer, type Stage, stage, type Transport } from './stage.ts';

/*
 * The scenarios of the tools' specification, by their names, over a real client of the built program.
 */

const turns = [
  { text: 'Read it.' },
  { tool_calls: [{ name: 'weather', input: { city: 'Oslo' } }] },
  { text: 'It is cold in Oslo.' },
  { text: 'Nothing more.' },
  { text: 'Nothing at all.' },
];

describe.each<Transport>(['stdio', 'http'])('over %s', (transport) => {
  let server: Stage;
  let source: string;
  /** A project that stays, with its default workspace. */
  let project_id: string;
  let count = 0;

  const call = async (tool: string, input: object = {}): Promise<Answer['data']> => {
    const answer = await server.call(tool, input);
    expect(answer.text).not.toBe('');
    expect(answer).toMatchObject({ isError: false, data: { ok: true } });
    return answer.data;
  };
  const create = async (input: object = {}) => {
    count += 1;
    return call('project', { action: 'create', name: `project ${count}`, source_url: source, ...input });
  };
  const until = async (session_id: unknown, status: string) =>
    expect
      .poll(async () => (await call('session', { action: 'get', project_id, session_id })).status, { timeout: 20_000 })
      .toBe(status);
  /** A session that has worked on its first prompt, in a workspace of its own. */
  const spawned = async () => {
    const session = await call('session', { action: 'spawn', project_id, prompt: 'Read it', create_workspace: true });
    await until(session.session_id, 'idle');
    return session;
  };

  beforeAll(async () => {
    source = remote();
    server = await stage(transport, { turns });
    project_id = String((await create()).project_id);
  }, 300_000);

  afterAll(async () => {
    await server?.close();
  });

  describe('Action Parameter Pattern', () => {
    it('Valid action executes', async () => {
      expect(await create({ name: 'valid' })).toMatchObject({ name: 'valid', project_id: expect.any(String) });
    });

    it('Invalid action returns error', async () => {
      const message = "unknown action 'invalid' for project tool; valid actions: create, list, get, delete";
      expect(await server.call('project', { action: 'invalid' })).toMatchObject({
        isError: true,
        text: message,
        data: { ok: false, error: { code: 'unknown-action', message } },
      });
    });

    it('Missing action returns error', async () => {
      expect(await server.call('project')).toMatchObject({
        isError: true,
        text: 'action parameter is required',
        data: { ok: false, error: { code: 'missing-action', message: 'action parameter is required' } },
      });
    });

    it.each(Object.entries(actionsOfTools))(
      '%s: exactly these actions, in this order, in the list and in the error',
      async (name, actions) => {
        expect((await server.call(name, { action: '?' })).text).toBe(
          `unknown action '?' for ${name} tool; valid actions: ${actions.join(', ')}`,
        );
        const listed = (await server.client.listTools()).tools.find((tool) => tool.name === name);
        expect(listed?.inputSchema).toMatchObject({
          type: 'object',
          properties: { action: { enum: actions } },
          required: ['action'],
        });
      },
    );

    it('the twelve tools are listed', async () => {
      const names = (await server.client.listTools()).tools.map(({ name }) => name);
      expect(names.filter((name) => !name.startsWith('workspace_')).sort()).toEqual(
        [...Object.keys(actionsOfTools), ...standalone].sort(),
      );
    });
  });

  describe('Project Tool', () => {
    it('project action=create', async () => {
      const answer = await server.call('project', { action: 'create', name: 'created', source_url: source });
      expect(answer.data).toMatchObject({
        name: 'created',
        default_branch: 'main',
        project_id: expect.stringMatching(/^[\da-f-]{36}$/),
      });
      const [workspace] = (await call('workspace', { action: 'list', project_id: answer.data.project_id }))
        .workspaces as { readonly directory?: string }[];
      expect(workspace).toMatchObject({ branch: 'main' });
      expect(await server.call('project', { action: 'create', name: 'created' })).toMatchObject({ isError: true });
    });

    it('project action=list', async () => {
      const { projects } = await call('project', { action: 'list' });
      expect(projects).toContainEqual(expect.objectContaining({ project_id }));
    });

    it('project action=get', async () => {
      expect(await call('project', { action: 'get', project_id })).toMatchObject({ project_id, source_url: source });
    });

    it('project action=delete', async () => {
      const { project_id: gone } = await create();
      await call('project', { action: 'delete', project_id: gone });
      expect(await server.call('project', { action: 'get', project_id: gone })).toMatchObject({
        isError: true,
        data: { error: { code: 'unknown-project' } },
      });
    });
  });

  describe('Container Tool', () => {
    it('container action=start', async () => {
      const first = await call('container', { action: 'start', project_id });
      expect(first).toMatchObject({ started: true, tier: expect.any(String), workspace_id: expect.any(String) });
      expect(await call('container', { action: 'start', project_id })).toMatchObject({
        started: false,
        tier: first.tier,
      });
    });

    it('container action=exec', async () => {
      expect(
        await call('container', { action: 'exec', project_id, command: 'echo out; echo err >&2; exit 3' }),
      ).toMatchObject({ stdout: 'out\n', stderr: 'err\n', exit_code: 3, timed_out: false, truncated: false });
    });

    it('container action=logs', async () => {
      await call('container', { action: 'exec', project_id, command: 'echo for-the-log' });
      expect(JSON.stringify(await call('container', { action: 'logs', project_id }))).toContain('for-the-log');
    });

    it('container action=stop', async () => {
      await call('container', { action: 'start', project_id });
      expect(await call('container', { action: 'stop', project_id })).toMatchObject({ stopped: true });
      expect(await call('container', { action: 'stop', project_id })).toMatchObject({ stopped: false });
      expect(await call('container', { action: 'start', project_id })).toMatchObject({ started: true });
    });
  });

  describe('Session Tool', () => {
    it('session action=spawn', async () => {
      const session = await call('session', { action: 'spawn', project_id, prompt: 'Read it', create_workspace: true });
      expect(session).toMatchObject({ session_id: expect.any(String), workspace_id: expect.any(String) });
      await until(session.session_id, 'idle');
    });

    it('session action=message', async () => {
      const { session_id, workspace_id } = await spawned();
      const told = await call('session', { action: 'message', project_id, workspace_id, message: 'Go on' });
      expect(told.session_id).toBe(session_id);
      await until(session_id, 'idle');
    });

    it('session action=get', async () => {
      const { session_id } = await spawned();
      expect(await call('session', { action: 'get', project_id, session_id })).toMatchObject({
        session_id,
        project_id,
        status: 'idle',
        pending_requests: [],
      });
    });

    it('session action=list', async () => {
      const { session_id } = await spawned();
      const { sessions } = await call('session', { action: 'list', project_id });
      expect(sessions).toContainEqual(expect.objectContaining({ session_id }));
    });

    it('session action=end', async () => {
      const { session_id } = await spawned();
      await call('session', { action: 'end', project_id, session_id });
      await until(session_id, 'ended');
    });

    it('session action=events', async () => {
      const { session_id } = await spawned();
      const page = await call('session', { action: 'events', project_id, session_id, since_index: 0 });
      const events = page.events as readonly { readonly seq: number; readonly type: string }[];
      expect(events.length).toBeGreaterThan(1);
      expect(JSON.stringify(events)).toContain('Read it.');
      const next_index = Number(page.next_index);
      const waiting = call('session', {
        action: 'events',
        project_id,
        session_id,
        since_index: next_index,
        wait_ms: 20_000,
      });
      await call('session', { action: 'end', project_id, session_id });
      expect(((await waiting).events as readonly unknown[]).length).toBeGreaterThan(0);
      expect(
        await server.call('session', { action: 'events', project_id, session_id, since_index: 1_000_000 }),
      ).toMatchObject({ isError: true });
    });

    it('session action=cleanup', async () => {
      const { session_id } = await spawned();
      await call('session', { action: 'end', project_id, session_id });
      await until(session_id, 'ended');
      const { session_ids } = await call('session', { action: 'cleanup', project_id, max_age_hours: 0 });
      expect(session_ids).toContain(session_id);
      const { sessions } = await call('session', { action: 'list', project_id });
      expect(sessions).not.toContainEqual(expect.objectContaining({ session_id }));
    });
  });

  describe('Workspace Tool', () => {
    it('workspace action=list', async () => {
      const { workspaces } = await call('workspace', { action: 'list', project_id });
      expect(workspaces).toContainEqual(expect.objectContaining({ branch: 'main', dirty: false }));
    });

    it('workspace action=delete', async () => {
      const { session_id, workspace_id } = await spawned();
      await call('session', { action: 'end', project_id, session_id });
      await until(session_id, 'ended');
      await call('workspace', { action: 'delete', project_id, workspace_id });
      const { workspaces } = await call('workspace', { action: 'list', project_id });
      expect(workspaces).not.toContainEqual(expect.objectContaining({ workspace_id }));
    });
  });

  describe('Token Tool', () => {
    it('token action=create', async () => {
      const token = await call('token', {
        action: 'create',
        name: 'robot',
        scope: `project:${project_id}:ro`,
        expires_in: '1h',
      });
      expect(token).toMatchObject({
        token_id: expect.any(String),
        token: expect.stringMatching(/^oxg_[\w-]{43}$/),
        scope: `project:${project_id}:ro`,
      });
      expect(await server.call('token', { action: 'create', name: 'robot', scope: 'root' })).toMatchObject({
        isError: true,
      });
    });

    it('token action=list', async () => {
      const { token_id, token } = await call('token', { action: 'create', name: 'listed', scope: 'admin:ro' });
      const list = await call('token', { action: 'list' });
      expect(list.tokens).toContainEqual(expect.objectContaining({ token_id, name: 'listed', status: 'active' }));
      expect(JSON.stringify(list)).not.toContain(String(token));
    });

    it('token action=revoke', async () => {
      const { token_id } = await call('token', { action: 'create', name: 'revoked', scope: 'admin' });
      expect(await call('token', { action: 'revoke', token_id })).toMatchObject({ token_id, status: 'revoked' });
      expect((await call('token', { action: 'list' })).tokens).toContainEqual(
        expect.objectContaining({ token_id, status: 'revoked' }),
      );
      expect(await server.call('token', { action: 'revoke', token_id: 'tok_none' })).toMatchObject({ isError: true });
    });
  });

  describe('Schedule Tool', () => {
    const scheduled = async (name: string) =>
      call('schedule', {
        action: 'create',
        name: `${name} ${transport}`,
        cron: '0 3 1 1 *',
        prompt: 'Read it',
        targets: [{ project_id }],
        timezone: 'Europe/Berlin',
      });

    it('schedule action=create', async () => {
      expect(await scheduled('created')).toMatchObject({ schedule_id: expect.any(String), enabled: true });
      expect(
        await server.call('schedule', {
          action: 'create',
          name: 'x',
          cron: '61 * * * *',
          prompt: 'x',
          targets: [project_id],
        }),
      ).toMatchObject({ isError: true });
    });

    it('schedule action=list', async () => {
      const { schedule_id } = await scheduled('listed');
      expect((await call('schedule', { action: 'list' })).schedules).toContainEqual(
        expect.objectContaining({ schedule_id }),
      );
    });

    it('schedule action=get', async () => {
      const { schedule_id } = await scheduled('got');
      expect(await call('schedule', { action: 'get', schedule_id })).toMatchObject({ schedule_id, runs: [] });
    });

    it('schedule action=update', async () => {
      const { schedule_id } = await scheduled('updated');
      expect(
        await call('schedule', { action: 'update', schedule_id, enabled: false, cron: '0 4 * * *' }),
      ).toMatchObject({
        enabled: false,
        cron: '0 4 * * *',
      });
    });

    it('schedule action=delete', async () => {
      const { schedule_id } = await scheduled('deleted');
      await call('schedule', { action: 'delete', schedule_id });
      expect(await server.call('schedule', { action: 'get', schedule_id })).toMatchObject({ isError: true });
    });

    it('schedule action=trigger', async () => {
      const { schedule_id } = await scheduled('triggered');
      const { runs } = await call('schedule', { action: 'trigger', schedule_id });
      expect(runs).toHaveLength(1);
      const history = async () => {
        const [run] = (await call('schedule', { action: 'get', schedule_id })).runs as { readonly status: string }[];
        return run?.status;
      };
      await expect.poll(history, { timeout: 20_000 }).toBe('succeeded');
    });
  });

  describe('Standalone Tools Unchanged', () => {
    it('project_options unchanged', async () => {
      const options = await call('project_options');
      expect(JSON.stringify(options)).toMatch(/project:/);
      expect(JSON.stringify(options)).not.toMatch(/oxg_/);
    });

    /** A project with one change, of whose two tasks one is done. */
    const proposed = async () => {
      const { project_id: other } = await create();
      const [{ directory }] = (await call('workspace', { action: 'list', project_id: other })).workspaces as [
        { directory: string },
      ];
      const change = join(directory, 'openspec/changes/add-x');
      mkdirSync(change, { recursive: true });
      writeFileSync(join(change, 'proposal.md'), '# Change: add x\n\n## Why\nIt is missing.\n');
      writeFileSync(join(change, 'tasks.md'), '## 1. Do it\n- [x] 1.1 Begin\n- [ ] 1.2 End\n');
      git(directory, 'add', '-A');
      git(directory, 'commit', '-qm', 'docs: propose x');
      return other;
    };

    it('project_changes unchanged', async () => {
      const { changes } = await call('project_changes', { project_id: await proposed() });
      expect(changes).toMatchObject([{ change_id: 'add-x', completed_tasks: 1, total_tasks: 2 }]);
    });

    it('project_tasks unchanged', async () => {
      const other = await proposed();
      const { tasks } = await call('project_tasks', { project_id: other, change_id: 'add-x' });
      expect(tasks).toMatchObject([{ done: true }, { done: false }]);
      expect(JSON.stringify(tasks)).toMatch(/Begin.*End/);
      expect(await server.call('project_tasks', { project_id: other, change_id: '../../x' })).toMatchObject({
        isError: true,
      });
    });

    it('image_rebuild unchanged', async () => {
      // Without a Dockerfile, or without an engine, it says so; nothing else can be said of every machine.
      const answer = await server.call('image_rebuild', { project_id });
      expect(answer.isError).toBe(true);
      expect(answer.data).toMatchObject({
        ok: false,
        error: { code: expect.not.stringMatching(/internal|unknown-tool/) },
      });
    });

    it('caller_tool_response unchanged', async () => {
      const { session_id, workspace_id } = await spawned();
      const caller_tools = [
        { name: 'weather', description: 'The weather of a city', input_schema: { type: 'object' } },
      ];
      await call('session', {
        action: 'message',
        project_id,
        workspace_id,
        message: 'Weather?',
        caller_id: 'me',
        caller_tools,
      });
      const pending = async () =>
        (await call('session', { action: 'get', project_id, session_id })).pending_requests as {
          readonly request_id: string;
          readonly tool: string;
        }[];
      await expect.poll(async () => (await pending()).length, { timeout: 20_000 }).toBe(1);
      const [request] = await pending();
      expect(request).toMatchObject({ tool: 'weather', input: { city: 'Oslo' }, caller_id: 'me' });
      await call('caller_tool_response', { session_id, request_id: request?.request_id, result: 'minus ten' });
      await until(session_id, 'idle');
      const { events } = await call('session', { action: 'events', project_id, session_id });
      expect(JSON.stringify(events)).toMatch(/minus ten.*It is cold in Oslo/s);
      expect(
        await server.call('caller_tool_response', { session_id, request_id: 'made-up', result: 'x' }),
      ).toMatchObject({ isError: true });
    });

    it('config_limits unchanged', async () => {
      const limits = await call('config_limits', { project_id });
      expect(JSON.stringify(limits)).toMatch(/max_turns/);
    });
  });

  it('nothing but the protocol and notices, and no secret, was said', () => {
    expect(server.said()).toContain('serves MCP');
    expect(server.said()).not.toMatch(/oxg_/);
    expect(server.said()).not.toMatch(/^\s+at /m);
    expect(existsSync(join(server.root, 'state'))).toBe(true);
  });
});
