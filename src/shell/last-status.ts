import type { Statement } from 'unbash';
import { newFork, standFor } from './path.ts';
import { changed, either, fails, type Outcome, parted, type ShellState, succeeds } from './shell-state.ts';
import type { Fork, Path } from './simple-command.ts';

/** May a statement ask how the one before it has ended? @param text that its position refers to */
export function asksStatus({ pos, end }: Statement, text: string): boolean {
  return /\$(?:\?|\{\?)/.test(text.slice(pos, end));
}

/**
 * The state in which `$?` is how something has ended: until anything else runs.
 *
 * @param outcome on the ways of which it has ended
 * @param from the path on which it began
 */
export function withStatus(state: ShellState, outcome: Outcome, from: Path): ShellState {
  const { success, failure } = parted(outcome);
  const status = newFork();
  standFor(status, { from, success: success?.path, failure: failure?.path });
  return changed(state, { status });
}

/** The state in which nobody knows of how something before has ended. */
export function withoutStatus(state: ShellState): ShellState {
  return state.status === null ? state : changed(state, { status: null });
}

/** The same, in whichever way it ends. */
export function forgettingStatus({ success, failure }: Outcome): Outcome {
  return { success: success && withoutStatus(success), failure: failure && withoutStatus(failure) };
}

/** How a command ends that succeeds exactly where something before it has: `[ $? -eq 0 ]`, `return $rc`. */
export function endingAs(status: Fork, state: ShellState): Outcome {
  const ends = status.ends === 'several' ? null : status.ends;
  if (ends !== null && ends.success === undefined) {
    return fails(state);
  }
  return ends !== null && ends.failure === undefined ? succeeds(state) : parted(either(state), status);
}
