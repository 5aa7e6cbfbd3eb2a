import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { mayHideChanges } from '../../src/git/index-flags.ts';

let directory = '';
const git = (...args: string[]) =>
  execFileSync('git', ['-C', directory, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
const names = ['a', 'ab', 'abc/def', `long/${'x'.repeat(200)}`, 'z'];

beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'index-flags-'));
});
afterAll(() => rmSync(directory, { recursive: true, force: true }));

function make(format: 'sha1' | 'sha256', version: number): void {
  rmSync(directory, { recursive: true, force: true });
  execFileSync('git', ['init', '-q', `--object-format=${format}`, directory]);
  for (const name of names) {
    execFileSync('mkdir', ['-p', join(directory, name, '..')]);
    writeFileSync(join(directory, name), name);
  }
  git('add', '-A');
  git('update-index', `--index-version=${version}`);
}

const hidesAny = (length: number) => mayHideChanges(readFileSync(join(directory, '.git', 'index')), length);

describe.each(['sha1', 'sha256'] as const)('an index of %s', (format) => {
  const length = format === 'sha1' ? 20 : 32;

  test.each([2, 3, 4])('in version %i tells which files git shall not look at', (version) => {
    make(format, version);
    expect(hidesAny(length)).toBe(false);
    for (const [on, off] of [
      ['--assume-unchanged', '--no-assume-unchanged'],
      ['--skip-worktree', '--no-skip-worktree'],
    ] as const) {
      for (const name of names) {
        git('update-index', on, name);
        expect(hidesAny(length), `${on} ${name}`).toBe(true);
        git('update-index', off, name);
        expect(hidesAny(length), `${off} ${name}`).toBe(false);
      }
    }
  });

  test('with a file that is meant to be added has more flags, and hides nothing', () => {
    make(format, 2);
    writeFileSync(join(directory, 'm'), 'new');
    git('add', '--intent-to-add', 'm');
    expect(hidesAny(length)).toBe(false);
  });
});

test('an index that can’t be read may hide something', () => {
  make('sha1', 2);
  git('update-index', '--split-index');
  expect(hidesAny(20)).toBe(true);
  expect(mayHideChanges(Buffer.from('DIRC'), 20)).toBe(true);
  expect(mayHideChanges(Buffer.from('no index at all'), 20)).toBe(true);
});
