import type { Database } from '../store/database.ts';
import { interruptRequests } from './caller-requests.ts';
import type { SessionParts } from './parts.ts';
import type { Session } from './session.ts';
import { subtreeOf } from './session-tree.ts';
import { endOpenPrompts, getTree } from './store.ts';

type Parts = Pick<SessionParts, 'clock' | 'log' | 'packing'>;

/** Ends a session for good; what ran for it has ended. Not if it ended before. */
export async function endIn(transaction: Database, session: Session, reason: string, parts: Parts): Promise<boolean> {
  const { clock, log, packing } = parts;
  const { sessionId } = session;
  const now = clock.now();
  const found = await transaction.get<{ status: string }>(
    'SELECT status FROM sessions WHERE session_id = ?',
    sessionId,
  );
  if (found === null || found.status === 'ended') {
    return false;
  }
  await endOpenPrompts(transaction, sessionId, `The session ended: ${reason}`, true, now);
  await interruptRequests(transaction, sessionId, now);
  await log.appendIn(transaction, session, [{ ts: now, type: 'ended', data: packing({ reason }) }], null);
  await transaction.run(
    `UPDATE sessions SET status = 'ended', ended_at = ?, end_reason = ?, updated_at = ?, runner_id = NULL
      WHERE session_id = ?`,
    now,
    reason,
    now,
    sessionId,
  );
  return true;
}

/**
 * Asks for the end of a session and all below it: nothing new begins there from now on.
 *
 * @returns those that have not ended, the deepest first
 */
export function requestEnd(
  { database, clock }: Pick<SessionParts, 'database' | 'clock'>,
  { sessionId, rootId }: Session,
  reason: string,
): Promise<readonly Session[]> {
  return database.transaction(async (transaction) => {
    const tree = await getTree(transaction, rootId);
    const open = subtreeOf(sessionId, tree).filter(({ status }) => status !== 'ended');
    const endRequestedAt = clock.now();
    for (const one of open) {
      await transaction.run(
        'UPDATE sessions SET end_requested_at = ?, end_reason = ? WHERE session_id = ? AND end_requested_at IS NULL',
        endRequestedAt,
        reason,
        one.sessionId,
      );
    }
    return open.map((one) => (one.endRequestedAt === null ? { ...one, endRequestedAt, endReason: reason } : one));
  });
}

/** Does a process run a session below this one? */
export async function isHeldBelow(database: Database, { sessionId, rootId }: Session): Promise<boolean> {
  const below = subtreeOf(sessionId, await getTree(database, rootId)).filter((one) => one.sessionId !== sessionId);
  return below.some(({ status, runnerId }) => status !== 'ended' && runnerId !== null);
}
