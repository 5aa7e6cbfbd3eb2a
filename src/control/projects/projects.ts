import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { heldBranchesFile } from '../../config/load.ts';
import { OxideError } from '../../errors.ts';
import { checkSource, createBareStore } from '../../git/bare-store.ts';
import type { Environment } from '../../git/runner.ts';
import type { TransferOptions } from '../../git/transfer.ts';
import { install } from '../../githooks/install.ts';
import type { Clock } from '../clock.ts';
import type { Directories } from '../directories.ts';
import type { SetLimits } from '../limits.ts';
import type { ContainerStopper, Project, SessionStarter, Workspace } from '../services.ts';
import { isDuplicate } from '../store/database.ts';
import type { Workspaces } from '../workspaces/workspaces.ts';
import { projectPlace } from './project-place.ts';
import type { ProjectStore, TrashedProject } from './store.ts';

/** How long a deleted project can be brought back. In milliseconds. */
const trashTime = 30 * 24 * 60 * 60_000;
/** A project that is this old and not finished was left by a process that was killed. In milliseconds. */
const abandonedTime = 24 * 60 * 60_000;
/** The file in a project's directory while it is being made. */
const unfinishedMark = 'unfinished';

export interface NewProject {
  readonly name: string;
  readonly description: string;
  readonly sourceUrl: string | null;
  readonly protectedBranches: readonly string[];
  readonly limits: SetLimits;
}

export interface ProjectsOptions {
  readonly store: ProjectStore;
  readonly workspaces: Workspaces;
  readonly directories: Directories;
  readonly env: Environment;
  readonly clock: Clock;
  /** Root of the running package, whose programs the hooks start. */
  readonly packageRoot: string;
  /** Set once the sessions are there: they need projects themselves. */
  readonly sessions: () => Pick<SessionStarter, 'active' | 'forgetProject'>;
  readonly containers: () => Pick<ContainerStopper, 'stopProject' | 'forgetProject'>;
}

/** Repositories under the control plane. */
export class Projects {
  readonly #options: ProjectsOptions;

  constructor(options: ProjectsOptions) {
    this.#options = options;
  }

  /**
   * Clones the source into a bare store, links the default workspace to it and installs the guard's hooks. Nothing is
   * left where any of it fails.
   *
   * @throws OxideError `project-exists`, `bad-source`, `source-has-password`, and what a clone and an installation throw
   */
  async create(wanted: NewProject, transfer: TransferOptions): Promise<{ project: Project; workspace: Workspace }> {
    const { store, directories } = this.#options;
    if (wanted.sourceUrl !== null) {
      checkSource(wanted.sourceUrl);
    }
    if (await store.isNameTaken(wanted.name)) {
      throw nameTaken(wanted.name);
    }
    const projectId = randomUUID();
    const { root } = projectPlace(directories, projectId);
    try {
      return await this.#make(projectId, wanted, transfer);
    } catch (error) {
      await rm(root, { recursive: true, force: true });
      throw isDuplicate(error) ? nameTaken(wanted.name) : error;
    }
  }

