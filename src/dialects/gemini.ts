import { answerJson, type Dialect } from './dialect.ts';
import { shellCall } from './tool-call.ts';

/**
 * Gemini CLI: https://geminicli.com/docs/hooks/reference, BeforeTool. Plain text on stdout would mean "allow".
 * "ask" is not used: in prompt mode (`-p`) the client waits for ever for an answer, older clients take it for a yes, and
 * the payload tells neither.
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
          directories: ['dir_path', 'directory'],
          session: payload.session_id,
        })
      : 'not-ours',
  canAsk: () => false,
  render: ({ verdict, reason }) =>
    verdict === 'notice' ? answerJson({ systemMessage: reason }) : answerJson({ decision: 'deny', reason }),
};
