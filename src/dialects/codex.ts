import { parseClaude, renderClaude } from './claude.ts';
import type { Dialect } from './dialect.ts';

/**
 * Codex: https://developers.openai.com/codex/hooks. Claude's shapes, read strictly: an unknown field voids the answer.
 * PreToolUse takes "deny"; an "ask" would run the command, so the guard denies and says how to approve.
 */
export const codex: Dialect = {
  name: 'codex',
  title: 'Codex',
  parse: (payload) => parseClaude(payload, ['workdir']),
  canAsk: () => false,
  render: renderClaude,
};
