import { resolve } from 'node:path';
import { homeDirectory } from '../git/files.ts';
import {
  type Answer,
  answerJson,
  type Dialect,
  type KeptShell,
  type Parsed,
  type Payload,
  type ToolCall,
} from './dialect.ts';
import { asObject, shellCall } from './tool-call.ts';

/** Under `failClosed` a hook that prints nothing has failed, and the command is blocked. */
const silence = answerJson({});

/**
 * Cursor: https://cursor.com/docs/agent/hooks, beforeShellExecution; and preToolUse with the tool `Shell`, which it starts
 * from Claude Code's settings, too. Its SDK and its command line client run what is answered with "ask", and the payload
 * doesn't tell which client it is: the guard denies and says how to approve.
 */
export const cursor: Dialect = {
  name: 'cursor',
  title: 'Cursor',
  parse: parseCursor,
  canAsk: () => false,
  silence,
  render: ({ verdict, reason }, call) =>
    verdict === 'notice'
      ? renderNotice(reason, call)
      : answerJson({ permission: verdict, user_message: reason, agent_message: reason }),
};

function parseCursor(payload: Payload): Parsed {
  const { hook_event_name: name, workspace_roots: roots, cwd } = payload;
  const root = Array.isArray(roots) ? roots[0] : null;
  const common = { event: 'before-tool', session: payload.conversation_id, id: payload.tool_use_id } as const;
  if (name === 'preToolUse') {
    const input = asObject(payload.tool_input) ?? {};
    const named = input.working_directory || input.cwd || cwd;
    return shellCall({ ...common, ...placeOf(root, named), tool: payload.tool_name, input });
  }
  return name === undefined || name === 'beforeShellExecution'
    ? shellCall({
        ...common,
        ...placeOf(root, cwd),
        tool: 'Shell',
        input: { command: payload.command },
        follows: true,
      })
    : 'not-ours';
}

/** What Cursor makes of a tool's directory. None is the one where its shell stands, which is the workspace's at first. */
function placeOf(root: unknown, named: unknown): { readonly cwd: unknown; readonly keptShell: KeptShell } {
  const began = typeof root === 'string' ? root : null;
  if (typeof named !== 'string' || named === '') {
    return { cwd: root, keptShell: { began, isTold: false } };
  }
  const path = pathOf(named).replace(/^~(?=$|[/\\])/, homeDirectory);
  return { cwd: began === null ? path : resolve(began, path), keptShell: { began, isTold: true } };
}

function pathOf(named: string): string {
  try {
    return named.startsWith('file://') ? process.getBuiltinModule('node:url').fileURLToPath(named) : named;
  } catch {
    return named;
  }
}

/** beforeShellExecution has no words for the agent beside a denial's. */
function renderNotice(reason: string, call: ToolCall | null): Answer {
  return call === null || call.follows ? silence : answerJson({ additional_context: reason });
}
