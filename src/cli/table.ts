import type { Colors } from '../ui/console.ts';
import { printable, printableLine } from '../ui/findings.ts';
import { localTime } from '../ui/local-time.ts';

/** A column of a table: its heading, and what a row has in it. */
export interface Column<Row> {
  readonly heading: string;
  readonly value: (row: Row) => string;
}

/** Longer cells are cut: `--json` has the whole. */
const widest = 60;

/** Rows below their headings, each column as wide as its widest cell; no line where there are no rows. */
export function tableLines<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  colors: Colors,
): readonly string[] {
  if (rows.length === 0) {
    return [];
  }
  const cells = rows.map((row) => columns.map(({ value }) => cut(printableLine(value(row)))));
  const widths = columns.map(({ heading }, index) =>
    Math.max(heading.length, ...cells.map((line) => line[index]?.length ?? 0)),
  );
  const lineOf = (line: readonly string[]) =>
    line
      .map((cell, index) => cell.padEnd(widths[index] ?? 0))
      .join('  ')
      .trimEnd();
  return [colors.dim(lineOf(columns.map(({ heading }) => heading))), ...cells.map(lineOf)];
}

function cut(text: string): string {
  return text.length > widest ? `${text.slice(0, widest - 1)}…` : text;
}

/** A value of a result as a cell: nothing for null, a time without what nobody reads. */
export function cell(value: unknown): string {
  if (value === null || value === undefined) {
    return '';
  }
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(text) ? localTime(text).slice(0, 16) : text;
}

/** Columns that show fields of a result by their names on the wire. */
export function fieldColumns(
  fields: Readonly<Record<string, string>>,
): readonly Column<Readonly<Record<string, unknown>>>[] {
  return Object.entries(fields).map(([heading, field]) => ({ heading, value: (row) => cell(row[field]) }));
}

/** One result, a field a line. */
export function fieldLines(data: Readonly<Record<string, unknown>>, colors: Colors): readonly string[] {
  const shown = Object.entries(data).filter(([, value]) => !Array.isArray(value) || value.length > 0);
  const width = Math.max(...shown.map(([name]) => name.length));
  return shown.map(([name, value]) => `${colors.dim(name.padEnd(width))}  ${printable(cell(value))}`.trimEnd());
}
