import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { glob } from '../../src/tools/glob.ts';
import { compileGlob } from '../../src/tools/glob-pattern.ts';
import { emptyRepository, git, temporaryDirectory } from '../git/fixture.ts';
import { asOrdinaryUser, contextIn, fail, succeed, workspace } from './fixture.ts';

/** Files of the same names, each a second older than the one before it. */
function aged(names: readonly string[]): ReturnType<typeof workspace> {
  const made = workspace(Object.fromEntries(names.map((name) => [name, ''])));
  names.forEach((name, index) => {
    utimesSync(join(made.root, name), 1_700_000_000 - index, 1_700_000_000 - index);
  });
  return made;
}

const files = async (root: string, input: Readonly<Record<string, unknown>>) =>
  (await succeed(glob, input, contextIn(root))).data.files as readonly string[];

describe('Glob', () => {
  it('基础模式匹配', async () => {
    const { root } = aged(['src/new.rs', 'main.rs', 'src/deep/old.rs', 'readme.md']);
    expect(await files(root, { pattern: '**/*.rs' })).toEqual(['src/new.rs', 'main.rs', 'src/deep/old.rs']);
    utimesSync(join(root, 'src/deep/old.rs'), 1_800_000_000, 1_800_000_000);
    expect(await files(root, { pattern: '**/*.rs' })).toEqual(['src/deep/old.rs', 'src/new.rs', 'main.rs']);
  });

  it('指定目录搜索', async () => {
    const { root } = aged(['src/lib.rs', 'src/deep/x.rs', 'main.rs']);
    expect(await files(root, { pattern: '*.rs', path: 'src/' })).toEqual(['lib.rs']);
  });

  it('复杂模式匹配', async () => {
    const { root } = aged(['a_test.rs', 'src/test_b.rs', 'src/deep/ctestd.rs', 'src/main.rs', 'test.md']);
    expect(await files(root, { pattern: '**/*test*.rs' })).toEqual([
      'a_test.rs',
      'src/test_b.rs',
      'src/deep/ctestd.rs',
    ]);
  });

  it('无匹配结果', async () => {
    const { context } = aged(['a.ts']);
    const { data, text } = await succeed(glob, { pattern: 'none/**/*.xyz' }, context);
    expect(data).toMatchObject({ files: [], total: 0, truncated: false });
    expect(text).toBe('[No file matches.]');
  });

  it('Glob 大型代码库', async () => {
    const root = temporaryDirectory();
    for (let directory = 0; directory < 50; directory += 1) {
      mkdirSync(join(root, `d${directory}`));
      for (let file = 0; file < 100; file += 1) {
        writeFileSync(join(root, `d${directory}`, `f${file}.ts`), '');
      }
    }
    const { data, text } = await succeed(glob, { pattern: '**/*.ts', limit: 100 }, contextIn(root));
    expect(data).toMatchObject({ total: 5_000, truncated: true });
    expect(data.files).toHaveLength(100);
    expect(text).toContain('[5000 files match; these are the 100 newest.');
  });

  it('leaves out what git ignores, unless it is asked to include it', async () => {
    const { root } = aged(['a.ts', 'dist/b.ts', 'src/keep.log.ts', 'src/x.log', 'src/important.log']);
    writeFileSync(join(root, '.gitignore'), 'dist/\n*.log\n');
    writeFileSync(join(root, 'src/.gitignore'), '!important.log\n');
    expect(await files(root, { pattern: '**/*.{ts,log}' })).toEqual(['a.ts', 'src/keep.log.ts', 'src/important.log']);
    expect(await files(root, { pattern: '**/*.{ts,log}', include_ignored: true })).toHaveLength(5);
    expect(await files(root, { pattern: '*.ts', path: 'dist' })).toEqual(['b.ts']);
  });

  it('knows the ignore rules above the directory, of the repository and of the person', async () => {
    const work = emptyRepository();
    for (const name of ['src/a.ts', 'src/b.ts', 'src/c.ts', 'src/d.ts']) {
      mkdirSync(dirname(join(work, name)), { recursive: true });
      writeFileSync(join(work, name), '');
    }
    writeFileSync(join(work, '.gitignore'), 'src/a.ts\n');
    writeFileSync(join(work, '.git/info/exclude'), 'b.ts\n');
    writeFileSync(join(work, '../ignore'), '/src/c.ts\n');
    git(work, 'config', 'core.excludesFile', join(work, '../ignore'));
    expect(await files(join(work, 'src'), { pattern: '*' })).toEqual(['d.ts']);
  });

  it('matches names that begin with a dot, and never enters .git', async () => {
    const { root } = aged(['.github/ci.yml', '.env.yml', '.git/config.yml', 'sub/.git/x.yml']);
    expect(await files(root, { pattern: '**/*.yml' })).toEqual(['.github/ci.yml', '.env.yml']);
  });

  it('takes a pattern that is absolute', async () => {
    const { root, context } = aged(['src/a.ts']);
    expect(await files(root, { pattern: join(root, 'src/*.ts') })).toEqual(['src/a.ts']);
    const { error } = await fail(glob, { pattern: '/etc/*' }, context);
    expect(error).toMatchObject({ code: 'invalid-pattern', message: expect.stringContaining(`outside of '${root}'`) });
  });

  it('survives symbolic links that lead in circles', async () => {
    const { root } = aged(['a/x.ts']);
    symlinkSync('..', join(root, 'a/up'));
    symlinkSync('self', join(root, 'self'));
    expect(await files(root, { pattern: '**/*.ts' })).toEqual(['a/x.ts']);
  });

  it('says which directories it could not search', async () => {
    const { root, context } = aged(['open/a.ts', 'locked/b.ts']);
    chmodSync(root, 0o755);
    chmodSync(join(root, 'locked'), 0o000);
    const { data, text } = await asOrdinaryUser(() => succeed(glob, { pattern: '**/*.ts' }, context));
    chmodSync(join(root, 'locked'), 0o755);
    expect(data).toMatchObject({ files: ['open/a.ts'], unreadable: ['locked'] });
    expect(text).toContain('[Not searched, permission denied: locked]');
  });

  it('says why a directory cannot be searched', async () => {
    const { context } = aged(['src/a.ts']);
    expect((await fail(glob, { pattern: '*', path: 'scr' }, context)).text).toContain('Did you mean');
    expect((await fail(glob, { pattern: '*', path: 'src/a.ts' }, context)).error.code).toBe('not-a-directory');
    expect((await fail(glob, { pattern: '../*' }, context)).text).toContain('use `path` for the directory to search');
  });

  it('lists what git lists, whatever the ignore rules', async () => {
    const name = fc.constantFrom('a', 'b', 'ab', 'a.log', '.x', 'a b', '[a]');
    const rule = fc.constantFrom(
      ...[
        'a',
        '/a',
        'a/',
        'b/a',
        '*.log',
        '!a.log',
        '!a',
        'a*',
        '**/a',
        'a/**',
        '/b/**/a',
        '[ab]',
        '[!a]',
        '\\[a\\]',
        '.x',
        '# a',
        '',
        'a b ',
        '*',
        '!*/',
        '/*',
        'b/*',
        '!/b/ab',
        '?',
        'a**',
        '**',
      ],
    );
    const path = fc.array(name, { minLength: 1, maxLength: 3 });
    await fc.assert(
      fc.asyncProperty(
        fc.array(path, { minLength: 1, maxLength: 8 }),
        fc.array(rule, { maxLength: 4 }),
        fc.array(rule, { maxLength: 3 }),
        fc.array(name, { maxLength: 1 }),
        async (paths, rules, inner, where) => {
          const work = emptyRepository();
          for (const parts of paths) {
            tryWrite(join(work, ...parts), '');
          }
          tryWrite(join(work, '.gitignore'), rules.join('\n'));
          tryWrite(join(work, ...where, '.gitignore'), inner.join('\n'));
          const listed = execFileSync('git', ['ls-files', '-o', '--exclude-standard', '-z'], {
            cwd: work,
            encoding: 'utf8',
          });
          expect([...(await files(work, { pattern: '**' }))].sort()).toEqual(
            listed
              .split('\0')
              .filter((one) => one !== '')
              .sort(),
          );
        },
      ),
      { numRuns: 150 },
    );
  });
});

