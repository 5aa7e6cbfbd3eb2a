import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { notebookEdit } from '../../src/tools/notebook-edit.ts';
import { read } from '../../src/tools/read.ts';
import { skipUnless } from '../skip.ts';
import { fail, session, succeed, workspace } from './fixture.ts';

/** Debian's Python, where python3-nbformat installs the official schema. */
const python = ['/usr/bin/python3', 'python3'].find((one) => {
  try {
    execFileSync(one, ['-c', 'import nbformat'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
});
const withoutSchema = skipUnless(
  python !== undefined,
  'notebooks by the official schema: the Python module nbformat is missing (Debian: python3-nbformat)',
);

interface Cell {
  readonly cell_type: string;
  readonly id?: string;
  readonly metadata: unknown;
  readonly source: string | readonly string[];
  readonly [key: string]: unknown;
}

interface Notebook {
  readonly cells: readonly Cell[];
  readonly [key: string]: unknown;
}

const output = { name: 'stdout', output_type: 'stream', text: ['2\n'] };

/** A notebook as Jupyter writes it: keys sorted, one space of indent, a newline at the end. */
function jupyterNotebook(minor: number, cells: readonly Cell[] = exampleCells(minor)): string {
  const notebook = {
    cells,
    metadata: {
      kernelspec: { display_name: 'Python 3', language: 'python', name: 'python3' },
      language_info: { name: 'python' },
    },
    nbformat: 4,
    nbformat_minor: minor,
  };
  return `${JSON.stringify(notebook, null, 1)}\n`;
}

function exampleCells(minor: number): readonly Cell[] {
  const id = (name: string) => (minor >= 5 ? { id: name } : {});
  return [
    { cell_type: 'markdown', ...id('intro'), metadata: {}, source: ['# Title é 中\n', 'text'] },
    {
      cell_type: 'code',
      execution_count: 1,
      ...id('sum'),
      metadata: { tags: ['x'] },
      outputs: [output],
      source: ['a = "\\n[{"\n', 'a'],
    },
    { cell_type: 'raw', ...id('end'), metadata: {}, source: [] },
  ];
}

function notebook(
  content: string,
): ReturnType<typeof workspace> & { readonly bytes: () => string; readonly json: () => Notebook } {
  const made = workspace({ 'a.ipynb': content });
  const bytes = () => readFileSync(join(made.root, 'a.ipynb'), 'utf8');
  return { ...made, bytes, json: () => JSON.parse(bytes()) as Notebook };
}

const edit = (more: Readonly<Record<string, unknown>>) => ({ notebook_path: 'a.ipynb', new_source: '', ...more });

/** Judges notebooks by the official schema and tells how Jupyter would write them. */
function official(paths: readonly string[]): readonly string[] {
  const program = `
import json, sys, nbformat, warnings
warnings.simplefilter('error')
written = []
for path in sys.argv[1:]:
    notebook = nbformat.read(path, as_version=nbformat.NO_CONVERT)
    nbformat.validate(notebook)
    written.append(nbformat.writes(notebook, version=nbformat.NO_CONVERT))
print(json.dumps(written))
`;
  return JSON.parse(
    execFileSync(python ?? '', ['-c', program, ...paths], { encoding: 'utf8', maxBuffer: 1e9 }),
  ) as string[];
}

describe('NotebookEdit', () => {
  it('替换单元格内容', async () => {
    const before = jupyterNotebook(5);
    const { context, bytes, json } = notebook(before);
    const { text } = await succeed(notebookEdit, edit({ cell_id: 'sum', new_source: 'b = 2\nb\n' }), context);
    expect(text).toBe('Replaced cell 1 (id sum) of a.ipynb; it has 3 cells now.');
    expect(json().cells[1]).toEqual({
      cell_type: 'code',
      execution_count: null,
      id: 'sum',
      metadata: { tags: ['x'] },
      outputs: [],
      source: ['b = 2\n', 'b\n'],
    });
    const [start, end] = [before.indexOf('  {\n   "cell_type": "code"'), before.indexOf('  {\n   "cell_type": "raw"')];
    expect(bytes().startsWith(before.slice(0, start))).toBe(true);
    expect(bytes().endsWith(before.slice(end))).toBe(true);
  });

  it('添加新单元格', async () => {
    const { context, json } = notebook(jupyterNotebook(5));
    await succeed(
      notebookEdit,
      edit({ edit_mode: 'insert', cell_number: 1, new_source: 'new', cell_type: 'markdown' }),
      context,
    );
    expect(json().cells.map(({ source }) => source)).toEqual([
      ['# Title é 中\n', 'text'],
      ['new'],
      ['a = "\\n[{"\n', 'a'],
      [],
    ]);
    expect(json().cells[1]?.id).toMatch(/^[0-9a-f]{8}$/);
    const { data } = await succeed(
      notebookEdit,
      edit({ edit_mode: 'insert', cell_id: 'end', new_source: '1' }),
      context,
    );
    expect(data).toMatchObject({ cell_number: 4, cells: 5 });
    await succeed(notebookEdit, edit({ edit_mode: 'insert', new_source: 'top' }), context);
    expect(json().cells[0]).toMatchObject({ cell_type: 'code', source: ['top'], outputs: [], execution_count: null });
    expect((await succeed(read, { file_path: 'a.ipynb' }, context)).text).toContain('<cell number="5" id=');
  });

  it('删除单元格', async () => {
    const { context, json } = notebook(jupyterNotebook(5));
    await succeed(notebookEdit, edit({ edit_mode: 'delete', cell_number: 0 }), context);
    expect(json().cells.map(({ id }) => id)).toEqual(['sum', 'end']);
    await succeed(notebookEdit, edit({ edit_mode: 'delete', cell_id: 'end' }), context);
    await succeed(notebookEdit, edit({ edit_mode: 'delete', cell_id: 'sum' }), context);
    expect(json().cells).toEqual([]);
    await succeed(notebookEdit, edit({ edit_mode: 'insert', new_source: 'again' }), context);
    expect(json().cells).toHaveLength(1);
  });

  it('Notebook 不存在', async () => {
    const { root, context } = workspace();
    const { error } = await fail(notebookEdit, edit({ cell_number: 0 }), context);
    expect(error).toMatchObject({ code: 'file-not-found', path: join(root, 'a.ipynb') });
    await fail(notebookEdit, edit({ edit_mode: 'insert' }), context);
    expect(existsSync(join(root, 'a.ipynb'))).toBe(false);
  });

  it('Notebook 大文件处理', async () => {
    const image = 'iVBOR'.repeat(2_000);
    const cells = Array.from({ length: 500 }, (_, index) => ({
      cell_type: 'code',
      execution_count: index,
      id: `c${index}`,
      metadata: {},
      outputs: [{ data: { 'image/png': image }, metadata: {}, output_type: 'display_data' }],
      source: [`print(${index})`],
    }));
    const before = jupyterNotebook(5, cells);
    const { context, bytes, json } = notebook(before);
    await succeed(notebookEdit, edit({ cell_id: 'c250', new_source: 'changed' }), context);
    const expected = cells.map((cell, index) =>
      index === 250 ? { ...cell, outputs: [], execution_count: null, source: ['changed'] } : cell,
    );
    expect(json().cells).toEqual(expected);
    expect(bytes()).toBe(jupyterNotebook(5, expected));
  });

  it.skipIf(withoutSchema)(
    'leaves what the official schema accepts and Jupyter would write byte for byte',
    async () => {
      const edits = [
        { cell_number: 1, new_source: 'x = "é"\nx' },
        { cell_number: 1, new_source: '' },
        { cell_number: 1, new_source: 'text', cell_type: 'markdown' },
        { cell_number: 0, new_source: 'x = 1', cell_type: 'code' },
        { cell_number: 2, new_source: 'raw\n\ntext\n', cell_type: 'raw' },
        { edit_mode: 'insert', new_source: 'first' },
        { edit_mode: 'insert', cell_number: 3, new_source: '# last', cell_type: 'markdown' },
        { edit_mode: 'insert', cell_number: 2, new_source: '', cell_type: 'raw' },
        { edit_mode: 'delete', cell_number: 0 },
        { edit_mode: 'delete', cell_number: 2 },
      ];
      const paths: string[] = [];
      for (const minor of [0, 1, 2, 3, 4, 5]) {
        for (const change of edits) {
          const { root, context } = notebook(jupyterNotebook(minor));
          await succeed(notebookEdit, edit(change), context);
          paths.push(join(root, 'a.ipynb'));
        }
      }
      const written = official(paths);
      paths.forEach((path, index) => {
        // Jupyter's writer ends without a newline, its server adds one.
        expect(readFileSync(path, 'utf8')).toBe(`${written[index]}\n`);
      });
    },
  );

  it.skipIf(withoutSchema)('edits what nbformat itself has written', async () => {
    for (const minor of [0, 1, 2, 3, 4, 5]) {
      const { root, context, bytes } = notebook(jupyterNotebook(minor));
      writeFileSync(join(root, 'a.ipynb'), `${official([join(root, 'a.ipynb')])[0]}\n`);
      expect(bytes()).toBe(jupyterNotebook(minor));
      await succeed(notebookEdit, edit({ cell_number: 1, new_source: 'y' }), context);
      expect(official([join(root, 'a.ipynb')])[0]).toContain('"y"');
    }
  });
});

describe('a notebook that NotebookEdit changes', () => {
  const member = fc.tuple(fc.constantFrom('zeta', 'x-custom', 'a b', '\u00e9'), fc.jsonValue({ maxDepth: 2 }));
  const source = fc.string({ unit: fc.constantFrom('a', '\n', '"', '\\', '{', ']', '中', '😀'), maxLength: 12 });
  const lines = (text: string) => text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
  const cell = fc.record({
    type: fc.constantFrom('code', 'markdown', 'raw'),
    source,
    asString: fc.boolean(),
    more: fc.array(member, { maxLength: 2 }),
    shuffled: fc.boolean(),
  });
  const indent = fc.constantFrom(0, 1, 2, 4, '\t');
  const build = (cells: readonly (typeof cell extends fc.Arbitrary<infer T> ? T : never)[], minor: number) => ({
    ...{ nbformat_minor: minor, nbformat: 4, 'x-top': { deep: ['"cells": [', '}'] } },
    cells: cells.map(({ type, source: text, asString, more, shuffled }, index) => {
      const members = [
        ['cell_type', type],
        ...(type === 'code'
          ? [
              ['execution_count', index],
              ['outputs', [output]],
            ]
          : []),
        ...(minor >= 5 ? [['id', `id-${index}`]] : []),
        ['metadata', Object.fromEntries(more)],
        ['source', asString ? text : lines(text)],
      ];
      return Object.fromEntries(shuffled ? members.reverse() : members) as Cell;
    }),
    metadata: { 'x-last': null },
  });

  it('is equal outside of the cell, as JSON and byte for byte', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(cell, { minLength: 1, maxLength: 4 }),
        fc.integer({ min: 0, max: 5 }),
        indent,
        fc.nat(3),
        source,
        fc.constantFrom('replace', 'insert', 'delete'),
        fc.option(fc.constantFrom('code', 'markdown', 'raw'), { nil: undefined }),
        async (cells, minor, indentation, at, text, mode, type) => {
          const number = at % cells.length;
          // Through JSON, which has no -0.
          const before = JSON.parse(JSON.stringify(build(cells, minor))) as ReturnType<typeof build>;
          const written = JSON.stringify(before, null, indentation);
          const { context, bytes, json } = notebook(written);
          const input = {
            cell_number: number,
            new_source: text,
            edit_mode: mode,
            ...(type === undefined ? {} : { cell_type: type }),
          };
          await succeed(notebookEdit, edit(input), context);
          const after = json();
          const removed = mode === 'insert' ? 0 : 1;
          const added = mode === 'delete' ? 0 : 1;
          const expected = [...before.cells];
          expected.splice(number, removed, ...after.cells.slice(number, number + added));
          expect(after).toEqual({ ...before, cells: expected });
          expect(Object.keys(after)).toEqual(Object.keys(before));
          const changed = after.cells[number];
          if (added === 1) {
            expect([changed?.source].flat().join('')).toBe(text);
            expect(changed?.outputs).toEqual(changed?.cell_type === 'code' ? [] : undefined);
          }
          // The style is the notebook's, so the whole is what writing it anew would give.
          expect(bytes()).toBe(JSON.stringify(after, null, indentation));
        },
      ),
      { numRuns: 400 },
    );
  });

  it('keeps odd white space, unknown keys and the lack of a final newline', async () => {
    const odd =
      '{ "nbformat" : 4,"nbformat_minor":2,\n\n"cells":[ {"cell_type":"markdown", "metadata":{ },\n"source" :"old"} ,{"cell_type":"raw","metadata":{},"source":"keep"}\t] ,"x":[1 ,2]}';
    const { context, bytes } = notebook(odd);
    await succeed(notebookEdit, edit({ cell_number: 0, new_source: 'new' }), context);
    expect(bytes()).toBe(odd.replace('"old"', '"new"'));
    await succeed(notebookEdit, edit({ edit_mode: 'delete', cell_number: 0 }), context);
    expect(bytes()).toBe(
      odd.slice(0, odd.indexOf('{"cell_type":"markdown"')) + odd.slice(odd.indexOf('{"cell_type":"raw"')),
    );
  });

  it('gets a version of the session, and is refused when it changed since it was read', async () => {
    const { root, context } = notebook(jupyterNotebook(5));
    const within = session();
    await succeed(read, { file_path: 'a.ipynb' }, context, within);
    expect((await succeed(notebookEdit, edit({ cell_number: 0, new_source: 'x' }), context, within)).text).toContain(
      '(Version 1)',
    );
    writeFileSync(join(root, 'a.ipynb'), jupyterNotebook(4));
    expect((await fail(notebookEdit, edit({ cell_number: 0 }), context, within)).error.code).toBe('changed-since-read');
  });

  it.each([
    ['no JSON', '{"nbformat": 4, "cells": [', 'is not valid JSON'],
    ['nothing', '', 'is not valid JSON'],
    ['brackets that do not fit', '{"nbformat": 4, "cells": [}]}', 'is not valid JSON'],
    ['an open string', '{"nbformat": 4, "cells": [{"source": "x]}', 'is not valid JSON'],
    ['other JSON', '{"name": "x"}', 'is JSON, but no notebook'],
    ['a list', '[1, 2]', 'is JSON, but no notebook'],
    ['an old format', '{"nbformat": 3, "worksheets": []}', 'has nbformat 3, and only 4 can be edited'],
  ])('is refused and left alone when it is %s', async (_, content, problem) => {
    const { root, context, bytes } = notebook(content);
    const { mtimeMs } = statSync(join(root, 'a.ipynb'));
    const { error } = await fail(notebookEdit, edit({ cell_number: 0 }), context);
    expect(error).toMatchObject({ code: 'not-a-notebook', message: expect.stringContaining(problem) });
    expect(error.remedy).not.toBeNull();
    expect(bytes()).toBe(content);
    expect(statSync(join(root, 'a.ipynb')).mtimeMs).toBe(mtimeMs);
  });

  it('is never damaged by bytes that are no notebook', async () => {
    const valid = jupyterNotebook(5);
    await fc.assert(
      fc.asyncProperty(
        fc.nat(valid.length),
        fc.nat(40),
        fc.string({ unit: fc.constantFrom('"', '{', ']', '\\', ',', 'x', '\u0000'), maxLength: 4 }),
        async (at, cut, put) => {
          const content = valid.slice(0, at) + put + valid.slice(at + cut);
          const { context, bytes } = notebook(content);
          const result = await notebookEdit.execute(edit({ cell_number: 0, new_source: 'x' }), context);
          expect(result.ok || bytes() === content).toBe(true);
          expect(result.ok ? '' : result.error.code).not.toBe('tool-broken');
        },
      ),
      { numRuns: 500 },
    );
  });

  it.each([
    [{ cell_id: 'intor' }, 'no-such-cell', "The ids are: intro, sum, end. Did you mean 'intro'?"],
    [{ cell_number: 3 }, 'no-such-cell', 'the numbers go from 0 to 2'],
    [{ cell_id: 'sum', cell_number: 2 }, 'cells-disagree', 'is number 1, not 2'],
    [{ edit_mode: 'delete' }, 'no-cell-named', 'Give `cell_id` or `cell_number`'],
    [{ edit_mode: 'insert', cell_number: 4 }, 'no-such-cell', 'the numbers go from 0 to 3'],
  ])('says which cells there are: %j', async (input, code, text) => {
    const { context, bytes } = notebook(jupyterNotebook(5));
    const failed = await fail(notebookEdit, edit(input), context);
    expect(failed.error.code).toBe(code);
    expect(failed.text).toContain(text);
    expect(bytes()).toBe(jupyterNotebook(5));
  });

  it('can be addressed as cell-1 when its cells have no ids', async () => {
    const { context, json } = notebook(jupyterNotebook(4));
    await succeed(notebookEdit, edit({ cell_id: 'cell-1', new_source: 'x' }), context);
    expect(json().cells[1]?.source).toEqual(['x']);
  });
});
