import { answerJson, type Dialect, noOpinion, type Parsed, type Payload } from './dialect.ts';
import { shellCall } from './tool-call.ts';

/**
 * Cursor: https://cursor.com/docs/agent/hooks, beforeShellExecution (and preToolUse with the tool `Shell`). Its command
 * line client ignores "ask", and the payload doesn't tell which client it is: the guard denies and says how to approve.
 */
export const cursor: Dialect = {
  name: 'cursor',
  title: 'Cursor',
  parse: parseCursor,
  canAsk: () => false,
  render: ({ verdict, reason }) =>
    verdict === 'notice' ? noOpinion : answerJson({ permission: verdict, user_message: reason, agent_message: reason }),
};

function parseCursor(payload: Payload): Parsed {
  const { hook_event_name: name, workspace_roots: roots } = payload;
  const cwd = payload.cwd || (Array.isArray(roots) ? roots[0] : null);
  const common = { event: 'before-tool', cwd, session: payload.conversation_id, id: payload.tool_use_id } as const;
  if (name === 'preToolUse') {
    return shellCall({ ...common, tool: payload.tool_name, input: payload.tool_input });
  }
  return name === undefined || name === 'beforeShellExecution'
    ? shellCall({ ...common, tool: 'Shell', input: payload })
    : 'not-ours';
}
