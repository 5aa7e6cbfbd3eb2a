import { describe, expect, it } from 'vitest';
import { fittedLines } from '../../src/ui/fitted-lines.ts';

describe('lines for a terminal', () => {
  it('are broken between words, under the text behind a sign', () => {
    expect(fittedLines('✗ This push may overwrite main on origin. [rule]', 30)).toBe(
      '✗ This push may overwrite main\n  on origin. [rule]',
    );
  });

  it('are broken under the second column of a list, or near the edge where that is too far to the right', () => {
    const row = '  --stdin       Judge one JSON object a line';
    expect(fittedLines(row, 34)).toBe('  --stdin       Judge one JSON\n                object a line');
    expect(fittedLines(row, 28)).toBe('  --stdin       Judge one\n    JSON object a line');
  });

  it('keep colours out of the measure', () => {
    expect(fittedLines('\x1b[31m✗\x1b[39m one two three \x1b[2m[rule]\x1b[22m', 22)).toBe(
      '\x1b[31m✗\x1b[39m one two three \x1b[2m[rule]\x1b[22m',
    );
    expect(fittedLines('\x1b[31m✗\x1b[39m one two three \x1b[2m[rule]\x1b[22m', 20)).toBe(
      '\x1b[31m✗\x1b[39m one two three\n  \x1b[2m[rule]\x1b[22m',
    );
  });

  it('count wide characters twice', () => {
    expect(fittedLines('✗ 提交 信息 的 格式 不 符合 约定', 21)).toBe('✗ 提交 信息 的 格式\n  不 符合 约定');
  });

  it('that are commands to copy stay whole, and so does a word that is too long', () => {
    const command = `    → git push --force-with-lease origin ${'x'.repeat(40)}`;
    expect(fittedLines(command, 30)).toBe(command);
    expect(fittedLines(`a ${'x'.repeat(40)} b`, 30)).toBe(`a\n${'x'.repeat(40)}\nb`);
  });

  it('stay as they are without a terminal, or in one of no width', () => {
    const line = 'one two three four five six seven';
    expect(fittedLines(line, undefined)).toBe(line);
    expect(fittedLines(line, 0)).toBe(line);
  });
});
