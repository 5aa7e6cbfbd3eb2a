import { randomUUID } from 'node:crypto';
import { OxideError } from '../../errors.ts';
import type { Principal } from '../principal.ts';
import type { Project, Workspace } from '../services.ts';
import type { Database } from '../store/database.ts';
import { assertPriced } from './budget.ts';
import { assertLendable } from './caller-tools.ts';
import type { SessionParts } from './parts.ts';
import { isHeld } from './recovery.ts';
import { type CallerTool, nothingUsed, type Session } from './session.ts';
import { childLimits, projectLimits, type SessionLimits, type Share } from './session-limits.ts';
import { leftOf } from './session-tree.ts';
import {
  countRunning,
  countWaiting,
  dropVoidPrompts,
  getSession,
  getTree,
  insertPrompt,
  insertSession,
  lastPrompt,
  latestSession,
} from './store.ts';

/** How deep sessions may be nested below the one at the top, and how many may be in its tree besides it. */
export const depthLimit = 3;
export const descendantLimit = 50;
/** Prompts that may wait for one session. */
const waitingLimit = 5_000;

/** What a session is told. */
export interface PromptRequest {
  readonly text: string;
  readonly callerId: string | null;
  readonly callerTools: readonly CallerTool[];
  readonly tokenId: string | null;
}

/** What a new session shall be like. */
export interface SessionSettings {
  readonly model: string | null;
  readonly toolsAllowed: readonly string[] | null;
  readonly toolsDisallowed: readonly string[];
}

export interface Accepted {
  readonly session: Session;
  readonly promptId: string;
  /** How many prompts come before it. */
  readonly waiting: number;
  /** It goes on with a session that there was. */
  readonly resumed: boolean;
}

export interface SpawnRequest {
  readonly project: Project;
  readonly workspace: Workspace;
  readonly prompt: PromptRequest;
  readonly settings: SessionSettings;
  readonly newSession: boolean;
  readonly principal: Principal;
}

/** Starts a session in a workspace, or gives the prompt to the latest one there. */
export async function spawnIn(transaction: Database, request: SpawnRequest, parts: SessionParts): Promise<Accepted> {
  const { project, workspace, settings, newSession, principal } = request;
  const latest = newSession ? null : await latestSession(transaction, workspace.workspaceId);
  if (latest !== null) {
    assertSame(latest, settings);
    return enqueueIn(transaction, latest.sessionId, request.prompt, parts);
  }
  const sessionId = randomUUID();
  return beginIn(transaction, parts, request.prompt, {
    ...unbegun(parts),
    ...settings,
    sessionId,
    projectId: project.projectId,
    workspaceId: workspace.workspaceId,
    parentId: null,
    rootId: sessionId,
    depth: 0,
    tokenId: principal.tokenId,
    limits: projectLimits(parts.limits, project.limits),
  });
}

export interface ChildRequest {
  readonly parentId: string;
  readonly workspaceId: string;
  readonly prompt: string;
  /** Null: its parent's. */
  readonly model: string | null;
  readonly asked: Share;
}

/**
 * Starts a session below another one, with a share of its budget.
 *
 * @throws OxideError what {@link assertMaySpawn} throws, and `too-many-sessions`
 */
export async function spawnChildIn(
  transaction: Database,
  request: ChildRequest,
  parts: SessionParts,
): Promise<Accepted> {
  const { parentId, workspaceId, prompt, model, asked } = request;
  const { parent, limits } = await assertMaySpawn(transaction, parentId, asked);
  const { projectId, rootId } = parent;
  // As whom the parent works now.
  const tokenId = (await lastPrompt(transaction, parentId))?.tokenId ?? parent.tokenId;
  return beginIn(
    transaction,
    parts,
    { text: prompt, callerId: null, callerTools: [], tokenId },
    {
      ...unbegun(parts),
      sessionId: randomUUID(),
      projectId,
      workspaceId,
      parentId,
      rootId,
      depth: parent.depth + 1,
      model: model ?? parent.model,
      tokenId,
      toolsAllowed: parent.toolsAllowed,
      toolsDisallowed: parent.toolsDisallowed,
      limits,
    },
  );
}

/**
 * What a child of a session would have.
 *
 * @throws OxideError `too-deep`, `too-many-descendants`, `session-ended`, `budget-exhausted`
 */
export async function assertMaySpawn(
  database: Database,
  parentId: string,
  asked: Share,
): Promise<{ readonly parent: Session; readonly limits: SessionLimits }> {
  const parent = await getSession(database, parentId);
  const tree = await getTree(database, parent.rootId);
  assertMayNest(parent, tree);
  const limits = childLimits(parent.limits, leftOf(parentId, tree), asked);
  if (limits.max_tokens.value === 0 || limits.max_cost_usd.value === 0) {
    throw new OxideError('budget-exhausted', 'Nothing of the session’s budget is left for a child.', {
      remedy: 'End children that are not needed, or do the work without one.',
    });
  }
  return { parent, limits };
}

