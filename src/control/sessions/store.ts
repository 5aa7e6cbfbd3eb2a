import { OxideError } from '../../errors.ts';
import type { Database, SqlValue } from '../store/database.ts';
import { isVoid } from '../tokens/store.ts';
import {
  type CallerTool,
  type Prompt,
  type PromptOutcome,
  promptOf,
  type Session,
  type SessionRow,
  type SessionStatus,
  sessionOf,
} from './session.ts';

// Statements on sessions and their prompts; each works on a database or in a transaction of it. One transaction runs at
// a time, so what one reads in it stays so until its end.

/** Of a prompt: it is neither begun nor dropped. */
const waits = 'taken_at IS NULL AND ended_at IS NULL';

/** @throws OxideError `unknown-session` */
export async function getSession(database: Database, sessionId: string): Promise<Session> {
  const row = await database.get<SessionRow>('SELECT * FROM sessions WHERE session_id = ?', sessionId);
  if (row === null) {
    throw unknownSession(sessionId);
  }
  return sessionOf(row);
}

/** All sessions of a tree, in no order. */
export async function getTree(database: Database, rootId: string): Promise<readonly Session[]> {
  return (await database.all<SessionRow>('SELECT * FROM sessions WHERE root_id = ?', rootId)).map(sessionOf);
}

export interface SessionFilter {
  readonly projectId: string;
  readonly status?: SessionStatus;
  readonly workspaceId?: string;
}

export interface SessionPage {
  readonly sessions: readonly Session[];
  /** What the next page comes after; null: there is none. */
  readonly next: string | null;
}

/**
 * The newest first, so many at most.
 *
 * @param after the last session of the page before; null: from the newest one
 * @throws OxideError `unknown-session` where that one is not there any more
 */
export async function pageOfSessions(
  database: Database,
  { projectId, status }: Pick<SessionFilter, 'projectId' | 'status'>,
  limit: number,
  after: string | null,
): Promise<SessionPage> {
  const last = after === null ? null : await getSession(database, after);
  const rows = await database.all<SessionRow>(
    `SELECT * FROM sessions WHERE project_id = ? ${status === undefined ? '' : 'AND status = ?'}
      ${last === null ? '' : 'AND (created_at < ? OR (created_at = ? AND session_id > ?))'}
      ORDER BY created_at DESC, session_id LIMIT ?`,
    projectId,
    ...(status === undefined ? [] : [status]),
    ...(last === null ? [] : [last.createdAt, last.createdAt, last.sessionId]),
    limit + 1,
  );
  const sessions = rows.slice(0, limit).map(sessionOf);
  return { sessions, next: rows.length > limit ? (sessions.at(-1)?.sessionId ?? null) : null };
}

/** All, the newest first. */
export async function listSessions(database: Database, filter: SessionFilter): Promise<readonly Session[]> {
  const { projectId, status, workspaceId } = filter;
  const rows = await database.all<SessionRow>(
    `SELECT * FROM sessions WHERE project_id = ? ${status === undefined ? '' : 'AND status = ?'}
      ${workspaceId === undefined ? '' : 'AND workspace_id = ?'} ORDER BY created_at DESC, session_id`,
    projectId,
    ...[status, workspaceId].filter((value) => value !== undefined),
  );
  return rows.map(sessionOf);
}

/** The newest session of a workspace that takes messages; sessions of agents are theirs, and not among them. */
export async function latestSession(database: Database, workspaceId: string): Promise<Session | null> {
  const row = await database.get<SessionRow>(
    `SELECT * FROM sessions WHERE workspace_id = ? AND parent_id IS NULL AND status <> 'ended'
      AND end_requested_at IS NULL ORDER BY created_at DESC, session_id DESC LIMIT 1`,
    workspaceId,
  );
  return row === null ? null : sessionOf(row);
}

export async function countRunning(database: Database, projectId: string): Promise<number> {
  const row = await database.get<{ count: SqlValue }>(
    "SELECT COUNT(*) AS count FROM sessions WHERE project_id = ? AND status = 'running'",
    projectId,
  );
  return Number(row?.count ?? 0);
}

export async function insertSession(transaction: Database, session: Session): Promise<void> {
  const columns: Readonly<Record<string, SqlValue>> = {
    session_id: session.sessionId,
    project_id: session.projectId,
    workspace_id: session.workspaceId,
    parent_id: session.parentId,
    root_id: session.rootId,
    depth: session.depth,
    status: session.status,
    model: session.model,
    token_id: session.tokenId,
    tools_allowed: session.toolsAllowed === null ? null : JSON.stringify(session.toolsAllowed),
    tools_disallowed: JSON.stringify(session.toolsDisallowed),
    limits: JSON.stringify(session.limits),
    used: JSON.stringify(session.used),
    created_at: session.createdAt,
    updated_at: session.updatedAt,
    runner_id: session.runnerId,
    runner_seen_at: session.runnerSeenAt,
    next_seq: 0,
    first_seq: 0,
    next_index: 0,
    first_index: 0,
  };
  const names = Object.keys(columns);
  await transaction.run(
    `INSERT INTO sessions (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`,
    ...Object.values(columns),
  );
}

export interface NewPrompt {
  readonly promptId: string;
  readonly sessionId: string;
  readonly text: string;
  readonly callerId: string | null;
  readonly callerTools: readonly CallerTool[];
  readonly tokenId: string | null;
  readonly createdAt: number;
}

