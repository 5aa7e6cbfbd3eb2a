import type { Command } from 'cac';
import { ExitCode, OxideError } from '../errors.ts';

type Option = Command['options'][number];

/** What an option was given: `true` without a value, `false` for `--no-…`; several values where it collects them. */
export type Given = boolean | string | readonly string[];

/** The options that were given, by their names in camel case: `--dry-run` is `dryRun`. */
export type GivenOptions = Readonly<Record<string, Given>>;

/** The value of an option; null: it is absent, or has none. */
export function textOf(value: Given | undefined): string | null {
  return typeof value === 'string' ? value : null;
}

/** The words after a command's name, as the command has declared them. */
export interface GivenWords {
  readonly operands: readonly string[];
  readonly options: GivenOptions;
  /** Those behind `--` where they are another program's; operands otherwise. */
  readonly forwarded: readonly string[];
}

/** Is help wanted, whatever else is given? */
export function asksForHelp(words: readonly string[]): boolean {
  return beforeEnd(words).some((word) => word === '--help' || word === '-h');
}

/**
 * Reads the words after a command's name. cac's own reading guesses: `--dry-run=1`, `--dryRun` and `--dry-run --dry-run`
 * are options to it, but not the one that was meant, and what looks like a number becomes one. Here a word is what the
 * command has declared, or it is refused.
 *
 * @param forwards are the words behind `--` another program's?
 * @throws OxideError `usage`
 */
export function readWords(command: Command, words: readonly string[], forwards: boolean): GivenWords {
  const before = beforeEnd(words);
  const behind = words.slice(before.length + 1);
  const operands: string[] = [];
  const options: Record<string, Given> = {};
  for (let index = 0; index < before.length; index += 1) {
    const word = before[index] ?? '';
    if (!word.startsWith('-') || word === '-') {
      operands.push(word);
      continue;
    }
    const [flag = '', inline] = splitFlag(word);
    const option = command.options.find((each) => flagOf(each) === flag);
    if (option === undefined) {
      throw usage(command, `There is no option '${flag}'.`);
    }
    const next = before[index + 1];
    const takesNext = option.isBoolean !== true && inline === null && next !== undefined && !next.startsWith('-');
    options[option.name] = valueGiven(command, option, takesNext ? next : inline, options[option.name]);
    index += takesNext ? 1 : 0;
  }
  const all = forwards ? operands : [...operands, ...behind];
  assertNumber(command, all);
  return { operands: all, options, forwarded: forwards ? behind : [] };
}

/** An option as it is typed. */
export function flagOf({ rawName }: Option): string {
  return /--[\w-]+/.exec(rawName)?.[0] ?? rawName;
}

function beforeEnd(words: readonly string[]): readonly string[] {
  const end = words.indexOf('--');
  return end === -1 ? words : words.slice(0, end);
}

function splitFlag(word: string): readonly [flag: string, inline: string | null] {
  const equals = word.indexOf('=');
  return equals === -1 ? [word, null] : [word.slice(0, equals), word.slice(equals + 1)];
}

/** @param earlier what the same option was given before: the last one holds, unless it collects */
function valueGiven(command: Command, option: Option, value: string | null, earlier: Given | undefined): Given {
  if (option.isBoolean === true) {
    if (value !== null) {
      throw usage(command, `The option '${flagOf(option)}' takes no value.`);
    }
    return !option.negated;
  }
  if (value === null && option.required === true) {
    throw usage(command, `The option '${flagOf(option)}' needs a value.`);
  }
  const collects = option.config.type !== undefined;
  return collects ? [...(Array.isArray(earlier) ? earlier : []), value ?? ''] : (value ?? true);
}

function assertNumber(command: Command, operands: readonly string[]): void {
  const { args } = command;
  const tooMany = args.some(({ variadic }) => variadic) ? undefined : operands[args.length];
  if (tooMany !== undefined) {
    throw usage(command, `'${tooMany}' is one word too many.`);
  }
  if (operands.length < args.filter(({ required }) => required).length) {
    throw usage(command, `'${command.name}' needs one more word.`);
  }
}

function usage(command: Command, message: string): OxideError {
  return new OxideError('usage', message, {
    remedy: `oxide-guard ${command.name} --help`,
    exitCode: ExitCode.usage,
  });
}
