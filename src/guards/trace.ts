import type { Finding } from './finding.ts';

/** What became of one step of a command line, for `explain`. */
export interface TraceEntry {
  /** The command as it will run, or the part as it is written. */
  readonly command: string;
  /** Null where it can't be known. */
  readonly cwd: string | null;
  /** What it was found in, outermost first: `sudo`, `bash -c`. */
  readonly through: readonly string[];
  /** What was made of it, in sentences. */
  readonly notes: readonly string[];
  readonly findings: readonly Finding[];
}
