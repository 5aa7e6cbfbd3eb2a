import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { quotedPath, unquotedPath } from '../../src/git/quoted-path.ts';
import { emptyRepository, git } from './fixture.ts';

describe('a path is shown', () => {
  it.each([
    'plain.txt',
    'a b.txt',
    'ümlaut.txt',
    'a"b',
    'a\\b',
    'a\tb',
    'a\nb',
    'a\x1b[31mb',
    'a\x7fb',
    'a\x01b',
    'a\x07b',
  ])('as git shows it: %j', (name) => {
    const work = emptyRepository();
    writeFileSync(join(work, name), '');
    const shown = git(work, '-c', 'core.quotePath=false', 'ls-files', '--others');
    expect(quotedPath(name)).toBe(shown);
    expect(unquotedPath(shown)).toBe(name);
    expect(unquotedPath(git(work, '-c', 'core.quotePath=true', 'ls-files', '--others'))).toBe(name);
  });

  it('and read back, also where digits follow a backslash', () => {
    expect(unquotedPath('"a\\\\123\\303\\244b"')).toBe('a\\123äb');
    expect(unquotedPath('"')).toBe('"');
  });

  it('without what would turn the line around', () => {
    expect(quotedPath('a\u202etxt.exe')).toBe('"a\\342\\200\\256txt.exe"');
  });
});
