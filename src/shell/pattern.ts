import { listMembers } from './character-classes.ts';
import type { Piece } from './field.ts';

/**
 * A shell pattern (bash(1) "Pattern Matching") as source of a regular expression.
 *
 * @param rest the source of what follows: what `!(…)` must not be depends on it
 */
export function patternSource(pieces: readonly Piece[], greedy = true, rest = ''): string {
  let pattern = '';
  // Backwards, because each needs what follows it.
  for (const piece of [...pieces].reverse()) {
    if (piece.kind === 'literal' || piece.kind === 'quoted') {
      pattern = escapeLiteral(piece.text) + pattern;
    } else if (piece.kind === 'glob' && isExtended(piece)) {
      pattern = extendedSource(piece.text, pattern + rest) + pattern;
    } else if (piece.kind === 'glob' || piece.kind === 'split') {
      pattern = globSource(piece.text, greedy) + pattern;
    }
  }
  return pattern;
}

/** `!(a|b)`, with nothing in it that repeats where the whole does: trying that would take too long. */
const extended = /^(?:([?@!])\(([^()]*)\)|([*+])\(([^()*]*)\))$/;

/** Is it a pattern list of `shopt -s extglob` that is read here? */
export function isExtended(piece: Piece): boolean {
  return piece.kind === 'glob' && extended.test(piece.text);
}

function extendedSource(text: string, rest: string): string {
  const [, once, one = '', often = '', several = ''] = extended.exec(text) ?? [];
  const [operator, list] = once === undefined ? [often, several] : [once, one];
  const any = `(?:${list
    .split('|')
    .map((choice) => globSource(choice, true))
    .join('|')})`;
  return operator === '!' ? `(?!${any}${rest}$)[^]*` : operator === '@' ? any : any + operator;
}

function escapeLiteral(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}

function globSource(text: string, greedy: boolean): string {
  let pattern = '';
  for (let index = 0; index < text.length; index += 1) {
    const character = text.charAt(index);
    const close = character === '[' ? bracketEnd(text, index) : -1;
    if (character === '*') {
      pattern += greedy ? '[^]*' : '[^]*?';
    } else if (character === '?') {
      pattern += '[^]';
    } else if (close !== -1) {
      pattern += bracketSource(text.slice(index + 1, close));
      index = close;
    } else if (character === '\\' && index + 1 < text.length) {
      index += 1;
      pattern += escapeLiteral(text.charAt(index));
    } else {
      pattern += escapeLiteral(character);
    }
  }
  return pattern;
}

/** Where the list ends that begins there: its first member may be `]`, and a class has one of its own. -1: nowhere. */
function bracketEnd(text: string, start: number): number {
  if (!text.includes(']', start)) {
    return -1;
  }
  const list = /\[[!^]?\]?(?:\[:\w+:\]|[^\]])*\]/y;
  list.lastIndex = start;
  return list.test(text) ? list.lastIndex - 1 : -1;
}

function bracketSource(inner: string): string {
  const negated = inner.startsWith('!') || inner.startsWith('^');
  // A class that there is not has no members.
  return `[${negated ? '^' : ''}${listMembers(negated ? inner.slice(1) : inner) ?? ''}]`;
}

/** A regular expression for the whole text, or null where the pattern has an unknown part or is none. */
export function wholePattern(pieces: readonly Piece[]): RegExp | null {
  return compile(`^(?:${patternSource(pieces)})$`, pieces);
}

/**
 * An extended regular expression (`[[ … =~ … ]]`), where it means the same to JavaScript and takes no time: neither classes
 * nor escapes of letters nor groups that repeat. Null for every other one.
 */
export function extendedPattern(pieces: readonly Piece[]): RegExp | null {
  const sources = pieces.map((piece) => {
    if (piece.kind === 'quoted') {
      return escapeLiteral(piece.text);
    }
    const isPlain = piece.kind === 'literal' && /^[\w^$()|./:@ +*-]*$/.test(piece.text);
    return isPlain && !/[)*+][*+]/.test(piece.text) ? piece.text : null;
  });
  const repeats = sources.join('').match(/[*+]/g)?.length ?? 0;
  return sources.includes(null) || repeats > 2 ? null : compile(sources.join(''), pieces);
}

/** The pattern at `^` the start or `$` the end, as long or as short as possible; null where it is unknown. */
export function edgePattern(pieces: readonly Piece[], edge: 'start' | 'end', longest: boolean): RegExp | null {
  if (pieces.some(isExtended)) {
    return null;
  }
  const source = patternSource(pieces, longest);
  return compile(edge === 'start' ? `^(?:${source})` : `^([^]*${longest ? '?' : ''})(?:${source})$`, pieces);
}

/** The pattern anywhere. */
export function innerPattern(pieces: readonly Piece[], flags: string): RegExp | null {
  return pieces.some(isExtended) ? null : compile(patternSource(pieces), pieces, flags);
}

function compile(source: string, pieces: readonly Piece[], flags = ''): RegExp | null {
  if (pieces.some((piece) => piece.kind === 'unknown')) {
    return null;
  }
  try {
    return new RegExp(source, flags);
  } catch {
    return null;
  }
}
