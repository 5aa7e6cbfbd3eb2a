import type { Clock } from '../clock.ts';

/** Wakes up what waits in this process for something to happen to a session. */
export class Signals {
  readonly #waiting = new Map<string, Set<() => void>>();

  /** What is waited for now: sessions' ids. */
  get topics(): readonly string[] {
    return [...this.#waiting.keys()];
  }

  notify(topic: string): void {
    const calls = this.#waiting.get(topic);
    this.#waiting.delete(topic);
    for (const call of calls ?? []) {
      call();
    }
  }

  /** Listens from now on, so that nothing is missed between a look and the waiting for it. */
  listen(topic: string): Listener {
    let notified: () => void = () => {};
    const heard = new Promise<void>((resolve) => {
      notified = resolve;
    });
    const calls = this.#waiting.get(topic) ?? new Set();
    this.#waiting.set(topic, calls.add(notified));
    return {
      heard,
      close: () => {
        calls.delete(notified);
        if (calls.size === 0 && this.#waiting.get(topic) === calls) {
          this.#waiting.delete(topic);
        }
      },
    };
  }
}

export interface Listener {
  readonly heard: Promise<void>;
  close(): void;
}

/** Waits for what is heard, at most so many milliseconds, and no longer than the signal lets it. Never rejects. */
export async function heardWithin(
  heard: Promise<unknown>,
  milliseconds: number,
  clock: Clock,
  signal: AbortSignal | null = null,
): Promise<void> {
  if (signal?.aborted === true) {
    return;
  }
  await new Promise<void>((resolve) => {
    const finish = () => {
      cancel();
      signal?.removeEventListener('abort', finish);
      resolve();
    };
    const cancel = clock.after(milliseconds, finish);
    signal?.addEventListener('abort', finish, { once: true });
    void heard.then(finish, finish);
  });
}
