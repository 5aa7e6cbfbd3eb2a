import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readCommandLine } from '../../src/shell/command-line.ts';
import { home } from './script.ts';

const fragments = [
  ...'abx$`\'"\\(){}[]<>|&;!#*?~=:/-+%@^,. \n\t0',
  'git push -f',
  '$(',
  '${',
  '$((',
  '))',
  '<<EOF\n',
  '\nEOF\n',
  '<<<',
  '<(',
  'if ',
  'then ',
  'fi',
  'for i in ',
  'while ',
  'do ',
  'done',
  'case x in ',
  'esac',
  'f() {',
  'eval ',
  'bash -c ',
  'xargs ',
  'sudo -u ',
  'env -S ',
  'python3 -c ',
  'find . -exec ',
  'make -f - ',
  '{1..9}',
  '{1..99999999}',
  '${x//a*a*a*a*/b}',
  'x=$x$x$x$x;',
  'f() { f; f; }; f;',
  'while true; do x=$x.; done;',
  '. /dev/stdin ',
  'source ',
];

const source = fc.array(fc.constantFrom(...fragments), { maxLength: 40 }).map((parts) => parts.join(''));

describe('any text', () => {
  it.each([
    ['fragments of scripts', source],
    ['any characters', fc.string({ unit: 'binary', maxLength: 200 })],
  ])('%s: reading never throws and ends within its bounds', (_, texts) => {
    fc.assert(
      fc.property(texts, (line) => {
        const { steps, truncated } = readCommandLine(line, { ...home, bounds: { milliseconds: 300 } });
        expect(steps.length).toBeLessThanOrEqual(2000);
        expect(truncated ?? '').not.toContain('error of the reader');
      }),
      { numRuns: Number(process.env.FUZZ_RUNS ?? 1500) },
    );
  });

  it.each([
    ['doubling a variable', `x=aaaaaaaa; ${'x=$x$x; '.repeat(40)} git $x`],
    ['doubling a variable that is not known', `x=$(a); ${'x="$x$x"; '.repeat(40)} git $x`],
    ['a bomb of functions', ':(){ :|:& };:'],
    [
      'functions that call each other twice',
      `${Array.from({ length: 30 }, (_, n) => `f${n}() { f${n + 1}; f${n + 1}; }; `).join('')} f30() { git x; }; f0`,
    ],
    ['nested substitutions', `${'$('.repeat(500)}git${')'.repeat(500)}`],
    ['nested groups', `${'{ '.repeat(2000)}git${'; }'.repeat(2000)}`],
    ['nested subshells', `${'('.repeat(2000)}git${')'.repeat(2000)}`],
    ['nested braces', `git ${'{a,b'.repeat(200)}${'}'.repeat(200)}`],
    ['many braces', `git ${'{a,b}'.repeat(40)}`],
    ['many words', `git ${'x '.repeat(100_000)}`],
    [
      'shells in shells',
      Array.from({ length: 30 }).reduce<string>(
        (inner) => `bash -c '${inner.replaceAll("'", "'\\''")}'`.slice(0, 200_000),
        'git x',
      ),
    ],
    ['a script that sources itself', 'echo ". ./s" > s; . ./s'],
    [
      'loops in loops',
      'for a in {1..100}; do for b in {1..100}; do for c in {1..100}; do git $a $b $c; done; done; done',
    ],
    ['a pattern that backtracks', `x=${'a'.repeat(5000)}; git \${x//*a*a*a*a*a*b/}`],
    ['a counter without end', 'i=0; while true; do i=$((i+1)); git $i; done'],
  ])('%s ends within the bounds', (_, line) => {
    const { steps, truncated } = readCommandLine(line, { ...home, bounds: { milliseconds: 1000 } });
    expect(steps.length).toBeLessThanOrEqual(2000);
    expect(truncated ?? '').not.toContain('error of the reader');
  });
});
