import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { lintMessage } from '../../src/commit/lint.ts';
import { commitlint, verdictOf } from './commitlint-oracle.ts';

const newline = fc.constantFrom('\n', '\n', '\n', '\r\n', '\n\n', '\r\n\r\n', '\r', '\n \n', '\u2028');
const space = fc.constantFrom('', ' ', ' ', ' ', '  ', '\t', '\u00a0', '\ufeff');
const word = fc.oneof(
  fc.constantFrom(
    'add',
    'Add',
    'README',
    'useState',
    'GitHub',
    'ALL',
    'x',
    "don't",
    "'Quoted'",
    '`Code`',
    '"A"',
    '1st',
    'v2',
    '3RD',
  ),
  fc.constantFrom(
    'école',
    'Éclair',
    'ÀÉ',
    'ß',
    'ſo',
    'Œuvre',
    'Привет',
    'привет',
    'ǅ',
    '新功能',
    '한국어',
    'İ',
    'ﬁ',
    'ª',
    'Ω',
  ),
  fc.constantFrom(
    '🎉',
    '👨‍👩‍👧',
    '🇩🇪',
    '✨',
    '\ud83d',
    '…',
    '...',
    '.',
    '!',
    'e\u0301',
    '\u200b',
    ':',
    '：',
    '(',
    ')',
    '-',
    '*',
    '|',
  ),
  fc.constantFrom(
    '#1',
    '#12,',
    'closes',
    'Fixes #3',
    'fix',
    'owner/repo#4',
    '#a)',
    '#b.',
    'https://x.io/#5',
    'http://a.b/c?d#6',
  ),
  fc.string({ unit: 'binary', maxLength: 6 }),
  fc.string({ unit: 'grapheme', maxLength: 6 }),
);
const long = fc.integer({ min: 90, max: 110 }).map((length) => 'y'.repeat(length));
const text = fc
  .array(fc.tuple(fc.oneof({ weight: 9, arbitrary: word }, { weight: 1, arbitrary: long }), space), { maxLength: 6 })
  .map((parts) => parts.flat().join(''));
const type = fc.constantFrom(
  'feat',
  'fix',
  'Feat',
  'FIX',
  'chore',
  'release',
  '',
  'x_1',
  '1',
  'docs',
  'ﬁx',
  ' feat',
  'revert',
);
const scope = fc.oneof(
  fc.constantFrom('', '', '(core)', '()', '(a(b))', '( a )', '(a/b,c)'),
  text.map((inner) => `(${inner})`),
);
const mark = fc.constantFrom('', '', '!', ' !', '!!');
const colon = fc.constantFrom(': ', ': ', ': ', ':', ' : ', '：', ':  ', '');
const special = fc.constantFrom(
  ...[
    'Merge branch ',
    "Merge commit 'abc'",
    'Merge a into b',
    'Merge pull request #1',
    'Merge tag v1',
    'Merge remote-tracking branch x',
  ],
  ...[
    'Revert "x"',
    'revert: x',
    'Reapply "x"',
    'fixup! feat: x',
    'squash! x',
    'amend! x',
    'fixup!x',
    'Automatic merge',
    'Auto-merged a into b',
  ],
  ...[
    'v1.2.3',
    '1.0.0-rc.1+build',
    'chore(release): 1.2.3 [skip ci]',
    'chore: 01.2.3',
    'Merged PR 1: x',
    'Merged in x',
    '99999999999999999999.0.0',
  ],
);
const header = fc.oneof(
  { weight: 8, arbitrary: fc.tuple(type, scope, mark, colon, text).map((parts) => parts.join('')) },
  { weight: 1, arbitrary: special },
  { weight: 1, arbitrary: text },
);
const line = fc.oneof(
  text,
  fc.constantFrom(
    '',
    '',
    ' ',
    'BREAKING CHANGE: x',
    'BREAKING-CHANGE: y',
    '* breaking change z',
    'BREAKING CHANGE',
    '\tBREAKING CHANGE:',
  ),
  fc.constantFrom(
    'gpg: signature',
    '  gpg: x',
    'Signed-off-by: A <a@b.c>',
    'Closes #12',
    'Refs: #13',
    'fix the #14 and close',
    'closes #1fix.',
    'fixes #a-closes! y',
    '-foo-',
    '# comment',
  ),
  fc.tuple(long, text).map((parts) => parts.join(' ')),
  special,
);
const message = fc
  .tuple(
    fc.oneof({ weight: 5, arbitrary: fc.constant('') }, newline, line),
    header,
    fc.array(fc.tuple(newline, line), { maxLength: 6 }),
    fc.oneof(fc.constant(''), newline),
  )
  .map(([before, first, rest, end]) => before + first + rest.flat().join('') + end);

describe('any message', () => {
  it('gets the verdict and the rules that commitlint gives', async () => {
    await fc.assert(
      fc.asyncProperty(message, async (generated) => {
        // Nothing but signatures is no message to either; they differ in how they say so.
        fc.pre(generated === '' || generated.replace(/^\s*gpg:.*$/gm, '').trim() !== '');
        expect(verdictOf(lintMessage(generated))).toEqual(await commitlint(generated));
      }),
      { numRuns: Number(process.env.FUZZ_RUNS ?? 1000) },
    );
  });

  // What an action is about ends at the next one: `#1` is an issue there, though `#1fix.` is none.
  it.each(['closes #1fix.', 'fixes #a-closes! y', 'fix #1fix.', '#1fix.', 'close #1close#'])(
    'begins its footer where commitlint sees an issue: %s',
    async (line) => {
      const written = `feat: x\n${line}`;
      expect(verdictOf(lintMessage(written))).toEqual(await commitlint(written));
    },
  );

  it('never makes the linter throw, whatever the characters', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 400 }), (generated) => {
        expect(typeof lintMessage(generated).valid).toBe('boolean');
      }),
    );
  });
});
