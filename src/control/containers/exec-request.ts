import type { Workspace } from '../services.ts';
import type { TakeOutput } from './output-frames.ts';

/** One command in a workspace's container. */
export interface ExecRequest {
  readonly workspace: Workspace;
  /** For `/bin/sh -c`. */
  readonly command: string;
  /** Absolute, without symbolic links; the same inside and outside. */
  readonly directory: string;
  /** Milliseconds. */
  readonly timeout: number;
  readonly signal: AbortSignal;
  readonly take: TakeOutput;
}

export interface ExecEnd {
  /** As a shell has it: 128 and the signal's number when a signal ended it. */
  readonly exitCode: number;
  readonly stopped: 'timed-out' | 'interrupted' | null;
  /** The container ended with it, or had to be ended to end it. */
  readonly containerEnded: boolean;
  /** What whoever called should know besides, a sentence for each. */
  readonly notes: readonly string[];
}
