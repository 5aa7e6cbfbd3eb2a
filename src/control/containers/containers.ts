import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { Repository } from '../../git/repository.ts';
import type { Environment } from '../../git/runner.ts';
import type { Convention } from '../../guards/scene.ts';
import type { Clock } from '../clock.ts';
import type { Directories } from '../directories.ts';
import { imageOf } from '../images/image-choice.ts';
import type { ContainerStopper, ProjectLookup, Workspace } from '../services.ts';
import type { Database } from '../store/database.ts';
import { BubblewrapTier } from './bubblewrap-tier.ts';
import type {
  ContainerPlace,
  ExecOptions,
  ExecResult,
  LogsOptions,
  LogsResult,
  StartResult,
  StopResult,
} from './container-calls.ts';
import { ContainerLogs } from './container-logs.ts';
import { engineGone, isolationMissing } from './container-problems.ts';
import { containerName, labels } from './container-spec.ts';
import type { Engine } from './engine.ts';
import { startContainer } from './engine-container.ts';
import { EngineLink } from './engine-link.ts';
import { IdleWatch } from './idle-watch.ts';
import { recoverContainers } from './recovery.ts';
import { type ContainerSettings, defaultContainerSettings } from './settings.ts';
import { projectContainerSettings } from './settings-file.ts';
import {
  type ContainerRow,
  containersOf,
  markContainer,
  readContainer,
  removeContainerRow,
  writeContainer,
} from './store.ts';
import { Turns } from './turns.ts';
import { WorkspaceCommands } from './workspace-commands.ts';

export interface ContainersOptions {
  readonly database: Database;
  /** The store's id: what another store on this machine has started is left alone. */
  readonly store: string;
  readonly projects: Pick<ProjectLookup, 'workspace'>;
  readonly directories: Directories;
  readonly clock: Clock;
  /** This process's environment: where engines are, and what commands under bubblewrap see of it. */
  readonly env: Environment;
  /** What differs from the defaults. */
  readonly settings?: Partial<ContainerSettings>;
  /** A repository's configuration, for the guard; null: where the repository can't be known. */
  readonly convention: (repository: Repository | null) => Promise<Convention>;
}

/** The containers of workspaces: one for each, on an engine or, where there is none, under bubblewrap. */
export class Containers implements ContainerStopper {
  readonly #options: ContainersOptions;
  readonly #settings: ContainerSettings;
  readonly #server: string;
  readonly #bubblewrap: BubblewrapTier;
  readonly #turns = new Turns();
  readonly #idle: IdleWatch;
  readonly #engines: EngineLink;
  readonly #logs: ContainerLogs;
  readonly #commands: WorkspaceCommands;

