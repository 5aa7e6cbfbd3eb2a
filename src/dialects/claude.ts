import {
  type Answer,
  answerJson,
  type Dialect,
  noOpinion,
  type Opinion,
  type Parsed,
  type Payload,
  type ToolCall,
} from './dialect.ts';
import { shellCall } from './tool-call.ts';

const events: Readonly<Record<string, ToolCall['event']>> = {
  PreToolUse: 'before-tool',
  PermissionRequest: 'permission-request',
};

/**
 * In these modes nobody is asked: an "ask" would be taken for a yes, or fail without telling how to get a yes. `yolo` is
 * Qwen Code's.
 */
const unattendedModes: ReadonlySet<unknown> = new Set(['bypassPermissions', 'dontAsk', 'auto', 'yolo']);

/** Claude Code: https://code.claude.com/docs/en/hooks, PreToolUse and PermissionRequest. */
export const claude: Dialect = {
  name: 'claude',
  title: 'Claude Code',
  parse: (payload) => parseClaude(payload),
  canAsk: (call) => !call.unattended,
  render: renderClaude,
};

/** @param directories arguments by which the shell tool takes a directory: Claude Code's has none */
export function parseClaude(payload: Payload, directories: readonly string[] = []): Parsed {
  const { hook_event_name: name, tool_name: tool } = payload;
  const event = typeof name === 'string' ? events[name] : 'before-tool';
  if (event === undefined) {
    return 'not-ours';
  }
  return shellCall({
    event,
    tool,
    input: payload.tool_input,
    cwd: payload.cwd,
    directories,
    session: payload.session_id,
    id: payload.tool_use_id,
    unattended: unattendedModes.has(payload.permission_mode),
  });
}

export function renderClaude(opinion: Opinion, call: ToolCall | null): Answer {
  if (call?.event === 'permission-request') {
    return opinion.verdict === 'deny' ? denyPermission(opinion.reason) : noOpinion;
  }
  const hookEventName = 'PreToolUse';
  return opinion.verdict === 'notice'
    ? answerJson({ hookSpecificOutput: { hookEventName, additionalContext: opinion.reason } })
    : answerJson({
        hookSpecificOutput: {
          hookEventName,
          permissionDecision: opinion.verdict,
          permissionDecisionReason: opinion.reason,
        },
      });
}

export function denyPermission(message: string): Answer {
  return answerJson({
    hookSpecificOutput: { hookEventName: 'PermissionRequest', decision: { behavior: 'deny', message } },
  });
}
