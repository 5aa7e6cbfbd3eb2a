import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { containerName } from '../../src/control/containers/container-spec.ts';
import { withoutBubblewrap } from '../agent/bubblewrap.ts';
import { describeOnEachEngine, noEngineHost, testImage } from './containers/engines.ts';
import { killableServer } from './killed-server.ts';
import { remote, temporary, write } from './projects/fixture.ts';

/*
 * The control process is killed (`kill -9`) at a bad moment, and started anew on what it has left.
 */

function environment(turns: readonly object[], more: NodeJS.ProcessEnv = {}) {
  const root = temporary();
  const recording = join(root, 'turns.jsonl');
  writeFileSync(recording, turns.map((turn) => `${JSON.stringify(turn)}\n`).join(''));
  const env = {
    ...process.env,
    XDG_STATE_HOME: join(root, 'state'),
    XDG_DATA_HOME: join(root, 'data'),
    XDG_CONFIG_HOME: join(root, 'config'),
    DOCKER_HOST: noEngineHost,
    OXIDE_GUARD_PROVIDER: `replay:${recording}`,
    ...more,
  };
  return { root, env };
}

/** Processes with this word on their command line or in their working directory's path. */
function processesWith(word: string): readonly string[] {
  return readdirSync('/proc').filter((pid) => {
    try {
      return /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(word);
    } catch {
      return false;
    }
  });
}

describe('a server that is killed', () => {
  it('while it clones leaves no project, and the name to whoever asks for it next', async () => {
    const hanging = createServer(() => {});
    await new Promise<void>((resolve) => hanging.listen(0, '127.0.0.1', resolve));
    const source_url = `http://127.0.0.1:${(hanging.address() as AddressInfo).port}/never.git`;
    // What it has started ends by itself, when the other side says nothing.
    const { env, root } = environment([], { GIT_HTTP_LOW_SPEED_TIME: '1' });
    const first = await killableServer(env);
    const asked = once(hanging);
    void first.call('project', { action: 'create', name: 'cloned', source_url });
    await asked;
    await first.kill();
    const projects = join(root, 'data', 'oxide-guard', 'projects');
    const [left = ''] = readdirSync(projects);
    expect(existsSync(join(projects, left, 'unfinished'))).toBe(true);
    const second = await killableServer(env);
    expect(await second.call('project', { action: 'list' })).toMatchObject({ projects: [] });
    const made = await second.call('project', { action: 'create', name: 'cloned', source_url: remote() });
    expect(made).toMatchObject({ ok: true, name: 'cloned' });
    await expect.poll(() => processesWith(source_url), { timeout: 20_000 }).toEqual([]);
    expect(await second.end()).toBe(0);
    hanging.closeAllConnections();
    hanging.close();
  });

  it.skipIf(withoutBubblewrap)(
    'while a session works ends its commands; the session goes on, and nothing is done twice',
    async () => {
      const word = `sleep-${process.pid}-${Date.now()}`;
      const command = `echo once >>done.txt; exec -a ${word} sleep 1000`;
      const { env } = environment([{ tool_calls: [{ name: 'Bash', input: { command } }] }, { text: 'It goes on.' }]);
      const first = await killableServer(env);
      const { project_id } = await first.call('project', { action: 'create', name: 'p', source_url: remote() });
      const { session_id } = await first.call('session', { action: 'spawn', project_id, prompt: 'Go' });
      await expect.poll(() => processesWith(word).length, { timeout: 20_000 }).toBeGreaterThan(0);
      await first.kill();
      await expect.poll(() => processesWith(word), { timeout: 20_000 }).toEqual([]);
      const second = await killableServer({ ...env, OXIDE_GUARD_PROVIDER: replayOf(env, [{ text: 'It goes on.' }]) });
      const get = () => second.call('session', { action: 'get', project_id, session_id });
      // The first call that it answers knows already.
      expect(await get()).toMatchObject({ status: 'interrupted', last_prompt: { outcome: 'interrupted' } });
      await second.call('session', { action: 'message', project_id, message: 'Go on' });
      await expect.poll(async () => (await get()).status, { timeout: 20_000 }).toBe('idle');
      const { events } = await second.call('session', { action: 'events', project_id, session_id, max_events: 1_000 });
      const found = events as readonly { readonly seq: number; readonly type: string }[];
      expect(found.map(({ seq }) => seq)).toEqual(found.map((_, index) => index));
      expect(found.filter(({ type }) => type === 'tool_call')).toHaveLength(1);
      expect(found.at(-1)).toMatchObject({ type: 'result', text: 'It goes on.' });
      const { workspaces } = await second.call('workspace', { action: 'list', project_id });
      const [{ directory = '' } = {}] = workspaces as readonly { readonly directory?: string }[];
      // It may have been killed before its command began.
      const written = join(directory, 'done.txt');
      expect(existsSync(written) ? readFileSync(written, 'utf8') : 'once\n').toBe('once\n');
      expect(await second.end()).toBe(0);
    },
  );
});

function replayOf(env: NodeJS.ProcessEnv, turns: readonly object[]): string {
  const path = join(String(env.XDG_STATE_HOME), `turns-${turns.length}.jsonl`);
  writeFileSync(path, turns.map((turn) => `${JSON.stringify(turn)}\n`).join(''));
  return `replay:${path}`;
}

function once(server: ReturnType<typeof createServer>): Promise<void> {
  return new Promise((resolve) => server.once('request', () => resolve()));
}

describeOnEachEngine('a server that is killed', ({ engine, env: engineEnvironment, tier }) => {
  it('while it starts a container leaves one at the most, which the next one uses and stops', async () => {
    const { env, root } = environment([], { DOCKER_HOST: engineEnvironment().DOCKER_HOST });
    const settings = { types: { test: { image: testImage } }, default_type: 'test' };
    write(join(root, 'config', 'oxide-guard'), 'containers.json', JSON.stringify(settings));
    const maker = await killableServer(env);
    const made = await maker.call('project', { action: 'create', name: 'p', source_url: remote() });
    const { project_id, workspace_id } = made;
    await maker.end();
    const containers = () =>
      (engine()?.command('ps', '-aq', '--filter', `name=${containerName(String(workspace_id))}`) ?? '')
        .split('\n')
        .filter((id) => id !== '');
    for (const delay of [30, 80, 150, 300, 600]) {
      const killed = await killableServer(env);
      void killed.call('container', { action: 'start', project_id });
      await pause(delay);
      await killed.kill();
      expect(containers().length).toBeLessThanOrEqual(1);
    }
    const last = await killableServer(env);
    expect(await last.call('container', { action: 'start', project_id })).toMatchObject({ ok: true, tier });
    expect(await last.call('container', { action: 'exec', project_id, command: 'echo works' })).toMatchObject({
      stdout: 'works\n',
    });
    expect(containers()).toHaveLength(1);
    expect(await last.call('container', { action: 'stop', project_id })).toMatchObject({ stopped: true });
    expect(containers()).toEqual([]);
    expect(await last.end()).toBe(0);
  });
});
