import type { Policy } from '../../config/policy.ts';
import { withoutInventedNames } from '../../shell/words/variable-reference.ts';
import { type Finding, findings } from '../finding.ts';
import { syntaxSuggestion } from './syntax-suggestion.ts';

export interface UnreadablePart {
  /** As it was written. */
  readonly source: string;
  readonly reason: string;
  /** What it could be: `an option of git push`. */
  readonly could: string;
  /** What can't be read; a value where nothing is said. */
  readonly part?: 'value' | 'program' | 'script' | 'syntax';
  /** A command that reaches the same end and can be read. */
  readonly instead?: string;
}

/** What a person can do about it. */
const suggestions = {
  value: 'Write the value out, so that the command can be judged before it runs.',
  program: 'Write the program out, so that the command can be judged before it runs.',
  script: 'Write the commands out, or put them into a file first and run that.',
};

/** A part that can't be read and where a known value could change the verdict. */
export function unreadable(
  policy: Policy,
  { source, reason, could, part = 'value', instead }: UnreadablePart,
): readonly Finding[] {
  return findings('unreadable-command', policy, {
    message: `'${shortened(withoutInventedNames(source))}' can't be read (${reason}); it could be ${could}.`,
    suggestion: instead ?? (part === 'syntax' ? syntaxSuggestion(reason) : suggestions[part]),
  });
}

function shortened(source: string): string {
  const line = source.trim().slice(0, 1000).replace(/\s+/g, ' ');
  return line.length > 80 ? `${line.slice(0, 77)}…` : line;
}
