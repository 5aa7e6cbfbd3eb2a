import {
  knownWord,
  openPart,
  type Provenance,
  provenanceOf,
  type SimpleCommand,
  type UnknownWord,
  type Word,
} from '../simple-command.ts';
import { openNumber } from './read-again.ts';

/**
 * A stretch of a word on its way through expansion. `literal` and `quoted` are never split; `split` is the value of an
 * unquoted expansion and is; `glob` is an active pattern character; `end` closes a field (as between the words of `"$@"`).
 */
export type Piece =
  | { readonly kind: 'literal' | 'quoted' | 'split' | 'glob'; readonly text: string }
  | { readonly kind: 'unknown'; readonly reason: string; readonly quoted: boolean; readonly of?: UnknownWord }
  | { readonly kind: 'end' };

/** Pieces of a value: the way `"$x"` (quoted) or `$x` puts it into a word. */
export function valuePieces(value: Word, quoted: boolean): Piece[] {
  const kind = quoted ? 'quoted' : 'split';
  if (value.kind === 'known') {
    return [{ kind, text: value.value }];
  }
  const pieces: Piece[] = [{ kind: 'unknown', reason: value.reason, quoted, of: value }];
  if (value.prefix !== '') {
    pieces.unshift({ kind, text: value.prefix });
  }
  if (value.suffix !== '') {
    pieces.push({ kind, text: value.suffix });
  }
  return pieces;
}

/** One value of pieces that are not split (an assignment, a here-document, a `"…"`). */
export function joinPieces(pieces: readonly Piece[], source: string): Word {
  let prefix = '';
  let suffix = '';
  let reason: string | null = null;
  let only: UnknownWord | null | undefined;
  let code: string | null = '';
  let shape: string | null = '';
  for (const piece of pieces) {
    const read = codeOfPiece(piece);
    code = joined(code, read);
    shape = joined(shape, shapeOfPiece(piece, read));
    if (piece.kind === 'unknown') {
      reason ??= piece.reason;
      only = only === undefined ? (piece.of ?? null) : null;
      suffix = '';
    } else {
      const text = piece.kind === 'end' ? ' ' : piece.text;
      if (reason === null) {
        prefix += text;
      } else {
        suffix += text;
      }
    }
  }
  if (reason === null) {
    return { kind: 'known', value: prefix };
  }
  const nothing = valueWhenNothing(pieces);
  const open = {
    ...(code === null ? {} : { code }),
    ...(shape === null ? {} : { shape }),
    ...(nothing === null ? {} : { whenNothing: nothing }),
  };
  const word: Word = { kind: 'unknown', source, reason, prefix, suffix, mayExpandToSeveral: false, ...open };
  return only === null || only === undefined ? word : { ...word, ...provenanceAt(only, prefix, suffix) };
}

/** The text without what listings put into it, where none of them names anything; null: there is no listing in it. */
function valueWhenNothing(pieces: readonly Piece[]): string | null {
  let text = '';
  let listing: UnknownWord | null = null;
  let lists = false;
  for (const piece of pieces) {
    if (piece.kind !== 'unknown') {
      const isEnd = listing !== null && 'text' in piece && piece.text === listing.suffix;
      text += isEnd ? '' : 'text' in piece ? piece.text : ' ';
      listing = null;
      continue;
    }
    const { of } = piece;
    listing = of?.whenNothing === undefined ? null : of;
    lists ||= listing !== null;
    if (listing !== null && text.endsWith(listing.prefix)) {
      text = text.slice(0, text.length - listing.prefix.length) + listing.whenNothing;
    }
  }
  return lists ? text : null;
}

/** Characters; a variable that is made of itself several times grows without end. */
const longestText = 131_072;

/** Null where one of both is not known, or they are too long. */
function joined(text: string | null, more: string | null): string | null {
  return text === null || more === null || text.length + more.length > longestText ? null : text + more;
}

