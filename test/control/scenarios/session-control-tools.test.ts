import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { remote } from '../projects/fixture.ts';
import { type Stage, stage } from './stage.ts';

const call = (name: string, input: object) => ({ tool_calls: [{ name, input }] });

let server: Stage;
let ids: readonly string[];

type Event = Readonly<Record<string, unknown>>;

/** What the tool calls of a session came to. */
async function resultsOf(project_id: string, tools_allowed: readonly string[]) {
  const input = { action: 'spawn', project_id, prompt: 'Look', tools_allowed, new_session: true };
  const { session_id } = (await server.call('session', input)).data;
  const get = async () => (await server.call('session', { action: 'get', project_id, session_id })).data.status;
  await expect.poll(get, { timeout: 20_000 }).toBe('idle');
  const { data } = await server.call('session', { action: 'events', project_id, session_id, max_events: 1_000 });
  return (data.events as readonly Event[]).filter(({ type }) => type === 'tool_result');
}

beforeAll(async () => {
  server = await stage('stdio', {
    turns: [
      call('project', { action: 'list' }),
      call('project', { action: 'delete', project_id: 'any' }),
      call('session', { action: 'spawn', prompt: 'More of me' }),
      call('session', { action: 'list' }),
      { text: 'Done.' },
    ],
  });
  const source_url = remote();
  const make = async (name: string) =>
    String((await server.call('project', { action: 'create', name, source_url })).data.project_id);
  ids = [await make('mine'), await make('other')];
}, 120_000);

afterAll(async () => {
  await server?.close();
});

describe('a session that was given the control plane’s tools', () => {
  it('sees its own project, and nothing else', async () => {
    const [mine = '', other = ''] = ids;
    const [list, , , sessions] = await resultsOf(mine, ['Bash', 'project', 'session']);
    expect(list).toMatchObject({ is_error: false, content: expect.stringContaining(mine) });
    expect(list?.content).not.toContain(other);
    expect(sessions).toMatchObject({ is_error: false, content: expect.stringContaining('running') });
  });

  it('changes nothing by them: neither projects, nor sessions beside its budget', async () => {
    const [mine = ''] = ids;
    const [, deletion, spawn] = await resultsOf(mine, ['project', 'session']);
    expect(deletion).toMatchObject({
      is_error: true,
      content: expect.stringContaining('does not allow project delete'),
    });
    expect(spawn).toMatchObject({ is_error: true, content: expect.stringContaining('does not allow session spawn') });
  });

  it('has only those that were named', async () => {
    const [mine = ''] = ids;
    const [list, , , sessions] = await resultsOf(mine, ['session']);
    expect(list).toMatchObject({ is_error: true, content: expect.stringContaining("There is no tool 'project'") });
    expect(sessions).toMatchObject({ is_error: false });
  });
});
