import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { systemClock } from '../../src/control/clock.ts';
import { openControl } from '../../src/control/control.ts';
import { localAdmin } from '../../src/control/principal.ts';
import { remote, temporary } from './projects/fixture.ts';

const month = 31 * 24 * 60 * 60_000;

it('a project that goes for good takes its sessions’ transcripts with it, and no others', async () => {
  const root = temporary();
  const recording = join(root, 'turns.jsonl');
  writeFileSync(recording, `${JSON.stringify({ text: 'Done.' })}\n`);
  const env = {
    ...process.env,
    XDG_STATE_HOME: join(root, 'state'),
    XDG_DATA_HOME: join(root, 'data'),
    DOCKER_HOST: 'unix:///nonexistent/engine.sock',
    OXIDE_GUARD_PROVIDER: `replay:${recording}`,
  };
  let later = 0;
  const clock = { ...systemClock, now: () => systemClock.now() + later };
  const open = () => openControl({ env, store: null, clock, notify: () => {} });
  const control = await open();
  const call = async (tool: string, input: object) => {
    const call = { principal: localAdmin, signal: new AbortController().signal, progress: () => {} };
    const result = await control.dispatcher.call(tool, input, call);
    expect(result).toMatchObject({ ok: true });
    return result.ok ? result.data : {};
  };
  const source_url = remote();
  const spawned = async (name: string) => {
    const { project_id } = await call('project', { action: 'create', name, source_url });
    const { session_id } = await call('session', { action: 'spawn', project_id, prompt: 'Go' });
    const get = () => call('session', { action: 'get', project_id, session_id });
    await expect.poll(async () => (await get()).status, { timeout: 20_000 }).toBe('idle');
    return { project_id, session_id };
  };
  const gone = await spawned('gone');
  const kept = await spawned('kept');
  const transcripts = () => readdirSync(join(root, 'state', 'oxide-guard', 'control', 'sessions')).sort();
  expect(transcripts()).toEqual([String(gone.session_id), String(kept.session_id)].sort());
  await call('project', { action: 'delete', project_id: gone.project_id });
  expect(transcripts()).toHaveLength(2);
  await control.close();
  later = month;
  const next = await open();
  await next.recover();
  await next.begin();
  await next.close();
  expect(transcripts()).toEqual([kept.session_id]);
}, 60_000);
