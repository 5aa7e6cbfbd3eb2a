import type { CallerRequest } from './caller-requests.ts';
import type { SessionParts } from './parts.ts';
import type { Prompt, Session } from './session.ts';
import { countWaiting, getTree, lastPrompt } from './store.ts';

/** A session with what is around it. */
export interface SessionReport {
  readonly session: Session;
  readonly children: readonly Session[];
  readonly requests: readonly CallerRequest[];
  /** Prompts that nobody works on yet. */
  readonly waiting: number;
  readonly lastPrompt: Prompt | null;
}

export async function sessionReport(
  session: Session,
  { database, requests }: Pick<SessionParts, 'database' | 'requests'>,
): Promise<SessionReport> {
  const { sessionId, rootId } = session;
  const [tree, pending, waiting, last] = await Promise.all([
    getTree(database, rootId),
    requests.pending(sessionId),
    countWaiting(database, sessionId),
    lastPrompt(database, sessionId),
  ]);
  const children = tree.filter(({ parentId }) => parentId === sessionId);
  return { session, children, requests: pending, waiting, lastPrompt: last };
}
