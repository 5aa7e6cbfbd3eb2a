import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { AgentSettings } from '../../config/agent-settings.ts';
import { OxideError } from '../../errors.ts';
import { realPath } from '../../git/files.ts';
import type { Environment } from '../../git/runner.ts';
import { contains } from '../../tools/place.ts';
import type { ConfinedCommand, ConfinementRequest, Sandbox } from '../../tools/session-ports.ts';
import { type BubblewrapSearch, bubblewrapArguments, findBubblewrap, privateDirectories } from './bubblewrap.ts';
import type { Confinement } from './confinement.ts';
import { nestedRepositoryPaths } from './nested-repositories.ts';
import { existing, moveForbidden, type RepositoryPaths, repositoryPaths } from './repository-paths.ts';
import { makeScratch, removeScratch, type Scratch } from './scratch.ts';
import { seatbeltProfile, seatbeltProgram } from './seatbelt.ts';
import { secretPaths, startupPaths } from './secret-paths.ts';

export interface SandboxOptions {
  readonly settings: Pick<AgentSettings, 'requireSandbox' | 'sandboxNetwork'>;
  /** Told once, where commands will run without a sandbox: why, and what to do about it. */
  readonly onNotice: (message: string) => void;
  /** Absolute paths to hide besides the secrets that are known; asked for with each command. */
  readonly hidden?: () => readonly string[];
  /** The person's environment: it says where home and some secrets are. Default: this program's. */
  readonly env?: Environment;
  readonly platform?: NodeJS.Platform;
}

/** The sandbox of one session. */
export interface SessionSandbox extends Sandbox {
  /** Removes the session's /tmp. */
  dispose(): void;
}

/** Variables that lead to agents and buses of the person, whose sockets can't be reached from inside. */
const outsideVariables: readonly string[] = [
  'SSH_AUTH_SOCK',
  'SSH_AGENT_PID',
  'GPG_AGENT_INFO',
  'GPG_TTY',
  'DBUS_SESSION_BUS_ADDRESS',
  'DOCKER_HOST',
  'XDG_RUNTIME_DIR',
  'XAUTHORITY',
  'DISPLAY',
  'WAYLAND_DISPLAY',
  'TMUX',
  'VSCODE_GIT_IPC_HANDLE',
  'VSCODE_IPC_HOOK_CLI',
];

/** git would write to `.git/config` which branch a new one tracks, and complain that it can't. */
const gitSettings = "'branch.autoSetupMerge=false'";

/**
 * Confines commands by bubblewrap on Linux and sandbox-exec on macOS: they write in the roots, in the repository's git
 * directory and in a /tmp of the session only, see no secrets, change neither hooks nor git's and the guard's settings,
 * and have a network only if the settings say so. What works here is tried at the first command.
 */
export function createSandbox(options: SandboxOptions): SessionSandbox {
  const { settings, onNotice, platform = process.platform } = options;
  const person = options.env ?? process.env;
  const home = realPath(person.HOME || homedir()) ?? '/nonexistent';
  const known: PersonalPaths = { home, secret: secretPaths(home, person), startup: startupPaths(home) };
  const places = () => ({ ...known, secret: [...known.secret, ...(options.hidden?.() ?? [])] });
  let search: Promise<BubblewrapSearch> | null = null;
  const first: FirstSight = { outside: null, nested: new Map() };
  let scratch: Scratch | null = null;
  let isNoticed = false;

  const unconfined = (request: ConfinementRequest, reason: string, remedy: string): ConfinedCommand => {
    if (settings.requireSandbox) {
      throw new OxideError(
        'sandbox-required',
        `No sandbox works here (${reason}), and the configuration requires one.`,
        { remedy },
      );
    }
    if (!isNoticed) {
      isNoticed = true;
      onNotice(`Commands run without a sandbox: ${reason}. ${remedy}`);
    }
    return { argv: request.argv, env: request.env, sandboxed: false };
  };

  const byBubblewrap = async (request: ConfinementRequest): Promise<ConfinedCommand> => {
    search ??= findBubblewrap(request.env, { network: settings.sandboxNetwork, distrusted: request.roots });
    const [found, { confinement, forbidden, readable }] = await Promise.all([
      search,
      planOf(request, places(), settings.sandboxNetwork, first),
    ]);
    if (!found.ok) {
      return unconfined(request, found.reason, found.remedy);
    }
    scratch ??= makeScratch();
    const visible = [...new Set(readable)].filter((path) => isPrivate(path) && !isWritable(path, confinement));
    const cwd = realPath(request.cwd) ?? request.cwd;
    const args = bubblewrapArguments(found.bubblewrap, confinement, { cwd, scratch, visible });
    return confined([found.bubblewrap.program, ...args, ...request.argv], request, '/tmp', forbidden);
  };

  const bySeatbelt = async (request: ConfinementRequest): Promise<ConfinedCommand> => {
    const { confinement, forbidden } = await planOf(request, places(), settings.sandboxNetwork, first);
    scratch ??= makeScratch();
    const profile = seatbeltProfile(confinement, realPath(scratch.tmp) ?? scratch.tmp);
    return confined([seatbeltProgram, '-p', profile, ...request.argv], request, scratch.tmp, forbidden);
  };

  return {
    confine: async (request) => {
      if (platform === 'linux') {
        return byBubblewrap(request);
      }
      return platform === 'darwin' && existsSync(seatbeltProgram)
        ? bySeatbelt(request)
        : unconfined(request, `there is none for ${platform}`, 'Use a container or a virtual machine.');
    },
    dispose: () => {
      if (scratch !== null) {
        removeScratch(scratch);
        scratch = null;
      }
    },
  };
}

