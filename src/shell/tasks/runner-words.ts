/** The words of a runner of tasks, taken apart. */
export interface RunnerWords {
  /** By the option's name, as it is written. */
  readonly values: ReadonlyMap<string, string>;
  /** What is neither an option nor its value, up to `--`. */
  readonly operands: readonly string[];
  /** What stands behind `--`. */
  readonly rest: readonly string[];
  /** It says what is there, or what would be done, and runs nothing. */
  readonly onlyShows: boolean;
}

/**
 * @param words what follows the program's name; '' for a word that is not known
 * @param valued options whose value is the next word, where it is not attached
 * @param shows options with which nothing runs
 * @param endsAtOperand what follows the first operand is handed on, whatever it looks like
 */
export function readRunnerWords(
  words: readonly string[],
  valued: RegExp,
  shows: RegExp,
  endsAtOperand = false,
): RunnerWords {
  const end = words.indexOf('--');
  const own = end < 0 ? words : words.slice(0, end);
  const values = new Map<string, string>();
  const operands: string[] = [];
  for (let index = 0; index < own.length; index += 1) {
    const word = own[index] ?? '';
    const [name = '', attached] = word.split(/=([\s\S]*)/, 2);
    if (!word.startsWith('-') && endsAtOperand) {
      operands.push(...own.slice(index));
      break;
    }
    if (!word.startsWith('-')) {
      operands.push(...(word === '' ? [] : [word]));
    } else if (valued.test(name)) {
      values.set(name, attached ?? own[index + 1] ?? '');
      index += attached === undefined ? 1 : 0;
    }
  }
  const options = endsAtOperand ? own.slice(0, own.length - operands.length) : own;
  const onlyShows = options.some((word) => shows.test(word));
  return { values, operands, rest: end < 0 ? [] : words.slice(end + 1), onlyShows };
}
