import { byteStringOf } from './byte-string.ts';
import type { EditedText } from './edited-text.ts';
import type { LineEnding } from './text-encoding.ts';

/** What Edit and MultiEdit are to replace, as it is named on the wire. */
export interface Replacement {
  readonly old_string: string;
  readonly new_string: string;
  /** Without it, `old_string` has to occur exactly once. */
  readonly replace_all?: boolean | undefined;
}

export type ReplacementOutcome =
  | {
      readonly kind: 'found';
      /** Where the old string begins, ascending. */
      readonly offsets: readonly number[];
      /** What stands there and what is to stand there, as byte strings. */
      readonly removed: string;
      readonly added: string;
    }
  | { readonly kind: 'empty' }
  | { readonly kind: 'same' }
  | { readonly kind: 'absent' }
  /** Zero-based offsets of all places. */
  | { readonly kind: 'ambiguous'; readonly offsets: readonly number[] };

/** A replacement in a file with certain line endings: what to look for and what to write, as byte strings. */
export interface Spelling {
  /** Null for what no file can hold. */
  readonly removed: string | null;
  readonly added: string;
}

/**
 * How a replacement may be meant, the first that occurs counts. A model writes `\n`: in a file whose lines end with
 * CRLF, that stands for CRLF.
 *
 * @param lineEnding of the file
 */
export function spellingsOf(
  { old_string: old, new_string: replacement }: Replacement,
  lineEnding: LineEnding,
): readonly Spelling[] {
  switch (lineEnding) {
    case 'lf':
      return [spelling(old, replacement)];
    case 'crlf':
      return [spelling(withCrlf(old), withCrlf(replacement))];
    case 'mixed':
      return [spelling(old, replacement), spelling(withCrlf(old), withCrlf(replacement))];
  }
}

function withCrlf(text: string): string {
  return text.replace(/\r?\n/g, '\r\n');
}

function spelling(old: string, replacement: string): Spelling {
  const removed = byteStringOf(old);
  // Half a character is in no file; its bytes would be those of U+FFFD.
  const isHalf = removed !== old && /\p{Surrogate}/u.test(old);
  return { removed: isHalf ? null : removed, added: byteStringOf(replacement) };
}

/**
 * Finds what to replace, literally.
 *
 * @param text of byte strings
 * @param spellings of this replacement, for this text
 */
export function findReplacement(
  text: EditedText,
  { old_string: old, new_string: replacement, replace_all: all = false }: Replacement,
  spellings: readonly Spelling[],
): ReplacementOutcome {
  if (old === '') {
    return { kind: 'empty' };
  }
  if (old === replacement) {
    return { kind: 'same' };
  }
  for (const { removed, added } of spellings) {
    const offsets = removed === null ? [] : text.offsetsOf(removed);
    if (offsets.length > 1 && !all) {
      return { kind: 'ambiguous', offsets };
    }
    if (removed !== null && offsets.length > 0) {
      return { kind: 'found', offsets, removed, added };
    }
  }
  return { kind: 'absent' };
}
