import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { conventional } from '../../src/commit/convention.ts';
import { lintMessage } from '../../src/commit/lint.ts';
import { suggestMessage } from '../../src/commit/suggest.ts';

const corrections: readonly (readonly [wrong: string, right: string, confidence: 'exact' | 'guess'])[] = [
  ['add new feature', 'feat: add new feature', 'guess'],
  ['Fixed bug.', 'fix: bug', 'exact'],
  ['fix the login', 'fix: the login', 'exact'],
  ['Initial commit', 'chore: initial commit', 'guess'],
  ['First import of the sources', 'chore: first import of the sources', 'guess'],
  ['init: project', 'chore: init project', 'guess'],
  ['test for WIN32', 'test: for WIN32', 'guess'],
  ['feta: x', 'feat: x', 'exact'],
  ['refacter(core)!: x', 'refactor(core)!: x', 'exact'],
  ['feature(ui): x', 'feat(ui): x', 'exact'],
  ['doc: x', 'docs: x', 'exact'],
  ['deps: bump a', 'build(deps): bump a', 'guess'],
  ['release: v1.0.0', 'chore(release): v1.0.0', 'guess'],
  ['workflow: x', 'ci: x', 'guess'],
  ['Feat: Add it', 'feat: add it', 'exact'],
  ['docs: README says so', 'docs: `README` says so', 'exact'],
  ['fix: useState() is called twice', 'fix: useState() is called twice', 'exact'],
  ['chore: STOP SHOUTING AT PEOPLE', 'chore: stop shouting at people', 'exact'],
  ['feat:x', 'feat: x', 'exact'],
  ['feat : x', 'feat: x', 'exact'],
  ['feat (ui): x', 'feat(ui): x', 'exact'],
  ['feat!(ui): x', 'feat(ui)!: x', 'exact'],
  ['feat：新功能', 'feat: 新功能', 'exact'],
  ['fix（登录）：修复', 'fix(登录): 修复', 'exact'],
  ['[fix] x', 'fix: x', 'exact'],
  [' feat: x', 'feat: x', 'exact'],
  ['🐛 fix: x', 'fix: x', 'exact'],
  [':sparkles: nicer buttons', 'feat: nicer buttons', 'guess'],
  ['src/foo: add x', 'feat(src/foo): add x', 'guess'],
  ['fix: x.', 'fix: x', 'exact'],
  ['fix: x\nbody', 'fix: x\n\nbody', 'exact'],
  ['fix: x\n\nbody\nCloses #1', 'fix: x\n\nbody\n\nCloses #1', 'exact'],
];

