import { answerJson, type Dialect } from './dialect.ts';
import { shellCall } from './tool-call.ts';

/**
 * Gemini CLI: https://geminicli.com/docs/hooks/reference, BeforeTool. Plain text on stdout would mean "allow".
 * The prompt of an "ask" shows `systemMessage`.
 */
export const gemini: Dialect = {
  name: 'gemini',
  title: 'Gemini CLI',
  parse: (payload) =>
    payload.hook_event_name === undefined || payload.hook_event_name === 'BeforeTool'
      ? shellCall({
          event: 'before-tool',
          tool: payload.tool_name,
          input: payload.tool_input,
          cwd: payload.cwd,
          session: payload.session_id,
        })
      : 'not-ours',
  canAsk: () => true,
  render: ({ verdict, reason }) =>
    verdict === 'notice'
      ? answerJson({ systemMessage: reason })
      : answerJson({ decision: verdict, reason, ...(verdict === 'ask' ? { systemMessage: reason } : {}) }),
};