function assertMayNest(parent: Session, tree: readonly Session[]): void {
  if (parent.status === 'ended' || parent.endRequestedAt !== null) {
    throw ended(parent);
  }
  if (parent.depth >= depthLimit) {
    throw new OxideError('too-deep', `A session ${depthLimit} levels below the first one starts no others.`, {
      remedy: 'Do the work in this session.',
    });
  }
  if (tree.length - 1 >= descendantLimit) {
    throw new OxideError('too-many-descendants', `The tree has its ${descendantLimit} sessions below the first one.`, {
      remedy: 'Do the work in this session.',
    });
  }
}

/**
 * Puts a prompt at the end of a session's queue. A session that nothing runs is this process's from now on.
 *
 * @throws OxideError `session-ended`, `queue-full`, `too-many-sessions`, `unknown-session`
 */
export async function enqueueIn(
  transaction: Database,
  sessionId: string,
  prompt: PromptRequest,
  parts: SessionParts,
): Promise<Accepted> {
  const session = await getSession(transaction, sessionId);
  if (session.status === 'ended' || session.endRequestedAt !== null) {
    throw ended(session);
  }
  const now = parts.clock.now();
  if (session.status === 'interrupted') {
    await dropVoidPrompts(transaction, sessionId, now);
  }
  const waiting = await countWaiting(transaction, sessionId);
  if (waiting >= waitingLimit) {
    throw new OxideError('queue-full', `${waiting} prompts wait for the session already.`, {
      remedy: 'Wait until some are done, or end the session.',
    });
  }
  if (session.status !== 'running') {
    await assertRoom(transaction, session.projectId, session.limits);
  }
  const runnerId = isHeld(session, now, parts.runner) ? session.runnerId : parts.runner;
  const isOwn = runnerId === parts.runner;
  await transaction.run(
    `UPDATE sessions SET status = 'running', updated_at = ?, runner_id = ?, runner_seen_at = ? WHERE session_id = ?`,
    now,
    runnerId,
    isOwn ? now : session.runnerSeenAt,
    sessionId,
  );
  const promptId = await addPrompt(transaction, sessionId, prompt, now, parts);
  return { session: { ...session, status: 'running', runnerId }, promptId, waiting, resumed: true };
}

async function beginIn(
  transaction: Database,
  parts: SessionParts,
  prompt: PromptRequest,
  session: Session,
): Promise<Accepted> {
  await assertRoom(transaction, session.projectId, session.limits);
  await insertSession(transaction, session);
  const promptId = await addPrompt(transaction, session.sessionId, prompt, session.createdAt, parts);
  return { session, promptId, waiting: 0, resumed: false };
}

async function addPrompt(
  transaction: Database,
  sessionId: string,
  prompt: PromptRequest,
  createdAt: number,
  { agents }: SessionParts,
): Promise<string> {
  assertLendable(prompt.callerTools, agents.toolNames);
  const promptId = randomUUID();
  await insertPrompt(transaction, { promptId, sessionId, createdAt, ...prompt });
  return promptId;
}

/** Of a session that this process begins now. */
function unbegun({ clock, runner }: SessionParts) {
  const now = clock.now();
  return {
    status: 'running',
    used: nothingUsed,
    createdAt: now,
    updatedAt: now,
    endedAt: null,
    endReason: null,
    endRequestedAt: null,
    runnerId: runner,
    runnerSeenAt: now,
    nextSeq: 0,
    firstSeq: 0,
    nextIndex: 0,
    firstIndex: 0,
  } as const;
}

async function assertRoom(transaction: Database, projectId: string, limits: SessionLimits): Promise<void> {
  const { value, source } = limits.max_sessions;
  if (value !== null && (await countRunning(transaction, projectId)) >= value) {
    throw new OxideError(
      'too-many-sessions',
      `${value} sessions of the project run already (max_sessions, ${source}).`,
      {
        remedy: 'Wait until one is done, or end one.',
      },
    );
  }
}

/** A session keeps its model and its tools. */
function assertSame(session: Session, { model, toolsAllowed, toolsDisallowed }: SessionSettings): void {
  const isOther =
    (model !== null && model !== session.model) ||
    (toolsAllowed !== null && !sameNames(toolsAllowed, session.toolsAllowed)) ||
    (toolsDisallowed.length > 0 && !sameNames(toolsDisallowed, session.toolsDisallowed));
  if (isOther) {
    throw new OxideError('session-differs', 'The workspace’s latest session has another model or other tools.', {
      remedy: 'Leave model and tools out to go on with it, or set new_session.',
    });
  }
}

function sameNames(some: readonly string[], others: readonly string[] | null): boolean {
  return JSON.stringify([...some].sort()) === JSON.stringify([...(others ?? [])].sort());
}

function ended({ sessionId }: Session): OxideError {
  return new OxideError('session-ended', `The session ${sessionId} has ended.`, { remedy: 'Spawn a new one.' });
}

/** Whether a budget in dollars can be kept with this model. */
export function assertBudgetable(model: string, project: Project, { limits, agents }: SessionParts): void {
  assertPriced(model, projectLimits(limits, project.limits).max_cost_usd.value, agents.prices);
}
