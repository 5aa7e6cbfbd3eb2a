import type { Clock } from '../../src/control/clock.ts';

/** A clock that stands still until it is moved. */
export interface FakeClock extends Clock {
  /** Moves time on, and calls back what was to be called until then, in order. */
  advance(milliseconds: number): void;
}

export function fakeClock(start = Date.UTC(2030, 0, 1)): FakeClock {
  let now = start;
  let waiting: { readonly at: number; readonly call: () => void }[] = [];
  return {
    now: () => now,
    after: (milliseconds, call) => {
      const entry = { at: now + milliseconds, call };
      waiting.push(entry);
      return () => {
        waiting = waiting.filter((other) => other !== entry);
      };
    },
    advance: (milliseconds) => {
      const until = now + milliseconds;
      for (;;) {
        const [next] = waiting.filter(({ at }) => at <= until).sort((one, other) => one.at - other.at);
        if (next === undefined) {
          break;
        }
        waiting = waiting.filter((entry) => entry !== next);
        now = next.at;
        next.call();
      }
      now = until;
    },
  };
}
