import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { OxideError } from '../../errors.ts';
import { refreshStore } from '../../git/bare-store.ts';
import {
  addWorktree,
  newestStart,
  type Rescue,
  removeWorktree,
  rescueWork,
  type WorkAtStake,
  type WorktreeState,
  workAtStake,
  worktreeState,
} from '../../git/linked-worktree.ts';
import type { Environment } from '../../git/runner.ts';
import type { TransferOptions } from '../../git/transfer.ts';
import type { Clock } from '../clock.ts';
import type { Directories } from '../directories.ts';
import { projectPlace } from '../projects/project-place.ts';
import type { ContainerStopper, Project, SessionStarter, Workspace } from '../services.ts';
import { type DirectorySize, directorySize } from './directory-size.ts';
import type { LastSession, WorkspaceStore } from './store.ts';

/** Milliseconds that a new workspace waits for the remote's newest commits; without them it starts from what is here. */
const refreshTime = 30_000;

/** A workspace with how it stands; `state` is null where its directory is gone. */
export interface WorkspaceReport {
  readonly workspace: Workspace;
  readonly state: WorktreeState | null;
  readonly size: DirectorySize;
  readonly lastSession: LastSession | null;
}

/** What became of a workspace; null: there was none. */
export type Deletion = { readonly workspace: Workspace; readonly rescue: Rescue | null } | null;

export interface WorkspacesOptions {
  readonly store: WorkspaceStore;
  readonly directories: Directories;
  readonly env: Environment;
  readonly clock: Clock;
  /** Set once the other parts are there: they need workspaces themselves. */
  readonly sessions: () => Pick<SessionStarter, 'active' | 'endAll'>;
  readonly containers: () => Pick<ContainerStopper, 'stopWorkspace'>;
}

/** Work trees on branches of their own. */
export class Workspaces {
  readonly #options: WorkspacesOptions;

  constructor(options: WorkspacesOptions) {
    this.#options = options;
  }

  /** The workspace on the project's default branch, which is yet to be put into the store with its project. */
  linkDefault(project: Project, transfer: TransferOptions): Promise<Workspace> {
    return this.#link(project, { branch: project.defaultBranch, start: null, isDefault: true }, transfer);
  }

  /** A workspace on a new branch, from the newest commit of the default branch that can be had. */
  async create(project: Project, transfer: TransferOptions = {}): Promise<Workspace> {
    const { env, directories } = this.#options;
    const { repository } = projectPlace(directories, project.projectId);
    if (project.sourceUrl !== null) {
      await refreshStore(repository, env, { ...transfer, timeout: refreshTime }).catch(() => undefined);
    }
    const start = await newestStart(repository, project.defaultBranch, env);
    const workspace = await this.#link(project, { branch: null, start, isDefault: false }, transfer);
    try {
      await this.#options.store.insert(workspace);
    } catch (error) {
      await removeWorktree(repository, workspace, env).catch(() => undefined);
      throw error;
    }
    return workspace;
  }

