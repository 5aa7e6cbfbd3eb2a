import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { edit } from '../../src/tools/edit.ts';
import { pageOfFile, pageOfText } from '../../src/tools/file-page.ts';
import { fileTools } from '../../src/tools/file-tools.ts';
import { multiEdit } from '../../src/tools/multi-edit.ts';
import { read } from '../../src/tools/read.ts';
import { write } from '../../src/tools/write.ts';
import { temporaryDirectory } from '../git/fixture.ts';
import { skipUnless } from '../skip.ts';
import { asOrdinaryUser, contextIn, fail, session, succeed, workspace } from './fixture.ts';

describe('工具错误处理', () => {
  it('文件操作错误', async () => {
    const { root, context } = workspace({ 'src/parser.ts': '' });
    const calls = [
      read.execute({ file_path: 'src/parsr.ts' }, context),
      edit.execute({ file_path: 'src/parsr.ts', old_string: 'a', new_string: 'b' }, context),
    ];
    for (const result of await Promise.all(calls)) {
      expect(result).toMatchObject({
        ok: false,
        error: {
          code: 'file-not-found',
          path: join(root, 'src/parsr.ts'),
          message: `'${join(root, 'src/parsr.ts')}' does not exist.`,
          remedy: `Did you mean '${join(root, 'src/parser.ts')}'?`,
        },
      });
    }
  });

  it('that is a symbolic link to nothing is told as one', async () => {
    const { root, context } = workspace();
    symlinkSync('not/there', join(root, 'link'));
    const { text } = await fail(read, { file_path: 'link' }, context);
    expect(text).toContain(`'${join(root, 'link')}' is a symbolic link to 'not/there', which does not exist.`);
  });

  it('权限错误', async () => {
    const { root, context } = workspace({ 'secret.txt': 'x\n', 'fixed.txt': 'x\n' });
    chmodSync(root, 0o755);
    chmodSync(join(root, 'secret.txt'), 0o000);
    chmodSync(join(root, 'fixed.txt'), 0o444);
    await asOrdinaryUser(async () => {
      const unread = await fail(read, { file_path: 'secret.txt' }, context);
      expect(unread.error).toMatchObject({ code: 'permission-denied', path: join(root, 'secret.txt') });
      // Whose permission it takes depends on who runs the tests.
      expect(unread.text).toMatch(/chmod [ugo]\+r \S*\/secret\.txt\b/);
      const unwritten = await fail(edit, { file_path: 'fixed.txt', old_string: 'x', new_string: 'y' }, context);
      expect(unwritten.error.code).toBe('permission-denied');
      expect(unwritten.text).toMatch(/chmod [ugo]\+w \S*\/fixed\.txt\b/);
    });
    expect(readFileSync(join(root, 'fixed.txt'), 'utf8')).toBe('x\n');
  });

  it.skipIf(skipUnless(existsSync('/proc/self'), 'where no file can be made: there is no /proc'))(
    'that can be made nowhere is refused, and does not hang',
    async () => {
      const { error } = await fail(write, { file_path: '/proc/none/a.txt', content: '' }, contextIn('/'));
      expect(error).toMatchObject({ path: '/proc/none/a.txt', message: expect.stringContaining("'/proc/none") });
    },
  );

  it.skipIf(skipUnless(process.geteuid?.() === 0, 'only root can give a file to another user'))(
    'says how to permit what belongs to somebody else',
    async () => {
      const { root, context } = workspace({ 'a.txt': 'x\n' });
      chmodSync(root, 0o755);
      chownSync(join(root, 'a.txt'), 1234, 5678);
      chmodSync(join(root, 'a.txt'), 0o600);
      await asOrdinaryUser(async () => {
        const { text } = await fail(read, { file_path: 'a.txt' }, context);
        expect(text).toContain(`sudo chmod o+r ${join(root, 'a.txt')}`);
      });
    },
  );

  it('that was written but could not be kept in the history is told so', async () => {
    const { root, context } = workspace();
    const full = Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
    const within = session({
      onVersion: () => {
        throw full;
      },
    });
    const { text, error } = await fail(write, { file_path: 'a.txt', content: 'x' }, context, within);
    expect(error.code).toBe('version-not-kept');
    expect(text).toContain('was written, but the session could not keep its version (ENOSPC');
    expect(readFileSync(join(root, 'a.txt'), 'utf8')).toBe('x');
  });

  it('names the directory that forbids a new file, and still changes a file that is writable there', async () => {
    const { root, context } = workspace({ 'locked/open.txt': 'x\n' });
    chmodSync(root, 0o755);
    chmodSync(join(root, 'locked/open.txt'), 0o666);
    chmodSync(join(root, 'locked'), 0o555);
    await asOrdinaryUser(async () => {
      const { error } = await fail(write, { file_path: 'locked/new.txt', content: '' }, context);
      expect(error.message).toContain(`permission denied in the directory '${join(root, 'locked')}'`);
      expect(error.remedy).toMatch(/chmod [ugo]\+rwx \S*\/locked\b/);
      await succeed(edit, { file_path: 'locked/open.txt', old_string: 'x', new_string: 'y' }, context);
    });
    expect(readFileSync(join(root, 'locked/open.txt'), 'utf8')).toBe('y\n');
    expect(readdirSync(join(root, 'locked'))).toEqual(['open.txt']);
  });

  it('无效输入', async () => {
    const { context } = workspace();
    const { error, text } = await fail(
      multiEdit,
      { edits: [{ file_path: 'a.ts', old_string: 1, new_string: '' }] },
      context,
    );
    expect(error.code).toBe('invalid-input');
    expect(text).toContain('`edits.0.old_string` must be a text (for example "const port = 80;"), but is 1');
    expect(text).toContain('A valid input: {"edits":[{"file_path"');
  });
});