function tryWrite(file: string, content: string): void {
  try {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
  } catch {
    // Another path of the same run made a file where this one has a directory.
  }
}

describe('a pattern', () => {
  const matches = (pattern: string, path: string) => {
    const compiled = compileGlob(pattern);
    return compiled.ok && compiled.pattern.matches(path);
  };

  it.each([
    ['*.ts', 'a.ts', 'b/a.ts a.tsx'],
    ['**/*.ts', 'a.ts b/a.ts b/c/a.ts', 'a.js'],
    ['src/**', 'src/a src/b/c', 'a lib/src/a'],
    ['src/', 'src/a src/b/c', 'a'],
    ['./src//*.ts', 'src/a.ts', 'a.ts'],
    ['a/**/b/*.c', 'a/b/x.c a/x/b/x.c a/x/y/b/x.c a/b/b/x.c', 'a/x.c a/b/x/y.c b/x.c'],
    ['**/a/**/b', 'a/b x/a/b a/x/b x/a/y/b', 'a b/a'],
    ['*.{ts,tsx}', 'a.ts a.tsx', 'a.js'],
    ['{src,test}/**/*.{j,t}s', 'src/a.js test/b/c.ts', 'lib/a.js'],
    ['a{b,c{d,e}}f', 'abf acdf acef', 'af acf'],
    ['f{1..3}.ts', 'f1.ts f3.ts', 'f4.ts'],
    ['{a}', '{a}', 'a'],
    ['[a-c].ts', 'a.ts c.ts', 'd.ts'],
    ['[!a-c].ts', 'd.ts', 'a.ts'],
    ['[^a].ts', 'b.ts', 'a.ts'],
    ['[]x].ts', '].ts x.ts', 'a.ts'],
    ['[[:digit:]]x', '1x', 'ax'],
    ['[a', '[a', 'a'],
    ['?.ts', 'a.ts 😀.ts', 'ab.ts'],
    ['\\*.ts', '*.ts', 'a.ts'],
    ['!(*.test).ts', 'a.ts', 'a.test.ts'],
    ['!(a|b)', 'c ab', 'a b'],
    ['@(a|b)c', 'ac bc', 'c abc'],
    ['+(ab)', 'ab abab', 'a'],
    ['*(ab)c', 'c abc ababc', 'ac'],
    ['?(a)b', 'b ab', 'aab'],
    ['!**/*.md', 'a.ts b/a.ts', 'a.md b/a.md'],
    ['.*', '.env', 'env'],
    ['*', '.env env', 'a/b'],
    ['*a*b*', 'ab xaxbx', 'ba'],
  ])('%s', (pattern, matching, other) => {
    expect(matching.split(' ').filter((path) => !matches(pattern, path))).toEqual([]);
    expect(other.split(' ').filter((path) => matches(pattern, path))).toEqual([]);
  });

  it('equals a regular expression of the same meaning', () => {
    const part = fc.array(fc.constantFrom('a', 'b', '*', '?', '[ab]', '[!a]'), { minLength: 1, maxLength: 5 });
    const pattern = fc.array(fc.oneof({ weight: 3, arbitrary: part }, { weight: 1, arbitrary: fc.constant(['**']) }), {
      minLength: 1,
      maxLength: 4,
    });
    const path = fc.array(fc.string({ unit: fc.constantFrom('a', 'b', 'c'), minLength: 1, maxLength: 4 }), {
      minLength: 1,
      maxLength: 4,
    });
    const source: Readonly<Record<string, string>> = {
      '*': '[^/]*',
      '?': '[^/]',
      '[ab]': '[ab]',
      '[!a]': '[^a/]',
      a: 'a',
      b: 'b',
    };
    fc.assert(
      fc.property(pattern, path, (parts, names) => {
        const glob = parts.map((tokens) => tokens.join('')).join('/');
        fc.pre(!parts.some((tokens) => tokens.length > 1 && tokens.join('') === '**'));
        const expression = parts.map((tokens) =>
          tokens[0] === '**' ? '(?:[^/]+/)*' : `${tokens.map((token) => source[token]).join('')}/`,
        );
        expect(matches(glob, names.join('/'))).toBe(new RegExp(`^${expression.join('')}$`).test(`${names.join('/')}/`));
      }),
      { numRuns: 3_000 },
    );
  });

  it('never takes exponential time', () => {
    const long = 'a'.repeat(200);
    expect(matches(`${'*a'.repeat(60)}b`, long)).toBe(false);
    expect(matches(`${'+(a|aa)'.repeat(20)}b`, long)).toBe(false);
    expect(matches(`${'**/a/'.repeat(30)}b`, `${'a/'.repeat(100)}c`)).toBe(false);
    expect(compileGlob('{a,b}'.repeat(20))).toMatchObject({
      ok: false,
      problem: expect.stringContaining('1000 patterns'),
    });
  });
});
