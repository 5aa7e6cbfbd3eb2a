import type { Function as FunctionNode } from 'unbash';
import { merge, sameState } from './merged-states.ts';
import { changed, doubtful, either, type Outcome, type ShellState } from './shell-state.ts';

/** The text of a script, or a function. */
type Runnable = string | FunctionNode;

/**
 * The scripts and functions that are running. What starts itself (a task of a monorepo that runs the tasks of that name,
 * `exec sudo "$0"`, a function that goes through a tree) is read until another start would find nothing new: twice at
 * least, because what it did to a repository counts for the second time, and with everything unknown that changes from
 * one start to the next.
 */
export class Recursion {
  readonly #running: { readonly what: Runnable; readonly state: ShellState }[] = [];
  readonly #unread: string[] = [];

  /** Scripts and programs that were being read when reading stopped: what follows in them is not known. */
  get unread(): readonly string[] {
    return this.#unread;
  }

  start(what: Runnable, state: ShellState, run: (state: ShellState) => Outcome): Outcome {
    const earlier =
      this.#running.length === 0
        ? []
        : this.#running.filter((started) => started.what === what).map((started) => started.state);
    const last = earlier.at(-1);
    const entered = last === undefined ? state : withoutChanges(last, state);
    if (earlier.length > 1 && earlier.some((other) => sameState(other, entered))) {
      return either(doubtful(state));
    }
    this.#running.push({ what, state: entered });
    try {
      return typeof what === 'string' ? this.reading(what, () => run(entered)) : run(entered);
    } finally {
      this.#running.pop();
    }
  }

  /** Reads a text that starts others: a script, or a program of another language. */
  reading<Result>(text: string, read: () => Result): Result {
    try {
      return read();
    } catch (error) {
      this.#unread.push(text);
      throw error;
    }
  }
}

/** `now` without what it does not have in common with the start before. */
function withoutChanges(before: ShellState, now: ShellState): ShellState {
  const { path, hidden } = now;
  return changed(merge(before, now) ?? now, { path, hidden });
}
