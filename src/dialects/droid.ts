import { parseClaude, renderClaude } from './claude.ts';
import { type Dialect, noOpinion } from './dialect.ts';

/**
 * Factory Droid: https://docs.factory.ai/reference/hooks-reference. Claude's shapes; its shell tool is `Execute`. The
 * reference knows "ask", but the client goes on as if nothing had been said: 0.215.0 ran the command.
 */
export const droid: Dialect = {
  name: 'droid',
  title: 'Factory Droid',
  parse: (payload) => parseClaude(payload),
  canAsk: () => false,
  render: (opinion, call) => (opinion.verdict === 'notice' ? noOpinion : renderClaude(opinion, call)),
};
