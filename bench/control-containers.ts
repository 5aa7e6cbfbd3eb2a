/**
 * What a container costs, for each tier that works here: exec of `true` (`peer`: the same by the engine's own program,
 * or a bwrap by hand), exec's share of the guard, start, start of one that runs (`again`), stop.
 * Engines are the ones that run (`DOCKER_HOST`, or the usual sockets); IMAGE names an image of theirs with /bin/sh.
 *
 * npx jiti bench/control-containers.ts
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defaultConfiguration } from '../src/config/configuration.ts';
import { systemClock } from '../src/control/clock.ts';
import { judgeForContainer } from '../src/control/containers/command-guard.ts';
import { containerName } from '../src/control/containers/container-spec.ts';
import { Containers } from '../src/control/containers/containers.ts';
import type { Workspace } from '../src/control/services.ts';
import { openSqlite } from '../src/control/store/sqlite.ts';
import { conventionOf } from '../src/guards/convention.ts';

const rounds = Number(process.env.ROUNDS ?? 15);
const image = process.env.IMAGE ?? 'localhost/local/busybox:1';
const root = mkdtempSync(join(tmpdir(), 'oxide-guard-bench-'));
const convention = async () => conventionOf(defaultConfiguration);

function makeWorkspace(): Workspace {
  const git = (cwd: string, ...args: string[]) => execFileSync('git', args, { cwd, stdio: 'pipe' });
  const [store, work, directory] = ['store.git', 'work', 'workspace'].map((name) => join(root, name)) as [
    string,
    string,
    string,
  ];
  git(root, 'init', '-q', '-b', 'main', work);
  writeFileSync(join(work, 'a'), 'a\n');
  git(work, 'add', '-A');
  git(work, '-c', 'user.name=a', '-c', 'user.email=a@example.com', 'commit', '-qm', 'feat: a');
  git(root, 'clone', '-q', '--bare', work, store);
  git(store, 'worktree', 'add', '-q', directory, 'main');
  return {
    workspaceId: `bench-${process.pid}`,
    projectId: 'bench',
    branch: 'main',
    directory,
    isDefault: true,
    createdAt: 0,
  };
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

function shown(times: readonly number[]): string {
  const sorted = [...times].sort((one, other) => one - other);
  const at = (share: number) => (sorted[Math.floor((sorted.length - 1) * share)] ?? 0).toFixed(0);
  return `median ${at(0.5)} ms, p95 ${at(0.95)} ms`;
}

async function measure(env: NodeJS.ProcessEnv, workspace: Workspace): Promise<void> {
  const containers = new Containers({
    database: await openSqlite(':memory:'),
    store: 'bench',
    projects: { workspace: async () => workspace },
    directories: { state: join(root, 'state'), projects: join(root, 'projects'), trash: join(root, 'trash') },
    clock: systemClock,
    env,
    settings: { types: { bench: { kind: 'image', image, description: '' } }, defaultType: 'bench' },
    convention,
  });
  const place = { projectId: 'bench', workspaceId: null };
  const signal = new AbortController().signal;
  const exec = (command: string) =>
    containers.exec({ ...place, command, workingDirectory: null, timeout: 60_000, isolationRequired: false, signal });
  const { tier } = await containers.start(place);
  await exec('true');
  const byHand =
    (program: string, ...args: string[]) =>
    async () =>
      execFileSync(program, args, { stdio: 'pipe' });
  const name = containerName(workspace.workspaceId);
  const peer =
    tier === 'docker'
      ? byHand('docker', '--host', env.DOCKER_HOST ?? '', 'exec', name, '/bin/sh', '-c', 'true')
      : tier === 'podman'
        ? byHand('podman', '--url', env.DOCKER_HOST ?? '', 'exec', name, '/bin/sh', '-c', 'true')
        : byHand(
            'bwrap',
            ...['--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc', '--unshare-all'],
            '/bin/sh',
            '-c',
            'true',
          );
  const times = {
    peer: [] as number[],
    start: [] as number[],
    again: [] as number[],
    exec: [] as number[],
    guard: [] as number[],
    stop: [] as number[],
  };
  for (let round = 0; round < rounds; round += 1) {
    times.peer.push(await timed(peer));
    times.exec.push(await timed(() => exec('true')));
    times.guard.push(await timed(() => judgeForContainer('true', workspace.directory, { env, convention })));
    times.again.push(await timed(() => containers.start(place)));
    times.stop.push(await timed(() => containers.stop(place)));
    times.start.push(await timed(() => containers.start(place)));
  }
  const flood = await timed(() => exec('yes 0123456789012345678901234567890123456789 | head -c 50000000'));
  await containers.stop(place);
  await containers.close();
  for (const [name, values] of Object.entries(times)) {
    console.log(`${tier.padEnd(6)} ${name.padEnd(6)} ${shown(values)}`);
  }
  console.log(`${tier.padEnd(6)} output ${(50 / (flood / 1000)).toFixed(0)} MB/s`);
}

const workspace = makeWorkspace();
try {
  for (const host of (process.env.HOSTS ?? process.env.DOCKER_HOST ?? '').split(' ').filter((host) => host !== '')) {
    await measure({ ...process.env, DOCKER_HOST: host }, workspace);
  }
  await measure({ ...process.env, DOCKER_HOST: 'unix:///nonexistent/engine.sock' }, workspace);
} finally {
  rmSync(root, { recursive: true, force: true });
}