  async #make(projectId: string, wanted: NewProject, transfer: TransferOptions) {
    const { store, workspaces, directories, env, clock, packageRoot } = this.#options;
    const place = projectPlace(directories, projectId);
    mkdirSync(place.root, { recursive: true, mode: 0o700 });
    const unfinished = join(place.root, unfinishedMark);
    writeFileSync(unfinished, '');
    const defaultBranch = await createBareStore(place.repository, wanted.sourceUrl, env, transfer);
    const project: Project = { projectId, ...wanted, defaultBranch, createdAt: clock.now() };
    holdBranches(place.repository, [defaultBranch, ...wanted.protectedBranches]);
    const workspace = await workspaces.linkDefault(project, transfer);
    await install({
      cwd: workspace.directory,
      env,
      hooks: ['commit-msg', 'pre-push'],
      server: false,
      dryRun: false,
      node: process.execPath,
      packageRoot,
    });
    // What is killed before this leaves a directory that says so; what is killed after it, one that stays.
    rmSync(unfinished);
    await store.insert(project, workspace);
    return { project, workspace };
  }

  /** @throws OxideError `unknown-project` */
  async get(projectId: string): Promise<Project> {
    const project = await this.#options.store.find(projectId);
    if (project === null) {
      throw unknownProject(projectId);
    }
    return project;
  }

  /**
   * By name, and upper and lower case are the same to the search.
   *
   * @param only the one project that may be seen; null: all may
   */
  async list(nameContains: string, limit: number, only: string | null = null): Promise<readonly Project[]> {
    const wanted = nameContains.toLowerCase();
    return (await this.#options.store.list())
      .filter(({ projectId, name }) => (only === null || projectId === only) && name.toLowerCase().includes(wanted))
      .slice(0, limit);
  }

  /**
   * Moves a project to the trash, from which {@link restore} brings it back.
   *
   * @throws OxideError `unknown-project`, `project-in-use`
   */
  async delete(projectId: string): Promise<Project> {
    const { store, directories, clock } = this.#options;
    const project = await this.get(projectId);
    // Hidden first: no session can start in it while its sessions are counted.
    if (!(await store.trash(projectId, clock.now()))) {
      throw unknownProject(projectId);
    }
    const active = await this.#options.sessions().active(projectId, null);
    if (active.length > 0) {
      await store.untrash(projectId);
      throw inUse(project, active);
    }
    await this.#options.containers().stopProject(projectId);
    const { root } = projectPlace(directories, projectId);
    if (existsSync(root)) {
      mkdirSync(directories.trash, { recursive: true, mode: 0o700 });
      renameSync(root, join(directories.trash, projectId));
    }
    return project;
  }

  trashed(): Promise<readonly TrashedProject[]> {
    return this.#options.store.trashed();
  }

  /** @throws OxideError `not-in-trash`, `project-exists` */
  async restore(projectId: string): Promise<Project> {
    const { store, directories } = this.#options;
    const { root } = projectPlace(directories, projectId);
    const kept = join(directories.trash, projectId);
    const known = (await store.trashed()).find((project) => project.projectId === projectId);
    if (known === undefined || !(existsSync(kept) || existsSync(root))) {
      throw new OxideError('not-in-trash', `There is no project ${projectId} in the trash.`, {
        remedy: 'oxide-guard projects --trash',
      });
    }
    if (await store.isNameTaken(known.name)) {
      throw nameTaken(known.name);
    }
    if (existsSync(kept)) {
      renameSync(kept, root);
    }
    await store.untrash(projectId);
    return this.get(projectId);
  }

  /** Removes for good what has been in the trash long enough, and what a killed process left. */
  async tidy(): Promise<void> {
    const { store, clock } = this.#options;
    for (const { projectId, trashedAt } of await store.trashed()) {
      if (clock.now() - trashedAt > trashTime) {
        await this.#purge(projectId);
      }
    }
    await this.#removeUnfinished();
  }

  /** The project's row goes last: what is killed before begins again. */
  async #purge(projectId: string): Promise<void> {
    const { store, directories } = this.#options;
    await rm(join(directories.trash, projectId), { recursive: true, force: true });
    await rm(projectPlace(directories, projectId).root, { recursive: true, force: true });
    await this.#options.containers().forgetProject(projectId);
    await this.#options.sessions().forgetProject(projectId);
    await store.remove(projectId);
  }

  /** A directory that this store knows nothing of may be a project of another store: only what says so is unfinished. */
  async #removeUnfinished(): Promise<void> {
    const { directories, clock } = this.#options;
    for (const name of await readdir(directories.projects).catch(() => [])) {
      const path = join(directories.projects, name);
      const mark = await stat(join(path, unfinishedMark)).catch(() => null);
      if (mark !== null && isUuid(name) && clock.now() - mark.mtimeMs > abandonedTime) {
        await rm(path, { recursive: true, force: true });
      }
    }
  }
}

/** What hooks and guard protect in all of the project's workspaces, whatever its own configuration says. */
function holdBranches(repository: string, branches: readonly string[]): void {
  const directory = join(repository, 'oxide-guard');
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  writeFileSync(join(directory, heldBranchesFile), branches.map((branch) => `${branch}\n`).join(''));
}

function isUuid(name: string): boolean {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(name);
}

function nameTaken(name: string): OxideError {
  return new OxideError('project-exists', `There is a project named '${name}' already.`, {
    remedy: 'Choose another name, or find its id: project {"action":"list"}',
  });
}

/** The same for a project that is another's: whether it exists is not told. */
export function unknownProject(projectId: string): OxideError {
  return new OxideError('unknown-project', `There is no project '${projectId}'.`, {
    remedy: 'project {"action":"list"}',
  });
}

function inUse({ name, projectId }: Project, active: readonly string[]): OxideError {
  const [first = ''] = active;
  const what = active.length === 1 ? 'a session' : `${active.length} sessions`;
  return new OxideError('project-in-use', `The project '${name}' has ${what} that work in it (${first}).`, {
    remedy: `session {"action":"end","project_id":"${projectId}","session_id":"${first}"}`,
  });
}
