import type { Paint } from '../ui/paint.ts';
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

/**
 * Tells a person what is wrong with a message: a line and a caret for each fault, the format that is expected, and the
 * corrected message. Empty for a message without problems. Ends without a newline.
 */
export function explainReport(
  message: string,
  report: LintReport,
  suggestion: Suggestion | null,
  { paint, convention = conventional }: { readonly paint: Paint; readonly convention?: CommitConvention },
): string {
  if (report.problems.length === 0) {
    return '';
  }
  const lines = message.split(/\r?\n/);
  const told = faults(message, report, convention).flatMap(({ level, message: text, position }) => {
    const sign = level === 'error' ? paint.red('✗') : paint.yellow('!');
    return [`${sign} ${text}`, ...pointAt(lines, position, paint)];
  });
  const expected = report.valid
    ? []
    : [`${paint.dim('format')} type(scope)!: subject   ${paint.dim('types')} ${convention.types.join(', ')}`];
  return [...told, '', ...expected, ...tellSuggestion(suggestion, paint)].join('\n').trimEnd();
}

/** How many lines of a corrected message are shown; a screen has room for the faults besides. */
const suggestedLines = 30;

function tellSuggestion(suggestion: Suggestion | null, paint: Paint): string[] {
  if (suggestion === null) {
    return [];
  }
  const lines = suggestion.message.split('\n');
  const title = suggestion.confidence === 'exact' ? 'Corrected:' : 'Perhaps:';
  return [
    paint.bold(title),
    ...lines.slice(0, suggestedLines).map((line) => `    ${paint.green(printable(line))}`.trimEnd()),
    ...(lines.length > suggestedLines ? [paint.dim(`    … and ${lines.length - suggestedLines} more lines`)] : []),
    ...suggestion.notes.map((note) => paint.dim(`  (${printable(note)})`)),
  ];
}

const columns = 96;

function pointAt(lines: readonly string[], position: Position | null, paint: Paint): string[] {
  const line = position === null ? undefined : lines[position.line - 1];
  if (position === null || line === undefined) {
    return [];
  }
  const column = position.column - 1;
  const from = column > columns - 16 ? column - (columns - 40) : 0;
  const lead = from === 0 ? '' : '…';
  const shown = line.slice(from, from + columns);
  const tail = line.length > from + columns ? '…' : '';
  const before = printable(lead + line.slice(from, column));
  const marked = Math.max(1, width(printable(line.slice(column, Math.min(column + position.length, from + columns)))));
  return [`    ${printable(lead + shown + tail)}`, `    ${' '.repeat(width(before))}${paint.red('^'.repeat(marked))}`];
}

/** Without characters that would act on the terminal. */
function printable(text: string): string {
  return text.replace(/\t/g, ' ').replace(/[\x00-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/g, '\ufffd');
}

const wide =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}/u;

/** Columns of a terminal that the text takes. */
function width(text: string): number {
  let total = 0;
  for (const character of text) {
    const takesNone = /\p{Mn}|\u200d|\ufe0f|\u200b|\ufeff/u.test(character);
    total += takesNone ? 0 : wide.test(character) ? 2 : 1;
  }
  return total;
}
