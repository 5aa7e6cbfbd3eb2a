import type { SessionChoice } from '../agent/session-choice.ts';
import { ExitCode, OxideError } from '../errors.ts';
import { type PermissionMode, permissionModes } from '../ui/permission.ts';
import { type OutputFormat, outputFormats } from './agent-output.ts';
import { type GivenOptions, textOf } from './given-words.ts';

/** What the command line of `agent` says. */
export interface AgentCommandOptions {
  readonly prompt: string | null;
  readonly model: string | null;
  readonly provider: string | null;
  readonly baseUrl: string | null;
  readonly session: SessionChoice;
  /** `--resume` without an id. */
  readonly listsSessions: boolean;
  readonly mode: PermissionMode;
  readonly maxTurns: number | null;
  readonly output: OutputFormat;
  /** False: plain lines although there is a terminal. */
  readonly tui: boolean;
  readonly trusts: boolean;
  /** The control plane's tools, whatever the configuration says. */
  readonly control: boolean;
}

/**
 * Reads what was given to `agent`.
 *
 * @throws OxideError `usage`
 */
export function readOptions(words: readonly string[], options: GivenOptions): AgentCommandOptions {
  const value = (name: string) => textOf(options[name]);
  if (words.length > 0 && words.every((word) => word.trim() === '')) {
    throw usage('The prompt is empty.');
  }
  refuseContradictions(options);
  return {
    prompt: words.length === 0 ? null : words.join(' '),
    model: value('model'),
    provider: value('provider'),
    baseUrl: value('baseUrl'),
    session: {
      resume: value('resume'),
      continue: options.continue === true,
      fork: options.fork === true,
      virtual: options.virtual === true,
    },
    listsSessions: options.resume === true,
    mode: oneOf('permission-mode', permissionModes, value('permissionMode') ?? 'default'),
    maxTurns: turnLimit(value('maxTurns')),
    output: oneOf('output', outputFormats, value('output') ?? (options.json === true ? 'json' : 'text')),
    tui: options.tui !== false,
    trusts: options.trust === true || process.env.OXIDE_GUARD_TRUST === '1',
    control: options.control === true,
  };
}

/** Words that would be passed over in silence say something else than what would happen. */
function refuseContradictions(options: GivenOptions): void {
  const { resume, continue: goesOn, fork, virtual, json, output } = options;
  if (json === true && output !== undefined) {
    throw usage('--json is --output json; give one of them.');
  }
  if (fork === true && resume === undefined && goesOn !== true) {
    throw usage('--fork needs a session to copy: --continue or --resume ID.');
  }
  if (resume !== undefined && goesOn === true) {
    throw usage('--resume and --continue name two sessions; give one of them.');
  }
  if (virtual === true && (resume !== undefined || goesOn === true)) {
    throw usage('--virtual is for new sessions; one that goes on stays as it began.');
  }
}

function oneOf<Choice extends string>(option: string, choices: readonly Choice[], value: string): Choice {
  const found = choices.find((choice) => choice === value);
  if (found === undefined) {
    throw usage(`--${option} '${value}' is none of ${choices.join(', ')}.`);
  }
  return found;
}

function turnLimit(value: string | null): number | null {
  if (value !== null && !/^[1-9]\d*$/.test(value)) {
    throw usage(`--max-turns '${value}' is no number of turns.`);
  }
  return value === null ? null : Number(value);
}

/** For what can't be meant. */
export function usage(message: string): OxideError {
  return new OxideError('usage', message, { remedy: 'oxide-guard agent --help', exitCode: ExitCode.usage });
}
