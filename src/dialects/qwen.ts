import { parseClaude, renderClaude } from './claude.ts';
import { type Dialect, noOpinion } from './dialect.ts';

/** Qwen Code: https://qwenlm.github.io/qwen-code-docs/en/users/features/hooks/. Claude's shapes. */
export const qwen: Dialect = {
  name: 'qwen',
  title: 'Qwen Code',
  parse: parseClaude,
  canAsk: (call) => !call.unattended,
  render: (opinion, call) => (opinion.verdict === 'notice' ? noOpinion : renderClaude(opinion, call)),
};
