import { spawn } from 'node:child_process';
import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';
import { realPath } from '../../git/files.ts';
import type { Environment } from '../../git/runner.ts';
import { contains } from '../../tools/place.ts';
import { type Confinement, type Rule, rulesOf } from './confinement.ts';
import type { Scratch } from './scratch.ts';

/** A bwrap that works here, and how: what was found by trying. */
export interface Bubblewrap {
  /** Absolute: a name would be looked up anew, also where commands may write. */
  readonly program: string;
  readonly isolation: Isolation;
}

interface Isolation {
  /** Namespaces and capabilities. */
  readonly namespaces: readonly string[];
  /** How /proc comes to be. */
  readonly proc: readonly string[];
}

export type BubblewrapSearch =
  | { readonly ok: true; readonly bubblewrap: Bubblewrap }
  | { readonly ok: false; readonly reason: string; readonly remedy: string };

/** bwrap(1). The process group of what is inside is another than bwrap's, and no terminal is its own (CVE-2017-5226). */
const always: readonly string[] = [
  '--die-with-parent',
  '--new-session',
  '--unshare-pid',
  '--unshare-ipc',
  '--unshare-uts',
  '--unshare-cgroup-try',
  '--cap-drop',
  'ALL',
];

/**
 * Where the kernel itself is configured: root may write there even without a capability, also in a user namespace that
 * maps it to itself, and bwrap leaves it open (`core_pattern` names a program that the kernel starts outside). Another
 * user may there only change what belongs to the sandbox's own namespaces, such as `pid_max`, and is spared the mounts.
 */
const kernelPaths: readonly string[] = ['sys', 'sysrq-trigger', 'irq', 'bus', 'fs', 'acpi', 'scsi', 'kcore', 'keys'];

/**
 * From the strictest on: root may do without a user namespace, where the kernel or a container forbids them; a
 * container may forbid to mount /proc, then the outer one is shown read-only.
 */
function isolations(): readonly Isolation[] {
  const isRoot = process.geteuid?.() === 0 || process.getuid?.() === 0;
  const kernel = isRoot ? kernelPaths.map((name) => `/proc/${name}`).filter((path) => existsSync(path)) : [];
  const procs = [
    ['--proc', '/proc', ...kernel.flatMap((path) => ['--ro-bind', path, path])],
    ['--ro-bind', '/proc', '/proc'],
  ];
  const users = isRoot ? [['--unshare-user'], []] : [['--unshare-user']];
  return procs.flatMap((proc) => users.map((user) => ({ namespaces: [...user, ...always], proc })));
}

/**
 * Finds bwrap and tries what works here.
 *
 * @param network false: without one must work, too
 * @param distrusted directories in which commands may write: no program is taken from there
 */
export async function findBubblewrap(
  env: Environment,
  { network, distrusted }: { readonly network: boolean; readonly distrusted: readonly string[] },
): Promise<BubblewrapSearch> {
  const program = programOnPath('bwrap', env, distrusted);
  if (program === null) {
    return {
      ok: false,
      reason: 'bwrap is not installed',
      remedy: 'apt install bubblewrap   # or: dnf install bubblewrap, apk add bubblewrap',
    };
  }
  let complaint = '';
  for (const isolation of isolations()) {
    const args = [...systemArguments(isolation, network), 'true'];
    const failure = await complaintOf(program, args, env);
    if (failure === null) {
      return { ok: true, bubblewrap: { program, isolation } };
    }
    complaint ||= failure;
  }
  return { ok: false, ...explain(complaint) };
}

function programOnPath(name: string, env: Environment, distrusted: readonly string[]): string | null {
  const writable = distrusted.flatMap((path) => realPath(path) ?? []);
  const directories = (env.PATH ?? '').split(delimiter).flatMap((directory) => {
    const real = isAbsolute(directory) ? realPath(directory) : null;
    return real === null || writable.some((root) => contains(root, real)) ? [] : [real];
  });
  const isProgram = (path: string) => {
    try {
      accessSync(path, constants.X_OK);
      return true;
    } catch {
      return false;
    }
  };
  return directories.map((directory) => join(directory, name)).find(isProgram) ?? null;
}

