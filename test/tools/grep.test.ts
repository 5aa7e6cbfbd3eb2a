import { spawnSync } from 'node:child_process';
import { symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { glob } from '../../src/tools/glob.ts';
import { grep } from '../../src/tools/grep.ts';
import { read } from '../../src/tools/read.ts';
import { write } from '../../src/tools/write.ts';
import { temporaryDirectory } from '../git/fixture.ts';
import { contextIn, fail, session, succeed, workspace } from './fixture.ts';

const project = () =>
  workspace({
    'src/a.ts': 'import x\n\nfunction one() {\n  return x;\n}\n',
    'src/b.ts': 'function two() {}\nfunction three() {}\n',
    'src/c.js': 'function four() {}\n',
    'dist/d.ts': 'function built() {}\n',
    '.gitignore': 'dist\n',
    'image.ts': Buffer.from('function\0binary'),
  });

describe('Grep', () => {
  it('names the files that match, newest first', async () => {
    const { root, context } = project();
    utimesSync(join(root, 'src/b.ts'), 1_800_000_000, 1_800_000_000);
    utimesSync(join(root, 'src/c.js'), 1_600_000_000, 1_600_000_000);
    const { text, data } = await succeed(grep, { pattern: 'function' }, context);
    expect(text).toBe('src/b.ts\nsrc/a.ts\nsrc/c.js');
    expect(data).toMatchObject({ total_files: 3, truncated: false });
  });

  it('follows no symbolic link: what it leads to may lie outside', async () => {
    const outside = temporaryDirectory();
    writeFileSync(join(outside, 'key'), 'KEY outside\n');
    const { root, context } = workspace({ 'a.txt': 'KEY inside\n' });
    symlinkSync(join(outside, 'key'), join(root, 'link'));
    symlinkSync(outside, join(root, 'directory'));
    symlinkSync('a.txt', join(root, 'same'));
    const { text } = await succeed(grep, { pattern: 'KEY', output_mode: 'content' }, context);
    expect(text).toBe('a.txt:1:KEY inside');
    const named = await fail(grep, { pattern: 'KEY', path: 'link', output_mode: 'content' }, context);
    expect(named.error.code).toBe('symlink-out-of-tree');
  });

  it('searches from the root of the file system, too', async () => {
    const { root } = workspace({ 'a.txt': 'KEY inside\n' });
    const input = { pattern: 'KEY', path: join(root, 'a.txt'), output_mode: 'content' };
    expect((await succeed(grep, input, contextIn('/'))).text).toContain('a.txt:1:KEY inside');
  });

  it('shows matching lines with their neighbours and numbers', async () => {
    const { context } = project();
    const input = { pattern: 'function (one|two)', output_mode: 'content', '-C': 1 };
    expect((await succeed(grep, input, context)).text).toBe(
      [
        'src/a.ts-2-',
        'src/a.ts:3:function one() {',
        'src/a.ts-4-  return x;',
        '--',
        'src/b.ts:1:function two() {}',
        'src/b.ts-2-function three() {}',
      ].join('\n'),
    );
    const bare = { pattern: 'TWO', output_mode: 'content', '-n': false, '-i': true };
    expect((await succeed(grep, bare, context)).text).toBe('src/b.ts:function two() {}');
  });

  it('counts the matching lines of each file', async () => {
    const { context } = project();
    expect((await succeed(grep, { pattern: 'function', output_mode: 'count' }, context)).text).toBe(
      'src/a.ts:1\nsrc/b.ts:2\nsrc/c.js:1',
    );
  });

  it('searches files of a type, of a glob, in a directory, or one file', async () => {
    const { context } = project();
    const files = async (input: object) =>
      (await succeed(grep, { pattern: 'function', output_mode: 'count', ...input }, context)).text.replace(/:\d+/g, '');
    expect(await files({ type: 'js' })).toBe('src/c.js');
    expect(await files({ glob: '*.{js,rs}' })).toBe('src/c.js');
    expect(await files({ glob: '!*.ts' })).toBe('src/c.js');
    expect(await files({ glob: 'src/b*' })).toBe('src/b.ts');
    expect(await files({ path: 'src', type: 'js' })).toBe('src/c.js');
    expect(await files({ path: 'src/b.ts' })).toBe('src/b.ts');
    expect(await files({ type: 'ts', include_ignored: true })).toBe('dist/d.ts\nsrc/a.ts\nsrc/b.ts');
  });

  it('finds matches that span lines when asked to', async () => {
    const { context } = project();
    const input = { pattern: 'one.*?return', output_mode: 'content' };
    expect((await succeed(grep, input, context)).text).toBe('[No match.]');
    expect((await succeed(grep, { ...input, multiline: true }, context)).text).toBe(
      'src/a.ts:3:function one() {\nsrc/a.ts:4:  return x;',
    );
  });

  it('shows the first matches only, and says so', async () => {
    const { context } = workspace({ 'a.txt': 'x\n'.repeat(500) });
    const { text, data } = await succeed(grep, { pattern: 'x', output_mode: 'content', head_limit: 2 }, context);
    expect(text).toMatch(/^a\.txt:1:x\na\.txt:2:x\n\[Only the first 2 are shown;/);
    expect(data.truncated).toBe(true);
  });

  it('shows the part of a long line around its match', async () => {
    const { context } = workspace({ 'a.min.js': `${'a'.repeat(90_000)}needle${'b'.repeat(90_000)}` });
    const { text } = await succeed(grep, { pattern: 'needle', output_mode: 'content' }, context);
    expect(text).toContain('needle');
    expect(text.length).toBeLessThan(600);
  });

  it('gives up on a pattern that takes forever', async () => {
    const { context } = workspace({ 'a.txt': `${'a'.repeat(60)}!\n` });
    const { error } = await fail(grep, { pattern: '^(a+)+$', path: 'a.txt' }, context);
    expect(error).toMatchObject({ code: 'pattern-too-slow', message: expect.stringContaining("at 'a.txt'") });
  });

  it.each([
    [{ pattern: '(' }, 'invalid-pattern', 'is no regular expression'],
    [{ pattern: 'x', glob: '../*' }, 'invalid-pattern', 'leads upwards'],
    [{ pattern: 'x', type: 'typescript' }, 'unknown-type', 'The types are'],
    [{ pattern: 'x', path: 'scr' }, 'file-not-found', 'Did you mean'],
    [{ pattern: 'x', path: '/etc' }, 'outside-of-tree', 'outside of'],
    [{ pattern: 'x', '-A': -1 }, 'invalid-input', '`-A` must be at least 0'],
  ])('says what is wrong with %j', async (input, code, text) => {
    const failed = await fail(grep, input, project().context);
    expect(failed.error.code).toBe(code);
    expect(failed.text).toContain(text);
  });

  it('takes escapes that Unicode mode refuses, and inline flags of other engines', async () => {
    const { context } = workspace({ 'a.txt': 'a-b {x}\nÄ\n' });
    for (const pattern of ['a\\-b', '\\{x}', '(?i)A-B', '\\p{Lu}']) {
      expect((await succeed(grep, { pattern, output_mode: 'count' }, context)).text).toBe('a.txt:1');
    }
  });

  it('prints what grep prints', async () => {
    const root = temporaryDirectory();
    const text = fc.array(fc.string({ unit: fc.constantFrom('a', 'b', ' '), maxLength: 4 }), { maxLength: 15 });
    const pattern = fc.constantFrom('a', 'ab', '^a', 'b$', 'a.b', 'a|b b', '^$', '[^a]', 'a b', ' +b');
    await fc.assert(
      fc.asyncProperty(
        text,
        pattern,
        fc.nat(2),
        fc.nat(2),
        fc.boolean(),
        async (lines, sought, before, after, ended) => {
          writeFileSync(join(root, 'a.txt'), lines.join('\n') + (ended && lines.length > 0 ? '\n' : ''));
          const input = { pattern: sought, output_mode: 'content', '-A': after, '-B': before, path: 'a.txt' };
          const { text: ours } = await succeed(grep, input, contextIn(root));
          // Asked for no neighbours, grep still separates its groups.
          const around = before + after === 0 ? [] : [`-A${after}`, `-B${before}`];
          const theirs = spawnSync('grep', ['-HnE', ...around, sought, 'a.txt'], {
            cwd: root,
            encoding: 'utf8',
          });
          expect(ours === '[No match.]' ? '' : ours).toBe(theirs.stdout.replace(/\n$/, ''));
        },
      ),
      { numRuns: 200 },
    );
  });
});

describe('a virtual session', () => {
  it('searches its own versions instead of the disk', async () => {
    const { context } = project();
    const within = session({ mode: 'virtual' });
    await succeed(read, { file_path: 'src/b.ts' }, context, within);
    await succeed(write, { file_path: 'src/b.ts', content: 'const changed = 1;\n' }, context, within);
    await succeed(write, { file_path: 'new/e.ts', content: 'function five() {}\n' }, context, within);
    const found = await succeed(grep, { pattern: 'function', output_mode: 'count' }, context, within);
    expect(found.text).toBe('new/e.ts:1\nsrc/a.ts:1\nsrc/c.js:1');
    expect((await succeed(grep, { pattern: 'changed', path: 'src/b.ts' }, context, within)).text).toBe('src/b.ts');
    expect((await succeed(grep, { pattern: 'five', path: 'new' }, context, within)).text).toBe('new/e.ts');
    const listed = await succeed(glob, { pattern: '{new,src}/*.ts' }, context, within);
    expect(listed.data.files).toEqual(['new/e.ts', 'src/b.ts', 'src/a.ts']);
    expect((await succeed(glob, { pattern: '*', path: 'new' }, context, within)).data.files).toEqual(['e.ts']);
  });
});
