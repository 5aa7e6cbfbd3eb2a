import type { Policy } from '../../config/policy.ts';
import { type Finding, findings } from '../finding.ts';

export interface UnreadablePart {
  /** As it was written. */
  readonly source: string;
  readonly reason: string;
  /** What it could be: `an option of git push`. */
  readonly could: string;
}

/** A part that can't be read and where a known value could change the verdict. */
export function unreadable(policy: Policy, { source, reason, could }: UnreadablePart): readonly Finding[] {
  return findings('unreadable-command', policy, {
    message: `'${shortened(source)}' can't be read (${reason}); it could be ${could}.`,
    suggestion: 'Write the value out, so that the command can be judged before it runs.',
  });
}

function shortened(source: string): string {
  const line = source.replace(/\s+/g, ' ').trim();
  return line.length > 80 ? `${line.slice(0, 77)}…` : line;
}
