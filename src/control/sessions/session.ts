import type { SqlValue } from '../store/database.ts';
import type { SessionLimits } from './session-limits.ts';

/**
 * `running`: a prompt is worked on, or waits to be. `idle`: it waits for a message. `interrupted`: what ran it is gone;
 * the next message goes on. `ended`: for good.
 */
export const sessionStatuses = ['running', 'idle', 'interrupted', 'ended'] as const;

export type SessionStatus = (typeof sessionStatuses)[number];

/** What a session has used up itself, its children not counted. */
export interface Used {
  readonly input_tokens: number;
  readonly output_tokens: number;
  /** US dollars; null once a model without a known price was used. */
  readonly cost_usd: number | null;
  /** Turns of the model. */
  readonly turns: number;
}

export const nothingUsed: Used = { input_tokens: 0, output_tokens: 0, cost_usd: 0, turns: 0 };

/** A guarded agent session as the store knows it. Times are milliseconds since the epoch. */
export interface Session {
  readonly sessionId: string;
  readonly projectId: string;
  readonly workspaceId: string;
  /** The session that spawned it. */
  readonly parentId: string | null;
  /** The session at the top of its tree: its own id where it has no parent. */
  readonly rootId: string;
  readonly depth: number;
  readonly status: SessionStatus;
  /** A model's name or alias; null: the configured one. */
  readonly model: string | null;
  readonly tokenId: string | null;
  /** Null: all. */
  readonly toolsAllowed: readonly string[] | null;
  readonly toolsDisallowed: readonly string[];
  readonly limits: SessionLimits;
  readonly used: Used;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly endedAt: number | null;
  readonly endReason: string | null;
  /** Set: it ends as soon as the process that runs it has seen this. */
  readonly endRequestedAt: number | null;
  /** The process that runs it; null: none does. */
  readonly runnerId: string | null;
  readonly runnerSeenAt: number | null;
  /** The number of its next event, and of the first that is kept. */
  readonly nextSeq: number;
  readonly firstSeq: number;
  /** Of the root: the same in the order of the whole tree. */
  readonly nextIndex: number;
  readonly firstIndex: number;
}

/** A row of `sessions`. */
export type SessionRow = Readonly<Record<string, SqlValue>>;

export function sessionOf(row: SessionRow): Session {
  return {
    sessionId: String(row.session_id),
    projectId: String(row.project_id),
    workspaceId: String(row.workspace_id),
    parentId: text(row.parent_id),
    rootId: String(row.root_id),
    depth: Number(row.depth),
    status: String(row.status) as SessionStatus,
    model: text(row.model),
    tokenId: text(row.token_id),
    toolsAllowed: row.tools_allowed === null ? null : (JSON.parse(String(row.tools_allowed)) as readonly string[]),
    toolsDisallowed: JSON.parse(String(row.tools_disallowed)) as readonly string[],
    limits: JSON.parse(String(row.limits)) as SessionLimits,
    used: JSON.parse(String(row.used)) as Used,
    createdAt: Number(row.created_at),
    updatedAt: Number(row.updated_at),
    endedAt: number(row.ended_at),
    endReason: text(row.end_reason),
    endRequestedAt: number(row.end_requested_at),
    runnerId: text(row.runner_id),
    runnerSeenAt: number(row.runner_seen_at),
    nextSeq: Number(row.next_seq),
    firstSeq: Number(row.first_seq),
    nextIndex: Number(row.next_index),
    firstIndex: Number(row.first_index),
  };
}

function text(value: SqlValue | undefined): string | null {
  return value === null || value === undefined ? null : String(value);
}

function number(value: SqlValue | undefined): number | null {
  return value === null || value === undefined ? null : Number(value);
}

/** One message to a session, and what came of it. */
export interface Prompt {
  readonly promptId: string;
  readonly sessionId: string;
  readonly position: number;
  readonly text: string;
  readonly callerId: string | null;
  readonly callerTools: readonly CallerTool[];
  /** Whose it is: with that token it ends. Null: the person's at this machine. */
  readonly tokenId: string | null;
  readonly createdAt: number;
  readonly takenAt: number | null;
  readonly endedAt: number | null;
  readonly outcome: PromptOutcome | null;
  readonly problem: string | null;
}

/** `dropped`: the session ended before its turn came. */
export type PromptOutcome = 'succeeded' | 'failed' | 'interrupted' | 'dropped';

/** A tool that a caller lends to a session with a message. */
export interface CallerTool {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of the input. */
  readonly input_schema: Readonly<Record<string, unknown>>;
}

export function promptOf(row: Readonly<Record<string, SqlValue>>): Prompt {
  return {
    promptId: String(row.prompt_id),
    sessionId: String(row.session_id),
    position: Number(row.position),
    text: String(row.text),
    callerId: text(row.caller_id),
    callerTools: JSON.parse(String(row.caller_tools)) as readonly CallerTool[],
    tokenId: text(row.token_id),
    createdAt: Number(row.created_at),
    takenAt: number(row.taken_at),
    endedAt: number(row.ended_at),
    outcome: text(row.outcome) as PromptOutcome | null,
    problem: text(row.problem),
  };
}
