import { resolve } from 'node:path';
import { ExitCode, OxideError } from '../errors.ts';
import { kindOf } from '../git/files.ts';
import { quoteCommand } from '../quote.ts';

/** What `check` and `explain` are asked. */
export interface JudgedLine {
  /** Null where none is given. */
  readonly command: string | null;
  /** Absolute directory the command would run in. */
  readonly cwd: string;
  /** The options before the command, without `--cwd`. */
  readonly options: ReadonlySet<string>;
}

/**
 * Reads the words after `check` or `explain`: own options, then the command as one word or as many. Everything from the
 * first word that is no option belongs to the command, so that `check git push -f` needs no `--`. A whole line in one
 * word can't go on, so options may follow it, too: `check 'git push -f' --json`.
 *
 * @param name whose words they are
 * @param known the options it may have besides `--cwd`
 * @throws OxideError `usage` for an unknown option, or for words after a whole line
 */
export function readJudgedLine(
  name: 'check' | 'explain',
  words: readonly string[],
  known: readonly string[],
): JudgedLine {
  const given: OwnOptions = { name, known, options: new Set(), cwd: process.cwd() };
  const rest = readOwnOptions(words, given);
  const [line, next, ...others] = rest.words;
  if (line === undefined || next === undefined) {
    return { command: line ?? null, cwd: given.cwd, options: given.options };
  }
  if (rest.isClosed || !isWholeLine(line)) {
    return { command: quoteCommand(rest.words), cwd: given.cwd, options: given.options };
  }
  if (!isOption(next) || readOwnOptions([next, ...others], given).words.length > 0) {
    throw usage(
      `'${line}' is a line of its own, and more words follow it.`,
      `oxide-guard ${name} -- ${quoteCommand(rest.words)}   # if it is a program's name`,
    );
  }
  return { command: line, cwd: given.cwd, options: given.options };
}

/** A program whose name has a blank is so rare that whoever means it can say so by `--`. */
function isWholeLine(word: string): boolean {
  return /\s/.test(word.trim());
}

function isOption(word: string): boolean {
  return word.startsWith('-') && word !== '-';
}

/** What is read of the options so far. */
interface OwnOptions {
  readonly name: string;
  readonly known: readonly string[];
  readonly options: Set<string>;
  cwd: string;
}

/**
 * Reads the options at the beginning.
 *
 * @returns the words behind them; `isClosed`: they end with `--`
 */
function readOwnOptions(
  words: readonly string[],
  given: OwnOptions,
): { readonly words: readonly string[]; readonly isClosed: boolean } {
  const help = `oxide-guard ${given.name} --help`;
  for (let index = 0; index < words.length; index += 1) {
    const word = words[index] as string;
    if (word === '--') {
      return { words: words.slice(index + 1), isClosed: true };
    }
    if (!isOption(word)) {
      return { words: words.slice(index), isClosed: false };
    }
    if (word === '--cwd' || word.startsWith('--cwd=')) {
      given.cwd = directoryNamed(word === '--cwd' ? words[++index] : word.slice('--cwd='.length), help);
    } else if (given.known.includes(word)) {
      given.options.add(word);
    } else {
      const [flag = ''] = word.split('=', 1);
      const isKnown = given.known.includes(flag);
      throw usage(isKnown ? `The option '${flag}' takes no value.` : `There is no option '${word}'.`, help);
    }
  }
  return { words: [], isClosed: false };
}

function directoryNamed(value: string | undefined, help: string): string {
  if (value === undefined) {
    throw usage('--cwd names no directory.', help);
  }
  const cwd = resolve(value);
  if (kindOf(cwd) !== 'directory') {
    throw usage(`--cwd names ${cwd}, and there is no such directory.`, help);
  }
  return cwd;
}

function usage(message: string, remedy: string): OxideError {
  return new OxideError('usage', message, { remedy, exitCode: ExitCode.usage });
}
