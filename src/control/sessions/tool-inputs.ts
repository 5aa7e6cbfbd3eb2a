import { z } from 'zod';
import { permissionTool } from './caller-tools.ts';
import { sessionStatuses } from './session.ts';

// What a client gives to each action of the `session` tool.

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

export const spawnInput = z
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

export const messageInput = z.strictObject({
  project_id: projectId,
  workspace_id: workspaceId,
  session_id: sessionId.optional().describe('Default: the workspace’s latest session'),
  message: text.describe('What the agent has to do next; waits until what came before is done'),
  caller_id: z.string().min(1).max(200).optional().describe('Your name for yourself; requests to your tools carry it'),
  caller_tools: callerTools,
});

export const getInput = z.strictObject({ project_id: projectId, session_id: sessionId });

export const listInput = z.strictObject({
  project_id: projectId,
  status: z.enum(sessionStatuses).optional().describe('Only sessions that stand so'),
  limit: z.int().min(1).max(1_000).default(100).describe('How many at most, the newest first'),
  cursor: z.string().min(1).optional().describe('The next_cursor of the page before'),
});

export const eventsInput = z.strictObject({
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

export const cleanupInput = z.strictObject({
  project_id: projectId,
  max_age_hours: z.number().min(0).max(1_000_000).default(168).describe('Hours in which nothing has happened'),
});
