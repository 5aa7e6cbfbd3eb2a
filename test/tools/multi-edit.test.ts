import { spawn } from 'node:child_process';
import fs, {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { multiEdit } from '../../src/tools/multi-edit.ts';
import { read } from '../../src/tools/read.ts';
import { skipUnless } from '../skip.ts';
import { contextIn, fail, session, succeed, workspace } from './fixture.ts';

const change = (file_path: string, old_string: string, new_string: string, replace_all?: boolean) => ({
  file_path,
  old_string,
  new_string,
  ...(replace_all === undefined ? {} : { replace_all }),
});
const text = (root: string, path: string) => readFileSync(join(root, path), 'utf8');

describe('MultiEdit', () => {
  it('批量编辑同一文件', async () => {
    const { root, context } = workspace({ 'a.ts': 'one\ntwo\nthree\n' });
    const edits = [change('a.ts', 'one', '1'), change('a.ts', 'two', '2'), change('a.ts', '1\n2', '1\n2\n2½')];
    const { data } = await succeed(multiEdit, { edits }, context);
    expect(text(root, 'a.ts')).toBe('1\n2\n2½\nthree\n');
    expect(data).toMatchObject({ edits: [{ ok: true }, { ok: true }, { ok: true }], files: [{ edits: 3 }] });
  });

  it('跨文件编辑', async () => {
    const { root, context } = workspace({ 'a.ts': 'a\n', 'b/b.ts': 'b\n' });
    const { data } = await succeed(
      multiEdit,
      { edits: [change('a.ts', 'a', 'A'), change('b/b.ts', 'b', 'B')] },
      context,
    );
    expect([text(root, 'a.ts'), text(root, 'b/b.ts')]).toEqual(['A\n', 'B\n']);
    expect(data.files).toMatchObject([{ path: join(root, 'a.ts') }, { path: join(root, 'b/b.ts') }]);
  });

  it('编辑冲突处理', async () => {
    const { root, context } = workspace({ 'a.ts': 'let x = 1;\nlet y = 2;\n' });
    const edits = [
      change('a.ts', 'x = 1', 'x = 10'),
      change('a.ts', 'let x = 10', 'const x = 10'),
      change('a.ts', 'let y', 'const y'),
    ];
    const { data, text: said } = await succeed(multiEdit, { edits }, context);
    expect(text(root, 'a.ts')).toBe('const x = 10;\nconst y = 2;\n');
    expect(said).toContain('2. a.ts: 1 replacement, line 1 (warning: changes a line that edit 1 had changed already');
    expect(data.edits).toMatchObject([{ warning: null }, { warning: expect.any(String) }, { warning: null }]);
  });

  it('部分失败处理', async () => {
    const { root, context } = workspace({ 'a.ts': 'one\ntwo\n', 'b.ts': 'b\n' });
    const edits = [
      change('a.ts', 'one', '1'),
      change('a.ts', 'absent', 'x'),
      change('none.ts', 'x', 'y'),
      change('a.ts', 'two', '2'),
      change('b.ts', 'b', 'B'),
    ];
    const { data, text: said } = await succeed(multiEdit, { edits }, context);
    expect([text(root, 'a.ts'), text(root, 'b.ts')]).toEqual(['1\n2\n', 'B\n']);
    expect(said).toContain('3 of 5 edits made in 2 files; 2 failed.');
    expect(said).toContain('2. a.ts: FAILED: `old_string` does not occur');
    expect(data.edits).toMatchObject([
      { index: 0, ok: true },
      { index: 1, ok: false, error: { code: 'not-found-in-file' } },
      { index: 2, ok: false, error: { code: 'file-not-found' } },
      { index: 3, ok: true },
      { index: 4, ok: true },
    ]);
  });

  it('MultiEdit 批量操作', async () => {
    const files = Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`f${index}.ts`, 'a b c d e\n']));
    const { root, context } = workspace(files);
    const edits = Object.keys(files).flatMap((name) =>
      [...'abcde'].map((letter) => change(name, letter, letter.toUpperCase())),
    );
    const opened: string[] = [];
    const renamed: string[] = [];
    const { openSync, renameSync } = fs;
    vi.spyOn(fs, 'openSync').mockImplementation((...args) => {
      opened.push(String(args[0]));
      return openSync(...args);
    });
    vi.spyOn(fs, 'renameSync').mockImplementation((...args) => {
      renamed.push(String(args[1]));
      renameSync(...args);
    });
    syncBuiltinESMExports();
    try {
      await succeed(multiEdit, { edits }, context, session());
    } finally {
      vi.restoreAllMocks();
      syncBuiltinESMExports();
    }
    const paths = Object.keys(files).map((name) => join(root, name));
    expect(opened.filter((path) => !path.endsWith('.tmp'))).toEqual(paths);
    expect(renamed).toEqual(paths);
    expect(paths.map((path) => readFileSync(path, 'utf8'))).toEqual(paths.map(() => 'A B C D E\n'));
    expect(readdirSync(root)).toHaveLength(50);
  });

  it('does what replacing strings one after the other does, and tells on which lines', async () => {
    const piece = fc.string({ unit: fc.constantFrom('a', 'b', '\n', '$&', '中', '😀'), minLength: 1, maxLength: 3 });
    const edit = fc.record({
      old: piece,
      new: fc.string({ unit: fc.constantFrom('a', 'b', '\n', '$1', 'é'), maxLength: 3 }),
      all: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.string({ unit: fc.constantFrom('a', 'b', '\n', '$&', '中', '😀'), maxLength: 30 }),
        fc.array(edit, { minLength: 1, maxLength: 8 }),
        async (before, edits) => {
          const { root, context } = workspace({ 'a.txt': before });
          const lines: (readonly number[] | undefined)[] = [];
          const expected = edits.reduce((current, { old, new: replaced, all }) => {
            const parts = current.split(old);
            const isMade = old !== replaced && parts.length > 1 && (parts.length === 2 || all);
            const before = (index: number) => parts.slice(0, index).join(old).split('\n').length;
            lines.push(isMade ? parts.slice(1).map((_, index) => before(index + 1)) : undefined);
            return isMade ? parts.join(replaced) : current;
          }, before);
          const inputs = edits.map((one) => change('a.txt', one.old, one.new, one.all));
          const { data } = await multiEdit.execute({ edits: inputs }, context);
          expect(text(root, 'a.txt')).toBe(expected);
          expect((data.edits as readonly { lines?: readonly number[] }[]).map((report) => report.lines)).toEqual(lines);
        },
      ),
      { numRuns: 300 },
    );
  });

  it('warns exactly when an edit works on a line that an earlier one wrote', async () => {
    const { context } = workspace({ 'a.ts': 'a1\nb1\nc1\nd1\ne1\n' });
    const edits = [
      change('a.ts', 'b1\n', 'b2\nb3\n'),
      change('a.ts', 'c1', 'c2'),
      change('a.ts', 'a1', 'a2'),
      change('a.ts', 'b3', 'b4'),
      change('a.ts', 'e1', 'e2'),
      change('a.ts', 'd1\ne2', 'd2'),
    ];
    const { data } = await succeed(multiEdit, { edits }, context);
    const warned = (data.edits as readonly { warning: string | null }[]).map(
      ({ warning }) => warning?.match(/edit \d/)?.[0] ?? null,
    );
    expect(warned).toEqual([null, null, null, 'edit 1', null, 'edit 5']);
  });
});

