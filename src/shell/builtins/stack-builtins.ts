import type { Call, ProgramReader, Shell } from '../call.ts';
import { isPlace, placeIn, stackOf } from '../directory-stack.ts';
import { changed, either, fails, type Outcome, type ShellState, succeeds } from '../shell-state.ts';
import type { Directory, Word } from '../simple-command.ts';
import { destination, enter } from './directory-builtins.ts';

interface Asked {
  /** A place in the stack. */
  readonly place: string | null;
  readonly directory: Word | null;
  /** `-n`: the shell stays where it is. */
  readonly stays: boolean;
}

function asked({ argv: [, ...words] }: Call): Asked {
  const isText = (word: Word, pattern: RegExp) => word.kind === 'known' && pattern.test(word.value);
  const [first] = words.filter((word) => !isText(word, /^-n$|^--$/));
  return {
    place: first?.kind === 'known' && isPlace(first.value) ? first.value : null,
    directory: first ?? null,
    stays: words.some((word) => isText(word, /^-n$/)),
  };
}

/** `pushd`: adds a directory and goes there, turns the stack, or exchanges its first two. */
export const pushDirectory: ProgramReader = (call, shell) => {
  const { state } = call;
  const { directory, stays, ...turned } = asked(call);
  if (directory !== null && turned.place === null) {
    const target = destination(directory, state, shell);
    const above = stays ? target : state.cwd;
    const stack = state.directoryStack === null ? null : [above, ...state.directoryStack];
    return stays ? succeeds(withStack(state, stack)) : entering(target, stack, state, shell);
  }
  const stack = stackOf(state);
  if (stack === null || (stays && turned.place !== null)) {
    return entering(unknownPlace, null, state, shell);
  }
  const at = placeIn(stack, turned.place ?? '+1');
  const next = stack[at];
  if (next === undefined) {
    return fails(state);
  }
  const others =
    turned.place === null ? stack.filter((_, index) => index !== at) : [...stack.slice(at + 1), ...stack.slice(0, at)];
  return stays ? succeeds(state) : entering(next, others, state, shell);
};

/** `popd`: takes the first away and goes where the next says, or takes another one away. */
export const popDirectory: ProgramReader = (call, shell) => {
  const { state } = call;
  const { place: named, stays } = asked(call);
  const stack = stackOf(state);
  if (stack === null) {
    return stays || named !== null ? either(state) : entering(unknownPlace, null, state, shell);
  }
  const at = named === null ? 0 : placeIn(stack, named);
  const [, next, ...rest] = stack;
  if (at === -1 || next === undefined) {
    return fails(state);
  }
  if (at === 0) {
    return stays ? succeeds(withStack(state, rest)) : entering(next, rest, state, shell);
  }
  return succeeds(
    withStack(
      state,
      stack.filter((_, index) => index > 0 && index !== at),
    ),
  );
};

/** `dirs -c` empties the stack; else it only shows it. */
export const showDirectories: ProgramReader = ({ argv, state }) =>
  argv.some((word) => word.kind === 'known' && /^-[lpv]*c/.test(word.value)) ? succeeds(withStack(state, [])) : null;

const unknownPlace: Directory = { kind: 'unknown', reason: 'what the directory stack holds is not known' };

function withStack(state: ShellState, directoryStack: ShellState['directoryStack']): ShellState {
  return changed(state, { directoryStack });
}

function entering(directory: Directory, stack: ShellState['directoryStack'], state: ShellState, shell: Shell): Outcome {
  const outcome = enter(directory, state, shell);
  return { ...outcome, success: outcome.success && withStack(outcome.success, stack) };
}