describe('a corrected message', () => {
  for (const [wrong, right, confidence] of corrections.filter(([before, after]) => before !== after)) {
    it(`for ${JSON.stringify(wrong)} is ${JSON.stringify(right)}, by ${confidence}`, () => {
      expect(suggestMessage(wrong)).toMatchObject({ message: right, confidence });
    });
  }

  it('says so when the type is a guess', () => {
    expect(suggestMessage('add new feature')?.notes).toEqual(["the type 'feat' is a guess from the words"]);
  });

  it('cuts an over-long header at a word and moves the rest to the body', () => {
    const subject = Array.from({ length: 20 }, (_, index) => `word${index}`).join(' ');
    const corrected = suggestMessage(`feat: ${subject}\n\nbody`)?.message ?? '';
    const [header = '', blank, rest = '', , body] = corrected.split('\n');
    expect(header.length).toBeLessThanOrEqual(100);
    expect(blank).toBe('');
    expect(`${header.replace(' ...', '')} ${rest.replace('... ', '')}`).toBe(`feat: ${subject}`);
    expect(body).toBe('body');
  });

  it('wraps long lines and leaves URLs, trailers and code alone', () => {
    const long = 'lorem ipsum '.repeat(12).trim();
    const url = `see https://example.com/${'a'.repeat(120)}`;
    const corrected = suggestMessage(`fix: x\n\n- ${long}\n${url}\n`)?.message.split('\n') ?? [];
    expect(corrected.slice(2, 4).map((line) => line.slice(0, 7))).toEqual(['- lorem', '  lorem']);
    expect(corrected.at(-1)).toBe(url);
    expect(suggestMessage(`fix: x\n\n    ${'code '.repeat(30)}`)).toBeNull();
    expect(suggestMessage(`fix: x\n\nCo-authored-by: ${'name '.repeat(30)}<a@b.c>`)).toBeNull();
  });

  it('lets what a long line leaves over go on with the paragraph, and with nothing else', () => {
    const long = `${'a'.repeat(9)} `.repeat(10).trim();
    const bodyOf = (body: string) => suggestMessage(`fix: x\n\n${body}`)?.message.split('\n').slice(2);
    const kept = long.slice(0, -10);
    expect(bodyOf(`${long} or\nJava\nmore`)).toEqual([long, 'or Java', 'more']);
    expect(bodyOf(`${long} or\n\nJava`)).toEqual([long, 'or', '', 'Java']);
    expect(bodyOf(`${long} or\n- Java`)).toEqual([long, 'or', '- Java']);
    expect(bodyOf(`- ${long} or\n  Java\n- more`)).toEqual([`- ${kept}`, `  ${'a'.repeat(9)} or Java`, '- more']);
    expect(bodyOf(`${long} see\nhttps://example.com/x`)).toEqual([long, 'see', 'https://example.com/x']);
    expect(bodyOf(`${long} or\n${long}`)).toEqual([long, `or ${kept}`, 'a'.repeat(9)]);
    expect(bodyOf(`${long} #x is meant`)).toEqual([long.slice(0, -20), '', `${long.slice(-19)} #x is meant`]);
  });

  it('takes a gap of any length for one space', () => {
    const gap = ' '.repeat(3000);
    for (const header of [
      `feat:${gap}x`,
      `feat${gap}: x`,
      `${gap}feat: x`,
      `feat: ${gap}x${gap}`,
      `feat(ui)${gap}: x`,
    ]) {
      expect(suggestMessage(header)?.message).toMatch(/^feat(\(ui\))?: x$/);
    }
    expect(suggestMessage(`feat:${gap}`)).toBeNull();
  });

  it('is not made for what nobody has typed', () => {
    expect(suggestMessage('add foo '.repeat(100_000))).toBeNull();
  });

  it('is not there for a valid message, or when nothing hints at a type', () => {
    expect(suggestMessage('feat: x')).toBeNull();
    expect(suggestMessage('preloads is a vector')).toBeNull();
    expect(suggestMessage('feat:')).toBeNull();
  });

  it('uses the types of the convention', () => {
    const own = { ...conventional, types: ['feature', 'bug'] };
    expect(suggestMessage('feat: x', own)?.message).toBe('feature: x');
    expect(suggestMessage('Fixed x', own)?.message).toBe('bug: x');
  });
});

describe('any corrected message', () => {
  const rows = readFileSync(new URL('../fixtures/commit-messages.jsonl', import.meta.url), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => (JSON.parse(line) as { message: string }).message);

  it('of a real one satisfies the linter and keeps its words', () => {
    const words = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]{3,}/gu) ?? [];
    for (const message of rows) {
      const corrected = suggestMessage(message)?.message;
      if (corrected !== undefined) {
        expect(lintMessage(corrected).valid, corrected).toBe(true);
        const kept = new Set(words(corrected));
        const lost = words(message.replace(/:[a-z_]+:/g, '')).filter((word) => !kept.has(word));
        expect(lost.length, `${message} → ${corrected}: ${lost.join()}`).toBeLessThanOrEqual(1);
      }
    }
  });

  it('of a generated one satisfies the linter', () => {
    const part = fc.oneof(
      fc.constantFrom(
        'fix',
        'Feat',
        'doc',
        'added',
        ': ',
        ':',
        '：',
        '(',
        ')',
        '!',
        ' ',
        '\n',
        '\n\n',
        '.',
        '🎉',
        '#1 ',
        'README',
        'a,b,c',
      ),
      fc.string({ unit: 'grapheme', maxLength: 8 }),
      fc.integer({ min: 1, max: 60 }).map((count) => 'word '.repeat(count)),
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 8 }), (parts) => {
        const suggestion = suggestMessage(parts.join(''));
        expect(suggestion === null || lintMessage(suggestion.message).valid).toBe(true);
      }),
      { numRuns: 2000 },
    );
  });

  it('of a hostile one comes in no time that anybody notices', () => {
    for (const hostile of [
      `feat${' '.repeat(50_000)}x`,
      `feat${' '.repeat(50_000)}: x`,
      'a,'.repeat(30_000),
      `fix: ${'a-'.repeat(30_000)}`,
      '🎉'.repeat(30_000),
      `fix: x\n\n${'close  \u2028'.repeat(7_000)} #1`,
    ]) {
      expect(() => suggestMessage(hostile)).not.toThrow();
    }
  });
});
