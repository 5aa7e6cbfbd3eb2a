import { listedWords } from '../../listed-words.ts';
import type { Call } from '../call.ts';
import { beginningOf, programName, type Word } from '../simple-command.ts';
import { unknownWord } from '../words/parameter.ts';

/** Programs that have nothing to complain of, whatever they are given. */
const quiet: ReadonlySet<string> = new Set(listedWords('echo printf true false : pwd basename dirname seq tr rev tee'));
/** Programs that read their input where they are given no file, by the words that stand before one. */
const readers: ReadonlyMap<string, number> = new Map([
  ...['cat', 'head', 'tail', 'wc', 'tac'].map((name) => [name, 0] as const),
  ...['grep', 'egrep', 'sed', 'cut', 'awk'].map((name) => [name, 1] as const),
]);

/**
 * What a command prints to its standard error, where that is read along with its output, or alone.
 *
 * @param printed its output; null: it fails
 */
export function appendErrors(call: Call, printed: Word | null): void {
  const { source, state, frame } = call;
  if (frame.errors !== null && (printed === null || mayComplain(call, printed))) {
    frame.errors.append(unknownWord(source, `what ${source} complains of is not known`), state.path);
  }
}

/** Where it has found what it prints, it has nothing to complain of; what is not known of an output may be that anyway. */
function mayComplain(call: Call, printed: Word): boolean {
  const program = programName(call.argv[0]) ?? '';
  if (quiet.has(program) || readsInput(program, call)) {
    return false;
  }
  return call.frame.errors !== call.frame.output || (printed.kind === 'known' && printed.value === '');
}

/** Does it surely read nothing but its input? */
function readsInput(program: string, { argv, frame }: Call): boolean {
  const before = readers.get(program);
  const operands = argv.slice(1).filter((word) => !beginningOf(word).startsWith('-'));
  return before !== undefined && frame.input !== null && operands.length <= before;
}
