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
  const parts: string[] = [];
  let from = 0;
  for (const offset of offsets) {
    parts.push(text.slice(from, offset), replaced);
    from = offset + removed;
  }
  parts.push(text.slice(from));
  return parts.join('');
}

/** One-based line numbers of ascending offsets. */
export function lineNumbers(text: string, offsets: readonly number[]): readonly number[] {
  let line = 1;
  let from = 0;
  return offsets.map((offset) => {
    for (let at = text.indexOf('\n', from); at !== -1 && at < offset; at = text.indexOf('\n', at + 1)) {
      line += 1;
      from = at + 1;
    }
    return line;
  });
}
