import type { Language } from './languages.ts';

/**
 * What a comment is up to a call in it: a text or a comment of several lines may end there, and code be put into a text.
 * Of other languages texts and comments are told apart by `textsIn`.
 */
const beginnings: readonly (readonly [RegExp, RegExp])[] = [
  [/^python$/, /^[ \t]*#[^"'`{]*$/],
  [/^(?:node|bun|deno|zx)$/, /^[ \t]*\/\/(?:(?!\*\/)[^"'`{])*$/],
];
/** A program may read its own text and run it, or be written in an encoding that hides the end of a line. */
const readsItself =
  /\beval\b|(?<!\.\s*)\bexec\s*\(|\bFunction\s*\(|__file__|__filename\b|import\.meta|\bcoding[:=]\s*(?!utf-?8\b)/;

/**
 * Does a position stand in a line that is a comment? One behind code or of several lines is not told apart: for that all
 * of the program's strings and patterns would have to be known.
 */
export function isInComment({ name }: Language, source: string, position: number): boolean {
  const [, beginning] = beginnings.find(([names]) => names.test(name)) ?? [];
  const [line = ''] = /[^\n\r\u2028\u2029]*$/.exec(source.slice(Math.max(0, position - 400), position)) ?? [];
  return beginning?.test(line) === true && line.length < 400 && !readsItself.test(source);
}
