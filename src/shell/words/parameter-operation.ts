import { singleQuoted } from '../../quote.ts';
import type { Piece } from './field.ts';
import { edgePattern, innerPattern, wholePattern } from './pattern.ts';
import { decodeEscapes } from './printf.ts';

/** `${x#pattern}` and its kin; null where the pattern is unknown. */
export function removePattern(
  text: string,
  operator: '#' | '##' | '%' | '%%',
  pattern: readonly Piece[],
): string | null {
  const edge = operator.startsWith('#') ? 'start' : 'end';
  const expression = edgePattern(pattern, text.length, edge, operator.length === 2);
  if (expression === null) {
    return null;
  }
  const match = expression.exec(text);
  if (match === null) {
    return text;
  }
  return edge === 'start' ? text.slice(match[0].length) : (match[1] ?? '');
}

/** In a replacement, `&` stands for what was matched, from bash 5.2 on: bash(1) "patsub_replacement". */
export function repeatsMatch(replacement: readonly Piece[]): boolean {
  return replacement.some((piece) => (piece.kind === 'literal' || piece.kind === 'split') && piece.text.includes('&'));
}

/** `${x/pattern/replacement}` and its kin; null where the pattern is unknown. */
export function replacePattern(
  text: string,
  operator: '/' | '//' | '/#' | '/%',
  pattern: readonly Piece[],
  replacement: string,
): string | null {
  const isAnchored = operator === '/#' || operator === '/%';
  if (!isAnchored && pattern.every((piece) => piece.kind !== 'unknown' && piece.kind !== 'end' && piece.text === '')) {
    return text;
  }
  switch (operator) {
    case '/#': {
      const expression = edgePattern(pattern, text.length, 'start', true);
      return expression === null ? null : text.replace(expression, () => replacement);
    }
    case '/%': {
      const expression = edgePattern(pattern, text.length, 'end', true);
      return expression === null ? null : text.replace(expression, (_, head: string) => head + replacement);
    }
    default: {
      const expression = innerPattern(pattern, text.length, operator === '//' ? 'g' : '');
      return expression === null ? null : text.replace(expression, () => replacement);
    }
  }
}

/** `${x^^}` and its kin; null where the pattern is unknown. */
export function changeCase(
  text: string,
  operator: '^' | '^^' | ',' | ',,',
  pattern: readonly Piece[] | null,
): string | null {
  const matches = pattern === null ? /^[\s\S]$/ : wholePattern(pattern);
  if (matches === null) {
    return null;
  }
  const change = (character: string) => {
    if (!matches.test(character)) {
      return character;
    }
    return operator.startsWith('^') ? character.toUpperCase() : character.toLowerCase();
  };
  return operator.length === 2 ? Array.from(text, change).join('') : change(text.slice(0, 1)) + text.slice(1);
}

/** `${x:offset:length}` on a value; null where bash would complain. */
export function slice(text: string, offset: number, length: number | null): string | null {
  const start = offset < 0 ? text.length + offset : offset;
  if (start < 0 || start > text.length) {
    return '';
  }
  if (length === null) {
    return text.slice(start);
  }
  const end = length < 0 ? text.length + length : start + length;
  return end < start ? null : text.slice(start, end);
}

/** `${x@operator}`; null for operators whose result is not computed here. */
export function transform(text: string, operator: string): string | null {
  switch (operator) {
    case 'Q':
      return singleQuoted(text);
    case 'U':
      return text.toUpperCase();
    case 'u':
      return text.slice(0, 1).toUpperCase() + text.slice(1);
    case 'L':
      return text.toLowerCase();
    case 'E':
      return decodeEscapes(text, 'format');
    case 'P':
      return /[\\$`!]/.test(text) ? null : text;
    default:
      return null;
  }
}
