import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { leftOutBy, type Side } from '../../src/guards/files/rsync-filters.ts';
import { known } from '../../src/guards/git-command/words.ts';
import { skipUnless } from '../skip.ts';

const files = [
  '.git/config',
  '.husky/pre-commit',
  'a/.husky/pre-push',
  'a/b/.husky/pre-push',
  'a/b/c.log',
  'a/x.ts',
  'docs/.git/config',
  'keep.log',
  'oxide-guard.config.json',
  'package.json',
  'x/a/b/c.log',
];

const place = mkdtempSync(join(tmpdir(), 'rsync-filters-'));
for (const path of files) {
  mkdirSync(dirname(join(place, 'full', path)), { recursive: true });
  writeFileSync(join(place, 'full', path), path);
}
mkdirSync(join(place, 'empty'));

/** The files that rsync itself would transfer, or delete. */
function takenByRsync(words: readonly string[], side: Side): readonly string[] {
  const [from, to, more] = side === 'sender' ? ['full/', 'empty', []] : ['empty/', 'full', ['--delete']];
  const args = ['-a', '-n', '--out-format=%o %n', ...more, ...words, from, to];
  const lines = execFileSync('rsync', args, { cwd: place, encoding: 'utf8' }).split('\n');
  const paths = lines.map((line) => line.replace(/^(?:send|recv|del\.) /, ''));
  return files.filter((file) => paths.includes(file));
}

const rules: readonly (readonly string[])[] = [
  [],
  ['--exclude=.git'],
  ['--exclude', '.git/'],
  ['--exclude=.*'],
  ['--exclude=.*', '--include=.husky'],
  ['--include=.husky', '--exclude=.*'],
  ['--include=.husky/***', '--exclude=*'],
  ['-f', '- .git'],
  ['-f- .git'],
  ['-f', '-_.husky'],
  ['-rf', 'P .husky'],
  ['-f', 'H .husky'],
  ['-f', '-s .husky'],
  ['-f', '-r .husky'],
  ['-f', 'protect .husky', '-f', 'hide *.log'],
  ['-f', 'exclude,! *.log', '-f', 'include *'],
  ['-f', '-! */', '-f', '+ *'],
  ['-C'],
  ['-aC', '--include=.git/'],
  ['-f', '-C'],
  ['--include=.git/', '-C'],
  ['--exclude=/.husky'],
  ['--exclude=/a/.husky'],
  ['--exclude=a/.husky'],
  ['--exclude=b/c.log'],
  ['--exclude=**/.husky'],
  ['--exclude=**/b/.husky'],
  ['--exclude=a/**'],
  ['--exclude=/a/**/.husky'],
  ['--exclude=a/***'],
  ['--exclude=oxide-guard*'],
  ['--exclude=*.json', '--exclude=[.]husky'],
  ['--exclude=?husky'],
  ['--exclude=.git', '--filter=!', '--exclude=*.log'],
  ['--exclude=- .git'],
  ['--exclude=+ .git', '--exclude=.git'],
  ['--delete-excluded', '--exclude=.git'],
  ['--delete-excluded', '-f', 'P .git', '--exclude=.git'],
  ['-f', '-p .husky'],
  ['-f', ':- .gitignore', '--exclude=.husky'],
];

const hasRsync = spawnSync('rsync', ['--version']).status === 0;

describe.skipIf(skipUnless(hasRsync, 'needs rsync'))('what rsync leaves out', () => {
  for (const words of rules) {
    for (const side of ['sender', 'receiver'] as const) {
      it(`is told as rsync tells it: ${words.join(' ')}, ${side}`, () => {
        const isOut = leftOutBy(words.map(known));
        expect(files.filter((file) => !isOut(file, side, false))).toEqual(takenByRsync(words, side));
      });
    }
  }
});

it('what is not known leaves out nothing, or may take anything', () => {
  const unknown = { kind: 'unknown', source: '"$X"', reason: '$X', prefix: '', suffix: '' } as const;
  const isOut = (...words: Parameters<typeof leftOutBy>[0]) => leftOutBy(words)('.git', 'sender');
  expect(isOut(known('--exclude'), unknown as never)).toBe(false);
  expect(isOut(known('--include'), unknown as never, known('--exclude=.git'))).toBe(false);
  expect(isOut(known('--exclude=a**b'), known('--exclude=.git'))).toBe(true);
});
