import { findNodeAtLocation, type Node, type ParseError, parse, parseTree, printParseErrorCode } from 'jsonc-parser';

/** What is wrong with a JSON text, for people. */
export type JsonFault = { readonly problem: string };

/** JSON with comments and trailing commas, as editors write it. */
export function parseJsonText(text: string): { readonly value: unknown } | JsonFault {
  if (text.trim() === '') {
    return { problem: 'the file is empty' };
  }
  const errors: ParseError[] = [];
  const read = withinDepth(() => ({ value: parse(text, errors, { allowTrailingComma: true }) as unknown }));
  if (read === null) {
    return { problem: 'it is nested too deeply' };
  }
  const [error] = errors;
  if (error === undefined) {
    return read;
  }
  const before = text.slice(0, error.offset).split('\n');
  const column = (before.at(-1)?.length ?? 0) + 1;
  const name = printParseErrorCode(error.error);
  return { problem: `${problems[name] ?? name} at line ${before.length}, column ${column}` };
}

/** jsonc-parser calls itself for each level, until there is no room for more: null then. */
function withinDepth<Result>(read: () => Result): Result | null {
  try {
    return read();
  } catch {
    return null;
  }
}

/** By jsonc-parser's names. */
const problems: Readonly<Record<string, string>> = {
  InvalidSymbol: 'no value of JSON',
  InvalidNumberFormat: 'no number of JSON',
  PropertyNameExpected: 'a key in double quotes is missing',
  ValueExpected: 'a value is missing',
  ColonExpected: 'a colon is missing',
  CommaExpected: 'a comma is missing',
  CloseBraceExpected: "a '}' is missing",
  CloseBracketExpected: "a ']' is missing",
  EndOfFileExpected: 'something follows the end',
  InvalidCommentToken: 'a comment stands in a wrong place',
  UnexpectedEndOfComment: 'a comment has no end',
  UnexpectedEndOfString: 'a text has no closing quote',
  UnexpectedEndOfNumber: 'a number has no end',
  InvalidUnicode: 'four hexadecimal digits are missing behind \\u',
  InvalidEscapeCharacter: 'no escape of JSON stands behind the \\',
  InvalidCharacter: 'a character stands unescaped in a text',
};

/**
 * The line, from 1, on which the key or the element at a path stands; null: the text has none.
 *
 * @param path of keys and indices
 */
export function lineOfPath(text: string, path: readonly PropertyKey[]): number | null {
  const root = withinDepth(() => parseTree(text, [], { allowTrailingComma: true })) ?? null;
  const node = root === null ? undefined : findNodeAtLocation(root, path.map(segment));
  return node === undefined ? null : text.slice(0, startOf(node)).split('\n').length;
}

function segment(key: PropertyKey): string | number {
  return typeof key === 'number' ? key : String(key);
}

/** Of a property its key's. */
function startOf(node: Node): number {
  return node.parent?.type === 'property' ? node.parent.offset : node.offset;
}
