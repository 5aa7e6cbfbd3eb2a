import { execFileSync } from 'node:child_process';
import { chmodSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { buildContext } from '../../../src/control/images/build-context.ts';
import { parseDockerIgnore } from '../../../src/control/images/docker-ignore.ts';
import { type TarEntry, tarArchive } from '../../../src/control/images/tar-archive.ts';
import { git, temporary, write } from '../projects/fixture.ts';

function repository(): string {
  const root = temporary();
  git(root, 'init', '-q');
  return root;
}

const namesIn = async (root: string) => {
  const { entries, leftOut } = await buildContext(root, 'Dockerfile', process.env);
  return { names: entries.map(({ name }) => name), leftOut };
};

describe('what is sent to build from', () => {
  it('is what git tracks or would add, without .git, what is ignored, and secrets', async () => {
    const root = repository();
    const files = [
      'Dockerfile',
      'src/a.ts',
      'node_modules/x',
      '.env',
      '.env.local',
      '.env.example',
      'certs/tls.key',
      '.ssh/config',
      'deep/.npmrc',
    ];
    files.forEach((file) => {
      write(root, file, 'x\n');
    });
    write(root, '.gitignore', 'node_modules/\n');
    // Tracked secrets are secrets, too.
    git(root, 'add', '-f', '.env');
    expect(await namesIn(root)).toEqual({
      names: ['.env.example', '.gitignore', 'Dockerfile', 'src/a.ts'],
      leftOut: ['.env', '.env.local', '.ssh/config', 'certs/tls.key', 'deep/.npmrc'],
    });
  });

  it('is without what .dockerignore names, but never without the Dockerfile', async () => {
    const root = repository();
    ['Dockerfile', 'docs/a.md', 'docs/keep.md', 'src/a.ts'].forEach((file) => {
      write(root, file, 'x\n');
    });
    write(root, '.dockerignore', 'docs\n!docs/keep.md\nDockerfile\n**/*.ts\n');
    expect((await namesIn(root)).names).toEqual(['.dockerignore', 'Dockerfile', 'docs/keep.md']);
  });

  it('has links as links, wherever they lead, and nothing for a deleted file', async () => {
    const root = repository();
    write(root, 'Dockerfile', 'FROM scratch\n');
    write(root, 'gone', 'x\n');
    git(root, 'add', '-A');
    execFileSync('rm', [join(root, 'gone')]);
    symlinkSync('/etc/passwd', join(root, 'link'));
    const { entries } = await buildContext(root, 'Dockerfile', process.env);
    expect(entries).toMatchObject([{ name: 'Dockerfile' }, { kind: 'link', name: 'link', target: '/etc/passwd' }]);
  });

  it('is refused when it is too large, with what takes the room', async () => {
    const root = repository();
    write(root, 'Dockerfile', 'FROM scratch\n');
    write(root, 'data/huge.bin', '');
    truncateSync(join(root, 'data', 'huge.bin'), 600 * 1024 * 1024);
    await expect(namesIn(root)).rejects.toMatchObject({
      code: 'context-too-large',
      message: expect.stringContaining("'data' (600 MiB)"),
    });
  });
});

describe('.dockerignore', () => {
  const rows: readonly [string, string, boolean][] = [
    ['a', 'a', true],
    ['a', 'a/b/c', true],
    ['a', 'b/a', false],
    ['/a/', 'a/b', true],
    ['*.md', 'x.md', true],
    ['*.md', 'd/x.md', false],
    ['**/*.md', 'd/e/x.md', true],
    ['*/temp*', 'one/temporary', true],
    ['temp?', 'tempa', true],
    ['# a', 'a', false],
    ['*\n!a', 'a/b', false],
    ['a\n!a/b\na/b/c', 'a/b/c', true],
    ['./a/../b', 'b', true],
    ['.', 'anything', true],
  ];
  it.each(rows)('%j leaves out %s: %s', (text, path, isIgnored) => {
    expect(parseDockerIgnore(text)(path)).toBe(isIgnored);
  });
});

describe('an archive', () => {
  const unpack = async (entries: readonly TarEntry[]) => {
    const root = temporary();
    execFileSync('tar', ['-C', root, '-xf', '-'], { input: await buffer(tarArchive(entries)) });
    return root;
  };

  it('unpacks to the same files, with their rights, long and foreign names, and links', async () => {
    const source = temporary();
    const long = `${'directory/'.repeat(30)}größe – 'odd'\n💥`;
    writeFileSync(join(source, 'program'), '#!/bin/sh\n');
    chmodSync(join(source, 'program'), 0o700);
    writeFileSync(join(source, 'big'), Buffer.alloc(1_000_001, 'x'));
    const root = await unpack([
      { kind: 'file', name: 'bin/program', path: join(source, 'program'), executable: true },
      { kind: 'file', name: 'big', path: join(source, 'big'), executable: false },
      { kind: 'text', name: long, text: 'text\n' },
      { kind: 'link', name: 'link', target: `${'x/'.repeat(80)}ü` },
    ]);
    const listed = execFileSync('find', ['.', '-type', 'f', '-printf', '%m %s %p\\0'], { cwd: root, encoding: 'utf8' });
    expect(listed.split('\0').sort()).toEqual(['', '644 1000001 ./big', `644 5 ./${long}`, '755 10 ./bin/program']);
    expect(execFileSync('readlink', ['link'], { cwd: root, encoding: 'utf8' })).toBe(`${'x/'.repeat(80)}ü\n`);
  });

  it('has any text under any name', async () => {
    const name = fc
      .string({ unit: 'grapheme', minLength: 1, maxLength: 120 })
      .map((text) => `n${text.replace(/[/\0]/g, '_')}`);
    await fc.assert(
      fc.asyncProperty(
        name.filter((text) => Buffer.byteLength(text) < 255),
        fc.string(),
        async (name, text) => {
          const root = await unpack([{ kind: 'text', name, text }]);
          const { readFileSync } = process.getBuiltinModule('node:fs');
          expect(readFileSync(join(root, name), 'utf8')).toBe(Buffer.from(text, 'utf8').toString('utf8'));
        },
      ),
      { numRuns: 30 },
    );
  });
});
