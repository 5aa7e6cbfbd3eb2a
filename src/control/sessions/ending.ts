import type { Database } from '../store/database.ts';
import { interruptRequests } from './caller-requests.ts';
import type { SessionParts } from './parts.ts';
import type { Session } from './session.ts';
import { endOpenPrompts, lockTree } from './store.ts';

type Parts = Pick<SessionParts, 'clock' | 'log' | 'packing'>;

/** Ends a session for good; what ran for it has ended. In a transaction that has locked the tree; not if it ended before. */
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

/** Asks for the end of a session and all below it: nothing new begins there from now on. */
export async function requestEnd(
  { database, clock }: Pick<SessionParts, 'database' | 'clock'>,
  rootId: string,
  sessions: readonly Session[],
  reason: string,
): Promise<void> {
  await database.transaction(async (transaction) => {
    await lockTree(transaction, rootId);
    for (const { sessionId } of sessions) {
      await transaction.run(
        `UPDATE sessions SET end_requested_at = ?, end_reason = ?
          WHERE session_id = ? AND status <> 'ended' AND end_requested_at IS NULL`,
        clock.now(),
        reason,
        sessionId,
      );
    }
  });
}