/** A number is one in any language. Null where what stands between known ends may be code that is known elsewhere. */
function shapeOfPiece(piece: Piece, code: string | null): string | null {
  if (piece.kind !== 'unknown') {
    return piece.kind === 'end' ? ' ' : piece.text;
  }
  if (code === openNumber) {
    return '0';
  }
  const { prefix = '', suffix = '', shape } = piece.of ?? {};
  if (shape !== undefined) {
    const isWhole = shape.startsWith(prefix) && shape.endsWith(suffix);
    return isWhole ? shape.slice(prefix.length, shape.length - suffix.length) : null;
  }
  return /[\n'"`();]/.test(prefix + suffix) ? null : openPart;
}

/** What code says where the piece stands; what is known of an unknown value stands in pieces of its own. */
function codeOfPiece(piece: Piece): string | null {
  if (piece.kind !== 'unknown') {
    return piece.kind === 'end' ? ' ' : piece.text;
  }
  const { code, prefix = '', suffix = '' } = piece.of ?? {};
  return code?.slice(prefix.length, code.length - suffix.length) ?? null;
}

/** Pieces with the values of which nothing but the text is known in the place of what is not: a commit's name. */
export function settledPieces(pieces: readonly Piece[]): readonly Piece[] {
  return pieces.map((piece): Piece => {
    const text = piece.kind === 'unknown' ? codeOfPiece(piece) : null;
    const isSettled = piece.kind === 'unknown' && text !== null && !text.includes(openNumber);
    return isSettled ? { kind: piece.quoted ? 'quoted' : 'split', text } : piece;
  });
}

/** The value of `$(( … ))`, and how long one is: a number, whichever. */
export function openNumberPiece(source: string, quoted: boolean, countOf?: SimpleCommand): Piece {
  const reason = `the value of ${source} is not known`;
  const of: UnknownWord = {
    kind: 'unknown',
    source,
    reason,
    prefix: '',
    suffix: '',
    mayExpandToSeveral: false,
    code: openNumber,
    ...(countOf === undefined ? {} : { countOf }),
  };
  return { kind: 'unknown', reason, quoted, of };
}

/** `"$commit~2"` names a commit as `"$commit"` does: gitrevisions(7). */
const ancestry = /^(?:~\d*|\^\d*)*$/;

/** What is known of a value of which `of` is the only part that isn't known. */
function provenanceAt(of: UnknownWord, prefix: string, suffix: string): Provenance {
  if (of.prefix === prefix && of.suffix === suffix) {
    return provenanceOf(of);
  }
  const named = of.prefix === prefix && ancestry.test(suffix) ? of.names : undefined;
  const around = (value: string) =>
    prefix.slice(0, prefix.length - of.prefix.length) + value + suffix.slice(of.suffix.length);
  return {
    ...(named === undefined ? {} : { names: named }),
    ...(of.oneOf === undefined ? {} : { oneOf: of.oneOf.map(around) }),
    ...(of.mayBe === undefined ? {} : { mayBe: of.mayBe.map(around) }),
    ...(of.ownValueOf === undefined ? {} : { ownValueOf: of.ownValueOf }),
    ...(of.unique === undefined ? {} : { unique: of.unique }),
    ...(of.printedBy === undefined ? {} : { printedBy: of.printedBy }),
  };
}

/** A word behind a text: `NAME=` and its value. */
export function withBeginning(text: string, word: Word): Word {
  if (word.kind === 'known') {
    return knownWord(text + word.value);
  }
  const { prefix, fits } = word;
  return {
    ...word,
    ...eachValue(word, (value) => text + value),
    prefix: text + prefix,
    ...(fits === undefined ? {} : { fits: (value) => value.startsWith(text) && fits(value.slice(text.length)) }),
  };
}

/** The word without its first characters, which are known: the value of `NAME=value`. */
export function withoutBeginning(word: Word, length: number): Word {
  if (word.kind === 'known') {
    return knownWord(word.value.slice(length));
  }
  const { prefix, fits } = word;
  const beginning = prefix.slice(0, length);
  return {
    ...word,
    ...eachValue(word, (value) => value.slice(length)),
    prefix: prefix.slice(length),
    ...(fits === undefined ? {} : { fits: (value) => fits(beginning + value) }),
  };
}

/** A word before a text: a here-string's line end. */
export function withEnd(word: Word, text: string): Word {
  return joinPieces([...valuePieces(word, true), { kind: 'literal', text }], word.kind === 'known' ? '' : word.source);
}

/** What a command substitution makes of an output. */
export function withoutLineEnds(word: Word): Word {
  const trimmed = (value: string) => value.replace(/\n+$/, '');
  return word.kind === 'known'
    ? knownWord(trimmed(word.value))
    : { ...word, ...eachValue(word, trimmed), suffix: trimmed(word.suffix) };
}

/** What says what an unknown word may be, changed in the same way everywhere. */
export function eachValue(
  { oneOf, mayBe, among, whenNothing, code, shape }: UnknownWord,
  change: (value: string) => string,
): Partial<UnknownWord> {
  return {
    ...(oneOf === undefined ? {} : { oneOf: oneOf.map(change) }),
    ...(mayBe === undefined ? {} : { mayBe: mayBe.map(change) }),
    ...(among === undefined ? {} : { among: among.map(change) }),
    ...(whenNothing === undefined ? {} : { whenNothing: change(whenNothing) }),
    ...(code === undefined ? {} : { code: change(code) }),
    ...(shape === undefined ? {} : { shape: change(shape) }),
  };
}

/** Cuts pieces into fields at unquoted white space and other IFS characters; `ifs` null means unknown. */
export function splitFields(pieces: readonly Piece[], ifs: string): Piece[][] {
  const fields: Piece[][] = [];
  let field: Piece[] | null = null;
  for (const piece of pieces) {
    if (piece.kind === 'end') {
      fields.push(field ?? []);
      field = null;
    } else if (piece.kind !== 'split' || ifs === '') {
      if (piece.kind !== 'split' || piece.text !== '') {
        field ??= [];
        field.push(piece);
      }
    } else {
      field = splitText(piece.text, ifs, field, fields);
    }
  }
  if (field !== null) {
    fields.push(field);
  }
  return fields;
}

function splitText(text: string, ifs: string, open: Piece[] | null, fields: Piece[][]): Piece[] | null {
  let field = open;
  let start = 0;
  let afterSpace = false;
  const cut = (end: number) => {
    if (end > start) {
      field ??= [];
      field.push({ kind: 'split', text: text.slice(start, end) });
    }
    start = end + 1;
  };
  for (let index = 0; index < text.length; index += 1) {
    const character = text.charAt(index);
    if (ifs.includes(character)) {
      cut(index);
      const isSpace = character === ' ' || character === '\t' || character === '\n';
      if (field !== null) {
        fields.push(field);
      } else if (!isSpace && !afterSpace) {
        fields.push([]);
      }
      afterSpace = isSpace && (field !== null || afterSpace);
      field = null;
    } else {
      afterSpace = false;
    }
  }
  cut(text.length);
  return field;
}

/** The word a field becomes, patterns aside. */
export function fieldWord(field: readonly Piece[], source: string): Word {
  const word = joinPieces(field, source);
  if (word.kind === 'known') {
    return word;
  }
  const mayExpandToSeveral = field.some((piece) => piece.kind === 'unknown' && !piece.quoted);
  return { ...word, mayExpandToSeveral };
}

/** Has the field an active pattern character, also one that came from an unquoted expansion? */
export function hasPattern(field: readonly Piece[]): boolean {
  return field.some((piece) => piece.kind === 'glob' || (piece.kind === 'split' && /[*?[]/.test(piece.text)));
}
