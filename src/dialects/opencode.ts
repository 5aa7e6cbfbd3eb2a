import { answerJson, type Dialect, noOpinion } from './dialect.ts';
import { shellCall } from './tool-call.ts';

/**
 * OpenCode: https://opencode.ai/docs/plugins. It has plugins instead of hooks; ours (`plugins/opencode`) sends each
 * tool call of `tool.execute.before` here and throws the reason of a denial. It can't ask.
 */
export const opencode: Dialect = {
  name: 'opencode',
  title: 'OpenCode',
  parse: (payload) =>
    shellCall({
      event: 'before-tool',
      tool: payload.tool,
      input: payload.args,
      cwd: payload.cwd,
      directories: ['workdir'],
      session: payload.session,
    }),
  canAsk: () => false,
  render: ({ verdict, reason }) => (verdict === 'notice' ? noOpinion : answerJson({ decision: 'deny', reason })),
};