  async #link(
    { projectId }: Project,
    { branch, start, isDefault }: { branch: string | null; start: string | null; isDefault: boolean },
    transfer: TransferOptions,
  ): Promise<Workspace> {
    const { directories, env, clock } = this.#options;
    const place = projectPlace(directories, projectId);
    const workspaceId = randomUUID();
    const workspace: Workspace = {
      workspaceId,
      projectId,
      branch: branch ?? `workspace/${workspaceId.slice(0, 8)}`,
      directory: join(place.workspaces, workspaceId),
      isDefault,
      createdAt: clock.now(),
    };
    await addWorktree(place.repository, { ...workspace, start }, env, transfer);
    return workspace;
  }

  /**
   * @param workspaceId null: the default one
   * @throws OxideError `unknown-workspace`
   */
  async get(projectId: string, workspaceId: string | null): Promise<Workspace> {
    const { store } = this.#options;
    const found =
      workspaceId === null ? ((await store.list(projectId))[0] ?? null) : await store.find(projectId, workspaceId);
    if (found === null) {
      throw new OxideError('unknown-workspace', `The project has no workspace '${workspaceId ?? 'default'}'.`, {
        remedy: `workspace {"action":"list","project_id":"${projectId}"}`,
      });
    }
    return found;
  }

  async list(project: Project): Promise<readonly WorkspaceReport[]> {
    const workspaces = await this.#options.store.list(project.projectId);
    return Promise.all(workspaces.map((workspace) => this.#report(workspace, project)));
  }

  async #report(workspace: Workspace, project: Project): Promise<WorkspaceReport> {
    const { store, env } = this.#options;
    const base = await this.#base(project);
    const [state, size, lastSession] = await Promise.all([
      worktreeState(workspace.directory, base, env).catch(() => null),
      directorySize(workspace.directory),
      store.lastSession(workspace.workspaceId),
    ]);
    return { workspace, state, size, lastSession };
  }

  #base({ projectId, defaultBranch }: Project): Promise<string> {
    const { directories, env } = this.#options;
    return newestStart(projectPlace(directories, projectId).repository, defaultBranch, env);
  }

  /**
   * Deletes a workspace and its branch. With `force` also one that has work of its own, which is kept on a rescue ref.
   *
   * @throws OxideError `default-workspace`, `workspace-in-use`, `work-at-stake`; as a checkpoint does, where the work
   *   can't be kept
   */
  async delete(projectId: string, workspaceId: string, force: boolean): Promise<Deletion> {
    const { store, directories, env } = this.#options;
    const workspace = await store.find(projectId, workspaceId);
    if (workspace === null) {
      return null;
    }
    if (workspace.isDefault) {
      throw new OxideError('default-workspace', 'The default workspace goes only with its project.', {
        remedy: `project {"action":"delete","project_id":"${projectId}"}`,
      });
    }
    const active = await this.#options.sessions().active(projectId, workspaceId);
    if (active.length > 0) {
      throw inUse(workspace, active[0] ?? '');
    }
    const { repository } = projectPlace(directories, projectId);
    const stake = await workAtStake(repository, workspace, env);
    const isAtStake = stake.uncommitted.length + stake.commits.total > 0;
    if (isAtStake && !force) {
      throw atStake(workspace, stake);
    }
    await this.#options.sessions().endAll(projectId, workspaceId, 'Its workspace was deleted.');
    await this.#options.containers().stopWorkspace(workspaceId);
    const rescue = isAtStake ? await rescueWork(repository, workspaceId, workspace, env) : null;
    await removeWorktree(repository, workspace, env);
    await store.remove(workspaceId);
    return { workspace, rescue };
  }
}

function inUse({ projectId }: Workspace, sessionId: string): OxideError {
  return new OxideError('workspace-in-use', `The session ${sessionId} works in this workspace.`, {
    remedy: `session {"action":"end","project_id":"${projectId}","session_id":"${sessionId}"}`,
  });
}

function atStake({ projectId, workspaceId, branch }: Workspace, { uncommitted, commits }: WorkAtStake): OxideError {
  const files =
    uncommitted.length === 0 ? [] : [`${count(uncommitted.length, 'uncommitted file')} (${first(uncommitted)})`];
  const subjects = commits.commits.map(({ oid, subject }) => `${oid.slice(0, 7)} ${subject}`);
  const lost =
    commits.total === 0 ? [] : [`${count(commits.total, 'commit')} that only ${branch} has (${first(subjects)})`];
  return new OxideError('work-at-stake', `The workspace has ${[...files, ...lost].join(' and ')}.`, {
    remedy: `Commit and push it, or delete it all the same, which keeps the work on a rescue ref: workspace {"action":"delete","project_id":"${projectId}","workspace_id":"${workspaceId}","force":true}`,
  });
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}

function first(names: readonly string[]): string {
  return names.length > 3 ? `${names.slice(0, 3).join(', ')}, …` : names.join(', ');
}
