import { isUtf8 } from 'node:buffer';
import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { nearestName } from './edit-distance.ts';
import { JsonSyntaxError } from './json-spans.ts';
import { deleteCell, insertCell, replaceCell } from './notebook-change.ts';
import { type CellType, type NotebookDocument, parseNotebook } from './notebook-document.ts';
import { defineSessionTool } from './tool.ts';
import { failure, success, type ToolFailure } from './tool-result.ts';
import { openFile, saveFile, staleness } from './working-file.ts';

const schema = z.strictObject({
  notebook_path: z.string().min(1).describe('The .ipynb file, absolute or relative to the working directory'),
  cell_id: z.string().min(1).optional().describe('The id of the cell; a new cell is inserted after it'),
  cell_number: z
    .number()
    .int()
    .min(0)
    .optional()
    .describe(
      'The number of the cell, from 0; a new cell gets this number. Without id and number it becomes the first',
    ),
  new_source: z.string().describe('The new source of the cell; ignored by delete'),
  cell_type: z
    .enum(['code', 'markdown', 'raw'])
    .optional()
    .describe('By default the type that the cell has; code for a new one'),
  edit_mode: z.enum(['replace', 'insert', 'delete']).optional().describe('replace by default'),
});

type NotebookInput = z.output<typeof schema>;

export const notebookEdit = defineSessionTool({
  name: 'NotebookEdit',
  description:
    'Replaces, inserts or deletes one cell of a Jupyter notebook (nbformat 4). Everything outside of the cell stays ' +
    'byte for byte. A replaced code cell loses its outputs. Read shows the numbers and ids of the cells.',
  effect: 'changes',
  schema,
  example: { notebook_path: 'analysis.ipynb', cell_number: 2, new_source: 'print("hello")' },
  touches: ({ notebook_path }) => [{ path: notebook_path, access: 'write' }],
  run: async (input, context, session) => {
    const opening = openFile(input.notebook_path, context, session, 'write');
    if (!opening.ok) {
      return opening.failure;
    }
    const { file } = opening;
    const { path } = file.place;
    const stale = staleness(file, session);
    if (stale !== null) {
      return stale;
    }
    const parsing = parse(file.bytes, path);
    if (!parsing.ok) {
      return parsing.failure;
    }
    const edited = editNotebook(parsing.notebook, input, path);
    if ('failure' in edited) {
      return edited.failure;
    }
    const saving = await saveFile(file.place, file, edited.bytes, 'NotebookEdit', session);
    if (!saving.ok) {
      return saving.failure;
    }
    const { version } = saving;
    const named = `cell ${edited.number}${edited.id === null ? '' : ` (id ${edited.id})`}`;
    const text = `${edited.done} ${named} of ${input.notebook_path}${version === null ? '' : ` (Version ${version})`}`;
    const { number, id, count } = edited;
    return success(`${text}; it has ${count} ${count === 1 ? 'cell' : 'cells'} now.`, {
      path,
      cell_number: number,
      cell_id: id,
      cells: count,
      version,
    });
  },
});

type Parsed =
  | { readonly ok: true; readonly notebook: NotebookDocument }
  | { readonly ok: false; readonly failure: ToolFailure };

function parse(bytes: Buffer, path: string): Parsed {
  const refuse = (problem: string, remedy: string): Parsed => ({
    ok: false,
    failure: failure('not-a-notebook', `'${path}' ${problem}; it was not changed.`, { path, remedy }),
  });
  if (!isUtf8(bytes)) {
    return refuse('is not UTF-8, as a notebook has to be', 'Open and save it with Jupyter first.');
  }
  try {
    const parsing = parseNotebook(bytes);
    switch (parsing.kind) {
      case 'notebook':
        return { ok: true, notebook: parsing.notebook };
      case 'version':
        return refuse(
          `has nbformat ${String(parsing.major)}, and only 4 can be edited`,
          `Convert it: jupyter nbconvert --to notebook --nbformat 4 --inplace '${path}'`,
        );
      case 'no-notebook':
        return refuse('is JSON, but no notebook: it has no nbformat or no cells', 'Use Edit for other files.');
    }
  } catch (error) {
    if (error instanceof JsonSyntaxError) {
      return refuse(
        `is not valid JSON (${error.message})`,
        'Repair that place with Edit, or restore the file from git.',
      );
    }
    throw error;
  }
}

