import type { LineEnding } from './text-encoding.ts';

/** What Edit and MultiEdit do to a text. */
export interface Replacement {
  readonly oldString: string;
  readonly newString: string;
  /** Without it, `oldString` has to occur exactly once. */
  readonly replaceAll: boolean;
}

export type ReplacementOutcome =
  | {
      readonly kind: 'replaced';
      readonly text: string;
      /** Where the old string began, in the text before, ascending. */
      readonly offsets: readonly number[];
      /** Characters that each place lost and gained. */
      readonly removed: number;
      readonly added: number;
    }
  | { readonly kind: 'empty' }
  | { readonly kind: 'same' }
  | { readonly kind: 'absent' }
  /** Zero-based offsets of all places. */
  | { readonly kind: 'ambiguous'; readonly offsets: readonly number[] };

/**
 * Replaces a string literally. A model writes `\n`: in a file whose lines end with CRLF, that stands for CRLF.
 *
 * @param lineEnding of the text
 */
export function replaceText(text: string, replacement: Replacement, lineEnding: LineEnding): ReplacementOutcome {
  const { oldString, newString, replaceAll } = replacement;
  if (oldString === '') {
    return { kind: 'empty' };
  }
  if (oldString === newString) {
    return { kind: 'same' };
  }
  const candidates = spellings(oldString, newString, lineEnding);
  for (const [old, replaced] of candidates) {
    const offsets = offsetsOf(text, old);
    if (offsets.length > 1 && !replaceAll) {
      return { kind: 'ambiguous', offsets };
    }
    if (offsets.length > 0) {
      const changed = substitute(text, offsets, old.length, replaced);
      return { kind: 'replaced', text: changed, offsets, removed: old.length, added: replaced.length };
    }
  }
  return { kind: 'absent' };
}

function spellings(old: string, replaced: string, lineEnding: LineEnding): readonly (readonly [string, string])[] {
  const withCrlf = (string: string) => string.replace(/\r?\n/g, '\r\n');
  switch (lineEnding) {
    case 'lf':
      return [[old, replaced]];
    case 'crlf':
      return [[withCrlf(old), withCrlf(replaced)]];
    case 'mixed':
      return [
        [old, replaced],
        [withCrlf(old), withCrlf(replaced)],
      ];
  }
}

/** Where a string occurs, left to right, places not overlapping. */
export function offsetsOf(text: string, string: string): readonly number[] {
  const offsets: number[] = [];
  for (let at = text.indexOf(string); at !== -1; at = text.indexOf(string, at + string.length)) {
    offsets.push(at);
  }
  return offsets;
}

function substitute(text: string, offsets: readonly number[], removed: number, replaced: string): string {
  let changed = '';
  let from = 0;
  for (const offset of offsets) {
    changed += text.slice(from, offset) + replaced;
    from = offset + removed;
  }
  return changed + text.slice(from);
}

/** A place in a text, and the one-based line it is on. */
export interface LinePlace {
  readonly offset: number;
  readonly line: number;
}

export const firstLine: LinePlace = { offset: 0, line: 1 };

/**
 * One-based line numbers of ascending offsets.
 *
 * @param known a place of this text, to count from: what lies between is all that is looked at
 */
export function lineNumbers(text: string, offsets: readonly number[], known: LinePlace = firstLine): readonly number[] {
  const first = offsets[0] ?? 0;
  let line = first < known.offset ? known.line - newlines(text, first, known.offset) : known.line;
  let from = Math.min(first, known.offset);
  return offsets.map((offset) => {
    line += newlines(text, from, offset);
    from = offset;
    return line;
  });
}

/** How many lines end from `start` to before `end`. */
function newlines(text: string, start: number, end: number): number {
  let count = 0;
  for (let at = text.indexOf('\n', start); at !== -1 && at < end; at = text.indexOf('\n', at + 1)) {
    count += 1;
  }
  return count;
}
