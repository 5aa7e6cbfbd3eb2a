import type { Member, Span } from './json-spans.ts';
import {
  type CellType,
  type JsonStyle,
  memberOf,
  type NotebookCell,
  type NotebookDocument,
} from './notebook-document.ts';

/**
 * The notebook with another source in a cell. A code cell loses its outputs and its execution count: they are not of
 * this source. Bytes outside of the cell stay, and in it those of the members that stay.
 */
export function replaceCell(notebook: NotebookDocument, cell: NotebookCell, source: string, type: CellType): Buffer {
  const { bytes, style } = notebook;
  const written = memberOf(cell.members, 'source');
  const asString = written !== undefined && bytes[written.value.start] === '"'.charCodeAt(0);
  const changes = new Map<string, string | null>([['source', sourceText(source, style, asString)]]);
  if (type !== cell.type) {
    changes.set('cell_type', JSON.stringify(type));
  }
  if (type === 'code') {
    changes.set('outputs', '[]');
    changes.set('execution_count', 'null');
    changes.set('attachments', null);
  } else {
    changes.set('outputs', null);
    changes.set('execution_count', null);
  }
  return splice(bytes, cell.span, rewritten(notebook, cell, changes));
}

/** The notebook with a new cell that gets this index. Its keys are in the order in which Jupyter writes them. */
export function insertCell(
  notebook: NotebookDocument,
  index: number,
  cell: { readonly source: string; readonly type: CellType; readonly id: string | null },
): Buffer {
  const { bytes, cells, list, style } = notebook;
  const asString = sourcesAreStrings(notebook);
  const members: readonly (readonly [string, string] | null)[] = [
    ['cell_type', JSON.stringify(cell.type)],
    cell.type === 'code' ? ['execution_count', 'null'] : null,
    cell.id === null ? null : ['id', JSON.stringify(cell.id)],
    ['metadata', '{}'],
    cell.type === 'code' ? ['outputs', '[]'] : null,
    ['source', sourceText(cell.source, style, asString)],
  ];
  const written = members.flatMap((member) => (member === null ? [] : [keyed(member[0], member[1], style)]));
  const object = objectText(written, style);
  const next = cells[index];
  if (next !== undefined) {
    return splice(bytes, { start: next.span.start, end: next.span.start }, object + separator(style.beforeCell, style));
  }
  const last = cells.at(-1);
  if (last !== undefined) {
    return splice(bytes, { start: last.span.end, end: last.span.end }, separator(style.beforeCell, style) + object);
  }
  return splice(bytes, list, `[${style.beforeCell}${object}${outdented(style.beforeCell, style)}]`);
}

/** The notebook without a cell, and without one of the commas beside it. */
export function deleteCell({ bytes, cells, list }: NotebookDocument, index: number): Buffer {
  const [before, cell, after] = [cells[index - 1], cells[index], cells[index + 1]];
  if (cell === undefined || (before === undefined && after === undefined)) {
    return splice(bytes, list, '[]');
  }
  const gap =
    before === undefined
      ? { start: cell.span.start, end: after?.span.start ?? cell.span.end }
      : { start: before.span.end, end: cell.span.end };
  return splice(bytes, gap, '');
}

function splice(bytes: Buffer, { start, end }: Span, text: string): Buffer {
  return Buffer.concat([bytes.subarray(0, start), Buffer.from(text), bytes.subarray(end)]);
}

/** A cell's text with some members changed (text), removed (null) or added. */
function rewritten(
  { bytes, style }: NotebookDocument,
  { span, members }: NotebookCell,
  changes: ReadonlyMap<string, string | null>,
): string {
  const text = (start: number, end: number) => bytes.toString('utf8', start, end);
  const kept = members.flatMap((member, index) => {
    const change = changes.get(member.key);
    const value = change === undefined ? text(member.value.start, member.value.end) : change;
    const previous = members[index - 1];
    const before = previous === undefined ? null : text(previous.value.end, member.keyStart);
    return value === null ? [] : [{ key: member.key, text: text(member.keyStart, member.value.start) + value, before }];
  });
  const added = [...changes].flatMap(([key, value]) =>
    value === null || memberOf(members, key) !== undefined
      ? []
      : [{ key, text: keyed(key, value, style), before: null }],
  );
  const all = isSorted(members) ? [...kept, ...added].sort((a, b) => (a.key < b.key ? -1 : 1)) : [...kept, ...added];
  const [first, second] = members;
  const last = members.at(-1);
  const opening = first === undefined ? style.beforeMember : text(span.start + 1, first.keyStart);
  const between =
    first === undefined || second === undefined
      ? separator(style.beforeMember, style)
      : text(first.value.end, second.keyStart);
  const closing = last === undefined ? style.beforeCell : text(last.value.end, span.end - 1);
  const body = all.map((member, index) => (index === 0 ? opening : (member.before ?? between)) + member.text);
  return `{${body.join('')}${closing}}`;
}

function isSorted(members: readonly Member[]): boolean {
  return members.every(({ key }, index) => index === 0 || (members[index - 1]?.key ?? '') <= key);
}

function sourcesAreStrings({ bytes, cells }: NotebookDocument): boolean {
  const first = cells.flatMap(({ members }) => memberOf(members, 'source') ?? [])[0];
  return first !== undefined && bytes[first.value.start] === '"'.charCodeAt(0);
}

/** A source as Jupyter writes it: a list of lines, each with its line break; or one string, where the notebook has it so. */
function sourceText(source: string, style: JsonStyle, asString: boolean): string {
  if (asString) {
    return JSON.stringify(source);
  }
  const lines = source.match(/[^\n]*\n|[^\n]+$/g) ?? [];
  if (lines.length === 0) {
    return '[]';
  }
  const { beforeMember, indent } = style;
  const texts = lines.map((line) => JSON.stringify(line));
  if (beforeMember === '') {
    return `[${texts.join(`,${style.space}`)}]`;
  }
  const beforeLine = beforeMember + indent;
  return `[${beforeLine}${texts.join(`,${beforeLine}`)}${beforeMember}]`;
}

function objectText(members: readonly string[], style: JsonStyle): string {
  const { beforeCell, beforeMember } = style;
  return `{${beforeMember}${members.join(separator(beforeMember, style))}${beforeMember === '' ? '' : beforeCell}}`;
}

function keyed(key: string, value: string, style: JsonStyle): string {
  return `${JSON.stringify(key)}${style.colon}${value}`;
}

function separator(before: string, style: JsonStyle): string {
  return before === '' ? `,${style.space}` : `,${before}`;
}

function outdented(before: string, { indent }: JsonStyle): string {
  return before === '' ? '' : before.slice(0, before.length - indent.length);
}