describe('a file that MultiEdit changes', () => {
  it('keeps CRLF, the byte order mark and a missing final newline', async () => {
    const { root, context } = workspace({ 'a.ts': '\uFEFFone\r\ntwo\r\nthree' });
    await succeed(multiEdit, { edits: [change('a.ts', 'one\ntwo', '1\n2\n2½')] }, context);
    expect(text(root, 'a.ts')).toBe('\uFEFF1\r\n2\r\n2½\r\nthree');
  });

  it('keeps each line ending where they are mixed', async () => {
    const { root, context } = workspace({ 'a.ts': 'one\r\ntwo\nthree\r\nfour\r\n' });
    await succeed(
      multiEdit,
      { edits: [change('a.ts', 'two\n', '2\n'), change('a.ts', 'three\nfour', '3\n4')] },
      context,
    );
    expect(text(root, 'a.ts')).toBe('one\r\n2\n3\r\n4\r\n');
  });

  it('keeps its characters whole, whatever part of one is asked for', async () => {
    const { root, context } = workspace({ 'a.txt': '中😀\ufffd é\n' });
    const edits = [change('a.txt', '\ud83d', 'x'), change('a.txt', '\ude00', 'x'), change('a.txt', '😀', '文')];
    const { data } = await succeed(multiEdit, { edits }, context);
    expect(data.edits).toMatchObject([
      { error: { code: 'not-found-in-file' } },
      { error: { code: 'not-found-in-file' } },
      { ok: true },
    ]);
    expect(text(root, 'a.txt')).toBe('中文\ufffd é\n');
  });

  it('keeps its mode', async () => {
    const { root, context } = workspace({ 'run.sh': 'echo 1\n' });
    chmodSync(join(root, 'run.sh'), 0o4751);
    await succeed(multiEdit, { edits: [change('run.sh', '1', '2')] }, context);
    expect((statSync(join(root, 'run.sh')).mode & 0o7777).toString(8)).toBe('4751');
  });

  it.skipIf(skipUnless(process.geteuid?.() === 0, 'only root can give a file to another user'))(
    'keeps its owner',
    async () => {
      const { root, context } = workspace({ 'a.ts': 'a\n' });
      fs.chownSync(join(root, 'a.ts'), 1234, 5678);
      await succeed(multiEdit, { edits: [change('a.ts', 'a', 'b')] }, context);
      expect(statSync(join(root, 'a.ts'))).toMatchObject({ uid: 1234, gid: 5678 });
    },
  );

  it('stays the target of its symbolic link, and is one file by whatever name', async () => {
    const { root, context } = workspace({ 'real/a.ts': 'a b\n' });
    symlinkSync('real/a.ts', join(root, 'link.ts'));
    const { data } = await succeed(
      multiEdit,
      { edits: [change('link.ts', 'a', 'A'), change('real/a.ts', 'A b', 'AB')] },
      context,
    );
    expect(lstatSync(join(root, 'link.ts')).isSymbolicLink()).toBe(true);
    expect(text(root, 'real/a.ts')).toBe('AB\n');
    expect(data.files).toHaveLength(1);
  });

  it('is refused when it is not UTF-8, and stays as it is', async () => {
    const latin = Buffer.from('caf\xe9 au lait\n', 'latin1');
    const { root, context } = workspace({ 'a.txt': latin });
    const { data } = await fail(multiEdit, { edits: [change('a.txt', 'lait', 'the')] }, context);
    expect(data.edits).toMatchObject([{ error: { code: 'not-utf8', message: expect.stringContaining('not UTF-8') } }]);
    expect(readFileSync(join(root, 'a.txt'))).toEqual(latin);
  });

  it('is not written when it changed after it was read', async () => {
    const { root, context } = workspace({ 'a.ts': 'a\n' });
    const within = session();
    await succeed(read, { file_path: 'a.ts' }, context, within);
    writeFileSync(join(root, 'a.ts'), 'a changed\n');
    const { data } = await fail(multiEdit, { edits: [change('a.ts', 'a', 'b')] }, context, within);
    expect(data.edits).toMatchObject([{ error: { code: 'changed-since-read' } }]);
    expect(text(root, 'a.ts')).toBe('a changed\n');
  });

  it('gets one version of the session, however many edits it took', async () => {
    const { context } = workspace({ 'a.ts': 'a b\n' });
    const within = session();
    const { text: said } = await succeed(
      multiEdit,
      { edits: [change('a.ts', 'a', 'A'), change('a.ts', 'b', 'B')] },
      context,
      within,
    );
    expect(said).toMatch(/a\.ts: Version 1$/);
    expect(within.files.list()).toMatchObject([{ version: 1, reason: 'MultiEdit', author: 'agent' }]);
  });

  it('stays off the disk in a virtual session', async () => {
    const { root, context } = workspace({ 'a.ts': 'a b\n' });
    const within = session({ mode: 'virtual' });
    await succeed(multiEdit, { edits: [change('a.ts', 'a', 'A')] }, context, within);
    await succeed(multiEdit, { edits: [change('a.ts', 'A b', 'AB')] }, context, within);
    expect(text(root, 'a.ts')).toBe('a b\n');
    expect(within.files.list().map(({ version, content }) => [version, content.toString()])).toEqual([[2, 'AB\n']]);
  });

  it('has its old or its new content after kill -9', async () => {
    const { root } = workspace();
    mkdirSync(join(root, 'd'));
    const old = `${'old line\n'.repeat(20_000)}`;
    const paths = Array.from({ length: 20 }, (_, index) => join(root, 'd', `f${index}`));
    const program = `
      import { writeAtomically } from ${JSON.stringify(new URL('../../src/tools/atomic-write.ts', import.meta.url).href)};
      import { statSync } from 'node:fs';
      const paths = ${JSON.stringify(paths)};
      const contents = ['old', 'new'].map((word) => Buffer.from((word + ' line\\n').repeat(20000)));
      process.stdout.write('go');
      for (let round = 1; ; round += 1) for (const path of paths) writeAtomically(path, contents[round % 2], statSync(path));
    `;
    const file = join(root, 'program.mts');
    writeFileSync(file, program);
    for (let attempt = 0; attempt < 8; attempt += 1) {
      for (const path of paths) {
        writeFileSync(path, old);
      }
      const child = spawn(process.execPath, ['--import', import.meta.resolve('jiti/register'), file], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      await new Promise((resolve) => child.stdout.once('data', resolve));
      await new Promise((resolve) => setTimeout(resolve, 5 + attempt * 7));
      child.kill('SIGKILL');
      await new Promise((resolve) => child.once('exit', resolve));
      const states = new Set(paths.map((path) => readFileSync(path, 'utf8')));
      expect([...states].every((state) => state === old || state === old.replaceAll('old', 'new'))).toBe(true);
    }
  });
});

describe('an interrupted MultiEdit', () => {
  it('reports the edits that it did not come to', async () => {
    const { root } = workspace({ 'a.ts': 'a\n' });
    const controller = new AbortController();
    const running = multiEdit.execute(
      { edits: [change('a.ts', 'a', 'b')] },
      { ...contextIn(root), signal: controller.signal },
    );
    controller.abort();
    expect(await running).toMatchObject({ ok: false, data: { edits: [{ error: { code: 'interrupted' } }] } });
    expect(text(root, 'a.ts')).toBe('a\n');
  });
});
