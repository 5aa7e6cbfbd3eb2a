import { describe, expect, it } from 'vitest';
import { conventional } from '../../src/commit/convention.ts';
import { lintWith } from '../../src/commit/linted-message.ts';
import { conventionLinter } from '../../src/commit/linter.ts';
import { formats } from '../../src/commit/reporters/formats.ts';
import { plainPaint } from '../../src/ui/paint.ts';

const linter = conventionLinter(conventional);
const oid = 'a'.repeat(40);

async function report(format: string, message: string, origin: { oid?: string; file?: string } = {}): Promise<string> {
  const linted = await lintWith(linter, message, { oid: origin.oid ?? null, file: origin.file ?? null });
  const context = {
    paint: plainPaint,
    convention: conventional,
    columns: undefined,
    isRange: origin.oid !== undefined,
  };
  return formats[format]?.([linted], context) ?? '';
}

describe('JSON', () => {
  it('of one message is one document with the fields of the contract', async () => {
    expect(JSON.parse(await report('json', 'Fixed bug.'))).toEqual({
      valid: false,
      header: { type: null, scope: null, subject: null, breaking: false },
      problems: [
        { level: 'error', rule: 'type-empty', message: expect.any(String) },
        { level: 'error', rule: 'subject-empty', message: expect.any(String) },
        { level: 'error', rule: 'subject-full-stop', message: expect.any(String) },
      ],
      suggestion: 'fix: bug',
    });
  });

  it('of a range is an array with object names', async () => {
    expect(JSON.parse(await report('json', 'feat(a)!: x', { oid }))).toEqual([
      {
        oid,
        valid: true,
        header: { type: 'feat', scope: 'a', subject: 'x', breaking: true },
        problems: [],
        suggestion: null,
      },
    ]);
  });
});

describe('text', () => {
  it('names the commit and counts', async () => {
    const told = await report('text', 'nothing', { oid });
    expect(told).toMatch(/^a{10}\n {2}✗ the type is missing\n {6}nothing\n/);
    expect(told).toMatch(/✗ 1 of 1 commit invalid$/);
    expect(await report('text', 'feat: x', { oid })).toBe('✓ 1 commit checked');
  });

  it('of one good message is silent', async () => {
    expect(await report('text', 'feat: x')).toBe('');
  });
});

describe('GitHub annotations', () => {
  it('escape what would break the command, and carry the correction', async () => {
    expect(await report('github', 'fix: 100% done.\n\nx', { oid })).toBe(
      '::error title=commit aaaaaaaaaa::fix: 100%25 done.%0Athe subject ends with a full stop%0Asuggested: fix: 100%25 done',
    );
  });

  it('name the place in a file', async () => {
    expect(await report('github', 'fix: x.', { file: 'a,b:c' })).toMatch(/^::error file=a%2Cb%3Ac,line=1,col=7,title=/);
  });

  it('of a message cannot smuggle in a command of their own', async () => {
    const lines = (await report('github', 'x\n::set-env name=PATH::evil\r\n::x', { oid })).split(/\r|\n/);
    expect(lines.every((line) => line.startsWith('::error') || line.startsWith('::warning'))).toBe(true);
  });
});

describe('SARIF', () => {
  it('has a rule for each result and the region in a file', async () => {
    const log = JSON.parse(await report('sarif', 'foo: x.', { file: 'MESSAGE' }));
    expect(log).toMatchObject({ version: '2.1.0', runs: [{ tool: { driver: { name: 'oxide-guard' } } }] });
    expect(log.runs[0].results.map((result: { ruleId: string }) => result.ruleId)).toEqual([
      'type-enum',
      'subject-full-stop',
    ]);
    expect(log.runs[0].results[1].locations[0].physicalLocation).toEqual({
      artifactLocation: { uri: 'MESSAGE' },
      region: { startLine: 1, startColumn: 7, endColumn: 8 },
    });
  });
});
