import { isRecord } from './tool-input.ts';

/** Characters of a cell's output that are shown. */
const outputLimit = 2_000;

/** A notebook as text, a cell after another; null when the text is none. */
export function renderNotebook(text: string): string | null {
  const cells = cellsOf(text);
  return cells === null ? null : `${cells.map(renderCell).join('\n')}\n`;
}

function cellsOf(text: string): readonly unknown[] | null {
  try {
    const notebook: unknown = JSON.parse(text);
    return isRecord(notebook) && Array.isArray(notebook.cells) ? notebook.cells : null;
  } catch {
    return null;
  }
}

function renderCell(cell: unknown, number: number): string {
  if (!isRecord(cell)) {
    return `<cell number="${number}">`;
  }
  const id = typeof cell.id === 'string' ? ` id="${cell.id}"` : '';
  const head = `<cell number="${number}"${id} type="${String(cell.cell_type)}">`;
  const outputs = Array.isArray(cell.outputs) ? cell.outputs.map(renderOutput).filter((output) => output !== '') : [];
  const shown = outputs.length === 0 ? [] : ['<output>', cut(outputs.join('\n')), '</output>'];
  return [head, multiline(cell.source), ...shown, '</cell>'].join('\n');
}

function renderOutput(output: unknown): string {
  if (!isRecord(output)) {
    return '';
  }
  switch (output.output_type) {
    case 'stream':
      return multiline(output.text);
    case 'error':
      return `${String(output.ename)}: ${String(output.evalue)}`;
    default:
      return isRecord(output.data) ? renderData(output.data) : '';
  }
}

function renderData(data: Readonly<Record<string, unknown>>): string {
  const plain = multiline(data['text/plain']);
  const others = Object.keys(data).filter((type) => type !== 'text/plain');
  return [plain, others.length === 0 ? '' : `[also: ${others.join(', ')}]`].filter((part) => part !== '').join('\n');
}

/** nbformat's `multiline_string`: a string, or a list of strings to be joined. */
function multiline(value: unknown): string {
  return Array.isArray(value) ? value.join('') : typeof value === 'string' ? value : '';
}

function cut(text: string): string {
  return text.length <= outputLimit ? text : `${text.slice(0, outputLimit)}… [output cut, ${text.length} characters]`;
}
