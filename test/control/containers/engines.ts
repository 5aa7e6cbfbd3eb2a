import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import {
  accessSync,
  constants,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe } from 'vitest';
import { bubblewrapProblem } from '../../agent/bubblewrap.ts';
import { skipUnless } from '../../skip.ts';

/** An engine of the tests' own, with its data in a temporary directory. */
export interface RunningEngine {
  /** What `DOCKER_HOST` has to be. */
  readonly host: string;
  /** Makes an image of a directory's content, without any registry. */
  importImage(root: string, name: string): void;
  /** Runs the engine's own command line; for looking at what the code under test has done. */
  command(...args: string[]): string;
  /** Stops and continues the engine's process. */
  signal(name: NodeJS.Signals): void;
  stop(): Promise<void>;
}

const has = (program: string) => spawnSync('sh', ['-c', `command -v ${program}`]).status === 0;
/** Short: podman takes 50 characters for its `--runroot`, and a socket's path has 108. */
const engines = join(tmpdir(), 'engines');

/** A directory that goes with the last engine. */
function place(prefix: string): string {
  mkdirSync(engines, { recursive: true });
  return mkdtempSync(join(engines, prefix));
}

/** The image that the tests run: Debian's busybox, statically linked. */
export const testImage = 'localhost/local/busybox:1';
const applets =
  'sh ash cat echo sleep id ps touch mkdir ln dd yes head tail true false env pwd kill mount test wc seq stat grep find rm setsid nohup printf ls readlink';

/** The root of an image with busybox in it. */
export function busyboxRoot(): string {
  const root = place('rootfs-');
  for (const name of ['bin', 'tmp', 'proc', 'sys', 'dev', 'etc']) {
    mkdirSync(join(root, name));
  }
  cpSync('/bin/busybox', join(root, 'bin', 'busybox'));
  for (const name of applets.split(' ')) {
    symlinkSync('busybox', join(root, 'bin', name));
  }
  return root;
}

function withCommands(server: ChildProcess, socket: string, argv: readonly string[]): Omit<RunningEngine, 'stop'> {
  const [program = '', ...common] = argv;
  return {
    host: `unix://${socket}`,
    command: (...args) =>
      execFileSync(program, [...common, ...args], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }),
    importImage: (root, name) => {
      const script = 'root=$1 name=$2; shift 2; tar -C "$root" -c . | "$@" import - "$name"';
      execFileSync('sh', ['-c', script, 'sh', root, name, ...argv], { stdio: 'pipe' });
    },
    signal: (name) => server.kill(name),
  };
}

async function answers(socket: string, server: ChildProcess, log: () => string): Promise<void> {
  for (let attempt = 0; attempt < 300; attempt += 1) {
    if (server.exitCode !== null) {
      break;
    }
    const isUp = await new Promise<boolean>((resolve) => {
      request({ socketPath: socket, path: '/_ping' }, (answer) => {
        answer.resume();
        resolve(answer.statusCode === 200);
      })
        .on('error', () => resolve(false))
        .end();
    });
    if (isUp) {
      return;
    }
    await delay(100);
  }
  throw new Error(`the engine does not answer: ${log().slice(-2000)}`);
}

function launch(argv: readonly string[], env: NodeJS.ProcessEnv = process.env) {
  const [program = '', ...args] = argv;
  const server = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'], cwd: '/', env });
  let log = '';
  for (const stream of [server.stdout, server.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      log = (log + chunk.toString('utf8')).slice(-10_000);
    });
  }
  const kill = () => server.kill('SIGKILL');
  process.once('exit', kill);
  return {
    server,
    log: () => log,
    end: async () => {
      process.off('exit', kill);
      server.kill('SIGTERM');
      server.kill('SIGCONT');
      for (let waited = 0; waited < 100 && server.exitCode === null && server.signalCode === null; waited += 1) {
        await delay(100);
      }
      server.kill('SIGKILL');
    },
  };
}

/**
 * Podman's monitors wait for five minutes after an exec, and then clean up: in a directory that is gone they would make
 * its mounts anew.
 */
function endProcessesOf(directory: string): void {
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)) {
    try {
      if (readFileSync(`/proc/${pid}/cmdline`, 'latin1').includes(`${directory}/`)) {
        process.kill(Number(pid), 'SIGKILL');
      }
    } catch {
      // It has ended.
    }
  }
}

/** What an engine has left mounted below a directory would keep it from being removed. */
function removeTree(directory: string): void {
  endProcessesOf(directory);
  const mounted = readFileSync('/proc/self/mounts', 'utf8')
    .split('\n')
    .map((line) => line.split(' ')[1] ?? '')
    .filter((path) => path.startsWith(`${directory}/`))
    .sort((one, other) => other.length - one.length);
  for (const path of mounted) {
    spawnSync('umount', ['-l', path]);
  }
  rmSync(directory, { recursive: true, force: true });
}

/** How an engine's process is started and reached, and how its containers are removed. */
interface EngineProgram {
  readonly directory: string;
  readonly socket: string;
  readonly server: readonly string[];
  readonly client: readonly string[];
  removeContainers(): void;
}

