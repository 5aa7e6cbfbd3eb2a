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
 * first word that is no option belongs to the command, so that `check git push -f` needs no `--`.
 *
 * @param name whose words they are
 * @param known the options it may have besides `--cwd`
 * @throws OxideError `usage` for an unknown option
 */
export function readJudgedLine(
  name: 'check' | 'explain',
  words: readonly string[],
  known: readonly string[],
): JudgedLine {
  const usage = (message: string) =>
    new OxideError('usage', message, { remedy: `oxide-guard ${name} --help`, exitCode: ExitCode.usage });
  const options = new Set<string>();
  let cwd = process.cwd();
  let index = 0;
  for (; index < words.length && words[index]?.startsWith('-') === true && words[index] !== '-'; index += 1) {
    const word = words[index] as string;
    if (word === '--') {
      index += 1;
      break;
    }
    if (word === '--cwd' || word.startsWith('--cwd=')) {
      const value = word === '--cwd' ? words[++index] : word.slice('--cwd='.length);
      if (value === undefined) {
        throw usage('--cwd names no directory.');
      }
      cwd = resolve(value);
      if (kindOf(cwd) !== 'directory') {
        throw usage(`--cwd names ${cwd}, and there is no such directory.`);
      }
    } else if (known.includes(word)) {
      options.add(word);
    } else {
      throw usage(`There is no option '${word}'.`);
    }
  }
  const rest = words.slice(index);
  const [only, ...more] = rest;
  return { command: only === undefined ? null : more.length === 0 ? only : quoteCommand(rest), cwd, options };
}
