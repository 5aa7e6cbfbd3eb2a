import { type LineMatch, linesOf } from './text-search.ts';

/** The matches in one file. */
export interface FileMatches {
  /** As it is shown. */
  readonly path: string;
  readonly text: string;
  readonly matches: readonly LineMatch[];
}

export interface ContextLines {
  readonly before: number;
  readonly after: number;
  readonly numbered: boolean;
}

/** Characters of a line that are shown, around its match. */
const lineWidth = 500;

/** The lines of a file that match, with their neighbours, as grep prints them: `:` after a match, `-` after a neighbour. */
export function contentLines({ path, text, matches }: FileMatches, context: ContextLines): readonly string[] {
  const lines = linesOf(text);
  const columns = new Map(matches.map(({ line, column }) => [line, column]));
  const printed: string[] = [];
  let next = 1;
  for (const { line } of matches) {
    const first = Math.max(next, line - context.before);
    if (first > next && printed.length > 0 && context.before + context.after > 0) {
      printed.push('--');
    }
    // A match among the neighbours is printed here, as a match, and not again.
    const last = Math.min(lines.length, line + context.after);
    for (let number = first; number <= last; number += 1) {
      const column = columns.get(number);
      const mark = column === undefined ? '-' : ':';
      const head = context.numbered ? `${path}${mark}${number}${mark}` : `${path}${mark}`;
      printed.push(head + excerpt(lines[number - 1] ?? '', column ?? 0));
    }
    next = Math.max(next, last + 1);
  }
  return printed;
}

/** A long line's part around a column. */
function excerpt(line: string, column: number): string {
  if (line.length <= lineWidth) {
    return line;
  }
  const start = Math.max(0, Math.min(column - lineWidth / 4, line.length - lineWidth));
  const end = start + lineWidth;
  return `${start > 0 ? '…' : ''}${line.slice(start, end)}${end < line.length ? '…' : ''}`;
}
