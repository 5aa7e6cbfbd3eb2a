import type { Finding } from './finding.ts';

/**
 * A commit that skips the checks because of its message: without the skipping, the message would still be refused. What
 * helps against both is the corrected message.
 */
export function withCorrectedMessage(found: readonly Finding[]): readonly Finding[] {
  const corrected = found.find(({ rule }) => rule === 'commit-message')?.suggestion ?? null;
  return corrected === null
    ? found
    : found.map((finding) => (finding.rule === 'skip-checks' ? { ...finding, suggestion: corrected } : finding));
}
