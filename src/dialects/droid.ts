import { parseClaude, renderClaude } from './claude.ts';
import { type Dialect, noOpinion } from './dialect.ts';

/** Factory Droid: https://docs.factory.ai/reference/hooks-reference. Claude's shapes; its shell tool is `Execute`. */
export const droid: Dialect = {
  name: 'droid',
  title: 'Factory Droid',
  parse: parseClaude,
  canAsk: (call) => !call.unattended,
  render: (opinion, call) => (opinion.verdict === 'notice' ? noOpinion : renderClaude(opinion, call)),
};
