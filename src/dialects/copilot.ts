import { answerJson, type Dialect, noOpinion } from './dialect.ts';
import { shellCall } from './tool-call.ts';

/**
 * GitHub Copilot CLI: https://docs.github.com/en/copilot/reference/hooks-configuration, preToolUse. `toolArgs` may be
 * an object or its JSON text.
 */
export const copilot: Dialect = {
  name: 'copilot',
  title: 'GitHub Copilot CLI',
  parse: (payload) =>
    shellCall({
      event: 'before-tool',
      tool: payload.toolName ?? payload.tool_name,
      input: payload.toolArgs ?? payload.tool_input,
      cwd: payload.cwd,
      session: payload.sessionId ?? payload.session_id,
    }),
  canAsk: () => true,
  render: ({ verdict, reason }) =>
    verdict === 'notice' ? noOpinion : answerJson({ permissionDecision: verdict, permissionDecisionReason: reason }),
};
