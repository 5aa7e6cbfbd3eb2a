import { parseClaude, renderClaude } from './claude.ts';
import { type Dialect, noOpinion } from './dialect.ts';

/**
 * Qwen Code: https://qwenlm.github.io/qwen-code-docs/en/users/features/hooks/. Claude's shapes. It takes an "ask" for a
 * denial where it has no terminal, and before 0.24 everywhere.
 */
export const qwen: Dialect = {
  name: 'qwen',
  title: 'Qwen Code',
  parse: (payload) => parseClaude(payload, ['directory']),
  canAsk: (call) => !call.unattended,
  render: (opinion, call) => (opinion.verdict === 'notice' ? noOpinion : renderClaude(opinion, call)),
};
