/** Where a JSON value is in a text, in bytes: from `start` to before `end`. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

export interface Member {
  readonly key: string;
  readonly keyStart: number;
  readonly value: Span;
}

/** The text is not JSON where a value was sought. */
export class JsonSyntaxError extends Error {
  /** Byte offset of what is wrong. */
  readonly offset: number;

  constructor(offset: number, expected: string) {
    super(`expected ${expected} at byte ${offset}`);
    this.offset = offset;
  }
}

const code = (character: string): number => character.charCodeAt(0);
const quote = code('"');
const backslash = code('\\');
const openBrace = code('{');
const closeBrace = code('}');
const openBracket = code('[');
const closeBracket = code(']');
const comma = code(',');
const colon = code(':');

/**
 * The members of the object that begins at an offset, their values found but not parsed: whoever changes one value
 * leaves all other bytes alone.
 *
 * @throws JsonSyntaxError
 */
export function objectMembers(
  bytes: Buffer,
  start: number,
): { readonly members: readonly Member[]; readonly end: number } {
  expect(bytes, start, openBrace, 'an object');
  const members: Member[] = [];
  let at = skipSpace(bytes, start + 1);
  if (bytes[at] === closeBrace) {
    return { members, end: at + 1 };
  }
  for (;;) {
    expect(bytes, at, quote, 'a key');
    const keyEnd = stringEnd(bytes, at);
    const colonAt = skipSpace(bytes, keyEnd);
    expect(bytes, colonAt, colon, 'a colon');
    const valueStart = skipSpace(bytes, colonAt + 1);
    const value = { start: valueStart, end: valueEnd(bytes, valueStart) };
    members.push({ key: stringAt(bytes, { start: at, end: keyEnd }), keyStart: at, value });
    at = skipSpace(bytes, value.end);
    if (bytes[at] === closeBrace) {
      return { members, end: at + 1 };
    }
    expect(bytes, at, comma, 'a comma or the end of the object');
    at = skipSpace(bytes, at + 1);
  }
}

/**
 * The elements of the array that begins at an offset.
 *
 * @throws JsonSyntaxError
 */
export function arrayElements(
  bytes: Buffer,
  start: number,
): { readonly elements: readonly Span[]; readonly end: number } {
  expect(bytes, start, openBracket, 'an array');
  const elements: Span[] = [];
  let at = skipSpace(bytes, start + 1);
  if (bytes[at] === closeBracket) {
    return { elements, end: at + 1 };
  }
  for (;;) {
    const element = { start: at, end: valueEnd(bytes, at) };
    elements.push(element);
    at = skipSpace(bytes, element.end);
    if (bytes[at] === closeBracket) {
      return { elements, end: at + 1 };
    }
    expect(bytes, at, comma, 'a comma or the end of the array');
    at = skipSpace(bytes, at + 1);
  }
}

/** The offset of the first byte that is no white space. */
export function skipSpace(bytes: Buffer, start: number): number {
  let at = start;
  while (bytes[at] === 0x20 || bytes[at] === 0x0a || bytes[at] === 0x0d || bytes[at] === 0x09) {
    at += 1;
  }
  return at;
}

/**
 * Parses the value in a span.
 *
 * @throws JsonSyntaxError
 */
export function valueAt(bytes: Buffer, { start, end }: Span): unknown {
  try {
    return JSON.parse(bytes.toString('utf8', start, end));
  } catch {
    throw new JsonSyntaxError(start, 'a value');
  }
}

function stringAt(bytes: Buffer, span: Span): string {
  const value = valueAt(bytes, span);
  return typeof value === 'string' ? value : '';
}

/** Brackets are counted, strings jumped over; what is between them is not looked at: nobody changes it. */
function valueEnd(bytes: Buffer, start: number): number {
  const first = bytes[start];
  if (first === quote) {
    return stringEnd(bytes, start);
  }
  if (first !== openBrace && first !== openBracket) {
    return scalarEnd(bytes, start);
  }
  const open: number[] = [];
  for (let at = start; at < bytes.length; ) {
    const byte = bytes[at];
    if (byte === quote) {
      at = stringEnd(bytes, at);
      continue;
    }
    at += 1;
    if (byte === openBrace) {
      open.push(closeBrace);
    } else if (byte === openBracket) {
      open.push(closeBracket);
    } else if (byte === closeBrace || byte === closeBracket) {
      if (open.pop() !== byte) {
        throw new JsonSyntaxError(at - 1, 'the bracket that fits the open one');
      }
      if (open.length === 0) {
        return at;
      }
    }
  }
  throw new JsonSyntaxError(bytes.length, 'the end of a value');
}

function stringEnd(bytes: Buffer, start: number): number {
  for (let at = bytes.indexOf(quote, start + 1); at !== -1; at = bytes.indexOf(quote, at + 1)) {
    let slashes = 0;
    while (bytes[at - 1 - slashes] === backslash) {
      slashes += 1;
    }
    if (slashes % 2 === 0) {
      return at + 1;
    }
  }
  throw new JsonSyntaxError(bytes.length, 'the end of a string');
}

/** Numbers, true, false and null. */
function scalarEnd(bytes: Buffer, start: number): number {
  let at = start;
  while (/[-+.\w]/.test(String.fromCharCode(bytes[at] ?? 0x20))) {
    at += 1;
  }
  if (at === start) {
    throw new JsonSyntaxError(start, 'a value');
  }
  valueAt(bytes, { start, end: at });
  return at;
}

function expect(bytes: Buffer, at: number, byte: number, what: string): void {
  if (bytes[at] !== byte) {
    throw new JsonSyntaxError(at, what);
  }
}