describe('Read', () => {
  it('numbers the lines and pages through them', async () => {
    const { context } = workspace({
      'a.txt': Array.from({ length: 10 }, (_, index) => `line ${index + 1}\n`).join(''),
    });
    const { text, data } = await succeed(read, { file_path: 'a.txt', offset: 4, limit: 2 }, context);
    expect(text).toBe('4\tline 4\n5\tline 5\n[Lines 4–5 of 10; go on with offset 6.]');
    expect(data).toMatchObject({ first_line: 4, lines: 2, total_lines: 10, truncated: true });
  });

  it('shows a whole small file without a notice', async () => {
    const { context } = workspace({ 'a.txt': '\uFEFFone\r\ntwo' });
    expect((await succeed(read, { file_path: 'a.txt' }, context)).text).toBe('1\tone\n2\ttwo');
  });

  it('cuts long lines and says so', async () => {
    const { context } = workspace({ 'a.js': `${'x'.repeat(5_000)}\nshort\n` });
    const { text } = await succeed(read, { file_path: 'a.js' }, context);
    expect(text).toMatch(/^1\tx{2000}… \[line cut\]\n2\tshort\n\[1 long line was cut; Grep finds what was left out/);
  });

  it('says that a file is empty, and when a line is past the end', async () => {
    const { context } = workspace({ 'empty.txt': '', 'a.txt': 'one\n' });
    expect((await succeed(read, { file_path: 'empty.txt' }, context)).text).toBe('[The file is empty.]');
    const { error } = await fail(read, { file_path: 'a.txt', offset: 5 }, context);
    expect(error).toMatchObject({ code: 'past-end', remedy: 'Use an `offset` of at most 1.' });
  });

  it('refuses binary files and images politely', async () => {
    const { context } = workspace({
      'a.png': Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 1]),
      'a.bin': Buffer.from([1, 0, 2]),
    });
    expect((await fail(read, { file_path: 'a.png' }, context)).error.message).toContain('is a PNG image');
    expect((await fail(read, { file_path: 'a.bin' }, context)).error).toMatchObject({
      code: 'binary-file',
      remedy: expect.stringContaining('xxd'),
    });
  });

  it('shows other encodings as Latin-1, with a notice', async () => {
    const { context } = workspace({ 'a.txt': Buffer.from('caf\xe9\n', 'latin1') });
    expect((await succeed(read, { file_path: 'a.txt' }, context)).text).toMatch(/^1\tcafé\n\[The file is not UTF-8/);
  });

  it('lists a directory instead of failing blindly', async () => {
    const { context } = workspace({ 'src/a.ts': '', 'src/deep/b.ts': '' });
    const { error } = await fail(read, { file_path: 'src' }, context);
    expect(error).toMatchObject({ code: 'is-a-directory', remedy: 'It has:\na.ts\ndeep/' });
  });

  it('renders a notebook by cell', async () => {
    const notebook = {
      cells: [
        { cell_type: 'markdown', id: 'intro', metadata: {}, source: ['# Title\n', 'text'] },
        {
          cell_type: 'code',
          metadata: {},
          source: '1 + 1',
          execution_count: 1,
          outputs: [{ output_type: 'execute_result', data: { 'text/plain': ['2'], 'image/png': 'AAAA' } }],
        },
      ],
      metadata: {},
      nbformat: 4,
      nbformat_minor: 5,
    };
    const { context } = workspace({ 'a.ipynb': JSON.stringify(notebook) });
    expect((await succeed(read, { file_path: 'a.ipynb' }, context)).text).toBe(
      [
        '<cell number="0" id="intro" type="markdown">',
        '# Title',
        'text',
        '</cell>',
        '<cell number="1" type="code">',
        '1 + 1',
        '<output>',
        '2',
        '[also: image/png]',
        '</output>',
        '</cell>',
      ].join('\n'),
    );
  });

  it('does not wait for a pipe', async () => {
    const { root, context } = workspace();
    execFileSync('mkfifo', [join(root, 'pipe')]);
    expect((await fail(read, { file_path: 'pipe' }, context)).error.code).toBe('not-a-file');
  });

  it('takes the same page from a file that streams by as from a text in memory', () => {
    const file = join(temporaryDirectory(), 'a.txt');
    const line = fc.oneof(
      fc.string({ unit: fc.constantFrom('a', '中', '\r'), maxLength: 5 }),
      fc.nat(3_000).map((length) => 'é'.repeat(length)),
    );
    fc.assert(
      fc.property(
        fc.array(line, { maxLength: 12 }),
        fc.boolean(),
        fc.integer({ min: 1, max: 14 }),
        fc.integer({ min: 1, max: 5 }),
        (lines, ended, firstLine, lineCount) => {
          const text = lines.join('\n') + (ended && lines.length > 0 ? '\n' : '');
          writeFileSync(file, text);
          expect(pageOfFile(file, { firstLine, lineCount })).toEqual(pageOfText(text, { firstLine, lineCount }));
        },
      ),
      { numRuns: 300 },
    );
  });

  it('takes a page across the chunks of a huge file', () => {
    const file = join(temporaryDirectory(), 'a.txt');
    const text = `${'x'.repeat(3_000_000)}\n${'line\n'.repeat(500_000)}${'y'.repeat(1_500_000)}`;
    writeFileSync(file, text);
    for (const firstLine of [1, 250_000, 499_999, 500_001]) {
      expect(pageOfFile(file, { firstLine, lineCount: 3 })).toEqual(pageOfText(text, { firstLine, lineCount: 3 }));
    }
  });
});

