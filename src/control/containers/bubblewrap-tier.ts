import {
  type BubblewrapSearch,
  bubblewrapArguments,
  findBubblewrap,
  privateDirectories,
} from '../../agent/sandbox/bubblewrap.ts';
import type { Confinement } from '../../agent/sandbox/confinement.ts';
import { existing, moveForbidden } from '../../agent/sandbox/repository-paths.ts';
import { makeScratch, removeScratch, type Scratch } from '../../agent/sandbox/scratch.ts';
import { secretPaths } from '../../agent/sandbox/secret-paths.ts';
import { OxideError } from '../../errors.ts';
import { homeDirectory, realPath } from '../../git/files.ts';
import type { Environment } from '../../git/runner.ts';
import { contains } from '../../tools/place.ts';
import { runProcess } from '../../tools/process-run.ts';
import { shellEnvironment } from '../../tools/shell-environment.ts';
import { sessionEnvironment } from '../session-environment.ts';
import { makeControlGroup } from './control-group.ts';
import type { ExecEnd, ExecRequest } from './exec-request.ts';
import { workspaceMounts } from './mounts.ts';
import { type ContainerSettings, processLimits } from './settings.ts';

export interface BubblewrapTierOptions {
  readonly env: Environment;
  readonly settings: ContainerSettings;
  /** Absolute paths that no command sees, but for the workspace and its repository in them. */
  readonly hidden: readonly string[];
}

/** Variables that lead to sockets of the person, which are out of reach. */
const outsideVariable = /^(?:SSH_|GPG_|DBUS_|DOCKER_|CONTAINER_|XDG_|XAUTHORITY$|DISPLAY$|WAYLAND_|TMUX|VSCODE_)/;

/**
 * Takes its place in each control group that its first argument names, a line for each, and becomes the rest. The
 * limits are put on inside of the sandbox, where processes of the person do not count. dash calls `-u` `-p`.
 */
const joinGroups = `echo "$1" | while IFS= read -r file; do [ -z "$file" ] || echo "$$" >"$file"; done; shift; exec "$@"`;

/**
 * Stands in for containers where there is no engine: every command gets a bubblewrap of its own, with the workspace's
 * repository as the agent's sandbox has it, and a /tmp that lasts until the workspace is stopped. What a command leaves
 * running ends with it.
 */
export class BubblewrapTier {
  readonly #options: BubblewrapTierOptions;
  readonly #scratches = new Map<string, Scratch>();
  readonly #running = new Map<string, Map<AbortController, Promise<unknown>>>();
  #search: Promise<BubblewrapSearch> | null = null;

  constructor(options: BubblewrapTierOptions) {
    this.#options = options;
  }

  /** @throws OxideError `no-isolation` where bubblewrap does not work */
  async check(): Promise<void> {
    await this.#bubblewrap();
  }

  async exec(request: ExecRequest): Promise<ExecEnd> {
    const { workspaceId } = request.workspace;
    const ending = new AbortController();
    const running = this.#running.get(workspaceId) ?? new Map<AbortController, Promise<unknown>>();
    const end = this.#exec(request, ending.signal);
    this.#running.set(workspaceId, running.set(ending, end));
    try {
      return await end;
    } finally {
      running.delete(ending);
    }
  }

  /** Ends what runs in a workspace, and drops its /tmp. Nothing there is fine. */
  async stop(workspaceId: string): Promise<void> {
    const running = [...(this.#running.get(workspaceId) ?? [])];
    for (const [ending] of running) {
      ending.abort();
    }
    await Promise.allSettled(running.map(([, end]) => end));
    const scratch = this.#scratches.get(workspaceId);
    if (scratch !== undefined) {
      this.#scratches.delete(workspaceId);
      removeScratch(scratch);
    }
  }

  /** Ends everything. */
  async close(): Promise<void> {
    const all = new Set([...this.#running.keys(), ...this.#scratches.keys()]);
    await Promise.all([...all].map((workspaceId) => this.stop(workspaceId)));
  }

  async #exec(request: ExecRequest, ending: AbortSignal): Promise<ExecEnd> {
    const { pids, memory, processors } = this.#options.settings;
    const group = makeControlGroup({ pids, memory, processors });
    try {
      const { argv, forbidden } = await this.#confine(request);
      const end = await runProcess({
        argv: ['/bin/sh', '-c', joinGroups, 'sh', (group?.joins ?? []).join('\n'), ...argv],
        cwd: '/',
        env: this.#environment(),
        sandboxed: true,
        signal: AbortSignal.any([request.signal, ending]),
        timeout: request.timeout,
        onOutput: request.take,
      });
      const stopped = ending.aborted ? ['The container was stopped while the command ran.'] : [];
      return {
        exitCode: end.exitCode,
        stopped: ending.aborted ? null : end.stopped,
        containerEnded: ending.aborted,
        notes: [...stopped, ...moveForbidden(forbidden)],
      };
    } finally {
      await group?.remove();
    }
  }

  async #bubblewrap() {
    const { env, settings, hidden } = this.#options;
    this.#search ??= findBubblewrap(env, { network: settings.network !== 'none', distrusted: hidden });
    const found = await this.#search;
    if (!found.ok) {
      this.#search = null;
      throw new OxideError('no-isolation', `Commands can't be isolated here: ${found.reason}.`, {
        remedy: found.remedy,
      });
    }
    return found.bubblewrap;
  }

  async #confine({ workspace, command, directory }: ExecRequest) {
    const { settings } = this.#options;
    const [bubblewrap, { mounts, forbidden }] = await Promise.all([
      this.#bubblewrap(),
      workspaceMounts(workspace.directory, this.#options.env),
    ]);
    const paths = (readOnly: boolean) => mounts.filter((mount) => mount.readOnly === readOnly).map(({ path }) => path);
    const confinement: Confinement = {
      writable: paths(false),
      protected: paths(true),
      hidden: this.#hidden().filter((path) => !mounts.some((mount) => mount.path === path)),
      network: settings.network !== 'none',
    };
    const home = realPath(homeDirectory());
    const isVisible = home !== null && privateDirectories.some((path) => path !== home && contains(path, home));
    const args = bubblewrapArguments(bubblewrap, confinement, {
      cwd: directory,
      scratch: this.#scratch(workspace.workspaceId),
      visible: isVisible ? [home] : [],
    });
    const argv = [bubblewrap.program, ...args, '/bin/sh', '-c', limited(settings), 'sh', command];
    return { argv, forbidden };
  }

  #hidden(): readonly string[] {
    const { env, hidden } = this.#options;
    return existing([...secretPaths(realPath(homeDirectory()) ?? '/nonexistent', env), ...hidden]);
  }

  #environment(): Environment {
    const kept = Object.entries(shellEnvironment(sessionEnvironment(this.#options.env))).filter(
      ([name]) => !outsideVariable.test(name),
    );
    return { ...Object.fromEntries(kept), TMPDIR: '/tmp' };
  }

  #scratch(workspaceId: string): Scratch {
    const scratch = this.#scratches.get(workspaceId) ?? makeScratch();
    this.#scratches.set(workspaceId, scratch);
    return scratch;
  }
}

/** Sets the limits that a shell can, and becomes the shell that runs the command. */
function limited({ pids }: ContainerSettings): string {
  const [files, , cores] = processLimits;
  const quiet = '2>/dev/null';
  return [
    `ulimit -n ${files.value} ${quiet}`,
    `ulimit -c ${cores.value} ${quiet}`,
    `ulimit -u ${pids} ${quiet} || ulimit -p ${pids} ${quiet}`,
    'exec /bin/sh -c "$1" 3>&-',
  ].join('\n');
}
