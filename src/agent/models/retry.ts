import { setTimeout as delay } from 'node:timers/promises';

/** What a failed attempt says about another one. */
export interface RetryAdvice {
  readonly retry: boolean;
  /** Milliseconds that the server asked to wait; null when it did not say. */
  readonly retryAfter: number | null;
}

export interface RetryOptions {
  /** Attempts after the first. */
  readonly retries: number;
  /** Milliseconds: longer waits than this are not waited for. */
  readonly longestWait: number;
  /** Told before every wait, in milliseconds. */
  readonly onWait?: (pause: number, error: unknown) => void;
  /** Injected by tests. */
  readonly sleep?: (milliseconds: number, signal: AbortSignal) => Promise<unknown>;
}

export const defaultRetries: RetryOptions = { retries: 4, longestWait: 60_000 };

const firstWait = 1000;

/**
 * Tries again while it may help: after what the server asked for (RFC 9110, Retry-After), else 1, 2, 4, 8 s.
 *
 * @throws what the last attempt threw; the signal's reason when it is aborted while waiting
 */
export async function withRetries<Result>(
  attempt: () => Promise<Result>,
  advise: (error: unknown) => RetryAdvice,
  signal: AbortSignal,
  { retries, longestWait, onWait, sleep = wait }: RetryOptions = defaultRetries,
): Promise<Result> {
  for (let failed = 0; ; failed += 1) {
    try {
      return await attempt();
    } catch (error) {
      signal.throwIfAborted();
      const { retry, retryAfter } = advise(error);
      // "Now", from a server that has just refused, is no time to wait for.
      const pause = retryAfter || firstWait * 2 ** failed;
      if (!retry || failed >= retries || pause > longestWait) {
        throw error;
      }
      onWait?.(pause, error);
      await sleep(pause, signal);
      signal.throwIfAborted();
    }
  }
}

async function wait(milliseconds: number, signal: AbortSignal): Promise<void> {
  // An aborted wait rejects with an error of its own; the caller throws the signal's reason.
  await delay(milliseconds, undefined, { signal }).catch(() => undefined);
}

/**
 * How long a response asks to wait, in milliseconds: `retry-after-ms`, or Retry-After in seconds or as a date.
 *
 * @param now milliseconds since the epoch
 */
export function retryAfterOf(headers: Readonly<Record<string, string>>, now: number): number | null {
  const milliseconds = Number(headers['retry-after-ms'] ?? Number.NaN);
  if (Number.isFinite(milliseconds)) {
    return Math.max(0, milliseconds);
  }
  const value = headers['retry-after'];
  if (value === undefined) {
    return null;
  }
  const seconds = Number(value);
  if (value.trim() !== '' && Number.isFinite(seconds)) {
    return Math.max(0, seconds * 1000);
  }
  const date = Date.parse(value);
  return Number.isNaN(date) ? null : Math.max(0, date - now);
}