describe('Write', () => {
  it('makes version after version and says so in the words of the session', async () => {
    const { root, context } = workspace();
    const within = session();
    expect((await succeed(write, { file_path: 'src/main.go', content: 'package main\n' }, context, within)).text).toBe(
      'File src/main.go written (Version 1)',
    );
    expect((await succeed(write, { file_path: 'src/main.go', content: 'package x\n' }, context, within)).text).toBe(
      'File src/main.go written (Version 2)',
    );
    expect(readFileSync(join(root, 'src/main.go'), 'utf8')).toBe('package x\n');
    expect(within.files.history(join(root, 'src/main.go'))).toMatchObject([
      { version: 1, author: 'agent', reason: 'Write' },
      { version: 2 },
    ]);
  });

  it('overwrites in a session only what was read', async () => {
    const { root, context } = workspace({ 'a.ts': 'precious\n' });
    const within = session();
    const refused = await fail(write, { file_path: 'a.ts', content: 'x' }, context, within);
    expect(refused.error).toMatchObject({ code: 'not-read', remedy: expect.stringContaining('Read it first') });
    await succeed(read, { file_path: 'a.ts' }, context, within);
    await succeed(write, { file_path: 'a.ts', content: 'new\n' }, context, within);
    expect(readFileSync(join(root, 'a.ts'), 'utf8')).toBe('new\n');
  });

  it('does not overwrite what somebody changed since it was read', async () => {
    const { root, context } = workspace({ 'a.ts': 'one\n' });
    const within = session();
    await succeed(read, { file_path: 'a.ts' }, context, within);
    writeFileSync(join(root, 'a.ts'), 'theirs\n');
    expect((await fail(write, { file_path: 'a.ts', content: 'x' }, context, within)).error.code).toBe(
      'changed-since-read',
    );
    expect(readFileSync(join(root, 'a.ts'), 'utf8')).toBe('theirs\n');
  });

  it('does not mind a file that was touched but not changed', async () => {
    const { root, context } = workspace({ 'a.ts': 'one\n' });
    const within = session();
    await succeed(read, { file_path: 'a.ts' }, context, within);
    writeFileSync(join(root, 'a.ts'), 'one\n');
    await succeed(write, { file_path: 'a.ts', content: 'two\n' }, context, within);
  });

  it('names both versions when a subagent wrote in between', async () => {
    const { context } = workspace();
    const main = session();
    const subagent = { ...main, author: 'subagent-7' };
    await succeed(write, { file_path: 'a.ts', content: '1' }, context, main);
    await succeed(read, { file_path: 'a.ts' }, context, subagent);
    await succeed(write, { file_path: 'a.ts', content: '2' }, context, subagent);
    const { error } = await fail(write, { file_path: 'a.ts', content: '3' }, context, main);
    expect(error.code).toBe('version-conflict');
    expect(error.message).toContain('is at version 2 (by subagent-7), but this change was made from version 1');
  });

  it('keeps the disk as it is in a virtual session, which reads its own versions', async () => {
    const { root, context } = workspace();
    const within = session({ mode: 'virtual' });
    await succeed(write, { file_path: 'new/a.ts', content: 'virtual\n' }, context, within);
    expect((await succeed(read, { file_path: 'new/a.ts' }, context, within)).text).toBe('1\tvirtual');
    await succeed(edit, { file_path: 'new/a.ts', old_string: 'virtual', new_string: 'changed' }, context, within);
    expect(within.files.latest(join(root, 'new/a.ts'))).toMatchObject({ version: 2 });
    expect(statSync(join(root, 'new'), { throwIfNoEntry: false })).toBeUndefined();
  });

  it('refuses a directory, and a path below a file', async () => {
    const { context } = workspace({ 'src/a.ts': '' });
    expect((await fail(write, { file_path: 'src', content: '' }, context)).error.code).toBe('is-a-directory');
    expect((await fail(write, { file_path: 'src/a.ts/b.ts', content: '' }, context)).error.code).toBe(
      'not-a-directory',
    );
  });
});

