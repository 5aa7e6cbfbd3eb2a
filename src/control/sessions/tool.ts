import { z } from 'zod';
import { type ActionResult, type ControlTool, defineAction } from '../action.ts';
import { permissionTool } from './caller-tools.ts';
import type { EventPage } from './event-page.ts';
import { sessionStatuses } from './session.ts';
import { requestShown, sessionShown } from './session-shown.ts';
import type { Sessions } from './sessions.ts';
import type { Accepted } from './spawning.ts';

const projectId = z.string().min(1).describe('The project’s id');
const workspaceId = z.string().min(1).optional().describe('Default: the project’s default workspace');
const sessionId = z.string().min(1).describe('The session’s id');
const text = z.string().min(1).max(1_000_000);
const toolNames = z.array(z.string().min(1).max(128)).max(200);

const callerTools = z
  .array(
    z.strictObject({
      name: z.string().regex(/^[\w-]{1,64}$/, 'must be 1 to 64 letters, digits, _ or -'),
      description: z.string().max(4_000).default(''),
      input_schema: z.looseObject({}).default({ type: 'object' }).describe('JSON Schema of an object'),
    }),
  )
  .max(50)
  .default([])
  .describe(
    `Tools of yours that the session may call while it works on this message. Each call is an event and waits in session get; answer with caller_tool_response within 60 s. One named ${permissionTool} is asked whether a call may run, where the guard has no objection: answer {"behavior": "allow"} or {"behavior": "deny", "message": "…"}`,
  );

const spawn = z
  .strictObject({
    project_id: projectId,
    prompt: text.optional().describe('What the agent has to do'),
    message: text.optional().describe('The same as prompt'),
    workspace_id: workspaceId,
    create_workspace: z.boolean().default(false).describe('Work in a new workspace, on a branch of its own'),
    new_session: z.boolean().default(false).describe('Do not go on with the workspace’s latest session'),
    model: z.string().min(1).max(200).optional().describe('A model’s name or alias; default: the configured one'),
    tools_allowed: toolNames.optional().describe('The only tools that the agent gets; default: all'),
    tools_disallowed: toolNames.default([]).describe('Tools that the agent does not get'),
    context: z
      .union([z.string().max(200_000), z.looseObject({})])
      .optional()
      .describe('What the agent should know besides'),
  })
  .refine(({ prompt, message }) => (prompt === undefined) !== (message === undefined), {
    path: ['prompt'],
    message: 'or message, which is the same: exactly one of them is required',
  })
  .refine((input) => !input.create_workspace || input.workspace_id === undefined, {
    path: ['workspace_id'],
    message: 'names a workspace, and create_workspace wants a new one: give one of them',
  });

const message = z.strictObject({
  project_id: projectId,
  workspace_id: workspaceId,
  session_id: sessionId.optional().describe('Default: the workspace’s latest session'),
  message: text.describe('What the agent has to do next; waits until what came before is done'),
  caller_id: z.string().min(1).max(200).optional().describe('Your name for yourself; requests to your tools carry it'),
  caller_tools: callerTools,
});

const get = z.strictObject({ project_id: projectId, session_id: sessionId });

const list = z.strictObject({
  project_id: projectId,
  status: z.enum(sessionStatuses).optional().describe('Only sessions that stand so'),
  limit: z.int().min(1).max(1_000).default(100).describe('How many at most, the newest first'),
  cursor: z.string().min(1).optional().describe('The next_cursor of the page before'),
});

const events = z.strictObject({
  project_id: projectId,
  session_id: sessionId,
  since_index: z
    .int()
    .min(0)
    .optional()
    .describe('The first event wanted: the next_index of the events before; default: the first that is kept'),
  max_events: z.int().min(1).max(1_000).default(100).describe('How many at most'),
  wait_ms: z.int().min(0).max(60_000).default(0).describe('Milliseconds to wait for an event where there is none yet'),
  include_children: z
    .boolean()
    .default(false)
    .describe('Also those of sessions below it; since_index and next_index are of their common order then'),
});

const cleanup = z.strictObject({
  project_id: projectId,
  max_age_hours: z.number().min(0).max(1_000_000).default(168).describe('Hours in which nothing has happened'),
});

const hour = 3_600_000;

/** What the `session` tool does with sessions. */
type SessionCalls = Pick<Sessions, 'spawn' | 'message' | 'get' | 'list' | 'stop' | 'events' | 'clean'>;

/** The `session` tool: guarded agent sessions in workspaces. */
export function sessionTool(sessions: SessionCalls): ControlTool {
  return {
    name: 'session',
    description:
      'Guarded agent sessions in a project’s workspaces. spawn starts one, or goes on with the workspace’s latest; message tells it more; get, list; events follows what it does; end stops it with all that runs for it; cleanup removes old ones.',
    actions: {
      spawn: defineAction(spawn, async (input, { principal }) =>
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
      message: defineAction(message, async (input, { principal }) =>
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
      get: defineAction(get, async ({ project_id, session_id }) => {
        const { session, children, requests, waiting, lastPrompt } = await sessions.get(project_id, session_id);
        const last = lastPrompt === null ? 'no prompt yet' : `last prompt: ${lastPrompt.outcome ?? 'under way'}`;
        // Some clients show a model the text alone: it names what can be answered.
        const asks = requests.map(({ requestId, tool, input }) => {
          return `Waits for an answer: ${requestId} ${tool} ${JSON.stringify(input).slice(0, 1_000)}`;
        });
        const below = children.map(({ sessionId, status }) => `Below it: ${sessionId} ${status}`);
        return {
          text: [`Session ${session_id}: ${session.status}, ${last}, ${waiting} prompts wait.`, ...asks, ...below].join(
            '\n',
          ),
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
      }),
      list: defineAction(list, async ({ project_id, status, limit, cursor }) => {
        const query = { projectId: project_id, status, limit, after: cursor ?? null };
        const { sessions: found, next } = await sessions.list(query);
        const lines = found.map((session) => `${session.sessionId}  ${session.status}  in ${session.workspaceId}`);
        const more = next === null ? [] : [`There are more: cursor ${next}.`];
        return {
          text: [...lines, ...more].join('\n') || 'There are no such sessions.',
          data: { sessions: found.map(sessionShown), truncated: next !== null, next_cursor: next },
        };
      }),
      end: defineAction(get, async ({ project_id, session_id }) => {
        const session = await sessions.stop(project_id, session_id, 'ended by a caller');
        return { text: `Session ${session_id} has ended (${session.endReason}).`, data: sessionShown(session) };
      }),
      events: defineAction(events, async (input, call) => {
        const { project_id, session_id, since_index = null, max_events, wait_ms, include_children } = input;
        const query = { sessionId: session_id, since: since_index, max: max_events, includeChildren: include_children };
        return shownPage(await sessions.events(project_id, query, wait_ms, call.signal));
      }),
      cleanup: defineAction(cleanup, async ({ project_id, max_age_hours }) => {
        const removed = await sessions.clean(project_id, max_age_hours * hour);
        return {
          text: `Removed ${removed.length} sessions in which nothing happened for ${max_age_hours} hours.`,
          data: { removed: removed.length, session_ids: removed },
        };
      }),
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
