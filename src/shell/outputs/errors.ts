import type { Call } from '../call.ts';
import { programName, type Word } from '../simple-command.ts';
import { unknownWord } from '../words/parameter.ts';

/** Programs that have nothing to complain of, and those that only read what they are given on their input. */
const quiet = new Set([
  'echo',
  'printf',
  'true',
  'false',
  ':',
  'pwd',
  'basename',
  'dirname',
  'seq',
  'tr',
  'rev',
  'tee',
]);
/** Programs that read files; without a name, their input. */
const readers = /^(?:cat|head|tail|grep|egrep|sed|cut|awk|wc|tac)$/;

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
function mayComplain({ argv, frame }: Call, printed: Word): boolean {
  const program = programName(argv[0]) ?? '';
  if (quiet.has(program) || (readers.test(program) && frame.input !== null && argv.length <= 2)) {
    return false;
  }
  return frame.errors !== frame.output || (printed.kind === 'known' && printed.value === '');
}