describe('Edit', () => {
  it('replaces a unique text', async () => {
    const { root, context } = workspace({ 'a.ts': 'let a = 1;\nlet b = 1;\n' });
    const { text } = await succeed(
      edit,
      { file_path: 'a.ts', old_string: 'b = 1', new_string: 'b = $&' },
      context,
      session(),
    );
    expect(text).toBe('File a.ts edited (Version 1): 1 replacement, line 2');
    expect(readFileSync(join(root, 'a.ts'), 'utf8')).toBe('let a = 1;\nlet b = $&;\n');
  });

  it('names the lines of a text that is not unique, and replaces all when asked to', async () => {
    const { root, context } = workspace({ 'a.ts': 'x\ny\nx\n' });
    const input = { file_path: 'a.ts', old_string: 'x', new_string: 'z' };
    const { error } = await fail(edit, input, context);
    expect(error.message).toContain('occurs 2 times');
    expect(error.message).toContain('(lines 1, 3)');
    await succeed(edit, { ...input, replace_all: true }, context);
    expect(readFileSync(join(root, 'a.ts'), 'utf8')).toBe('z\ny\nz\n');
  });

  it.each([
    ['  const a = 1;\n  return a;', 'white space differs, at line 2.', 'const a = 1;\n\treturn a;'],
    ['2\t\tconst a = 1;', 'the line numbers of a Read result were copied along, at line 2.', 'const a = 1;'],
    ['CONST a = 1;', 'letter case differs, at line 2.', 'const a = 1;'],
    ['const b = 12;', 'the nearest text differs, at line 2.', 'const a = 1;'],
    ['something else altogether', 'nor does anything like it.', 'Read the file'],
  ])('shows the nearest text when %j does not occur', async (old_string, because, there) => {
    const { context } = workspace({ 'a.ts': 'function f() {\n\tconst a = 1;\n\treturn a;\n}\n' });
    const { error } = await fail(edit, { file_path: 'a.ts', old_string, new_string: 'x' }, context);
    expect(error.code).toBe('not-found-in-file');
    expect(error.message).toContain(because);
    expect(error.remedy).toContain(there);
  });

  it.each([
    ['', 'x', 'empty-old-string'],
    ['a', 'a', 'nothing-to-change'],
  ])('refuses %j to %j', async (old_string, new_string, code) => {
    const { context } = workspace({ 'a.ts': 'a\n' });
    expect((await fail(edit, { file_path: 'a.ts', old_string, new_string }, context)).error.code).toBe(code);
  });
});

describe('a huge file', () => {
  it('is not loaded for editing, and is searched for a page as it streams by', async () => {
    const { root, context } = workspace({ 'huge.log': 'first line\n' });
    truncateSync(join(root, 'huge.log'), 300 * 1024 * 1024);
    const { error } = await fail(edit, { file_path: 'huge.log', old_string: 'first', new_string: 'x' }, context);
    expect(error).toMatchObject({
      code: 'too-big',
      message: expect.stringContaining('300.0 MiB'),
      remedy: expect.any(String),
    });
    writeFileSync(join(root, 'large.log'), 'line\n'.repeat(4_000_000));
    const { text } = await succeed(read, { file_path: 'large.log', offset: 3_999_999, limit: 1 }, context, session());
    expect(text).toBe('3999999\tline\n[Lines 3999999–3999999 of 4000000; go on with offset 4000000.]');
  });
});

