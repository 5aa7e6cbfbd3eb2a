import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it, vi } from 'vitest';
import { containerName, labels } from '../../../src/control/containers/container-spec.ts';
import { withoutBubblewrap } from '../../agent/bubblewrap.ts';
import { temporaryDirectory } from '../../git/fixture.ts';
import { busyboxRoot, describeOnEachEngine, noEngineHost, type RunningEngine, testImage } from './engines.ts';
import { containersAt, restarted } from './fixture.ts';

describeOnEachEngine('when things go wrong', ({ tier, engine, env }) => {
  const running = () => engine() as RunningEngine;
  const containersNamed = (name: string) => running().command('ps', '-aq', '--filter', `name=${name}`).trim();

  it('a container that somebody deleted is started again by the next command', async () => {
    const { call, exec, workspace } = await containersAt(env());
    await call('start');
    running().command('rm', '-f', containerName(workspace.workspaceId));
    const result = await exec('echo back');
    expect(result).toMatchObject({ stdout: 'back\n', tier });
    expect(result.notes).toEqual([expect.stringContaining('started again')]);
    running().command('rm', '-f', containerName(workspace.workspaceId));
    expect(await call('stop')).toMatchObject({ stopped: false });
  });

  it('a container that is deleted while a command runs ends it', async () => {
    const { call, exec, workspace } = await containersAt(env());
    await call('start');
    const result = exec('echo begun; sleep 30');
    await delay(1_000);
    running().command('rm', '-f', containerName(workspace.workspaceId));
    expect(await result).toMatchObject({ stdout: 'begun\n', exit_code: 137, timed_out: false });
    expect(await exec('echo back')).toMatchObject({ stdout: 'back\n' });
    await call('stop');
  });

  it('a container that was made, but not started, is taken by the next start', async () => {
    const { call, exec, workspace, containers } = await containersAt(env());
    const found = await containers.findEngine();
    const create = vi.spyOn(found, 'createContainer');
    await call('start');
    await call('stop');
    const [name = '', spec] = create.mock.lastCall ?? [];
    expect(name).toBe(containerName(workspace.workspaceId));
    // As a server leaves it that is killed between the two.
    const id = await found.createContainer(name, spec);
    expect(id).not.toBeNull();
    expect(await call('start')).toMatchObject({ tier });
    expect((await found.inspectContainer(name))?.id).toBe(id);
    expect(await exec('echo works')).toMatchObject({ stdout: 'works\n' });
    await call('stop');
  });

  it('a container of somebody else is left alone, whatever its name', async () => {
    const { call, workspace, containers } = await containersAt(env());
    const found = await containers.findEngine();
    const name = containerName(workspace.workspaceId);
    await found.createContainer(name, {
      Image: testImage,
      Entrypoint: ['/bin/sh'],
      HostConfig: { NetworkMode: 'none', Ulimits: [{ Name: 'nofile', Soft: 1024, Hard: 1024 }] },
    });
    await expect(call('start')).rejects.toMatchObject({ code: 'container-name-taken' });
    expect(await call('stop')).toMatchObject({ stopped: false });
    expect(await found.inspectContainer(name)).not.toBeNull();
    await found.removeContainer(name);
  });

  it('a server that starts again goes on with the containers that run, and removes what nobody knows', async () => {
    const { call, exec, workspace, options, project, containers, database, clock } = await containersAt(env());
    await call('start');
    await exec('echo kept > /tmp/file');
    const found = await containers.findEngine();
    const state = await found.inspectContainer(containerName(workspace.workspaceId));
    const orphan = 'oxide-guard-orphan';
    await found.createContainer(orphan, {
      Image: state?.image,
      Entrypoint: ['/bin/sh'],
      HostConfig: { NetworkMode: 'none', Ulimits: [{ Name: 'nofile', Soft: 1024, Hard: 1024 }] },
      Labels: { [labels.server]: state?.labels[labels.server], [labels.workspace]: 'gone' },
    });
    await containers.close();

    const next = restarted(options, project.projectId);
    await next.containers.recover();
    // One that was made just now may be another server's.
    expect(await found.inspectContainer(orphan)).not.toBeNull();
    clock.advance(2 * 60_000);
    await next.containers.recover();
    expect(await found.inspectContainer(orphan)).toBeNull();
    expect(await next.call('start')).toMatchObject({ started: false });
    expect(await next.exec('cat /tmp/file')).toMatchObject({ stdout: 'kept\n' });

    clock.advance(16 * 60_000);
    while ((await found.inspectContainer(containerName(workspace.workspaceId))) !== null) {
      await delay(50);
    }
    while ((await database.get('SELECT status FROM containers'))?.status !== 'idle') {
      await delay(50);
    }
    await next.containers.close();
  });

  it('a server on another store with the same state directory touches no container and no log of this one', async () => {
    const root = temporaryDirectory();
    const { call, exec, clock, workspace, containers } = await containersAt(env(), {}, root);
    await call('start');
    await exec('echo logged');
    const other = await containersAt(env(), {}, root);
    clock.advance(2 * 60_000);
    other.clock.advance(2 * 60_000);
    await other.containers.recover();
    const found = await containers.findEngine();
    expect(await found.inspectContainer(containerName(workspace.workspaceId))).toMatchObject({ running: true });
    expect((await call('logs')).entries).not.toEqual([]);
    await call('stop');
  });

  it('a container that went while no server ran is started again when it is needed', async () => {
    const { call, exec, workspace, options, project } = await containersAt(env());
    await call('start');
    running().command('rm', '-f', containerName(workspace.workspaceId));
    const next = restarted(options, project.projectId);
    await next.containers.recover();
    expect(await next.exec('echo back')).toMatchObject({ stdout: 'back\n' });
    expect(await exec('echo both')).toMatchObject({ stdout: 'both\n' });
    await next.call('stop');
  });

  it('two servers that start one workspace at once make one container', async () => {
    const { call, options, project, workspace } = await containersAt(env());
    const other = restarted(options, project.projectId);
    const results = await Promise.all([call('start'), other.call('start')]);
    expect(results.map(({ tier: own }) => own)).toEqual([tier, tier]);
    expect(containersNamed(containerName(workspace.workspaceId)).split('\n')).toHaveLength(1);
    await call('stop');
  });

  it('an image without a shell is named as what it is', async () => {
    const root = busyboxRoot();
    rmSync(join(root, 'bin', 'sh'));
    running().importImage(root, 'localhost/local/shell-less:1');
    const types = { bare: { kind: 'image', image: 'localhost/local/shell-less:1', description: '' } } as const;
    const { call, workspace } = await containersAt(env(), { types, defaultType: 'bare' });
    await expect(call('start')).rejects.toMatchObject({ code: 'image-without-shell' });
    expect(containersNamed(containerName(workspace.workspaceId))).toBe('');
  });

  it('a container whose settings have changed is replaced', async () => {
    const { call, options, project } = await containersAt(env());
    await call('start');
    const stricter = restarted({ ...options, settings: { ...options.settings, pids: 99 } }, project.projectId);
    expect(await stricter.call('start')).toMatchObject({ started: true });
    expect(await stricter.call('start')).toMatchObject({ started: false });
    await stricter.call('stop');
  });

  it('ids and commands are never part of another command', async () => {
    const { call, exec } = await containersAt(env());
    for (const workspace_id of ['../x', 'a/../../b', '$(touch /tmp/x)', 'x; rm -rf /', 'ü\n']) {
      await expect(call('start', { workspace_id }), workspace_id).rejects.toMatchObject({ code: 'unknown-workspace' });
    }
    await call('start');
    expect(await exec(`echo "'; exit 9; '" '--' "$0" "$#"`)).toMatchObject({ stdout: "'; exit 9; ' -- /bin/sh 0\n" });
    await expect(exec('a\0b')).rejects.toThrow(/NUL/);
    await call('stop');
  });

  it('an engine that stops answering fails the call, and not the server', async () => {
    const { call, exec } = await containersAt(env());
    await call('start');
    running().signal('SIGSTOP');
    try {
      await expect(call('start')).rejects.toMatchObject({ code: 'engine-unreachable' });
      await expect(call('stop')).rejects.toMatchObject({ code: 'engine-unreachable' });
    } finally {
      running().signal('SIGCONT');
    }
    expect(await exec('echo again')).toMatchObject({ stdout: 'again\n' });
    await call('stop');
  });
});

