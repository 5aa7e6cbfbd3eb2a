import type { Clock } from '../clock.ts';

export interface Rate {
  /** What may come at once. */
  readonly burst: number;
  /** What may come for long. */
  readonly perSecond: number;
}

/** Counts what comes from each of many, and says when one has had enough. */
export interface RateLimit {
  /** Takes one; gives the seconds to wait where there is none left, else 0. */
  take(key: string): number;
}

/** Who else is counted is bounded, too: whoever was not heard of for longest is forgotten. */
const mostKeys = 10_000;

/** A bucket for each key, which fills again with time. */
export function createRateLimit({ burst, perSecond }: Rate, clock: Pick<Clock, 'now'>): RateLimit {
  const buckets = new Map<string, { left: number; at: number }>();
  return {
    take: (key) => {
      const now = clock.now();
      const known = buckets.get(key);
      const left = known === undefined ? burst : Math.min(burst, known.left + ((now - known.at) / 1000) * perSecond);
      const isFine = left >= 1;
      // Put in anew: the map's order is that of the last use.
      buckets.delete(key);
      buckets.set(key, { left: isFine ? left - 1 : left, at: now });
      if (buckets.size > mostKeys) {
        buckets.delete(buckets.keys().next().value ?? key);
      }
      return isFine ? 0 : Math.ceil((1 - left) / perSecond);
    },
  };
}
