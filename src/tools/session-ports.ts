import type { Environment } from '../git/runner.ts';
import type { ToolFailure } from './tool-result.ts';

/** One kind of subagent that a session can start. */
export interface SubagentType {
  readonly name: string;
  /** For the model: what it is good at. */
  readonly description: string;
}

export interface SubagentRequest {
  /** Three to five words for people. */
  readonly description: string;
  readonly prompt: string;
  readonly subagentType: string;
  /** A model's name or alias, or `inherit`; absent: the definition's, then the configured default. */
  readonly model?: string;
  /** The id of a subagent whose transcript goes on, with its own model. */
  readonly resume?: string;
  readonly signal: AbortSignal;
  /** Takes the subagent's text as it streams, for a task's output. */
  readonly onOutput?: (text: string) => void;
}

export type SubagentOutcome =
  | {
      readonly ok: true;
      /** What `resume` takes. */
      readonly agentId: string;
      /** Its last message. */
      readonly text: string;
      readonly model: string;
      readonly turns: number;
    }
  | ToolFailure;

/** Runs subagents of the session: each has its own transcript, the same guard, rules and hooks. */
export interface Subagents {
  types(): readonly SubagentType[];
  /** Never rejects. An unknown type or id, and nesting too deep, are failures that name what is known. */
  run(request: SubagentRequest): Promise<SubagentOutcome>;
}

/** `stopped`: by the session's end or an interruption. */
export type TaskStatus = 'running' | 'completed' | 'failed' | 'stopped';

export interface TaskState {
  readonly id: string;
  readonly kind: 'shell' | 'agent';
  readonly description: string;
  readonly status: TaskStatus;
  /** What it has written so far; its middle is left out when it is long. */
  readonly output: string;
  /** Of a shell task that has ended. */
  readonly exitCode: number | null;
}

/** How background work ended; its output went to the sink. */
export interface TaskEnd {
  readonly status: Exclude<TaskStatus, 'running'>;
  readonly exitCode?: number;
}

export interface TaskStart {
  readonly kind: TaskState['kind'];
  readonly description: string;
  /** Its rejection is a failed task whose output ends with the message. */
  readonly run: (io: { readonly signal: AbortSignal; readonly onOutput: (text: string) => void }) => Promise<TaskEnd>;
}

/** Background work of a session; all of it ends with the session. */
export interface Tasks {
  start(task: TaskStart): TaskState;
  get(id: string): TaskState | null;
  /** In the order in which they were started. */
  list(): readonly TaskState[];
  /**
   * Waits for a task's end.
   *
   * @param timeout milliseconds; then the state is given as it is, still `running`
   * @returns null when there is no such task
   */
  wait(id: string, timeout: number, signal: AbortSignal): Promise<TaskState | null>;
  /**
   * Ends one task, children included, and waits for it.
   *
   * @returns null when there is no such task
   */
  stop(id: string): Promise<TaskState | null>;
  /** Ends everything that runs, children included, and waits for it. */
  stopAll(): Promise<void>;
}

export interface RewindRequest {
  readonly messagePrefix: string;
  readonly courseCorrection: string;
  readonly restoreCode: boolean;
}

/**
 * What going back did to the files. `unwanted`: they were to stay. `unchanged`: no call since has changed anything that a
 * checkpoint would have been taken for. `impossible`: this session takes no checkpoints. `virtual`: nor are there any of
 * files that are in the session only.
 */
export type RestoredFiles =
  | { readonly checkpoint: string; readonly files: number; readonly undoneBy: string | null }
  | 'unwanted'
  | 'unchanged'
  | 'impossible'
  | 'virtual';

export type RewindOutcome =
  | {
      readonly ok: true;
      /** The user message that was found, and left the context with everything after it. */
      readonly message: string;
      readonly removedMessages: number;
      readonly restored: RestoredFiles;
    }
  | ToolFailure;

/** The conversation as something one can go back in. */
export interface Timeline {
  /** Finds no message: a failure, and nothing has changed. */
  rewind(request: RewindRequest): Promise<RewindOutcome>;
}

/** A process that is to be confined. */
export interface ConfinementRequest {
  /** The program and its arguments. */
  readonly argv: readonly [program: string, ...args: string[]];
  readonly cwd: string;
  /** The whole environment of the process. */
  readonly env: Environment;
  /** Directories that may be written, with the repository's git directory; none: all is read-only, the repository, too. */
  readonly roots: readonly string[];
}

/** The process to start in place of the one that was asked for. */
export interface ConfinedCommand {
  readonly argv: readonly [program: string, ...args: string[]];
  /** The whole environment. */
  readonly env: Environment;
  /** False where no backend works: the call counts as unsandboxed. */
  readonly sandboxed: boolean;
  /**
   * To be called when it has ended: undoes what the sandbox could not prevent, and says so, a sentence for each.
   */
  readonly ended?: () => readonly string[];
}

export interface Sandbox {
  /** @throws OxideError `sandbox-required` where none works and the configuration demands one */
  confine(request: ConfinementRequest): Promise<ConfinedCommand>;
}
