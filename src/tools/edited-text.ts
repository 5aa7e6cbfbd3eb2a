import type { Occurrences } from './occurrences.ts';

/**
 * A text while edits are made to it in order. What they write is kept beside it, so that it is copied once, and not once
 * for each edit. Offsets are those of the text as it is at that moment.
 */
export interface EditedText {
  /** Where a string occurs, left to right, places not overlapping. */
  offsetsOf(string: string): readonly number[];
  /** One-based lines of ascending offsets. */
  lineNumbers(offsets: readonly number[]): readonly number[];
  /** Where the line of an offset begins. */
  lineStart(offset: number): number;
  /** Where the first `\n` from an offset on is; the text's length where none is. */
  lineEnd(offset: number): number;
  /** Puts `replacement` in the place of `removed`, which is at each of these ascending offsets and is not empty. */
  replace(offsets: readonly number[], removed: string, replacement: string): void;
  /** What the text consists of now, in order. */
  pieces(): readonly string[];
}

/** What an edit wrote. It stands in the place of the base from `start` to before `end`. */
interface Written {
  readonly start: number;
  readonly end: number;
  readonly text: string;
  /** Lines that end in it, less those that ended in what it replaced. */
  readonly lines: number;
}

/** With more written parts, going through them takes longer than copying the text. */
const mostWritten = 64;

/** @param known where some strings occur in the text: they need not be searched for */
export function createEditedText(text: string, known: Occurrences = new Map()): EditedText {
  let base = text;
  let occurrences = known;
  let written: readonly Written[] = [];
  // Edits tend to come in the text's order: lines are counted from where it was done last.
  let counted = { offset: 0, lines: 0 };

  const settle = () => {
    base = piecesOf(base, written).join('');
    occurrences = new Map();
    written = [];
    counted = { offset: 0, lines: 0 };
  };
  const linesBefore = (offset: number) => {
    const { offset: known, lines } = counted;
    const between = newlines(base, Math.min(known, offset), Math.max(known, offset));
    counted = { offset, lines: offset < known ? lines - between : lines + between };
    return counted.lines;
  };

  return {
    offsetsOf: (string) => {
      const offsets = occurrences.get(string);
      const next = offsets === undefined ? searching(base, string) : goingThrough(offsets);
      return offsetsIn(base, written, string, next);
    },
    lineNumbers: (offsets) =>
      offsets.map((offset) => {
        const { start, lines, inside } = placeOf(written, offset);
        return 1 + linesBefore(start) + lines + newlines(inside);
      }),
    lineStart: (offset) => lastNewline(base, written, offset) + 1,
    lineEnd: (offset) => nextNewline(base, written, offset),
    replace: (offsets, removed, replacement) => {
      if (offsets.some((offset) => touchesWritten(written, offset, removed.length))) {
        settle();
      }
      const lines = newlines(replacement) - newlines(removed);
      const added = offsets.map((offset): Written => {
        const { start } = placeOf(written, offset);
        return { start, end: start + removed.length, text: replacement, lines };
      });
      written = [...written, ...added].sort((a, b) => a.start - b.start);
      if (written.length > mostWritten) {
        settle();
      }
    },
    pieces: () => piecesOf(base, written),
  };
}

function piecesOf(base: string, written: readonly Written[]): readonly string[] {
  const pieces: string[] = [];
  let from = 0;
  for (const { start, end, text } of written) {
    pieces.push(base.slice(from, start), text);
    from = end;
  }
  pieces.push(base.slice(from));
  return pieces;
}

/** Gives the first place of the base from an offset on; -1 for none. The offsets must ascend. */
type NextInBase = (from: number) => number;

function searching(base: string, string: string): NextInBase {
  let next = -2;
  return (from) => {
    if (next !== -1 && next < from) {
      next = base.indexOf(string, from);
    }
    return next;
  };
}

function goingThrough(offsets: readonly number[]): NextInBase {
  let index = 0;
  return (from) => {
    while ((offsets[index] ?? from) < from) {
      index += 1;
    }
    return offsets[index] ?? -1;
  };
}

