import type { Clock } from '../clock.ts';

/** Who wants to know when a token no longer holds. */
export interface TokenWatches {
  /** Calls back once, as soon as the token no longer holds. Gives what ends the watch. */
  watch(tokenId: string, onInvalid: () => void): () => void;
  /** The token was revoked here: those who watch it need not look. */
  tell(tokenId: string): void;
}

/**
 * Watches tokens by looking at them again and again: another process may revoke one.
 *
 * @param interval milliseconds between two looks
 */
export function watchTokens(
  holds: (tokenId: string) => Promise<boolean>,
  clock: Clock,
  interval: number,
): TokenWatches {
  const watchers = new Map<string, Set<() => void>>();
  return {
    watch: (tokenId, onInvalid) => {
      let isOver = false;
      let cancel = () => {};
      const end = () => {
        isOver = true;
        cancel();
        watchers.get(tokenId)?.delete(tell);
        if (watchers.get(tokenId)?.size === 0) {
          watchers.delete(tokenId);
        }
      };
      const tell = () => {
        if (!isOver) {
          end();
          onInvalid();
        }
      };
      const look = () => {
        // A store that does not answer for a moment has not said that the token is gone.
        holds(tokenId).then((isValid) => (isValid ? wait() : tell()), wait);
      };
      const wait = () => {
        if (!isOver) {
          cancel = clock.after(interval, look);
        }
      };
      watchers.set(tokenId, (watchers.get(tokenId) ?? new Set()).add(tell));
      wait();
      return end;
    },
    tell: (tokenId) => {
      for (const tell of [...(watchers.get(tokenId) ?? [])]) {
        tell();
      }
    },
  };
}
