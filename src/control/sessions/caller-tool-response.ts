import { z } from 'zod';
import { type ControlTool, defineAction } from '../action.ts';
import type { Sessions } from './sessions.ts';

const largest = 1_000_000;

const schema = z
  .strictObject({
    session_id: z.string().min(1).describe('The session that asks'),
    request_id: z.string().min(1).describe('The request, from its event or from session get'),
    result: z.json().optional().describe('What the tool gives: a text, or JSON'),
    error: z.string().min(1).max(100_000).optional().describe('Why it gives nothing'),
  })
  .refine(({ result, error }) => (result === undefined) !== (error === undefined), {
    path: ['result'],
    message: 'or error: exactly one of them is required',
  })
  .refine(({ result }) => result === undefined || JSON.stringify(result).length <= largest, {
    path: ['result'],
    message: `must be at most ${largest} characters of JSON`,
  });

/** The `caller_tool_response` tool: answers what a session asks of the tools that its caller has lent. */
export function callerToolResponseTool(sessions: Pick<Sessions, 'respond'>): ControlTool {
  return {
    name: 'caller_tool_response',
    description:
      'Answers a request of a session to a tool that you have lent it with caller_tools. Each request is answered once, within 60 s.',
    action: defineAction(schema, async ({ session_id, request_id, result, error }) => {
      const answer =
        error === undefined ? ({ kind: 'result', result } as const) : ({ kind: 'error', message: error } as const);
      const { tool } = await sessions.respond(session_id, request_id, answer);
      return { text: `Answered ${tool} (${request_id}).`, data: { session_id, request_id, tool } };
    }),
  };
}
