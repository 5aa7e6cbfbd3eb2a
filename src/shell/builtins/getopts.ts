import type { ProgramReader } from '../call.ts';
import { changed, fails, type ShellState, succeeds, withVariable } from '../shell-state.ts';
import { beginningOf, knownWord, type Word } from '../simple-command.ts';
import { forgets } from './input-builtins.ts';

/** Where in a word of several letters the next one stands: no script can name it. */
const placeInWord = 'OPTIND place';

/** `getopts LETTERS NAME [WORD…]`, one option at each call (bash(1)); with words that are not known, any. */
export const readOption: ProgramReader = (call, shell) => {
  const { argv, state } = call;
  const [, letters, name, ...given] = argv;
  const words = given.length > 0 ? given : state.positional;
  const index = optionIndex(state);
  if (letters?.kind !== 'known' || name?.kind !== 'known' || index === null || !areKnown(words, index)) {
    return forgets(2)(call, shell);
  }
  const word = beginningOf(words[index - 1]);
  if (!/^-./.test(word) || word === '--') {
    const next = word === '--' ? index + 1 : index;
    return fails(withOption(state, { name: name.value, option: '?', next, place: 1 }));
  }
  const place = placeIn(state, index);
  const letter = word.charAt(place);
  const isLast = place + 1 >= word.length;
  const step = { name: name.value, next: isLast ? index + 1 : index, place: isLast ? 1 : place + 1 };
  const known = letters.value.replace(/^:/, '');
  const at = letter === ':' ? -1 : known.indexOf(letter);
  const isSilent = letters.value.startsWith(':');
  if (at < 0) {
    return succeeds(withOption(state, { ...step, option: '?', ...(isSilent ? { value: knownWord(letter) } : {}) }));
  }
  if (known.charAt(at + 1) !== ':') {
    return succeeds(withOption(state, { ...step, option: letter }));
  }
  const value = isLast ? words[index] : knownWord(word.slice(place + 1));
  const behind = { name: name.value, next: isLast ? index + 2 : index + 1, place: 1 };
  return succeeds(
    value === undefined
      ? withOption(state, { ...step, option: isSilent ? ':' : '?', ...(isSilent ? { value: knownWord(letter) } : {}) })
      : withOption(state, { ...behind, option: letter, value }),
  );
};

interface FoundOption {
  /** The variable that gets the letter. */
  readonly name: string;
  readonly option: string;
  /** OPTARG; absent: it is unset. */
  readonly value?: Word;
  /** OPTIND. */
  readonly next: number;
  readonly place: number;
}

function withOption(state: ShellState, { name, option, value, next, place }: FoundOption): ShellState {
  const scalar = (word: Word) => ({ kind: 'scalar', value: word, exported: false }) as const;
  const named = withVariable(state, name, scalar(knownWord(option)));
  const variables = new Map(named.variables)
    .set('OPTARG', value === undefined ? { kind: 'unset' } : scalar(value))
    .set('OPTIND', scalar(knownWord(String(next))))
    .set(placeInWord, scalar(knownWord(`${next} ${place}`)));
  return changed(named, { variables });
}

/** Null: it is not known. */
function optionIndex({ variables }: ShellState): number | null {
  const variable = variables.get('OPTIND');
  if (variable === undefined || variable.kind === 'unset') {
    return 1;
  }
  const text = variable.kind === 'scalar' && variable.value.kind === 'known' ? variable.value.value : '';
  return /^\d{1,4}$/.test(text) ? Math.max(Number(text), 1) : null;
}

/** At the beginning of a word, unless the call before has left off in it. */
function placeIn({ variables }: ShellState, index: number): number {
  const variable = variables.get(placeInWord);
  const text = variable?.kind === 'scalar' && variable.value.kind === 'known' ? variable.value.value : '';
  const [of, place] = text.split(' ').map(Number);
  return of === index && place !== undefined ? place : 1;
}

/** The word whose turn it is, and that it is one word. */
function areKnown(words: readonly Word[], index: number): boolean {
  const before = words.slice(0, index);
  return (
    before.every((word) => word.kind === 'known' || !word.mayExpandToSeveral) &&
    (words[index - 1]?.kind ?? 'known') === 'known'
  );
}