describe('without an engine that answers', () => {
  it('a required isolation is an error, by configuration and by parameter', async () => {
    const env = { ...process.env, DOCKER_HOST: noEngineHost };
    const required = await containersAt(env, { isolation: 'required' });
    await expect(required.call('start')).rejects.toMatchObject({ code: 'isolation-required' });
    const preferred = await containersAt(env);
    await expect(preferred.call('start', { isolation: 'required' })).rejects.toMatchObject({
      code: 'isolation-required',
    });
  });

  it.skipIf(withoutBubblewrap)('a command that demands one does not run under bubblewrap', async () => {
    const { call, exec } = await containersAt({ ...process.env, DOCKER_HOST: noEngineHost });
    expect(await call('start')).toMatchObject({
      tier: 'bwrap',
      tier_reason: expect.stringContaining('no such socket'),
    });
    await expect(exec('true', { isolation: 'required' })).rejects.toMatchObject({ code: 'isolation-required' });
    await call('stop');
  });

  it.skipIf(withoutBubblewrap)('a socket that accepts and never answers counts as none', async () => {
    const socket = join(mkdtempSync(join(tmpdir(), 'oxide-guard-silent-')), 'engine.sock');
    const silent = createServer(() => undefined).listen(socket);
    const { call, exec } = await containersAt({ ...process.env, DOCKER_HOST: `unix://${socket}` });
    expect(await call('start')).toMatchObject({
      tier: 'bwrap',
      tier_reason: expect.stringContaining('did not answer'),
    });
    expect(await exec('echo works')).toMatchObject({ stdout: 'works\n', tier: 'bwrap' });
    await call('stop');
    silent.close();
  });

  it.skipIf(withoutBubblewrap)('what answers there may be no engine at all', async () => {
    const socket = join(mkdtempSync(join(tmpdir(), 'oxide-guard-odd-')), 'engine.sock');
    const odd = createServer((connection) => {
      connection.on('error', () => undefined);
      connection.end('220 mail.example ESMTP\r\n');
    }).listen(socket);
    const { call } = await containersAt({ ...process.env, DOCKER_HOST: `unix://${socket}` });
    expect(await call('start')).toMatchObject({ tier: 'bwrap' });
    await call('stop');
    odd.close();
  });

  it.skipIf(withoutBubblewrap)('an engine on another machine is none for these workspaces', async () => {
    const { call } = await containersAt({ ...process.env, DOCKER_HOST: 'tcp://engine.example:2375' });
    expect(await call('start')).toMatchObject({ tier: 'bwrap', tier_reason: expect.stringContaining('loopback') });
    await call('stop');
  });

  it.skipIf(withoutBubblewrap)('a command sees neither the store nor other projects', async () => {
    const root = mkdtempSync(join(tmpdir(), 'oxide-guard-two-'));
    mkdirSync(join(root, 'state', 'oxide-guard', 'control'), { recursive: true });
    const env = { ...process.env, DOCKER_HOST: noEngineHost };
    const { call, exec, options, workspace } = await containersAt(env, {}, root);
    await call('start');
    expect(await exec(`ls ${options.directories.projects}`)).toMatchObject({ stdout: `${workspace.projectId}\n` });
    expect(await exec(`ls ${options.directories.state} ${options.directories.trash}`)).not.toMatchObject({
      stdout: expect.stringContaining('sqlite'),
    });
    expect(await exec(`touch ${options.directories.projects}/x`)).not.toMatchObject({ exit_code: 0 });
    await call('stop');
  });

  it.skipIf(withoutBubblewrap)('a workspace that goes takes what runs in it along', async () => {
    const { call, exec, containers, workspace, database } = await containersAt({
      ...process.env,
      DOCKER_HOST: noEngineHost,
    });
    await call('start');
    const running = exec('sleep 30');
    await delay(500);
    await containers.stopWorkspace(workspace.workspaceId);
    expect(await running).toMatchObject({ timed_out: false, notes: [expect.stringContaining('stopped')] });
    expect(await database.all('SELECT * FROM containers')).toEqual([]);
    expect((await call('logs')).entries).toEqual([]);
  });
});
