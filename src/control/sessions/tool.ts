import { count } from '../../guards/wording.ts';
import { type ActionResult, type ControlTool, defineAction } from '../action.ts';
import type { EventPage } from './event-page.ts';
import { requestShown, sessionShown } from './session-shown.ts';
import type { Sessions } from './sessions.ts';
import type { Accepted } from './spawning.ts';
import { cleanupInput, eventsInput, getInput, listInput, messageInput, spawnInput } from './tool-inputs.ts';

const hour = 3_600_000;

/** What the `session` tool does with sessions. */
type SessionCalls = Pick<Sessions, 'spawn' | 'message' | 'get' | 'list' | 'stop' | 'events' | 'clean'>;

type SessionView = Awaited<ReturnType<Sessions['get']>>;

/** The `session` tool: guarded agent sessions in workspaces. */
export function sessionTool(sessions: SessionCalls): ControlTool {
  return {
    name: 'session',
    description:
      'Guarded agent sessions in a project’s workspaces. spawn starts one, or goes on with the workspace’s latest; message tells it more; get, list; events follows what it does; end stops it with all that runs for it; cleanup removes old ones.',
    actions: {
      spawn: defineAction(spawnInput, async (input, { principal }) =>
        accepted(
          await sessions.spawn({
            projectId: input.project_id,
            workspaceId: input.workspace_id ?? null,
            createWorkspace: input.create_workspace,
            newSession: input.new_session,
            text: withContext(input.prompt ?? input.message ?? '', input.context),
            callerId: null,
            callerTools: [],
            model: input.model ?? null,
            toolsAllowed: input.tools_allowed ?? null,
            toolsDisallowed: input.tools_disallowed,
            principal,
          }),
        ),
      ),
      message: defineAction(messageInput, async (input, { principal }) =>
        accepted(
          await sessions.message({
            projectId: input.project_id,
            workspaceId: input.workspace_id ?? null,
            sessionId: input.session_id ?? null,
            text: input.message,
            callerId: input.caller_id ?? null,
            callerTools: input.caller_tools,
            principal,
          }),
        ),
      ),
      get: defineAction(getInput, async ({ project_id, session_id }) =>
        shownSession(await sessions.get(project_id, session_id)),
      ),
      list: defineAction(listInput, async ({ project_id, status, limit, cursor }) => {
        const query = { projectId: project_id, status, limit, after: cursor ?? null };
        const { sessions: found, next } = await sessions.list(query);
        const lines = found.map((session) => `${session.sessionId}  ${session.status}  in ${session.workspaceId}`);
        const more = next === null ? [] : [`There are more: cursor ${next}.`];
        return {
          text: [...lines, ...more].join('\n') || 'There are no such sessions.',
          data: { sessions: found.map(sessionShown), truncated: next !== null, next_cursor: next },
        };
      }),
      end: defineAction(getInput, async ({ project_id, session_id }) => {
        const session = await sessions.stop(project_id, session_id, 'ended by a caller');
        return { text: `Session ${session_id} has ended (${session.endReason}).`, data: sessionShown(session) };
      }),
      events: defineAction(eventsInput, async (input, call) => {
        const { project_id, session_id, since_index = null, max_events, wait_ms, include_children } = input;
        const query = { sessionId: session_id, since: since_index, max: max_events, includeChildren: include_children };
        return shownPage(await sessions.events(project_id, query, wait_ms, call.signal));
      }),
      cleanup: defineAction(cleanupInput, async ({ project_id, max_age_hours }) => {
        const removed = await sessions.clean(project_id, max_age_hours * hour);
        return {
          text: `Removed ${count(removed.length, 'session')} in which nothing happened for ${max_age_hours} hours.`,
          data: { removed: removed.length, session_ids: removed },
        };
      }),
    },
  };
}

function shownSession({ session, children, requests, waiting, lastPrompt }: SessionView): ActionResult {
  const last = lastPrompt === null ? 'no prompt yet' : `last prompt: ${lastPrompt.outcome ?? 'under way'}`;
  const state = `Session ${session.sessionId}: ${session.status}, ${last}, ${waiting} prompts wait.`;
  // Some clients show a model the text alone: it names what can be answered.
  const asks = requests.map(({ requestId, tool, input }) => {
    return `Waits for an answer: ${requestId} ${tool} ${JSON.stringify(input).slice(0, 1_000)}`;
  });
  const below = children.map(({ sessionId, status }) => `Below it: ${sessionId} ${status}`);
  return {
    text: [state, ...asks, ...below].join('\n'),
    data: {
      ...sessionShown(session),
      children: children.map(sessionShown),
      pending_requests: requests.map(requestShown),
      waiting_prompts: waiting,
      last_prompt:
        lastPrompt === null
          ? null
          : { prompt_id: lastPrompt.promptId, outcome: lastPrompt.outcome, problem: lastPrompt.problem },
    },
  };
}

function withContext(prompt: string, context: string | Readonly<Record<string, unknown>> | undefined): string {
  if (context === undefined) {
    return prompt;
  }
  const added = typeof context === 'string' ? context : JSON.stringify(context, null, 2);
  return `${prompt}\n\n<context>\n${added}\n</context>`;
}

function accepted({ session, promptId, waiting, resumed }: Accepted): ActionResult {
  const { sessionId: session_id, workspaceId: workspace_id, status } = session;
  const how = resumed ? (waiting === 0 ? 'goes on' : `has ${waiting} prompts to work on first`) : 'has begun';
  return {
    text: `Session ${session_id} in workspace ${workspace_id} ${how}. What it does: session events.`,
    data: { session_id, workspace_id, prompt_id: promptId, status, resumed, waiting_prompts: waiting },
  };
}

function shownPage({ events: found, nextIndex, hasMore, firstIndex, status }: EventPage): ActionResult {
  const lines = found.map(({ seq, type, ...rest }) => `${seq} ${type}${brief(rest)}`);
  return {
    text: [...lines, `next_index ${nextIndex}${hasMore ? ', there are more' : ''}; the session is ${status}`].join(
      '\n',
    ),
    data: { events: found, next_index: nextIndex, has_more: hasMore, first_index: firstIndex, status },
  };
}

/** The whole is in the structured result. */
function brief(fields: Readonly<Record<string, unknown>>): string {
  const { text: said, name, message: told, verdict, reason, request_id, tool } = fields;
  const parts = [request_id, tool, name, verdict, said ?? told ?? reason].filter((part) => typeof part === 'string');
  const line = parts.join(' ').replace(/\s+/g, ' ').slice(0, 200);
  return line === '' ? '' : `: ${line}`;
}
