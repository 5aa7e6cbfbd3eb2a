import type { Word } from '../simple-command.ts';
import { listMembers } from './character-classes.ts';
import type { Piece } from './field.ts';

/** A match that could take more steps than this is not tried: what it says is not known then. */
const maximumCost = 1_000_000;
/** Characters of a file's name: what most patterns are compared with. */
const longestName = 255;
/** What a question mark stands for, and a star for any number of. */
const anyCharacter = '[^]';
const withinName = '[^/]';
/** What a star of the shell's stands for. */
const anything = `${anyCharacter}*`;

/**
 * A shell pattern (bash(1) "Pattern Matching") as source of a regular expression.
 *
 * @param rest the source of what follows: what `!(…)` must not be depends on it
 */
function patternSource(pieces: readonly Piece[], greedy = true, rest = ''): string {
  let pattern = '';
  // Backwards, because each needs what follows it.
  for (const piece of [...pieces].reverse()) {
    if (piece.kind === 'literal' || piece.kind === 'quoted') {
      pattern = escapeLiteral(piece.text) + pattern;
    } else if (piece.kind === 'glob' && isExtended(piece)) {
      pattern = extendedSource(piece.text, pattern + rest) + pattern;
    } else if (piece.kind === 'glob' || piece.kind === 'split') {
      pattern = globSource(piece.text, anyCharacter, greedy) + pattern;
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
    .map((choice) => globSource(choice, anyCharacter))
    .join('|')})`;
  return operator === '!' ? `(?!${any}${rest}$)[^]*` : operator === '@' ? any : any + operator;
}

function escapeLiteral(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}

function globSource(text: string, any: string, greedy = true): string {
  let pattern = '';
  for (let index = 0; index < text.length; index += 1) {
    const character = text.charAt(index);
    const close = character === '[' ? bracketEnd(text, index) : -1;
    if (character === '*') {
      pattern += greedy ? `${any}*` : `${any}*?`;
    } else if (character === '?') {
      pattern += any;
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

/** Characters of a value that is compared with a pattern, where it is known. */
export function lengthOf(word: Word): number {
  return word.kind === 'known' ? word.value.length : 0;
}

/**
 * A regular expression for the whole text, or null where the pattern has an unknown part or is none, and where the comparison
 * could take too long.
 *
 * @param length characters of the longest text that it is for
 * @param flags `i`: in any letter case
 */
export function wholePattern(pieces: readonly Piece[], length = longestName, flags = ''): RegExp | null {
  const source = patternSource(pieces);
  const lists = pieces.filter(isExtended).length;
  const steps = lists === 0 ? length * source.length : length ** (lists + source.split(anything).length - 1);
  return steps > maximumCost ? null : compile(`^(?:${lists === 0 ? withoutReturns(source) : source})$`, pieces, flags);
}

/**
 * The same pattern, where what stands between two stars is taken where it comes first, for good: all between the stars is
 * of fixed length, so that nothing is won by looking for another place. Each star would multiply the steps.
 */
function withoutReturns(source: string): string {
  const [first = '', ...others] = source.split(anything);
  const last = others.pop();
  const between = others.filter((part) => part !== '');
  const found = between.map((part, at) => `(?=(?<part${at}>${anything}?${part}))\\k<part${at}>`);
  return last === undefined ? first : first + found.join('') + anything + last;
}

/** A glob with more stars takes too long to be tried, and nobody writes it. */
const mostStars = 5;

/** What stands around a glob, as source of a regular expression, and what its stars go over: slashes as well, or not. */
interface GlobPlace {
  readonly before?: string;
  readonly after?: string;
  readonly over?: 'all' | 'names';
}

/**
 * A regular expression for a glob of another program than the shell: several stars are as one, and there are no pattern
 * lists (`!(a|b)`).
 *
 * @returns null where it would take too long to be tried, or is no pattern
 */
export function boundedGlob(glob: string, { before = '^', after = '$', over = 'all' }: GlobPlace = {}): RegExp | null {
  const text = glob.replace(/\*+/g, '*');
  const source = globSource(text, over === 'all' ? anyCharacter : withinName);
  return text.split('*').length > mostStars + 1 ? null : compile(before + source + after, []);
}

/**
 * An extended regular expression (`[[ … =~ … ]]`), where it means the same to JavaScript and takes no time: neither classes
 * nor escapes of letters nor groups that repeat. Null for every other one.
 *
 * @param length characters of the text that it is for
 */
export function extendedPattern(pieces: readonly Piece[], length: number, flags = ''): RegExp | null {
  const sources = pieces.map((piece) => {
    if (piece.kind === 'quoted') {
      return escapeLiteral(piece.text);
    }
    const isPlain = piece.kind === 'literal' && /^[\w^$()|./:@ +*-]*$/.test(piece.text);
    return isPlain && !/[)*+][*+]/.test(piece.text) ? piece.text : null;
  });
  const source = sources.join('');
  const repeats = source.match(/[*+]/g)?.length ?? 0;
  const beginnings = source.startsWith('^') && !source.includes('|') ? 0 : 1;
  const isSoon = repeats <= 2 && length ** (repeats + beginnings) <= maximumCost;
  return sources.includes(null) || !isSoon ? null : compile(source, pieces, flags);
}

/** Would a part of a text be found soon? Each star, and each place to begin at, multiplies the steps. */
function isQuick(pieces: readonly Piece[], length: number): boolean {
  const stars = pieces
    .map((piece) => (piece.kind === 'glob' || piece.kind === 'split' ? piece.text.split('*').length - 1 : 0))
    .reduce((sum, count) => sum + count, 1);
  return !pieces.some(isExtended) && Math.max(2, length) ** stars <= maximumCost;
}

/**
 * The pattern at `^` the start or `$` the end, as long or as short as possible; null where it is unknown.
 *
 * @param length characters of the text that it is for
 */
export function edgePattern(
  pieces: readonly Piece[],
  length: number,
  edge: 'start' | 'end',
  longest: boolean,
): RegExp | null {
  if (!isQuick(pieces, length)) {
    return null;
  }
  const source = patternSource(pieces, longest);
  return compile(edge === 'start' ? `^(?:${source})` : `^([^]*${longest ? '?' : ''})(?:${source})$`, pieces);
}

/** The pattern anywhere. @param length characters of the text that it is for */
export function innerPattern(pieces: readonly Piece[], length: number, flags: string): RegExp | null {
  return isQuick(pieces, length) ? compile(patternSource(pieces), pieces, flags) : null;
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
