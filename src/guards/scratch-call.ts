import type { GitCall } from './git-call.ts';
import type { ScratchRepository } from './simulation/scratch-repositories.ts';

/** A call of git in a repository in which nothing is at stake. */
export interface ScratchCall extends GitCall {
  /** The subcommand. */
  readonly name: string;
  readonly scratch: ScratchRepository;
  /** The top of the files that it works on, where these are others'; null: not known which. */
  readonly others?: string | null;
}
