import type { LogEntry } from './exec-log.ts';
import type { Tier } from './store.ts';

/** Which workspace's container is meant; null: the project's default workspace. */
export interface ContainerPlace {
  readonly projectId: string;
  readonly workspaceId: string | null;
}

export interface StartResult {
  readonly workspaceId: string;
  readonly tier: Tier;
  /** Why there is no container engine behind it; null: there is. */
  readonly tierReason: string | null;
  readonly image: string | null;
  /** False: it ran already. */
  readonly started: boolean;
  /** It runs another image than a new one would. */
  readonly outdated: boolean;
}

export interface StopResult {
  readonly workspaceId: string;
  /** Null: none was ever started. */
  readonly tier: Tier | null;
  /** False: nothing ran. */
  readonly stopped: boolean;
}

export interface ExecOptions extends ContainerPlace {
  readonly command: string;
  /** Relative to the workspace, or absolute in it. */
  readonly workingDirectory: string | null;
  /** Milliseconds. */
  readonly timeout: number;
  readonly isolationRequired: boolean;
  readonly signal: AbortSignal;
}

export interface ExecResult {
  readonly workspaceId: string;
  readonly tier: Tier;
  readonly execId: string;
  readonly stdout: string;
  readonly stderr: string;
  readonly exitCode: number;
  readonly timedOut: boolean;
  /** Output was left out. */
  readonly truncated: boolean;
  readonly notes: readonly string[];
}

export interface LogsOptions extends ContainerPlace {
  readonly tail: number;
  /** Milliseconds since the epoch. */
  readonly since: number;
}

export interface LogsResult {
  readonly workspaceId: string;
  readonly tier: Tier | null;
  readonly entries: readonly LogEntry[];
  /** There were more before. */
  readonly truncated: boolean;
}
