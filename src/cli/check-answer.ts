import type { Verdict } from '../config/rules.ts';
import { leftOutNotices } from '../dialects/foreign-programs.ts';
import { ExitCode } from '../errors.ts';
import type { Judgement } from '../guards/evaluate.ts';
import { withoutLoss } from '../guards/finding.ts';
import { pasteable } from '../own-command.ts';
import { findingLines, printable } from '../ui/findings.ts';
import { fittedLines } from '../ui/fitted-lines.ts';
import type { Paint } from '../ui/paint.ts';

/** What `check` and `explain` exit with. */
export const exitCodes: Readonly<Record<Verdict, ExitCode>> = {
  allow: ExitCode.fine,
  deny: ExitCode.failed,
  ask: ExitCode.unanswered,
};

/**
 * What `check` prints: one JSON document for scripts, or lines for people. No newline at its end.
 *
 * @param columns of the terminal that it goes to, if it is one
 */
export function answerOf(judgement: Judgement, json: boolean, paint: Paint, columns: number | undefined): string {
  return json ? JSON.stringify(documentOf(judgement)) : fittedLines(describe(judgement, paint), columns);
}

/** For standard error: what could make the judgement another one. */
export function noticeLines(): readonly string[] {
  return leftOutNotices().map((notice) => `oxide-guard: ${pasteable(printable(notice))}`);
}

/** The document that scripts read. */
export function documentOf({ verdict, findings, commands }: Omit<Judgement, 'trace'>) {
  return { verdict, findings: findings.map(withoutLoss), commands };
}

function describe({ verdict, findings }: Judgement, paint: Paint): string {
  const verdicts: Record<Verdict, string> = {
    allow: paint.green('allow'),
    ask: paint.yellow('ask'),
    deny: paint.red('deny'),
  };
  const meanings: Record<Verdict, string> = {
    allow: 'the guard objects to nothing.',
    ask: 'a person must confirm this.',
    deny: 'this must not run.',
  };
  return [`${verdicts[verdict]}: ${meanings[verdict]}`, ...findingLines(findings, paint)].join('\n');
}
