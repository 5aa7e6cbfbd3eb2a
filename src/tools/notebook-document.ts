import { arrayElements, type Member, objectMembers, type Span, skipSpace, valueAt } from './json-spans.ts';

export type CellType = 'code' | 'markdown' | 'raw';

/** A notebook as bytes, and where its cells are in them (nbformat.readthedocs.io). */
export interface NotebookDocument {
  readonly bytes: Buffer;
  readonly minor: number;
  readonly cells: readonly NotebookCell[];
  /** The array of the cells. */
  readonly list: Span;
  readonly style: JsonStyle;
}

export interface NotebookCell {
  readonly span: Span;
  readonly members: readonly Member[];
  readonly type: string;
  /** Null before nbformat 4.5. */
  readonly id: string | null;
}

/** How the notebook's JSON is written: what is added is written alike. */
export interface JsonStyle {
  /** What stands before each cell, and before each of a cell's members: a line break and an indent, or nothing. */
  readonly beforeCell: string;
  readonly beforeMember: string;
  /** One level of indent; empty when the notebook is one line. */
  readonly indent: string;
  readonly colon: string;
  /** What stands after a comma in one line. */
  readonly space: string;
}

export type NotebookParsing =
  | { readonly kind: 'notebook'; readonly notebook: NotebookDocument }
  | { readonly kind: 'version'; readonly major: unknown }
  | { readonly kind: 'no-notebook' };

/**
 * Finds the cells of a notebook without parsing what is in them.
 *
 * @throws JsonSyntaxError
 */
export function parseNotebook(bytes: Buffer): NotebookParsing {
  const start = skipSpace(bytes, bytes[0] === 0xef ? 3 : 0);
  const bracket = '['.charCodeAt(0);
  if (bytes[start] === bracket) {
    return { kind: 'no-notebook' };
  }
  const { members } = objectMembers(bytes, start);
  const memberValue = (key: string) => {
    const member = memberOf(members, key);
    return member === undefined ? undefined : valueAt(bytes, member.value);
  };
  const major = memberValue('nbformat');
  const list = memberOf(members, 'cells')?.value;
  if (major !== undefined && major !== 4) {
    return { kind: 'version', major };
  }
  if (major === undefined || list === undefined || bytes[list.start] !== bracket) {
    return { kind: 'no-notebook' };
  }
  const minor = Number(memberValue('nbformat_minor') ?? 0);
  const cells = arrayElements(bytes, list.start).elements.map((span) => cellAt(bytes, span));
  const style = styleOf(bytes, members[0], start, list, cells);
  return { kind: 'notebook', notebook: { bytes, minor, cells, list, style } };
}

function cellAt(bytes: Buffer, span: Span): NotebookCell {
  const { members } = objectMembers(bytes, span.start);
  const text = (key: string) => {
    const member = memberOf(members, key);
    const value = member === undefined ? null : valueAt(bytes, member.value);
    return typeof value === 'string' ? value : null;
  };
  return { span, members, type: text('cell_type') ?? 'raw', id: text('id') };
}

/** The last member of that key: the one that counts for every parser. */
export function memberOf(members: readonly Member[], key: string): Member | undefined {
  return members.findLast((member) => member.key === key);
}

function styleOf(
  bytes: Buffer,
  firstMember: Member | undefined,
  start: number,
  list: Span,
  cells: readonly NotebookCell[],
): JsonStyle {
  const between = (from: number, to: number) => bytes.toString('latin1', from, to);
  const top = firstMember === undefined ? '' : between(start + 1, firstMember.keyStart);
  const lineBreak = /^\r?\n/.exec(top)?.[0] ?? '';
  const indent = top.slice(lineBreak.length);
  const cell = cells.find(({ members }) => members.length > 0);
  const member = cell?.members[0];
  const beforeCell =
    cells[0] === undefined ? levels(lineBreak, indent, 2) : between(list.start + 1, cells[0].span.start);
  const keyed = member ?? firstMember;
  const colon = keyed === undefined ? ': ' : /:\s*$/.exec(between(keyed.keyStart, keyed.value.start))?.[0];
  return {
    beforeCell,
    beforeMember: cell && member ? between(cell.span.start + 1, member.keyStart) : levels(lineBreak, indent, 3),
    indent,
    colon: colon ?? ': ',
    space: colon === ':' ? '' : ' ',
  };
}

function levels(lineBreak: string, indent: string, count: number): string {
  return lineBreak === '' ? '' : lineBreak + indent.repeat(count);
}
