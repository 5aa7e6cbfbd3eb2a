import { describe, expect, it } from 'vitest';
import { explainReport, faults } from '../../src/commit/explain.ts';
import { lintMessage } from '../../src/commit/lint.ts';
import { suggestMessage } from '../../src/commit/suggest.ts';
import { ansiPaint, plainPaint } from '../../src/ui/paint.ts';

function told(message: string): string[] {
  return faults(message, lintMessage(message)).map((fault) => fault.message);
}

function explained(message: string, paint = plainPaint, columns?: number): string {
  return explainReport(message, lintMessage(message), suggestMessage(message), { paint, columns });
}

describe('the seven mistakes behind "subject may not be empty, type may not be empty"', () => {
  const mistakes: readonly (readonly [message: string, mistake: string])[] = [
    ['feat:x', 'no space follows the colon'],
    ['feat : x', 'a space stands before the colon'],
    ['feat!(a): x', "the '!' stands before the scope: it belongs before the colon"],
    ['feat：x', 'the colon is a full-width one (：)'],
    [' feat: x', 'a space stands before the type'],
    ['🎉 feat: x', 'an emoji stands before the type'],
    ['a new login', 'the type is missing'],
  ];
  for (const [message, mistake] of mistakes) {
    it(`${JSON.stringify(message)}: ${mistake}`, () => {
      expect(told(message)).toEqual([mistake]);
    });
  }
});

describe('an explanation', () => {
  it('has the place, the format and the corrected message', () => {
    expect(explained('fix: Login works.')).toBe(
      [
        '✗ the subject does not begin in lower case',
        '    fix: Login works.',
        '         ^^^^^',
        '✗ the subject ends with a full stop',
        '    fix: Login works.',
        '                    ^',
        '',
        'format type(scope)!: subject   types build, chore, ci, docs, feat, fix, perf, refactor, revert, style, test',
        'Corrected:',
        '    fix: login works',
      ].join('\n'),
    );
  });

  it('puts the caret under the right column beside wide characters', () => {
    const lines = explained('feat(登录): 新功能.').split('\n');
    expect(lines[2]).toBe(`    ${' '.repeat('feat('.length + 4 + '): '.length + 6)}^`);
  });

  it('fits a narrow terminal, the caret under its place', () => {
    const message = `fix: ${'word '.repeat(20)}end.`;
    const { columns, lines } = { columns: 40, lines: explained(message, plainPaint, 40).split('\n') };
    for (const line of lines.slice(0, lines.indexOf('Corrected:'))) {
      expect(line.length).toBeLessThanOrEqual(columns);
    }
    const caret = lines.findIndex((line) => line.trim() === '^');
    expect(lines[caret - 1]?.[lines[caret]?.indexOf('^') ?? -1]).toBe('.');
  });

  it('names the type that is near', () => {
    expect(told('feta: x')).toEqual(["'feta' is not one of the types; 'feat' is near"]);
  });

  it('shows a window of a long line', () => {
    for (const line of explained(`fix: ${'x'.repeat(300)}`)
      .split('\n')
      .slice(0, 3)) {
      expect(line.length).toBeLessThan(110);
    }
  });

  it('never sends control characters of the message to the terminal', () => {
    expect(explained('add \x1b[2Jthis\u202e')).not.toMatch(/[\x1b\u202e]/);
  });

  it('is empty for a good message, and painted when asked', () => {
    expect(explained('fix: x')).toBe('');
    expect(explained('oh', ansiPaint)).toContain('\x1b[31m✗\x1b[39m');
  });
});