/** Looks through the base, and around each written part for what has come to stand together by it. */
function offsetsIn(
  base: string,
  written: readonly Written[],
  string: string,
  nextInBase: NextInBase,
): readonly number[] {
  const { length } = string;
  const reach = length - 1;
  const offsets: number[] = [];
  /** Where the next place may begin. */
  let free = 0;
  /** What offsets of the text are ahead of those of the base. */
  let shift = 0;
  const found = (offset: number) => {
    offsets.push(offset);
    free = offset + length;
  };
  const searchBase = (from: number, to: number) => {
    for (;;) {
      const at = nextInBase(Math.max(from, free - shift));
      if (at === -1 || at + length > to) {
        return;
      }
      found(at + shift);
    }
  };
  const searchAround = (around: string, origin: number) => {
    let at = around.indexOf(string, free - origin);
    for (; at !== -1; at = around.indexOf(string, at + length)) {
      found(at + origin);
    }
  };
  let from = 0;
  for (const { start, end, text } of neighbours(base, written, reach)) {
    searchBase(from, start);
    const left = Math.max(from, start - reach);
    searchAround(base.slice(left, start) + text + base.slice(end, end + reach), left + shift);
    shift += text.length - (end - start);
    from = end;
  }
  searchBase(from, base.length);
  return offsets;
}

/** The written parts; those with less than `reach` between them as one, together with what is between. */
function neighbours(base: string, written: readonly Written[], reach: number): readonly Omit<Written, 'lines'>[] {
  const groups: { start: number; end: number; text: string }[] = [];
  for (const { start, end, text } of written) {
    const last = groups.at(-1);
    if (last !== undefined && start - last.end < reach) {
      last.text += base.slice(last.end, start) + text;
      last.end = end;
    } else {
      groups.push({ start, end, text });
    }
  }
  return groups;
}

interface PlaceInBase {
  /** Where it is in the base; in a written part: where that begins. */
  readonly start: number;
  /** Lines that written parts before it have more than what they replaced. */
  readonly lines: number;
  /** What the written part holds before it. */
  readonly inside: string;
}

function placeOf(written: readonly Written[], offset: number): PlaceInBase {
  let shift = 0;
  let lines = 0;
  for (const part of written) {
    const at = part.start + shift;
    if (offset < at) {
      break;
    }
    if (offset < at + part.text.length) {
      return { start: part.start, lines, inside: part.text.slice(0, offset - at) };
    }
    shift += part.text.length - (part.end - part.start);
    lines += part.lines;
  }
  return { start: offset - shift, lines, inside: '' };
}

function touchesWritten(written: readonly Written[], offset: number, length: number): boolean {
  let shift = 0;
  for (const { start, end, text } of written) {
    const at = start + shift;
    if (offset + length <= at) {
      return false;
    }
    if (offset < at + text.length) {
      return true;
    }
    shift += text.length - (end - start);
  }
  return false;
}

/** The offset of the last `\n` before an offset; -1 for none. */
function lastNewline(base: string, written: readonly Written[], before: number): number {
  let shift = written.reduce((sum, { start, end, text }) => sum + text.length - (end - start), 0);
  let to = base.length;
  for (const { start, end, text } of [...written].reverse()) {
    const inBase = lastNewlineIn(base, Math.min(to, before - shift));
    if (inBase >= end) {
      return inBase + shift;
    }
    shift -= text.length - (end - start);
    const inText = lastNewlineIn(text, before - start - shift);
    if (inText !== -1) {
      return start + shift + inText;
    }
    to = start;
  }
  return lastNewlineIn(base, Math.min(to, before));
}

function lastNewlineIn(text: string, before: number): number {
  return before > 0 ? text.lastIndexOf('\n', before - 1) : -1;
}

/** The offset of the first `\n` from an offset on; the length of the text for none. */
function nextNewline(base: string, written: readonly Written[], from: number): number {
  let shift = 0;
  let gap = 0;
  for (const { start, end, text } of written) {
    const at = start + shift;
    if (from < at) {
      const inBase = base.indexOf('\n', Math.max(gap, from - shift));
      if (inBase !== -1 && inBase < start) {
        return inBase + shift;
      }
    }
    const inText = from < at + text.length ? text.indexOf('\n', from - at) : -1;
    if (inText !== -1) {
      return at + inText;
    }
    shift += text.length - (end - start);
    gap = end;
  }
  const inBase = base.indexOf('\n', Math.max(gap, from - shift));
  return (inBase === -1 ? base.length : inBase) + shift;
}

/** How many lines end in a text, or in a part of it. */
function newlines(text: string, from = 0, to = text.length): number {
  let count = 0;
  for (let at = text.indexOf('\n', from); at !== -1 && at < to; at = text.indexOf('\n', at + 1)) {
    count += 1;
  }
  return count;
}
