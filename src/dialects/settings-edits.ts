import { createScanner, findNodeAtLocation, type Node, parseTree } from 'jsonc-parser';

/** Names on the way to a value, an index at most as the last one. */
export type SettingsPath = readonly (string | number)[];

/**
 * A JSON text with a value at a path: what is there is replaced, else the value, and the objects that it needs, are put
 * behind what the container has. Every other byte stays: comments, line ends, and the way in which somebody else's
 * values are laid out, which jsonc-parser's own `modify` changes.
 *
 * @param text an object, with comments and trailing commas
 * @param path of containers that are there, or can be made
 */
export function withValue(text: string, path: SettingsPath, value: unknown): string {
  const tree = rootOf(text);
  const present = findNodeAtLocation(tree, [...path]);
  if (present !== undefined) {
    return spliced(
      text,
      present.offset,
      present.offset + present.length,
      laidOut(value, text, indentAt(text, present.offset)),
    );
  }
  const depth = path.findIndex((_, index) => findNodeAtLocation(tree, path.slice(0, index + 1)) === undefined);
  const container = findNodeAtLocation(tree, path.slice(0, depth)) ?? tree;
  const wrapped = path.slice(depth + 1).reduceRight<unknown>((inner, name) => ({ [name]: inner }), value);
  const name = path[depth];
  return inserted(text, container, typeof name === 'string' ? `${JSON.stringify(name)}: ` : '', wrapped);
}

/** The text without what is at a path, and without the comma that it needed. Comments around it stay. */
export function withoutValue(text: string, path: SettingsPath): string {
  const value = findNodeAtLocation(rootOf(text), [...path]);
  const node = value?.parent?.type === 'property' ? value.parent : value;
  const siblings = node?.parent?.children ?? [];
  if (node === undefined) {
    return text;
  }
  const end = node.offset + node.length;
  const comma = commaAfter(text, end);
  if (comma !== null) {
    return withoutSpan(spliced(text, comma, comma + 1, ''), node.offset, end);
  }
  const previous = siblings[siblings.indexOf(node) - 1];
  const needed = previous === undefined ? null : commaAfter(text, previous.offset + previous.length);
  const without = withoutSpan(text, node.offset, end);
  return needed === null ? without : spliced(without, needed, needed + 1, '');
}

/** With the space before it, unless a comment that ends with its line would take in what follows. */
function withoutSpan(text: string, begin: number, end: number): string {
  const endsLine = /^[ \t]*(?:\r?\n|$)/.test(text.slice(end));
  return spliced(text, endsLine ? text.slice(0, begin).trimEnd().length : begin, end, '');
}

function inserted(text: string, container: Node, label: string, value: unknown): string {
  const children = container.children ?? [];
  const close = container.offset + container.length - 1;
  const last = children.at(-1);
  const outer = indentAt(text, container.offset);
  const indent =
    children[0] === undefined || !beginsLine(text, children[0].offset)
      ? outer + unitOf(text)
      : indentAt(text, children[0].offset);
  const eol = lineEndOf(text);
  const before = text.slice(0, close).trimEnd().length;
  const isClosedApart = beginsLine(text, close);
  const element = `${eol}${indent}${label}${laidOut(value, text, indent)}${isClosedApart ? '' : `${eol}${outer}`}`;
  const added = spliced(text, before, isClosedApart ? before : close, element);
  const lastEnd = last === undefined ? null : last.offset + last.length;
  return lastEnd === null || commaAfter(text, lastEnd) !== null ? added : spliced(added, lastEnd, lastEnd, ',');
}

function rootOf(text: string): Node {
  const tree = parseTree(text, [], { allowTrailingComma: true });
  if (tree === undefined) {
    throw new Error('no JSON');
  }
  return tree;
}

/** Where the comma behind a value is; null: none is there. */
function commaAfter(text: string, end: number): number | null {
  const scanner = createScanner(text, true);
  scanner.setPosition(end);
  scanner.scan();
  return text[scanner.getTokenOffset()] === ',' ? scanner.getTokenOffset() : null;
}

/** As the file's other values are: a field a line. */
function laidOut(value: unknown, text: string, indent: string): string {
  return JSON.stringify(value, null, unitOf(text)).replaceAll('\n', `${lineEndOf(text)}${indent}`);
}

function unitOf(text: string): string {
  return /^([ \t]+)\S/m.exec(text)?.[1] ?? '  ';
}

function lineEndOf(text: string): string {
  return text.includes('\r\n') ? '\r\n' : '\n';
}

/** Of the line on which something stands. */
function indentAt(text: string, offset: number): string {
  const begin = text.lastIndexOf('\n', offset - 1) + 1;
  return /^[ \t]*/.exec(text.slice(begin, offset))?.[0] ?? '';
}

function beginsLine(text: string, offset: number): boolean {
  return /(?:^|\n)[ \t]*$/.test(text.slice(0, offset));
}

function spliced(text: string, begin: number, end: number, content: string): string {
  return text.slice(0, begin) + content + text.slice(end);
}
