import { createContext, Script } from 'node:vm';

const script = new Script('run()');
const timeOut = 'ERR_SCRIPT_EXECUTION_TIMEOUT';

/**
 * Runs a synchronous function, and gives up when it takes too long: a regular expression that a model wrote can
 * backtrack for years. What it holds open stays open then, so it should only compute.
 *
 * @param limit in milliseconds
 * @returns null when the time was up
 */
export function runInTime<Result>(run: () => Result, limit: number): { readonly result: Result } | null {
  let done: { readonly result: Result } | null = null;
  const store = () => {
    done = { result: run() };
  };
  try {
    script.runInContext(createContext({ run: store }), { timeout: limit });
    return done;
  } catch (error) {
    // It is an error of the other context, so `instanceof Error` does not hold.
    if (typeof error === 'object' && error !== null && 'code' in error && error.code === timeOut) {
      return null;
    }
    throw error;
  }
}
