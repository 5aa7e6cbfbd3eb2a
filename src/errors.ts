import { pasteable } from './own-command.ts';

/** Exit codes of the command line contract. */
export const ExitCode = {
  fine: 0,
  failed: 1,
  usage: 2,
  unanswered: 3,
  /** `agent` used up its turns. */
  maxTurns: 4,
  interrupted: 130,
} as const;

export type ExitCode = (typeof ExitCode)[keyof typeof ExitCode];

/**
 * An error that a person can act on. At the edge it is printed as one line (what happened and why) plus the remedy
 * (what to do, a command that can be pasted); never as a stack trace unless OXIDE_GUARD_DEBUG=1.
 */
export class OxideError extends Error {
  override readonly name = 'OxideError';
  /** Stable kebab-case name of the failure, for `--json` and tests. */
  readonly code: string;
  readonly remedy: string | null;
  readonly exitCode: ExitCode;

  constructor(code: string, message: string, options: { remedy?: string; exitCode?: ExitCode; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.remedy = options.remedy === undefined ? null : pasteable(options.remedy);
    this.exitCode = options.exitCode ?? ExitCode.failed;
  }
}
