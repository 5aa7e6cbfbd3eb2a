import { type LineMatch, linesOf } from './text-search.ts';
import { success, type ToolResult } from './tool-result.ts';

/** Which lines are printed around a match. */
interface ContextLines {
  readonly before: number;
  readonly after: number;
  readonly numbered: boolean;
}

/** Characters of a result. */
const outputLimit = 50_000;
/** Characters of a line that are shown, around its match. */
const lineWidth = 500;

/** A file with matches. */
export interface Hit {
  /** As it is shown. */
  readonly path: string;
  readonly text: string;
  readonly mtimeMs: number;
  readonly matches: readonly LineMatch[];
}

/** How many files were not searched, and why. */
interface LeftOut {
  readonly unreadable: number;
  readonly forbidden: number;
}

/** Collects hits until there are enough. */
export interface Report {
  add(hit: Hit): void;
  /** Whether more hits would not be shown. */
  readonly full: boolean;
  result(left: LeftOut): ToolResult;
}

/** What is shown of the hits. */
export interface ReportForm {
  readonly mode: 'content' | 'files_with_matches' | 'count';
  /** Lines or files. */
  readonly limit: number;
  readonly context: ContextLines;
}

/** What Grep answers with, in the form that was asked for. */
export function createReport({ mode, limit, context }: ReportForm): Report {
  const files: { readonly path: string; readonly count: number; readonly mtimeMs: number }[] = [];
  const content: string[] = [];
  let size = 0;
  const isFull = () => mode === 'content' && (content.length > limit || size > outputLimit);
  const shown = (): readonly string[] => {
    switch (mode) {
      case 'content':
        return content;
      case 'count':
        return files.map(({ path, count }) => `${path}:${count}`);
      case 'files_with_matches':
        return [...files].sort((a, b) => b.mtimeMs - a.mtimeMs).map(({ path }) => path);
    }
  };
  return {
    add: (hit) => {
      files.push({ path: hit.path, count: hit.matches.length, mtimeMs: hit.mtimeMs });
      if (mode === 'content' && !isFull()) {
        const separator = content.length > 0 && context.before + context.after > 0 ? ['--'] : [];
        const added = [...separator, ...contentLines(hit, context)];
        content.push(...added.slice(0, limit + 1));
        size += added.reduce((sum, line) => sum + line.length, 0);
      }
    },
    get full() {
      return isFull();
    },
    result: (left) => {
      const all = shown();
      const kept = fitting(all.slice(0, limit));
      const truncated = kept.length < all.length;
      const notices = noticesOf(left, all.length === 0, truncated ? kept.length : null);
      return success([...kept, ...notices].join('\n'), {
        mode,
        files: files.slice(0, 1_000).map(({ path, count }) => ({ path, count })),
        total_files: files.length,
        truncated,
      });
    },
  };
}

/** What the reader has to know besides the hits. @param shown how many are, where they are not all */
function noticesOf({ unreadable, forbidden }: LeftOut, isEmpty: boolean, shown: number | null): readonly string[] {
  return [
    isEmpty ? '[No match.]' : null,
    shown === null
      ? null
      : `[Only the first ${shown} are shown; use a narrower pattern, path or glob, or a higher head_limit.]`,
    unreadable > 0
      ? `[${unreadable} files could not be searched: permission denied, larger than 64 MiB, or no regular file.]`
      : null,
    forbidden > 0 ? `[${forbidden} files were left out: the configuration does not let them be read.]` : null,
  ].flatMap((notice) => notice ?? []);
}

/** As much as a result may hold. */
function fitting(all: readonly string[]): readonly string[] {
  let size = 0;
  const end = all.findIndex((line) => {
    size += line.length + 1;
    return size > outputLimit;
  });
  return end === -1 ? all : all.slice(0, Math.max(1, end));
}

/** The lines of a file that match, with their neighbours, as grep prints them: `:` after a match, `-` after a neighbour. */
function contentLines({ path, text, matches }: Hit, context: ContextLines): readonly string[] {
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
