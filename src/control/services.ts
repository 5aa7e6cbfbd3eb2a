import type { SetLimits } from './limits.ts';
import type { Principal } from './principal.ts';

/** A repository under the control plane: a bare store, and a work tree for each workspace. */
export interface Project {
  readonly projectId: string;
  readonly name: string;
  readonly description: string;
  readonly sourceUrl: string | null;
  readonly protectedBranches: readonly string[];
  /** Only those that were set for this project. */
  readonly limits: SetLimits;
  readonly defaultBranch: string;
  readonly createdAt: number;
}

/** A work tree on a branch of its own. */
export interface Workspace {
  readonly workspaceId: string;
  readonly projectId: string;
  readonly branch: string;
  /** Absolute. */
  readonly directory: string;
  readonly isDefault: boolean;
  readonly createdAt: number;
}

/** What the other parts need of projects and workspaces. */
export interface ProjectLookup {
  /** @throws OxideError `unknown-project` */
  project(projectId: string): Promise<Project>;
  /**
   * One workspace of a project; null: its default one.
   *
   * @throws OxideError `unknown-project`, `unknown-workspace`
   */
  workspace(projectId: string, workspaceId: string | null): Promise<Workspace>;
  /** Makes a workspace on a branch of its own, which starts at the default branch. */
  createWorkspace(projectId: string): Promise<Workspace>;
}

/** Starts and ends sessions, for schedules and for what deletes projects and workspaces. */
export interface SessionStarter {
  /** Spawns or resumes a session, and resolves when its prompt is accepted, not when it is done. */
  start(request: SessionRequest): Promise<StartedSession>;
  /** Ids of the sessions that are at work, of a project or of one of its workspaces. */
  active(projectId: string, workspaceId: string | null): Promise<readonly string[]>;
  /** Ends the sessions of a workspace for good, also those that wait for a message. */
  endAll(projectId: string, workspaceId: string, reason: string): Promise<void>;
  end(sessionId: string, reason: string): Promise<void>;
  /** Removes the transcripts of all sessions of a project: the project goes for good. */
  forgetProject(projectId: string): Promise<void>;
}

export interface SessionRequest {
  readonly projectId: string;
  readonly workspaceId: string | null;
  readonly prompt: string;
  /** Null: `resume` the workspace's latest unless `newSession`. */
  readonly newSession: boolean;
  readonly principal: Principal;
}

export interface StartedSession {
  readonly sessionId: string;
  readonly workspaceId: string;
  /** Settles when the prompt has been worked on: how it ended, and what went wrong. Never rejects. */
  readonly done: Promise<{ readonly outcome: 'succeeded' | 'failed'; readonly problem: string | null }>;
}

/** Stops what runs in containers, before what they work on goes. */
export interface ContainerStopper {
  /** For good: what is known of the workspace's container and what its commands wrote goes, too. */
  stopWorkspace(workspaceId: string): Promise<void>;
  /** Until the project comes back. Where the engine does not answer, a container ends by itself, without an error. */
  stopProject(projectId: string): Promise<void>;
  forgetProject(projectId: string): Promise<void>;
}
