import { fittedLines } from '../ui/fitted-lines.ts';
import type { Paint } from '../ui/paint.ts';
import { textWidth } from '../ui/text-width.ts';
import { type CommitConvention, conventional } from './convention.ts';
import { readHeader } from './header-reading.ts';
import type { LintReport, Problem } from './lint.ts';
import type { Position } from './rules/rule.ts';
import type { Suggestion } from './suggest.ts';
import { readType } from './type-words.ts';

/** The rules that break when the form of the header does: for people they are one mistake. */
const formRules: readonly string[] = ['type-empty', 'subject-empty'];

/** One thing that is wrong, for people. */
export interface Fault {
  readonly level: Problem['level'];
  readonly message: string;
  readonly position: Position | null;
}

/**
 * The problems of a report as a person counts them: commitlint's pair "subject empty, type empty" is replaced by the
 * one mistake behind it.
 */
export function faults(message: string, report: LintReport, convention: CommitConvention = conventional): Fault[] {
  const broken = report.problems.find(({ rule }) => formRules.includes(rule));
  const line = broken?.position?.line ?? 1;
  const header = message.split(/\r?\n/)[line - 1] ?? '';
  const mistake = broken === undefined ? null : readHeader(header, convention.types).mistake;
  if (broken === undefined || mistake === null) {
    return report.problems.map((problem) => fault(problem, header, convention));
  }
  const { column, length } = mistake;
  const isPart = ({ rule, position }: Problem): boolean =>
    formRules.includes(rule) || (rule === 'header-trim' && position?.column === column + 1);
  return [
    { level: broken.level, message: mistake.message, position: { line, column: column + 1, length } },
    ...report.problems.filter((problem) => !isPart(problem)).map((problem) => fault(problem, header, convention)),
  ];
}

function fault({ level, rule, message, position }: Problem, header: string, { types }: CommitConvention): Fault {
  const word = rule === 'type-enum' ? /^\w+/.exec(header)?.[0] : undefined;
  const meant = word === undefined ? null : readType(word, types);
  return {
    level,
    message: meant === null ? message : `${message}; '${meant.type}' is near`,
    position: position ?? null,
  };
}

/** How an explanation is to look. */
export interface ExplanationStyle {
  readonly paint: Paint;
  readonly convention?: CommitConvention;
  /** Of the terminal that it goes to, if it is one. */
  readonly columns?: number | undefined;
}

/**
 * Tells a person what is wrong with a message: a line and a caret for each fault, the format that is expected, and the
 * corrected message. Empty for a message without problems. Ends without a newline.
 */
export function explainReport(
  message: string,
  report: LintReport,
  suggestion: Suggestion | null,
  { paint, convention = conventional, columns }: ExplanationStyle,
): string {
  if (report.problems.length === 0) {
    return '';
  }
  const lines = message.split(/\r?\n/);
  const told = faults(message, report, convention).flatMap(({ level, message: text, position }) => {
    const sign = level === 'error' ? paint.red('✗') : paint.yellow('!');
    return [fittedLines(`${sign} ${text}`, columns), ...pointAt(lines, position, paint, columns)];
  });
  const expected = report.valid
    ? []
    : [`${paint.dim('format')} type(scope)!: subject   ${paint.dim('types')} ${convention.types.join(', ')}`].map(
        (line) => fittedLines(line, columns),
      );
  return [...told, '', ...expected, ...tellSuggestion(suggestion, paint, columns)].join('\n').trimEnd();
}

/** How many lines of a corrected message are shown; a screen has room for the faults besides. */
const suggestedLines = 30;

function tellSuggestion(suggestion: Suggestion | null, paint: Paint, columns: number | undefined): string[] {
  if (suggestion === null) {
    return [];
  }
  const lines = suggestion.message.split('\n');
  const title = suggestion.confidence === 'exact' ? 'Corrected:' : 'Perhaps:';
  return [
    paint.bold(title),
    ...lines.slice(0, suggestedLines).map((line) => `    ${paint.green(printable(line))}`.trimEnd()),
    ...(lines.length > suggestedLines ? [paint.dim(`    … and ${lines.length - suggestedLines} more lines`)] : []),
    ...suggestion.notes.map((note) => fittedLines(paint.dim(`  (${printable(note)})`), columns)),
  ];
}

/** Characters that are shown of a line at most, and at least: in less than that nobody recognises anything. */
const window = { most: 96, least: 24 };

function pointAt(
  lines: readonly string[],
  position: Position | null,
  paint: Paint,
  columns = Number.POSITIVE_INFINITY,
): string[] {
  const line = position === null ? undefined : lines[position.line - 1];
  if (position === null || line === undefined) {
    return [];
  }
  const column = position.column - 1;
  const room = columns - '    ……'.length;
  const shownLength = Math.max(window.least, Math.min(window.most, room));
  const from = column > shownLength - 16 ? Math.max(0, column - Math.floor(shownLength / 2)) : 0;
  const lead = from === 0 ? '' : '…';
  const shown = line.slice(from, from + shownLength);
  const tail = line.length > from + shownLength ? '…' : '';
  const before = printable(lead + line.slice(from, column));
  const end = Math.min(column + position.length, from + shownLength);
  const marked = Math.max(1, textWidth(printable(line.slice(column, end))));
  return [
    `    ${printable(lead + shown + tail)}`,
    `    ${' '.repeat(textWidth(before))}${paint.red('^'.repeat(marked))}`,
  ];
}

/** Without characters that would act on the terminal. */
function printable(text: string): string {
  return text.replace(/\t/g, ' ').replace(/[\x00-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/g, '\ufffd');
}
