import type { Children, ChildState, NewChild } from './children.ts';
import type { SessionParts } from './parts.ts';
import type { Runner } from './runner.ts';
import type { Session } from './session.ts';
import { subtreeOf } from './session-tree.ts';
import { assertBudgetable, assertMaySpawn, spawnChildIn } from './spawning.ts';
import { getSession, getTree, unknownSession } from './store.ts';

/** What a session can do with the sessions below it, and with no other. */
export function ownSessions(parts: SessionParts, runner: Runner, parentId: string): Children {
  const { database, log, clock } = parts;
  const below = async (sessionId: string): Promise<Session> => {
    const session = await getSession(database, sessionId);
    const tree = await getTree(database, session.rootId);
    if (sessionId === parentId || !subtreeOf(parentId, tree).some((one) => one.sessionId === sessionId)) {
      throw unknownSession(sessionId);
    }
    return session;
  };
  return {
    spawn: (request) => spawn(parts, runner, parentId, request),
    look: async (sessionId, wait, signal) => {
      const until = clock.now() + wait;
      for (let session = await below(sessionId); ; session = await below(sessionId)) {
        const left = until - clock.now();
        if (session.status === 'ended' || session.status === 'interrupted' || left <= 0 || signal.aborted) {
          return stateOf(parts, session);
        }
        const query = { sessionId, since: session.nextSeq, max: 1, includeChildren: false };
        await log.poll(query, left, signal);
      }
    },
    list: async () => {
      const parent = await getSession(database, parentId);
      const children = (await getTree(database, parent.rootId)).filter((one) => one.parentId === parentId);
      return Promise.all(children.map((child) => stateOf(parts, child)));
    },
    end: async (sessionId) => {
      await below(sessionId);
      await runner.end(sessionId, 'ended by its parent');
    },
  };
}

async function spawn(
  parts: SessionParts,
  runner: Runner,
  parentId: string,
  { prompt, workspace, model, maxTokens, maxCost }: NewChild,
): ReturnType<Children['spawn']> {
  const { database, projects, agents } = parts;
  const asked = { max_tokens: maxTokens, max_cost_usd: maxCost };
  // Before it has a workspace made for it.
  const { parent } = await assertMaySpawn(database, parentId, asked);
  const project = await projects.project(parent.projectId);
  const models = await agents.models(model ?? parent.model);
  assertBudgetable(models.main.name, project, parts);
  const place =
    workspace === 'new'
      ? await projects.createWorkspace(parent.projectId)
      : await projects.workspace(parent.projectId, parent.workspaceId);
  const { workspaceId, branch } = place;
  const request = { parentId, workspaceId, prompt, model, asked };
  const { session } = runner.accept(
    await database.transaction((transaction) => spawnChildIn(transaction, request, parts)),
  );
  return { sessionId: session.sessionId, workspaceId, branch };
}

async function stateOf({ database }: SessionParts, { sessionId, status, endReason }: Session): Promise<ChildState> {
  const row = await database.get<{ data: string }>(
    "SELECT data FROM events WHERE session_id = ? AND type IN ('result', 'error') ORDER BY seq DESC LIMIT 1",
    sessionId,
  );
  const said = row === null ? {} : (JSON.parse(row.data) as { readonly text?: string; readonly message?: string });
  return { sessionId, status, reason: endReason, text: said.text ?? said.message ?? null };
}
