import type { Verdict } from '../config/rules.ts';
import type { Environment } from '../git/runner.ts';
import type { Finding } from '../guards/finding.ts';

/** A command line to judge, and where it would run. */
export interface JudgeRequest {
  readonly command: string;
  readonly cwd: string;
  readonly env: Environment;
}

/** What the guards have to say about a command line. */
export interface Judgement {
  readonly verdict: Verdict;
  readonly findings: readonly Finding[];
  /** Where a shell that is kept open may stand afterwards, as far as it is known. */
  readonly endsIn: readonly string[];
}

/** Judges a command line; the hook of every agent asks the same one. */
export type Judge = (request: JudgeRequest) => Promise<Judgement>;
