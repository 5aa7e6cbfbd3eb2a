import type { Clock } from '../clock.ts';

export interface IdleWatchOptions {
  readonly clock: Clock;
  /** Milliseconds without use. */
  readonly limit: number;
  /** Milliseconds since the epoch; null: nothing runs any more. Other servers may have used it, too. */
  readonly usedAt: (workspaceId: string) => Promise<number | null>;
  readonly stop: (workspaceId: string) => Promise<void>;
}

/** Stops what nobody has used for a while. */
export class IdleWatch {
  readonly #options: IdleWatchOptions;
  readonly #cancels = new Map<string, () => void>();
  readonly #checks = new Set<Promise<void>>();

  constructor(options: IdleWatchOptions) {
    this.#options = options;
  }

  /** @param after milliseconds until it is looked at */
  watch(workspaceId: string, after = this.#options.limit): void {
    this.forget(workspaceId);
    const cancel = this.#options.clock.after(after, () => {
      const check = this.#check(workspaceId)
        // The store or the engine may be away for a moment: then it is looked at again.
        .catch(() => this.watch(workspaceId))
        .finally(() => this.#checks.delete(check));
      this.#checks.add(check);
    });
    this.#cancels.set(workspaceId, cancel);
  }

  forget(workspaceId: string): void {
    this.#cancels.get(workspaceId)?.();
    this.#cancels.delete(workspaceId);
  }

  /** Watches nothing any more, and waits for what it is about to stop. */
  async close(): Promise<void> {
    for (const workspaceId of [...this.#cancels.keys()]) {
      this.forget(workspaceId);
    }
    await Promise.all(this.#checks);
  }

  async #check(workspaceId: string): Promise<void> {
    const { clock, limit, usedAt, stop } = this.#options;
    const used = await usedAt(workspaceId);
    if (used === null) {
      return;
    }
    const left = used + limit - clock.now();
    if (left > 0) {
      this.watch(workspaceId, left);
    } else {
      await stop(workspaceId);
    }
  }
}
