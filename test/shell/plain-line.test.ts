import fc from 'fast-check';
import { parse } from 'unbash';
import { describe, expect, test } from 'vitest';
import { readPlainLine } from '../../src/shell/plain-line.ts';

/** Plain data: the grammar's nodes answer through getters of their prototypes. */
function plain(node: unknown): unknown {
  if (Array.isArray(node)) {
    return node.map(plain);
  }
  if (typeof node !== 'object' || node === null) {
    return node;
  }
  const fields = ['type', 'pos', 'end', 'text', 'value', 'parts', 'name', 'prefix', 'suffix', 'args', 'redirects'];
  const script = ['shebang', 'commands', 'command', 'background', 'errors', 'source'];
  const own = Object.keys(node);
  return Object.fromEntries(
    [...new Set([...fields, ...script, ...own])].map((key) => [key, plain((node as Record<string, unknown>)[key])]),
  );
}

/** Words that a shell may take for something else, among letters and punctuation. */
const word = fc.oneof(
  fc.constantFrom(
    ...[
      'git',
      'push',
      '--force',
      'origin',
      'HEAD~1',
      'main^',
      '@{u}',
      'a=b',
      'FOO=',
      '+main',
      'x:y',
      '~',
      '~/a',
      '~a:~b',
    ],
    ...['if', 'then', 'fi', 'for', 'in', 'do', 'done', 'case', 'esac', 'while', 'until', 'select', 'function', 'time'],
    ...['coproc', 'else', 'elif', 'declare', 'typeset', 'local', 'export', 'readonly', 'let', 'eval', 'test', 'alias'],
    ...[
      '-',
      '--',
      '-p',
      '.',
      '..',
      ':',
      '%1',
      '2',
      '1.0',
      'a,b',
      '{a,b}',
      '[',
      ']',
      '[[',
      ']]',
      '{',
      '}',
      '!',
      '#',
      'a#',
    ],
    ...[
      '$x',
      "'a b'",
      '"a"',
      'a\\ b',
      '*',
      'a?',
      '>',
      '2>',
      '&',
      '|',
      ';',
      '(',
      ')',
      '\t',
      '\n',
      '',
      'é',
      '\u00a0',
      '`',
    ],
  ),
  fc.string({ unit: fc.constantFrom(..."abzAZ09_./:@%+,^~=-'$*{}!#[]"), minLength: 1, maxLength: 6 }),
);

describe('a line of plain words', () => {
  test('is read as the grammar reads it', () => {
    let read = 0;
    fc.assert(
      fc.property(fc.array(word, { maxLength: 6 }), (words) => {
        const line = words.join(' ');
        const script = readPlainLine(line);
        if (script !== null) {
          read += 1;
          expect(plain(script)).toEqual(plain(parse(line)));
        }
      }),
      { numRuns: 5000 },
    );
    expect(read).toBeGreaterThan(100);
  });

  test.each([
    'git push --force origin main',
    'git push origin +main',
    'git reset --hard HEAD~1',
    'npm test',
    'ls -la src',
    'git -c alias.x=push x',
  ])('%s needs no grammar', (line) => {
    expect(readPlainLine(line)).not.toBeNull();
  });

  test.each([
    '',
    ' ls',
    'ls ',
    'ls  -la',
    'a=b git push',
    'echo $HOME',
    'git log | head',
    'time git push',
    'export GIT_DIR=x',
    'ls\n',
    'git add *',
    'echo a\\ b',
    '! git push',
    `ls ${'a'.repeat(5000)}`,
  ])('%j is left to the grammar', (line) => {
    expect(readPlainLine(line)).toBeNull();
  });
});