interface Edited {
  readonly bytes: Buffer;
  readonly done: 'Replaced' | 'Inserted' | 'Deleted';
  readonly number: number;
  readonly id: string | null;
  /** Cells after the change. */
  readonly count: number;
}

function editNotebook(
  notebook: NotebookDocument,
  input: NotebookInput,
  path: string,
): Edited | { failure: ToolFailure } {
  const { edit_mode: mode = 'replace', new_source: source } = input;
  const { cells } = notebook;
  const found = findCell(notebook, input, path, mode === 'insert' ? cells.length : cells.length - 1);
  if (typeof found !== 'number' && found !== null) {
    return { failure: found };
  }
  if (mode === 'insert') {
    const number = found === null ? 0 : input.cell_id === undefined ? found : found + 1;
    const id = notebook.minor >= 5 ? freshId(notebook) : null;
    const bytes = insertCell(notebook, number, { source, type: input.cell_type ?? 'code', id });
    return { bytes, done: 'Inserted', number, id, count: cells.length + 1 };
  }
  const cell = found === null ? undefined : cells[found];
  if (found === null || cell === undefined) {
    return {
      failure: failure('no-cell-named', `Which cell of '${path}' to ${mode} was not said.`, {
        path,
        remedy: 'Give `cell_id` or `cell_number`; Read shows both.',
      }),
    };
  }
  if (mode === 'delete') {
    return { bytes: deleteCell(notebook, found), done: 'Deleted', number: found, id: cell.id, count: cells.length - 1 };
  }
  const type = input.cell_type ?? (isCellType(cell.type) ? cell.type : 'code');
  const bytes = replaceCell(notebook, cell, source, type);
  return { bytes, done: 'Replaced', number: found, id: cell.id, count: cells.length };
}

/** The index that an input names; null when it names none. `cell-3` is what some models call cell 3 of a notebook without ids. */
function findCell(
  { cells }: NotebookDocument,
  { cell_id: id, cell_number: number }: NotebookInput,
  path: string,
  highest: number,
): number | null | ToolFailure {
  if (id === undefined) {
    if (number === undefined || number <= highest) {
      return number ?? null;
    }
    const range = highest < 0 ? 'it has no cells' : `the numbers go from 0 to ${highest}`;
    return failure('no-such-cell', `There is no cell ${number} in '${path}': ${range}.`, {
      path,
      remedy: 'Read the notebook to see its cells.',
    });
  }
  const byId = cells.findIndex((cell) => cell.id === id);
  const byName = /^cell-(\d+)$/.exec(id)?.[1];
  const found = byId === -1 && byName !== undefined && Number(byName) < cells.length ? Number(byName) : byId;
  if (found === -1) {
    const ids = cells.flatMap((cell) => cell.id ?? []);
    const near = nearestName(id, ids);
    const hint = near === null ? '' : ` Did you mean '${near}'?`;
    return failure('no-such-cell', `There is no cell with the id '${id}' in '${path}'.`, {
      path,
      remedy:
        ids.length === 0
          ? 'Its cells have no ids: give `cell_number`.'
          : `The ids are: ${ids.slice(0, 50).join(', ')}.${hint}`,
    });
  }
  if (number !== undefined && number !== found) {
    return failure('cells-disagree', `The cell with the id '${id}' of '${path}' is number ${found}, not ${number}.`, {
      path,
      remedy: 'Give only one of `cell_id` and `cell_number`.',
    });
  }
  return found;
}

function isCellType(type: string): type is CellType {
  return type === 'code' || type === 'markdown' || type === 'raw';
}

/** Eight hexadecimal digits, as Jupyter makes them. */
function freshId({ cells }: NotebookDocument): string {
  const taken = new Set(cells.map(({ id }) => id));
  for (;;) {
    const id = randomUUID().slice(0, 8);
    if (!taken.has(id)) {
      return id;
    }
  }
}
