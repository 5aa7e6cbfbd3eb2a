import { answerJson, type Dialect, noOpinion } from './dialect.ts';
import { shellCall } from './tool-call.ts';

/** Grok: https://docs.x.ai/build/features/hooks, PreToolUse. Fields in camelCase; a denial also says so by exit code 2. */
export const grok: Dialect = {
  name: 'grok',
  title: 'Grok',
  parse: (payload) => {
    const name = payload.hookEventName ?? payload.hook_event_name;
    const isOurs = name === undefined || /^pre_?tool_?use$/i.test(String(name));
    return isOurs
      ? shellCall({
          event: 'before-tool',
          tool: payload.toolName ?? payload.tool_name,
          input: payload.toolInput ?? payload.tool_input,
          cwd: payload.cwd || payload.workspaceRoot,
          session: payload.sessionId,
        })
      : 'not-ours';
  },
  canAsk: () => false,
  render: ({ verdict, reason }) =>
    verdict === 'notice'
      ? noOpinion
      : { ...answerJson({ decision: 'deny', reason }), stderr: `${reason}\n`, exitCode: 2 },
};