interface Plan {
  readonly confinement: Confinement;
  /** What must be seen, also where the sandbox has a directory of its own in the place of the one around it. */
  readonly readable: readonly string[];
  readonly forbidden: readonly string[];
}

/** Paths of the person, whether they exist or not. */
interface PersonalPaths {
  readonly home: string;
  readonly secret: readonly string[];
  readonly startup: readonly string[];
}

/** What was there before the session's first command: what came later may have been put there by one. */
interface FirstSight {
  /** Git directories outside of the roots that belong to them; null before the first command. */
  outside: ReadonlySet<string> | null;
  /** Hooks and settings of repositories below a root, by root. */
  readonly nested: Map<string, readonly string[]>;
}

/** What is open, closed and hidden for one command: it depends on where the command starts, and on what exists now. */
async function planOf(
  { cwd, roots, env }: ConfinementRequest,
  { home, secret, startup }: PersonalPaths,
  network: boolean,
  first: FirstSight,
): Promise<Plan> {
  const open = existing(roots);
  const directories = [...new Set([...open, realPath(cwd) ?? cwd])];
  const found = await Promise.all(directories.map((directory) => pathsAt(directory, env)));
  const isInside = (path: string) => open.some((root) => contains(root, path));
  if (first.outside === null && open.length > 0) {
    first.outside = new Set(found.flatMap(({ writable }) => writable).filter((path) => !isInside(path)));
  }
  // A `.git` file that a command has written may name any repository of the person.
  const mayOpen = (path: string) => isInside(path) || first.outside?.has(path) === true;
  const repositories = found.filter(({ writable }) => writable.every(mayOpen));
  const nested = open.flatMap((root) => nestedAt(root, first));
  const atHome = open.some((root) => contains(root, home)) ? existing(startup) : [];
  return {
    confinement: {
      writable: open.length === 0 ? [] : [...new Set([...open, ...repositories.flatMap(({ writable }) => writable)])],
      protected: [...new Set([...found.flatMap((paths) => paths.protected), ...existing(nested), ...atHome])],
      // A root is hidden from nobody: the session was started there.
      hidden: existing(secret).filter((path) => !open.some((root) => contains(path, root))),
      network,
    },
    readable: [
      home,
      ...directories,
      ...repositories.flatMap(({ workTree, writable }) => [...writable, workTree ?? []].flat()),
    ],
    forbidden: repositories.flatMap((paths) => paths.forbidden),
  };
}

function nestedAt(root: string, { nested }: FirstSight): readonly string[] {
  const known = nested.get(root) ?? nestedRepositoryPaths(root);
  nested.set(root, known);
  return known;
}

/** A repository that can't be read (another user's, a broken one) is not opened to be written either. */
async function pathsAt(directory: string, env: Environment): Promise<RepositoryPaths> {
  const found = await repositoryPaths(directory, env).catch(() => null);
  return found ?? { workTree: null, writable: [], protected: existing([join(directory, '.git')]), forbidden: [] };
}

function confined(
  argv: ConfinedCommand['argv'],
  { env }: ConfinementRequest,
  tmp: string,
  forbidden: readonly string[],
): ConfinedCommand {
  const inside = Object.entries(env).filter(([name]) => !outsideVariables.includes(name));
  const settings = [env.GIT_CONFIG_PARAMETERS, gitSettings].filter((text) => text !== undefined && text !== '');
  return {
    argv,
    env: { ...Object.fromEntries(inside), TMPDIR: tmp, GIT_CONFIG_PARAMETERS: settings.join(' ') },
    sandboxed: true,
    ended: () => moveForbidden(forbidden),
  };
}

function isPrivate(path: string): boolean {
  return privateDirectories.some((directory) => path !== directory && contains(directory, path));
}

function isWritable(path: string, { writable }: Confinement): boolean {
  return writable.some((directory) => contains(directory, path));
}