/** Puts a prompt at the end of a session's queue. Gives its position. */
export async function insertPrompt(transaction: Database, prompt: NewPrompt): Promise<number> {
  const last = await transaction.get<{ position: SqlValue }>(
    'SELECT MAX(position) AS position FROM prompts WHERE session_id = ?',
    prompt.sessionId,
  );
  const position = Number(last?.position ?? -1) + 1;
  await transaction.run(
    `INSERT INTO prompts (prompt_id, session_id, position, text, caller_id, caller_tools, token_id, created_at)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
    prompt.promptId,
    prompt.sessionId,
    position,
    prompt.text,
    prompt.callerId,
    JSON.stringify(prompt.callerTools),
    prompt.tokenId,
    prompt.createdAt,
  );
  return position;
}

export async function getPrompt(database: Database, promptId: string): Promise<Prompt | null> {
  const row = await database.get('SELECT * FROM prompts WHERE prompt_id = ?', promptId);
  return row === null ? null : promptOf(row);
}

/** The last that was worked on, or is. */
export async function lastPrompt(database: Database, sessionId: string): Promise<Prompt | null> {
  const row = await database.get(
    'SELECT * FROM prompts WHERE session_id = ? AND taken_at IS NOT NULL ORDER BY position DESC LIMIT 1',
    sessionId,
  );
  return row === null ? null : promptOf(row);
}

export async function countWaiting(database: Database, sessionId: string): Promise<number> {
  const row = await database.get<{ count: SqlValue }>(
    `SELECT COUNT(*) AS count FROM prompts WHERE session_id = ? AND ${waits}`,
    sessionId,
  );
  return Number(row?.count ?? 0);
}

/** Takes the next prompt of a session whose token holds, if it is still this process that runs it; null: there is none. */
export async function takePrompt(
  database: Database,
  sessionId: string,
  runner: string,
  now: number,
): Promise<Prompt | null> {
  const row = await database.get(
    `UPDATE prompts SET taken_at = ? WHERE prompt_id = (
        SELECT prompt_id FROM prompts WHERE session_id = ? AND ${waits} AND NOT ${isVoid('prompts.token_id')}
          ORDER BY position LIMIT 1
      ) AND taken_at IS NULL AND EXISTS (
        SELECT 1 FROM sessions WHERE session_id = ? AND runner_id = ? AND status = 'running'
          AND end_requested_at IS NULL
      ) RETURNING *`,
    now,
    sessionId,
    now,
    sessionId,
    runner,
  );
  return row === null ? null : promptOf(row);
}

export async function endPrompt(
  database: Database,
  promptId: string,
  { outcome, problem }: { readonly outcome: PromptOutcome; readonly problem: string | null },
  now: number,
): Promise<void> {
  await database.run(
    'UPDATE prompts SET ended_at = ?, outcome = ?, problem = ? WHERE prompt_id = ? AND ended_at IS NULL',
    now,
    outcome,
    problem,
    promptId,
  );
}

/** Gives what is left of a session's prompts an end: those begun, and with `dropsWaiting` those that wait, too. */
export async function endOpenPrompts(
  transaction: Database,
  sessionId: string,
  problem: string,
  dropsWaiting: boolean,
  now: number,
): Promise<void> {
  await transaction.run(
    `UPDATE prompts SET ended_at = ?, outcome = CASE WHEN taken_at IS NULL THEN 'dropped' ELSE 'interrupted' END,
      problem = ? WHERE session_id = ? AND ended_at IS NULL ${dropsWaiting ? '' : 'AND taken_at IS NOT NULL'}`,
    now,
    problem,
    sessionId,
  );
}

/** Drops what was left of tokens that hold no longer. */
export async function dropVoidPrompts(transaction: Database, sessionId: string, now: number): Promise<void> {
  await transaction.run(
    `UPDATE prompts SET ended_at = ?, outcome = 'dropped', problem = ?
      WHERE session_id = ? AND ended_at IS NULL AND ${isVoid('prompts.token_id')}`,
    now,
    tokenIsOver,
    sessionId,
    now,
  );
}

/** Why what a token was given for ends. */
export const tokenIsOver = 'its token was revoked or has expired';

/** Lets go of a session that has nothing to do, unless a prompt has come meanwhile. */
export async function releaseIdle(transaction: Database, sessionId: string, runner: string): Promise<boolean> {
  if ((await countWaiting(transaction, sessionId)) > 0) {
    return false;
  }
  const released = await transaction.run(
    "UPDATE sessions SET runner_id = NULL WHERE session_id = ? AND runner_id = ? AND status <> 'running'",
    sessionId,
    runner,
  );
  return released > 0;
}

/** Nothing is left to do: the session waits for a message. Not if one has come meanwhile. */
export async function becomeIdle(
  transaction: Database,
  sessionId: string,
  runner: string,
  now: number,
): Promise<boolean> {
  const changed = await transaction.run(
    `UPDATE sessions SET status = 'idle', updated_at = ? WHERE session_id = ? AND runner_id = ?
      AND status = 'running' AND end_requested_at IS NULL
      AND NOT EXISTS (SELECT 1 FROM prompts WHERE session_id = ? AND ${waits})`,
    now,
    sessionId,
    runner,
    sessionId,
  );
  return changed > 0;
}

export function unknownSession(sessionId: string): OxideError {
  return new OxideError('unknown-session', `There is no session '${sessionId}'.`, {
    remedy: 'session list tells which there are.',
  });
}
