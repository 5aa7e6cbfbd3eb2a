import { OxideError } from '../../errors.ts';
import type { ActionCall } from '../action.ts';

/**
 * Runs a call until it ends, its client gives up, or its token stops to hold: a revoked token gets no answer from a
 * call that was still waiting. What runs is told by the signal, and not waited for.
 *
 * @throws OxideError `token-revoked`, `cancelled`; what the work throws
 */
export async function untilOver<Result>(
  call: ActionCall,
  watchToken: (tokenId: string, onInvalid: () => void) => () => void,
  work: (call: ActionCall) => Promise<Result>,
): Promise<Result> {
  const { tokenId } = call.principal;
  const controller = new AbortController();
  const over = new Promise<never>((_, reject) => {
    controller.signal.addEventListener('abort', () => reject(controller.signal.reason), { once: true });
  });
  over.catch(() => {});
  const cancel = () => {
    const { reason } = call.signal;
    controller.abort(reason instanceof OxideError ? reason : new OxideError('cancelled', 'The call was cancelled.'));
  };
  const revoke = () => controller.abort(new OxideError('token-revoked', 'The token no longer holds.'));
  const endWatch = tokenId === null ? () => {} : watchToken(tokenId, revoke);
  call.signal.addEventListener('abort', cancel, { once: true });
  if (call.signal.aborted) {
    cancel();
  }
  try {
    // A call that is over before it began runs nothing.
    controller.signal.throwIfAborted();
    const result = work({ ...call, signal: controller.signal });
    result.catch(() => {});
    return await Promise.race([result, over]);
  } finally {
    endWatch();
    call.signal.removeEventListener('abort', cancel);
  }
}
