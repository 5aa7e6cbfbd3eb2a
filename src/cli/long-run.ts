import { setFlagsFromString } from 'node:v8';

/**
 * How V8 compiles best for a program that runs for seconds, in code that is seldom the same: the judgement is thousands of
 * functions, most of which run a few hundred times. By V8's version:
 * - *Optimise later*, after more runs than usual. Half of what `check --stdin` cost in its first ten thousand lines was
 *   optimising, in four threads beside the one that judges, of functions that never earned it back.
 * - *Never interpret.* The first compiler of functions is cheap, and saves a tenth as soon as a function runs some times.
 *
 * Only versions that were measured: Node 20 has V8 11, Node 22 has 12; Node 24, with a quicker compiler in between, gains
 * nothing. V8 complains on standard error about an option that it doesn't know.
 */
const options: Readonly<Record<string, readonly string[]>> = {
  11: ['--always-sparkplug', '--interrupt-budget=500000'],
  12: ['--always-sparkplug', '--invocation-count-for-turbofan=20000'],
};

/** The options for this node; none where none is known to do any good. */
export const longRunOptions: readonly string[] = options[process.versions.v8.split('.', 1)[0] ?? ''] ?? [];

/** Makes V8 compile for a long run from now on. */
export function compileForLongRun(): void {
  for (const option of longRunOptions) {
    setFlagsFromString(option);
  }
}