/** Null when it worked. */
function complaintOf(program: string, args: readonly string[], env: Environment): Promise<string | null> {
  return new Promise((resolve) => {
    const child = spawn(program, args, { cwd: '/', env: { PATH: env.PATH }, stdio: ['ignore', 'ignore', 'pipe'] });
    let said = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      said += text;
    });
    child.once('error', (error) => resolve(error.message));
    child.once('close', (code) => resolve(code === 0 ? null : said.trim() || `exit code ${code}`));
  });
}

function explain(complaint: string): { readonly reason: string; readonly remedy: string } {
  const reason = `bwrap does not work here (${complaint.split('\n')[0]})`;
  if (/namespace|uid map|Operation not permitted|loopback|Permission denied/i.test(complaint)) {
    const inContainer = existsSync('/.dockerenv') || existsSync('/run/.containerenv');
    return {
      reason: `${reason}: user namespaces are off for this user${inContainer ? ' in this container' : ''}`,
      remedy: inContainer
        ? 'docker run --security-opt seccomp=unconfined --security-opt apparmor=unconfined …   # the container itself confines'
        : 'sudo sysctl kernel.unprivileged_userns_clone=1 kernel.apparmor_restrict_unprivileged_userns=0   # whichever there is',
    };
  }
  return { reason, remedy: `bwrap --ro-bind / / --dev /dev --proc /proc --unshare-all true   # what does it say?` };
}

/** Of /run only what resolves names and what systems that link there need: the rest is sockets of services and agents. */
const shownOfRun: readonly string[] = [
  '/run/current-system',
  '/run/booted-system',
  '/run/opengl-driver',
  '/run/wrappers',
];
const shownForNames: readonly string[] = [
  '/run/systemd/resolve',
  '/run/resolvconf',
  '/run/NetworkManager/resolv.conf',
  '/run/connman/resolv.conf',
];

/** Directories whose content is the session's own. */
export const privateDirectories: readonly string[] = ['/tmp', '/var/tmp', '/run', '/dev', '/proc'];

/**
 * The arguments of bwrap up to the program that it starts.
 *
 * @param visible paths in private directories that stay to be seen, read-only: a home below /tmp
 */
export function bubblewrapArguments(
  { isolation }: Bubblewrap,
  confinement: Confinement,
  { cwd, scratch, visible }: { readonly cwd: string; readonly scratch: Scratch; readonly visible: readonly string[] },
): readonly string[] {
  const run = [...shownOfRun, ...(confinement.network ? shownForNames : [])].filter((path) => existsSync(path));
  const rules = rulesOf(confinement);
  return [
    ...systemArguments(isolation, confinement.network),
    ...['--bind', scratch.tmp, '/tmp', '--tmpfs', '/var/tmp', '--tmpfs', '/run'],
    ...[...run, ...visible].flatMap((path) => ['--ro-bind', path, path]),
    ...rules.flatMap((rule) => mount(rule, scratch)),
    ...rules.flatMap(({ path, kind }) => (kind === 'hidden' && isDirectory(path) ? ['--remount-ro', path] : [])),
    ...['--chdir', cwd, '--'],
  ];
}

function systemArguments({ namespaces, proc }: Isolation, network: boolean): readonly string[] {
  return [...namespaces, ...(network ? [] : ['--unshare-net']), '--ro-bind', '/', '/', '--dev', '/dev', ...proc];
}

function mount({ path, kind }: Rule, { empty }: Scratch): readonly string[] {
  switch (kind) {
    case 'writable':
      return ['--bind', path, path];
    case 'protected':
      return ['--ro-bind', path, path];
    case 'hidden':
      return isDirectory(path) ? ['--tmpfs', path] : ['--ro-bind', empty, path];
  }
}

function isDirectory(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}
