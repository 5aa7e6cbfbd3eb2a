import { setFlagsFromString } from 'node:v8';

/**
 * By V8's version: how much longer than usual a function must have run before it is compiled again, optimised. Half of
 * what `check --stdin` cost in its first ten thousand lines was such compiling, in four threads beside the one that
 * judges: the judgement is thousands of functions, most of which run too seldom to earn it back. What runs often enough
 * is optimised all the same.
 *
 * Only versions that were measured: Node 20 has V8 11, Node 22 has 12; later ones have a quicker compiler in between.
 * V8 complains on standard error about an option that it doesn't know.
 */
const options: Readonly<Record<string, string>> = {
  11: '--interrupt-budget=500000',
  12: '--invocation-count-for-turbofan=20000',
};

/** The option for this node; null: none is known to do any good. */
export const lateOptimising: string | null = options[process.versions.v8.split('.', 1)[0] ?? ''] ?? null;

/** Makes V8 optimise later from now on: for a program that runs for seconds, in code that is seldom the same. */
export function optimiseLate(): void {
  if (lateOptimising !== null) {
    setFlagsFromString(lateOptimising);
  }
}
