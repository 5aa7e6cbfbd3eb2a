import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { stage, streamed, type Turn } from './agent-stage.ts';

const call = (name: string, input: object): Turn => ({ tool_calls: [{ name, input }] });
const done: Turn = { text: 'Done.' };
const bypass = ['--output', 'stream-json', '--permission-mode', 'bypass', '--control'] as const;

/** An agent whose control plane is its own, as far as a test is concerned. */
function agentStage() {
  const staged = stage([]);
  const { state } = staged;
  const ask = (turns: readonly Turn[], ...args: string[]) => {
    staged.record([...turns, done]);
    const sessionTurns = join(state, 'session.ndjson');
    writeFileSync(sessionTurns, `${JSON.stringify({ text: 'I was spawned.' })}\n`);
    const run = staged.runWith(
      {
        XDG_DATA_HOME: join(state, 'data'),
        XDG_CONFIG_HOME: join(state, 'config'),
        DOCKER_HOST: 'unix:///nonexistent/engine.sock',
        OXIDE_GUARD_PROVIDER: `replay:${sessionTurns}`,
      },
      ...args,
      'Go',
    );
    const results = run.events.filter(({ type }) => type === 'tool_result');
    return { ...run, results: results.map(({ is_error, content }) => ({ is_error, content: String(content) })) };
  };
  const configure = (agent: object) => {
    mkdirSync(join(state, 'config', 'oxide-guard'), { recursive: true });
    writeFileSync(join(state, 'config', 'oxide-guard', 'config.json'), JSON.stringify({ agent }));
  };
  return { ...staged, ask, configure, store: join(state, 'oxide-guard', 'control') };
}

/** What is in a result besides its text. */
function dataOf(content = ''): Readonly<Record<string, unknown>> {
  return JSON.parse(content.slice(content.lastIndexOf('\n{') + 1)) as Readonly<Record<string, unknown>>;
}

describe('the control plane’s tools in an agent’s registry', () => {
  it('are not there unless they are wanted', () => {
    const { ask, store } = agentStage();
    const { results } = ask([call('project', { action: 'list' })], ...streamed);
    expect(results).toEqual([{ is_error: true, content: expect.stringContaining("There is no tool 'project'.") }]);
    expect(existsSync(store)).toBe(false);
  });

  it('open no store before one of them is called', () => {
    const { ask, store } = agentStage();
    const { status } = ask([], ...bypass);
    expect(status).toBe(0);
    expect(existsSync(store)).toBe(false);
  });

  it('make a project of a repository, spawn a session in it, and follow what it does', () => {
    const { ask, work } = agentStage();
    const made = ask(
      [
        call('project', { action: 'create', name: 'here', source_url: work }),
        call('project', { action: 'list', name_contains: 'her' }),
      ],
      ...bypass,
    );
    expect(made.stderr).toBe('');
    expect(made.results).toMatchObject([{ is_error: false }, { is_error: false }]);
    const { project_id } = dataOf(made.results[0]?.content);
    expect(made.results[1]?.content).toContain(String(project_id));
    const spawned = ask([call('session', { action: 'spawn', project_id, prompt: 'Say who you are' })], ...bypass);
    const { session_id } = dataOf(spawned.results[0]?.content);
    const read = ask(
      [
        call('session', { action: 'message', project_id, message: 'And now?' }),
        call('session', { action: 'events', project_id, session_id, wait_ms: 5_000 }),
        call('workspace', { action: 'list', project_id }),
        call('config_limits', { project_id }),
      ],
      ...bypass,
    );
    expect(read.results.map(({ is_error }) => is_error)).toEqual([false, false, false, false]);
    expect(read.results[1]?.content).toContain('"type":"prompt"');
  });

  it('answer a wrong action and a missing one in the words of every other client', () => {
    const { ask } = agentStage();
    const { results } = ask([call('project', { action: 'invalid' }), call('project', { name: 'x' })], ...bypass);
    expect(results).toEqual([
      {
        is_error: true,
        content: "unknown action 'invalid' for project tool; valid actions: create, list, get, delete",
      },
      { is_error: true, content: 'action parameter is required' },
    ]);
  });

  it('look without a question, and change nothing that nobody has allowed', () => {
    const { ask, configure, work } = agentStage();
    const create = call('project', { action: 'create', name: 'asked', source_url: work });
    const turns = [call('project', { action: 'list' }), create, call('project', { action: 'delete', project_id: 'x' })];
    const asked = ask(turns, '--output', 'stream-json', '--control');
    expect(asked.results.map(({ is_error }) => is_error)).toEqual([false, true, true]);
    expect(asked.results[1]?.content).toContain('This needs the user’s permission');
    configure({ permissions: { allow: ['project(create)'] }, controlPlane: true });
    const allowed = ask(turns, '--output', 'stream-json');
    expect(allowed.results.map(({ is_error }) => is_error)).toEqual([false, false, true]);
    expect(allowed.results[2]?.content).toContain('This needs the user’s permission');
  });

  it('in plan mode only look, and a denied action stays denied in every mode', () => {
    const { ask, configure } = agentStage();
    const plan = ['--output', 'stream-json', '--control', '--permission-mode', 'plan'];
    const planned = ask(
      [call('schedule', { action: 'list' }), call('session', { action: 'cleanup', project_id: 'x' })],
      ...plan,
    );
    expect(planned.results).toMatchObject([{ is_error: false }, { is_error: true }]);
    expect(planned.results[1]?.content).toContain('plan mode');
    configure({ permissions: { deny: ['token(create)'] } });
    const denied = ask([call('token', { action: 'create', name: 'laptop', scope: 'admin' })], ...bypass);
    expect(denied.results[0]?.content).toContain('The configuration forbids it: token(create)');
  });

  it('show a new token to the person, and not to the model', () => {
    const { ask, sessions } = agentStage();
    const { stdout, stderr, results } = ask(
      [call('token', { action: 'create', name: 'laptop', scope: 'admin' })],
      ...bypass,
    );
    expect(results[0]).toMatchObject({ is_error: false });
    const [secret = ''] = /oxg_[\w-]{20,}/.exec(stderr) ?? [];
    expect(secret).not.toBe('');
    expect(stdout).not.toContain(secret);
    const transcripts = readdirSync(sessions(), { recursive: true, encoding: 'utf8' }).filter((name) =>
      name.endsWith('.jsonl'),
    );
    expect(transcripts).not.toEqual([]);
    for (const name of transcripts) {
      expect(readFileSync(join(sessions(), name), 'utf8')).not.toContain(secret);
    }
  });

  it('are not given to an agent by the repository that it works in', () => {
    const { ask, work, store } = agentStage();
    writeFileSync(join(work, 'oxide-guard.config.json'), '{"agent": {"controlPlane": true}}');
    const { results } = ask([call('project', { action: 'list' })], ...streamed);
    expect(results[0]?.content).toContain("There is no tool 'project'.");
    expect(existsSync(store)).toBe(false);
  });
});