describe('every file tool', () => {
  it('says what it does, and which paths an input would touch', () => {
    const effects = Object.fromEntries(fileTools.map(({ name, effect }) => [name, effect]));
    expect(effects).toEqual({
      Read: 'reads',
      Write: 'changes',
      Edit: 'changes',
      MultiEdit: 'changes',
      NotebookEdit: 'changes',
      Glob: 'reads',
      Grep: 'reads',
      AskUserQuestion: 'asks',
    });
    const change = { file_path: 'a.ts', old_string: 'a', new_string: 'b' };
    expect(multiEdit.touches({ edits: [change, { ...change, file_path: '/b.ts' }, change] }, '/project')).toEqual([
      { path: '/project/a.ts', access: 'write', edited: 'a\nb\na\nb\n' },
      { path: '/b.ts', access: 'write', edited: 'a\nb\n' },
    ]);
    expect(fileTools.find(({ name }) => name === 'Glob')?.touches({ pattern: '*' }, '/project')).toEqual([
      { path: '/project', access: 'read' },
    ]);
  });

  it('shows its fields to the model as plain JSON Schema', () => {
    for (const { name, parameters } of fileTools) {
      expect([name, parameters.type, parameters.additionalProperties]).toEqual([name, 'object', false]);
      for (const [field, schema] of Object.entries(parameters.properties as Record<string, { type?: unknown }>)) {
        expect([name, field, typeof schema.type]).toEqual([name, field, 'string']);
      }
    }
  });
});

describe('where file tools may work', () => {
  it('is below the roots of the session', async () => {
    const { root, context } = workspace();
    const { error } = await fail(read, { file_path: '../other/x' }, context);
    expect(error).toMatchObject({ code: 'outside-of-tree', message: expect.stringContaining(root) });
    expect((await fail(read, { file_path: '/etc/hostname' }, context)).error.code).toBe('outside-of-tree');
    expect((await fail(read, { file_path: `${root}-not/x` }, context)).error.code).toBe('outside-of-tree');
  });

  it('does not go through symbolic links to other places, not even to make a file there', async () => {
    const { root, context } = workspace();
    const outside = temporaryDirectory();
    symlinkSync(outside, join(root, 'link'));
    symlinkSync(join(outside, 'new.txt'), join(root, 'dangling'));
    for (const file_path of ['link/new.txt', 'dangling', 'link']) {
      const { error } = await fail(write, { file_path, content: 'x' }, context);
      expect(error.code).toBe('symlink-out-of-tree');
      expect(error.message).toContain(outside);
    }
    expect(statSync(join(outside, 'new.txt'), { throwIfNoEntry: false })).toBeUndefined();
  });

  it('can be reached by a root that is itself a symbolic link', async () => {
    const { root } = workspace({ 'a.txt': 'x\n' });
    const link = join(temporaryDirectory(), 'project');
    symlinkSync(root, link);
    await succeed(read, { file_path: 'a.txt' }, contextIn(link));
  });

  it('makes the target of a dangling link, not a file in its place', async () => {
    const { root, context } = workspace();
    symlinkSync('later.txt', join(root, 'link'));
    await succeed(write, { file_path: 'link', content: 'x' }, context);
    expect(readFileSync(join(root, 'later.txt'), 'utf8')).toBe('x');
  });

  it('names links that point at each other', async () => {
    const { root, context } = workspace();
    symlinkSync('b', join(root, 'a'));
    symlinkSync('a', join(root, 'b'));
    expect((await fail(read, { file_path: 'a' }, context)).error.code).toBe('symlink-loop');
  });

  it('excludes git’s own files for writing', async () => {
    const { root, context } = workspace({ '.git/config': '[core]\n' });
    for (const file_path of ['.git/hooks/pre-push', '.git/config', 'sub/.GIT/config']) {
      const { error } = await fail(write, { file_path, content: 'x' }, context);
      expect(error).toMatchObject({ code: 'inside-git-directory', remedy: expect.stringContaining('git config') });
    }
    await succeed(read, { file_path: '.git/config' }, context);
    mkdirSync(join(root, '.github'));
    await succeed(write, { file_path: '.github/ci.yml', content: 'x' }, context);
    await succeed(write, { file_path: '.gitignore', content: 'x' }, context);
  });
});
