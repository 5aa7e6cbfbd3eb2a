import { hasEnded } from '../../tools/process-mark.ts';
import type { Database } from '../store/database.ts';
import { interruptRequests } from './caller-requests.ts';
import { endIn, isHeldBelow } from './ending.ts';
import type { SessionParts } from './parts.ts';
import { type Session, type SessionRow, sessionOf } from './session.ts';
import { endOpenPrompts } from './store.ts';

/** Milliseconds after which a process that has not said that it runs a session is taken to be gone. */
export const lease = 15_000;
const atOnce = 100;

/** Milliseconds that who asked for the end of a session has for it; after them it ends without. */
const endLease = 30_000;

/** Does the process that runs a session still run it? */
export function isHeld({ runnerId, runnerSeenAt }: Session, now: number, self: string): boolean {
  if (runnerId === null) {
    return false;
  }
  return runnerId === self || ((runnerSeenAt ?? 0) > now - lease && hasEnded(runnerId) !== true);
}

type Parts = Pick<SessionParts, 'database' | 'clock' | 'log' | 'packing' | 'runner'>;

/**
 * Takes sessions away from processes that are gone. What was running is `interrupted`: its transcript is as it was, and
 * the next message goes on. Of several processes that do this at the same time one has each session.
 *
 * @returns how many there were
 */
export async function recoverSessions(parts: Parts): Promise<number> {
  const { database, clock, runner } = parts;
  const rows = await database.all<SessionRow>(
    `SELECT * FROM sessions WHERE runner_id IS NOT NULL AND runner_id <> ? AND status <> 'ended'
      ORDER BY depth DESC, session_id`,
    runner,
  );
  const lost = rows.map(sessionOf).filter((session) => !isHeld(session, clock.now(), runner));
  for (let from = 0; from < lost.length; from += atOnce) {
    const some = lost.slice(from, from + atOnce);
    await database.transaction(async (transaction) => {
      for (const session of some) {
        await recoverIn(transaction, session, parts);
      }
    });
    some.forEach((session) => {
      parts.log.notify(session);
    });
  }
  await endForsaken(parts);
  return lost.length;
}

/** Ends what nothing runs and whose end was asked for by a process that is gone since. */
async function endForsaken(parts: Parts): Promise<void> {
  const { database, clock, log } = parts;
  const rows = await database.all<SessionRow>(
    `SELECT * FROM sessions WHERE status IN ('running', 'idle', 'interrupted') AND runner_id IS NULL
      AND end_requested_at < ? ORDER BY depth DESC, session_id`,
    clock.now() - endLease,
  );
  for (const session of rows.map(sessionOf)) {
    if (!(await isHeldBelow(database, session))) {
      await database.transaction((transaction) => endIn(transaction, session, session.endReason ?? 'ended', parts));
      log.notify(session);
    }
  }
}

async function recoverIn(transaction: Database, session: Session, parts: Parts): Promise<void> {
  const { sessionId, runnerId, endRequestedAt, endReason } = session;
  const now = parts.clock.now();
  const taken = await transaction.run(
    "UPDATE sessions SET runner_id = NULL WHERE session_id = ? AND runner_id = ? AND status <> 'ended'",
    sessionId,
    runnerId,
  );
  if (taken > 0) {
    await interruptIn(transaction, session, 'The process that ran it is gone.', parts, now);
    if (endRequestedAt !== null) {
      await endIn(transaction, session, endReason ?? 'ended', parts);
    }
  }
}

/** Says of a session that was running that nothing runs it any more. */
export async function interruptIn(
  transaction: Database,
  session: Pick<Session, 'sessionId' | 'rootId'>,
  reason: string,
  { log, packing }: Pick<SessionParts, 'log' | 'packing'>,
  now: number,
): Promise<void> {
  const { sessionId } = session;
  await interruptRequests(transaction, sessionId, now);
  const wasRunning = await transaction.run(
    "UPDATE sessions SET status = 'interrupted', updated_at = ? WHERE session_id = ? AND status = 'running'",
    now,
    sessionId,
  );
  if (wasRunning > 0) {
    await endOpenPrompts(transaction, sessionId, reason, false, now);
    await log.appendIn(transaction, session, [{ ts: now, type: 'interrupted', data: packing({ reason }) }], null);
  }
}