  constructor(options: ContainersOptions) {
    this.#options = options;
    this.#settings = { ...defaultContainerSettings, ...options.settings };
    const { directories, env, database, clock } = options;
    this.#server = createHash('sha256').update(`${directories.state}\n${options.store}`).digest('hex').slice(0, 16);
    this.#engines = new EngineLink(env);
    this.#logs = new ContainerLogs(join(directories.state, 'containers', options.store));
    const hidden = [directories.state, directories.projects, directories.trash];
    this.#bubblewrap = new BubblewrapTier({ env, settings: this.#settings, hidden });
    this.#commands = new WorkspaceCommands({
      ...options,
      bubblewrap: this.#bubblewrap,
      engines: this.#engines,
      logs: this.#logs,
      idleStop: this.#settings.idleStop,
      start: (workspace, isolationRequired) =>
        this.#turns.take(workspace.workspaceId, () => this.#start(workspace, isolationRequired)),
      isRequired: (isolationRequired, workspace) => this.#isRequired(isolationRequired, workspace),
    });
    this.#idle = new IdleWatch({
      clock,
      limit: this.#settings.idleStop,
      usedAt: async (workspaceId) => {
        const row = await readContainer(database, workspaceId);
        return row?.status === 'running' ? row.usedAt : null;
      },
      stop: async (workspaceId) => {
        await this.#turns.take(workspaceId, () => this.#end(workspaceId, 'idle'));
      },
    });
  }

  get settings(): ContainerSettings {
    return this.#settings;
  }

  /**
   * Starts the container of a workspace; one that runs already is fine.
   *
   * @throws OxideError what the lookup throws, `no-engine`, `no-isolation`, `no-image`, `engine-unreachable`, and what
   * `startContainer` throws
   */
  async start(place: ContainerPlace, isolationRequired = false): Promise<StartResult> {
    const workspace = await this.#workspace(place);
    return this.#turns.take(workspace.workspaceId, () => this.#start(workspace, isolationRequired));
  }

  /** Stops and removes the container of a workspace; its files stay. Where nothing runs that is fine. */
  async stop(place: ContainerPlace): Promise<StopResult> {
    const { workspaceId } = await this.#workspace(place);
    return this.#turns.take(workspaceId, async () => {
      const { row, stopped } = await this.#end(workspaceId, 'stopped');
      return { workspaceId, tier: row?.tier ?? null, stopped };
    });
  }

  async stopWorkspace(workspaceId: string): Promise<void> {
    await this.#turns.take(workspaceId, async () => {
      await this.#end(workspaceId, 'stopped');
      await removeContainerRow(this.#options.database, workspaceId);
      this.#logs.of(workspaceId).remove();
    });
  }

  async stopProject(projectId: string): Promise<void> {
    for (const { workspaceId } of await containersOf(this.#options.database, projectId)) {
      await this.#turns.take(workspaceId, () => this.#end(workspaceId, 'stopped')).catch(() => undefined);
    }
  }

  async forgetProject(projectId: string): Promise<void> {
    for (const { workspaceId } of await containersOf(this.#options.database, projectId)) {
      await this.stopWorkspace(workspaceId);
    }
  }

  /** What the commands of a workspace wrote, whether its container runs or not. */
  async logs({ tail, since, ...place }: LogsOptions): Promise<LogsResult> {
    const { workspaceId } = await this.#workspace(place);
    const row = await readContainer(this.#options.database, workspaceId);
    return { workspaceId, tier: row?.tier ?? null, ...this.#logs.of(workspaceId).read(tail, since) };
  }

  /**
   * Runs a command line by `/bin/sh -c` in the container of a workspace. The guard judges it before. A container that
   * was stopped because nobody used it, or that has gone, is started again.
   *
   * @throws GuardRefusal `denied-by-guard`, `approval-needed`; OxideError `container-not-running`,
   * `working-directory-outside`, `working-directory-missing`, `interrupted`, and what `start` throws
   */
  async exec(options: ExecOptions): Promise<ExecResult> {
    return this.#commands.exec(await this.#workspace(options), options);
  }

  /**
   * After a start of the server: goes on watching the containers that run, and removes those of servers that were
   * killed which nobody can use any more. Without an engine it leaves all as it is.
   */
  async recover(): Promise<void> {
    const { database, clock } = this.#options;
    const running = await recoverContainers({ database, clock, engines: this.#engines, server: this.#server });
    for (const { workspaceId, usedAt } of running) {
      this.#idle.watch(workspaceId, Math.max(0, usedAt + this.#settings.idleStop - clock.now()));
    }
    await this.#logs.removeUnless(async (workspaceId) => (await readContainer(database, workspaceId)) !== null);
  }

  /** Ends the commands that run under bubblewrap. Containers go on: the next server finds them, or they end by themselves. */
  async close(): Promise<void> {
    await this.#idle.close();
    await this.#bubblewrap.close();
  }

  /**
   * The engine that answers now.
   *
   * @throws OxideError `no-engine`
   */
  findEngine(): Promise<Engine> {
    return this.#engines.require();
  }

  async #workspace({ projectId, workspaceId }: ContainerPlace): Promise<Workspace> {
    return this.#options.projects.workspace(projectId, workspaceId);
  }

  async #start(workspace: Workspace, isolationRequired: boolean): Promise<StartResult> {
    const { database, clock } = this.#options;
    const { workspaceId, projectId } = workspace;
    const before = await readContainer(database, workspaceId);
    const isRequired = this.#isRequired(isolationRequired, workspace);
    const found = await this.#engines.find();
    if (!found.ok && isRequired) {
      throw isolationMissing(found.reason);
    }
    if (!found.ok && before?.status === 'running' && before.tier !== 'bwrap') {
      throw engineGone(before, found.reason);
    }
    const started = found.ok ? await this.#startOnEngine(found.engine, workspace) : await this.#startBubblewrap();
    const wasRunning = before?.status === 'running' && before.tier === started.tier;
    const isNew = started.created ?? !wasRunning;
    if (before?.tier === 'bwrap' && started.tier !== 'bwrap') {
      await this.#bubblewrap.stop(workspaceId);
    }
    const now = clock.now();
    await writeContainer(database, {
      workspaceId,
      projectId,
      tier: started.tier,
      engineId: started.id,
      image: started.image ?? '',
      status: 'running',
      startedAt: isNew ? now : (before?.startedAt ?? now),
      usedAt: now,
    });
    this.#idle.watch(workspaceId);
    return {
      workspaceId,
      tier: started.tier,
      tierReason: found.ok ? null : found.reason,
      image: started.image,
      started: isNew,
      outdated: started.outdated,
    };
  }

  async #startOnEngine(engine: Engine, workspace: Workspace) {
    const { types, defaultType } = this.#settings;
    const { type } = projectContainerSettings(workspace.directory);
    const image = await imageOf(workspace.projectId, engine, types, type ?? defaultType);
    const { env } = this.#options;
    const options = { engine, workspace, image, settings: this.#settings, server: this.#server, env };
    const { id, created, outdated } = await startContainer(options);
    return { tier: engine.tier, id, image: image.name, created, outdated };
  }

  async #startBubblewrap() {
    await this.#bubblewrap.check();
    return { tier: 'bwrap', id: null, image: null, created: null, outdated: false } as const;
  }

  /** Stops what runs; gives what the store knew before. */
  async #end(workspaceId: string, status: 'idle' | 'stopped') {
    const { database } = this.#options;
    this.#idle.forget(workspaceId);
    const row = await readContainer(database, workspaceId);
    await this.#bubblewrap.stop(workspaceId);
    let stopped = row?.status === 'running';
    if (row !== null && row.tier !== 'bwrap') {
      stopped = await this.#removeFromEngine(row);
    }
    if (row !== null) {
      await markContainer(database, workspaceId, status);
    }
    return { row, stopped };
  }

  /** False: there was none. A container that the store knows as stopped may be there still, of a start that was killed. */
  async #removeFromEngine(row: ContainerRow): Promise<boolean> {
    const found = await this.#engines.find();
    if (!found.ok) {
      if (row.status === 'running') {
        throw engineGone(row, found.reason);
      }
      return false;
    }
    const present = await found.engine.inspectContainer(containerName(row.workspaceId));
    if (present === null || present.labels[labels.server] !== this.#server) {
      return false;
    }
    await found.engine.removeContainer(present.id, 1);
    return present.running;
  }

  #isRequired(isolationRequired: boolean, { directory }: Workspace): boolean {
    return (
      isolationRequired ||
      this.#settings.isolation === 'required' ||
      projectContainerSettings(directory).isolation === 'required'
    );
  }
}
