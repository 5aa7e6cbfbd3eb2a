import { answerJson, type Dialect, type Parsed, type Payload } from './dialect.ts';
import { isShellTool, shellCall } from './tool-call.ts';

/**
 * Grok: https://docs.x.ai/build/features/hooks, PreToolUse. Fields in camelCase; a denial also says so by exit code 2.
 * New versions know "ask", but take it for a yes where everything is approved, and older ones for a failed hook, which
 * is a yes, too: the guard denies and says how to approve.
 */
export const grok: Dialect = {
  name: 'grok',
  title: 'Grok',
  parse: parseGrok,
  canAsk: () => false,
  render: ({ verdict, reason }) =>
    verdict === 'notice'
      ? answerJson({ hookSpecificOutput: { hookEventName: 'PreToolUse', additionalContext: reason } })
      : { ...answerJson({ decision: 'deny', reason }), stderr: `${reason}\n`, exitCode: 2 },
};

function parseGrok(payload: Payload): Parsed {
  const name = payload.hookEventName ?? payload.hook_event_name;
  if (name !== undefined && !/^pre_?tool_?use$/i.test(String(name))) {
    return 'not-ours';
  }
  const call = shellCall({
    event: 'before-tool',
    tool: payload.toolName ?? payload.tool_name,
    input: payload.toolInput ?? payload.tool_input,
    cwd: payload.cwd || payload.workspaceRoot,
    directories: ['workdir', 'directory', 'dir_path', 'cwd'],
    session: payload.sessionId ?? payload.session_id,
    id: payload.toolUseId ?? payload.tool_use_id,
  });
  // Of a very long command line only the beginning is told, and of a long file as well, which may be anything.
  if (payload.toolInputTruncated !== true || call === 'not-ours') {
    return call;
  }
  return isShellTool(String(payload.toolName ?? payload.tool_name)) ? 'malformed' : 'not-ours';
}