async function started({ directory, socket, server: argv, client, removeContainers }: EngineProgram) {
  const { server, log, end } = launch(argv);
  const stop = async () => {
    removeContainers();
    await end();
    removeTree(directory);
  };
  try {
    await answers(socket, server, log);
    const engine = withCommands(server, socket, client);
    engine.importImage(busyboxRoot(), testImage);
    return { ...engine, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Podman with runc: Debian's crun needs a control group that is not there in many containers. */
function startPodman(): Promise<RunningEngine> {
  const directory = place('podman-');
  const socket = join(directory, 'podman.sock');
  const client = [
    ...['podman', '--root', join(directory, 'root'), '--runroot', join(directory, 'run')],
    ...['--tmpdir', join(directory, 'tmp'), '--runtime', 'runc', '--cgroup-manager', 'cgroupfs'],
    ...['--events-backend', 'file'],
  ];
  return started({
    directory,
    socket,
    server: [...client, 'system', 'service', '--time=0', `unix://${socket}`],
    client,
    removeContainers: () => spawnSync('podman', [...client.slice(1), 'rm', '--all', '--force', '--time', '0']),
  });
}

/** Docker without any network of its own, which asks for no rights over the machine's. */
function startDocker(): Promise<RunningEngine> {
  const directory = place('docker-');
  const socket = join(directory, 'docker.sock');
  const host = `unix://${socket}`;
  return started({
    directory,
    socket,
    server: [
      ...['dockerd', '--bridge=none', '--iptables=false', '--data-root', join(directory, 'data')],
      ...['--exec-root', join(directory, 'exec'), '--pidfile', join(directory, 'pid'), '--host', host],
    ],
    client: ['docker', '--host', host],
    removeContainers: () =>
      spawnSync('sh', ['-c', `docker --host "$1" ps -aq | xargs -r docker --host "$1" rm -f`, 'sh', host]),
  });
}

const isRoot = process.getuid?.() === 0;
const missing = (programs: readonly string[]) => programs.filter((program) => !has(program));

/** Why an engine can't be tried here; null: it can. */
function problemOf(programs: readonly string[]): string | null {
  const absent = missing(programs);
  if (process.platform !== 'linux') {
    return 'the engines are started on Linux only';
  }
  if (absent.length > 0) {
    return `${absent.join(', ')} is not installed`;
  }
  if (!existsSync('/bin/busybox')) {
    return 'busybox-static, of which the image is made, is not installed';
  }
  return isRoot ? machineProblem() : 'only root may start the engine';
}

/** Asked without an engine: where a container may neither mount nor make control groups, none can run in it. */
function machineProblem(): string | null {
  const mounts = spawnSync('unshare', ['--mount', 'mount', '-t', 'tmpfs', 'none', '/mnt'], { encoding: 'utf8' });
  if (mounts.status !== 0) {
    return `nothing can be mounted here (${mounts.stderr.trim()})`;
  }
  const version2 = existsSync('/sys/fs/cgroup/cgroup.controllers');
  try {
    accessSync(version2 ? '/sys/fs/cgroup' : '/sys/fs/cgroup/pids', constants.W_OK);
    return null;
  } catch (error) {
    return `control groups can't be made here (${(error as Error).message})`;
  }
}

export const podmanProblem = problemOf(['podman', 'runc', 'conmon']);
export const dockerProblem = problemOf(['dockerd', 'containerd', 'docker']);

export type TierUnderTest = 'podman' | 'docker' | 'bwrap';

export interface TierSetting {
  readonly tier: TierUnderTest;
  /** Null under bubblewrap. */
  readonly engine: () => RunningEngine | null;
  /** The environment in which that tier is found, and no other. */
  readonly env: () => NodeJS.ProcessEnv;
}

/** Where nothing listens. */
export const noEngineHost = 'unix:///nonexistent/engine.sock';

/** Holds the tests on Podman, Docker and bubblewrap. What can't run says why. */
export function describeOnEachTier(what: string, tests: (setting: TierSetting) => void): void {
  describeOnEachEngine(what, tests);
  const skipped = skipUnless(bubblewrapProblem === null, `${what} under bubblewrap: ${bubblewrapProblem}`);
  describe.skipIf(skipped)(`${what} under bubblewrap`, () => {
    tests({ tier: 'bwrap', engine: () => null, env: () => ({ ...process.env, DOCKER_HOST: noEngineHost }) });
  });
}

/** Holds the tests on Podman and Docker. */
export function describeOnEachEngine(what: string, tests: (setting: TierSetting) => void): void {
  const engine = (tier: 'podman' | 'docker', problem: string | null, start: () => Promise<RunningEngine>) => {
    const skipped = skipUnless(problem === null, `${what} on ${tier}: ${problem}`);
    describe.skipIf(skipped)(`${what} on ${tier}`, () => {
      let running: RunningEngine | null = null;
      beforeAll(async () => {
        running = await start();
      });
      afterAll(async () => {
        await running?.stop();
        rmSync(engines, { recursive: true, force: true });
      });
      tests({ tier, engine: () => running, env: () => ({ ...process.env, DOCKER_HOST: running?.host }) });
    });
  };
  engine('podman', podmanProblem, startPodman);
  engine('docker', dockerProblem, startDocker);
}
