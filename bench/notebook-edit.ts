/**
 * NotebookEdit of one cell in a notebook of 1,000 cells and 50 MB, beside parsing and writing it with JSON.
 * Run: `npx jiti bench/notebook-edit.ts [ROUNDS]`.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { notebookEdit } from '../src/tools/notebook-edit.ts';
import { milliseconds, table } from './interleaved.ts';
import { contextIn, timeInTurns } from './tool-timing.ts';

const rounds = Number(process.argv[2] ?? 20);
const root = mkdtempSync(join(tmpdir(), 'oxide-guard-bench-'));
const path = join(root, 'large.ipynb');
const lines = Array.from({ length: 200 }, (_, line) => `row ${line}: "quoted" \\ value\n`);
const cells = Array.from({ length: 1_000 }, (_, index) => ({
  cell_type: 'code',
  execution_count: index,
  id: `cell-id-${index}`,
  metadata: {},
  outputs: [
    { name: 'stdout', output_type: 'stream', text: lines },
    { data: { 'image/png': 'iVBORw0KGgo='.repeat(3_400) }, metadata: {}, output_type: 'display_data' },
  ],
  source: [`import numpy as np\n`, `print(${index})`],
}));
const content = Buffer.from(`${JSON.stringify({ cells, metadata: {}, nbformat: 4, nbformat_minor: 5 }, null, 1)}\n`);

async function ours(): Promise<void> {
  const input = { notebook_path: 'large.ipynb', cell_id: 'cell-id-500', new_source: 'print("changed")' };
  const result = await notebookEdit.execute(input, contextIn(root));
  if (!result.ok) {
    throw new Error(result.text);
  }
}

function withJson(): void {
  const notebook = JSON.parse(readFileSync(path, 'utf8')) as { cells: { source: unknown; outputs: unknown }[] };
  Object.assign(notebook.cells[500] ?? {}, { source: ['print("changed")'], outputs: [], execution_count: null });
  writeFileSync(path, `${JSON.stringify(notebook, null, 1)}\n`);
}

try {
  const before = () => writeFileSync(path, content);
  const contenders = { 'oxide-guard NotebookEdit': ours, 'JSON.parse and stringify': withJson };
  const turns = await timeInTurns(
    Object.entries(contenders).map(([name, run]) => ({ name, run, before })),
    rounds,
  );
  const own = turns.get('oxide-guard NotebookEdit')?.median ?? Number.NaN;
  const rows = [...turns].map(([name, { median }]) => [name, milliseconds(median), (own / median).toFixed(2)]);
  const size = (content.length / 1e6).toFixed(0);
  console.log(table([`1,000 cells, ${size} MB`, 'median', 'ours ÷ this'], rows));
} finally {
  rmSync(root, { recursive: true, force: true });
}
