import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, expect, it } from 'vitest';
import { patched, readPatch } from '../../src/shell/programs/patched-text.ts';

const directory = mkdtempSync(join(tmpdir(), 'oxide-guard-patch-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

const lines = fc.array(fc.constantFrom('a', 'b', '', '-x', '+y', ' z', '@@ -1 +1 @@', '\\ n'), { maxLength: 12 });
const texts = fc.tuple(lines, fc.boolean()).map(([all, ends]) => all.join('\n') + (ends ? '\n' : ''));

function gitDiff(before: string, after: string, context: number): string {
  writeFileSync(join(directory, 'before'), before);
  writeFileSync(join(directory, 'after'), after);
  const args = ['diff', '--no-index', `-U${context}`, 'before', 'after'];
  return spawnSync('git', args, { cwd: directory, encoding: 'utf8' }).stdout;
}

it('makes of a text what git has found to differ', { timeout: 60_000 }, () => {
  fc.assert(
    fc.property(texts, texts, fc.integer({ min: 1, max: 3 }), (before, after, context) => {
      const [patch] = readPatch(gitDiff(before, after, context));
      expect(patch === undefined ? after : patched(before, patch)).toBe(patch === undefined ? before : after);
    }),
    { numRuns: 150 },
  );
});

it('makes what git apply makes, where the text has moved', () => {
  const numbers = (from: number, to: number) => Array.from({ length: to - from }, (_, at) => `${from + at}\n`).join('');
  const patch = gitDiff(numbers(0, 40), numbers(0, 40).replace('20\n', 'twenty\n').replace('35\n', ''), 3);
  const moved = `first\n${numbers(0, 40)}`;
  const expected = `first\n${numbers(0, 40).replace('20\n', 'twenty\n').replace('35\n', '')}`;
  writeFileSync(join(directory, 'before'), moved);
  const { status } = spawnSync('git', ['apply', '-'], {
    cwd: directory,
    input: patch.replaceAll('/after', '/before'),
  });
  expect(status).toBe(0);
  expect(readFileSync(join(directory, 'before'), 'utf8')).toBe(expected);
  expect(readPatch(patch).map((file) => patched(moved, file))).toEqual([expected]);
});

it('knows the files of a patch, and those that it makes and removes', () => {
  const patch =
    '--- a/x\n+++ b/x\t2026-01-01\n@@ -1 +1 @@\n-1\n+2\n' +
    '--- /dev/null\n+++ b/new\n@@ -0,0 +1 @@\n+1\n--- a/old\n+++ /dev/null\n@@ -1 +0,0 @@\n-1\n';
  const names = readPatch(patch).map(({ before, after }) => [before, after]);
  expect(names).toEqual([
    ['a/x', 'b/x'],
    [null, 'b/new'],
    ['a/old', null],
  ]);
});

it('tells nothing where a patch does not fit', () => {
  const [patch] = readPatch('--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n a\n-b\n+c\n');
  expect(patch && patched('a\nz\n', patch)).toBeNull();
});

it('reads any text without failing', () => {
  fc.assert(
    fc.property(fc.string(), texts, (patch, text) => {
      readPatch(`--- a/x\n+++ b/x\n@@ -1 +1 @@\n${patch}`).forEach((file) => void patched(text, file));
    }),
  );
});
