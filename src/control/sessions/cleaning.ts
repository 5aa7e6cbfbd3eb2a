import type { SessionParts } from './parts.ts';
import { isHeld } from './recovery.ts';
import type { Session } from './session.ts';
import { getTree, listSessions } from './store.ts';

/**
 * Removes a project's old trees of sessions: events, prompts, transcripts. What runs, or is still open in a process,
 * stays, and so does the whole tree around it.
 *
 * @param age milliseconds in which nothing has happened
 * @returns the ids of the sessions that were removed
 */
export async function cleanSessions(parts: SessionParts, projectId: string, age: number): Promise<readonly string[]> {
  const { database } = parts;
  const roots = (await listSessions(database, { projectId })).filter(({ parentId }) => parentId === null);
  const removed: string[] = [];
  for (const { rootId } of roots) {
    const tree = await database.transaction(async (transaction) => {
      const sessions = await getTree(transaction, rootId);
      if (!sessions.every((session) => isOld(session, age, parts))) {
        return [];
      }
      for (const { sessionId } of sessions) {
        await transaction.run('DELETE FROM sessions WHERE session_id = ?', sessionId);
      }
      return sessions;
    });
    for (const { sessionId } of tree) {
      parts.agents.remove(sessionId);
      removed.push(sessionId);
    }
  }
  return removed;
}

function isOld(session: Session, age: number, { clock, runner }: SessionParts): boolean {
  const now = clock.now();
  return session.status !== 'running' && session.updatedAt <= now - age && !isHeld(session, now, runner);
}
