import type { ServerContext } from '@modelcontextprotocol/server';
import type { ActionCall } from '../action.ts';

/** Milliseconds between two notifications: a clone counts faster than anybody reads. */
const interval = 100;

/**
 * Tells the client how a call goes, where it asked for that. The protocol wants numbers that only grow: a phase that
 * counts from the start again goes on with the numbers after the last one, without a total.
 */
export function progressOf({ mcpReq }: ServerContext): ActionCall['progress'] {
  const progressToken = mcpReq._meta?.progressToken;
  if (progressToken === undefined) {
    return () => {};
  }
  let last = 0;
  let lastTime = 0;
  return (message, done, total) => {
    const now = performance.now();
    const isEnd = done !== undefined && done === total;
    if (mcpReq.signal.aborted || (now - lastTime < interval && !isEnd)) {
      return;
    }
    lastTime = now;
    const isCounting = done !== undefined && done > last;
    last = isCounting ? done : last + 1;
    const params = {
      progressToken,
      progress: last,
      message,
      ...(isCounting && total !== undefined && total >= done ? { total } : {}),
    };
    // A client that is gone is told nothing; its call is cancelled by the transport.
    mcpReq.notify({ method: 'notifications/progress', params }).catch(() => {});
  };
}
