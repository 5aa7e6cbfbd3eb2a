import type { LintReport } from './lint.ts';
import type { Linter } from './linter.ts';
import { type Suggestion, suggestMessage } from './suggest.ts';

/** A message that was judged, and where it comes from. */
export interface LintedMessage {
  /** The commit's object name; null for a message that is none's. */
  readonly oid: string | null;
  /** As it was named on the command line; null for a commit, an argument or standard input. */
  readonly file: string | null;
  readonly message: string;
  readonly report: LintReport;
  readonly suggestion: Suggestion | null;
}

/** Judges one message; a correction is offered only if the same linter accepts it. */
export async function lintWith(
  linter: Linter,
  message: string,
  origin: Pick<LintedMessage, 'oid' | 'file'>,
): Promise<LintedMessage> {
  const report = await linter.lint(message);
  if (report.problems.length === 0) {
    return { ...origin, message, report, suggestion: null };
  }
  const suggestion = suggestMessage(message, linter.convention);
  const isAccepted = suggestion !== null && (await linter.lint(suggestion.message)).valid;
  return { ...origin, message, report, suggestion: isAccepted ? suggestion : null };
}
