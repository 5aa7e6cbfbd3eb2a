import { closeSync, readSync } from 'node:fs';
import { openResolved } from './resolved-file.ts';

/** A part of a text, by lines, as Read shows it. */
export interface Page {
  /** Without line endings, each cut to the limit. */
  readonly lines: readonly string[];
  /** One-based number of the first line. */
  readonly firstLine: number;
  /** Of the whole text; null when the rest of a huge file was not counted. */
  readonly totalLines: number | null;
  /** Whether more lines follow. */
  readonly more: boolean;
  /** How many of the lines were cut. */
  readonly cutLines: number;
}

export interface PageRequest {
  /** One-based. */
  readonly firstLine: number;
  readonly lineCount: number;
}

/** Characters of a line that are shown: minified files have lines of megabytes. */
export const lineLimit = 2_000;
/** Characters of a page. */
export const pageLimit = 50_000;

/** Takes a page out of a text in memory. */
export function pageOfText(text: string, { firstLine, lineCount }: PageRequest): Page {
  const all = text.split('\n');
  if (all.at(-1) === '') {
    all.pop();
  }
  const builder = createPageBuilder(lineCount);
  for (let index = firstLine - 1; index < all.length && builder.add(all[index] ?? ''); index += 1);
  return builder.page(firstLine, all.length);
}

/** Bytes that are read at once, and bytes after a full page in which lines are still counted. */
const chunkSize = 1024 * 1024;
const countLimit = 256 * chunkSize;
/** Of a line, this many bytes hold more characters than are shown. */
const keptBytes = 4 * lineLimit + 4;

/**
 * Takes a page out of a UTF-8 file of any size: only the page is decoded, and the memory stays at one chunk.
 *
 * @param target absolute
 * @throws ErrnoException
 */
export function pageOfFile(target: string, { firstLine, lineCount }: PageRequest): Page {
  const builder = createPageBuilder(lineCount);
  let line = 1;
  let full = false;
  /** The beginning of the line that the chunk before ended in. */
  let begun: Buffer | null = null;
  const wanted = () => line >= firstLine && !full;
  const finishLine = (end: Buffer) => {
    if (wanted()) {
      full = !builder.add(Buffer.concat([begun ?? Buffer.alloc(0), end.subarray(0, keptBytes)]).toString('utf8'));
    }
    begun = null;
    line += 1;
  };
  let bytesAfterPage = 0;
  for (const chunk of chunksOf(target)) {
    let from = 0;
    for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, from)) {
      finishLine(chunk.subarray(from, at));
      from = at + 1;
    }
    if (from < chunk.length) {
      const known: Buffer = begun ?? Buffer.alloc(0);
      begun = wanted() ? Buffer.concat([known, chunk.subarray(from, from + keptBytes - known.length)]) : known;
    }
    bytesAfterPage += full ? chunk.length : 0;
    if (bytesAfterPage > countLimit) {
      return builder.page(firstLine, null);
    }
  }
  if (begun !== null) {
    finishLine(Buffer.alloc(0));
  }
  return builder.page(firstLine, line - 1);
}

function* chunksOf(target: string): Generator<Buffer> {
  const descriptor = openResolved(target, 'r');
  try {
    const chunk = Buffer.allocUnsafe(chunkSize);
    for (let size = readSync(descriptor, chunk); size > 0; size = readSync(descriptor, chunk)) {
      yield chunk.subarray(0, size);
    }
  } finally {
    closeSync(descriptor);
  }
}

interface PageBuilder {
  /** False when the page is full; the line was not taken then. */
  add(line: string): boolean;
  page(firstLine: number, totalLines: number | null): Page;
}

function createPageBuilder(lineCount: number): PageBuilder {
  const lines: string[] = [];
  let size = 0;
  let cutLines = 0;
  return {
    add: (line) => {
      const shown = cutLine(line.endsWith('\r') ? line.slice(0, -1) : line);
      if (lines.length === lineCount || (lines.length > 0 && size + shown.length > pageLimit)) {
        return false;
      }
      cutLines += shown.length > lineLimit ? 1 : 0;
      size += shown.length + 1;
      lines.push(shown);
      return true;
    },
    page: (firstLine, totalLines) => ({
      lines,
      firstLine,
      totalLines,
      more: totalLines === null || firstLine - 1 + lines.length < totalLines,
      cutLines,
    }),
  };
}

function cutLine(line: string): string {
  return line.length <= lineLimit ? line : `${line.slice(0, lineLimit).replace(/[\uD800-\uDBFF]$/, '')}… [line cut]`;
}
