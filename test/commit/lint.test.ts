import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type CommitConvention, conventional } from '../../src/commit/convention.ts';
import { lintMessage } from '../../src/commit/lint.ts';
import { commitlint, type Verdict, verdictOf } from './commitlint-oracle.ts';

interface Row extends Verdict {
  readonly message: string;
}

const rows = readFileSync(new URL('../fixtures/commit-messages.jsonl', import.meta.url), 'utf8')
  .trimEnd()
  .split('\n')
  .map((line) => JSON.parse(line) as Row);

describe('600 real commit messages', () => {
  it('get the recorded verdict and rules', () => {
    for (const { message, valid, errors, warnings } of rows) {
      expect(verdictOf(lintMessage(message)), message).toEqual({
        valid,
        errors: [...errors].sort(),
        warnings: [...warnings].sort(),
      });
    }
  });

  it('get the verdict and rules of the installed commitlint', async () => {
    for (const { message } of rows) {
      expect(verdictOf(lintMessage(message)), message).toEqual(await commitlint(message));
    }
  });
});

describe('the scenarios of a commit message', () => {
  it('有效的 Conventional Commit', () => {
    expect(lintMessage('feat: add login')).toEqual({
      valid: true,
      ignored: false,
      header: { type: 'feat', scope: null, subject: 'add login', breaking: false },
      problems: [],
    });
  });

  it('无效的 commit 格式', () => {
    const report = lintMessage('add new feature');
    expect(report.valid).toBe(false);
    expect(report.problems.map(({ rule }) => rule)).toEqual(['type-empty', 'subject-empty']);
  });

  it('带 scope 的 commit', () => {
    const { valid, header } = lintMessage('fix(auth): keep the session');
    expect({ valid, scope: header.scope }).toEqual({ valid: true, scope: 'auth' });
  });

  it('详细描述的 commit', () => {
    const message = 'feat(api)!: drop v1\n\nThe old routes answer 410.\n\nBREAKING CHANGE: use v2\nCloses #12\n';
    expect(lintMessage(message)).toMatchObject({ valid: true, header: { breaking: true }, problems: [] });
  });
});

describe('where a problem is', () => {
  it('points at the unknown type, the capital, the full stop and the long line', () => {
    const places = (message: string) => lintMessage(message).problems.map(({ rule, position }) => [rule, position]);
    expect(places('foo: bar')).toEqual([['type-enum', { line: 1, column: 1, length: 3 }]]);
    expect(places('fix(a): Add it')).toEqual([['subject-case', { line: 1, column: 9, length: 3 }]]);
    expect(places('fix: it.')).toEqual([['subject-full-stop', { line: 1, column: 8, length: 1 }]]);
    expect(places(`fix: it\n\nshort\n${'x'.repeat(103)}`)).toEqual([
      ['body-max-line-length', { line: 4, column: 101, length: 3 }],
    ]);
  });

  it('counts the lines of the message as it was given, blank ones above the header included', () => {
    expect(lintMessage('\n\nfoo: bar').problems).toMatchObject([{ position: { line: 3 } }]);
  });
});

describe('a convention of one’s own', () => {
  const convention: CommitConvention = {
    ...conventional,
    types: ['feature'],
    scopes: ['api', 'ui'],
    headerMaxLength: 20,
    levels: { ...conventional.levels, 'subject-full-stop': 'warning', 'subject-case': 'off' },
  };

  it('decides types, scopes and lengths', () => {
    expect(lintMessage('feature(api,ui): x', convention).valid).toBe(true);
    expect(lintMessage('feat(db): a long enough subject', convention).problems.map(({ rule }) => rule)).toEqual([
      'type-enum',
      'scope-enum',
      'header-max-length',
    ]);
  });

  it('can soften a rule or switch it off', () => {
    expect(verdictOf(lintMessage('feature: Add it.', convention))).toEqual({
      valid: true,
      errors: [],
      warnings: ['subject-full-stop'],
    });
  });
});
