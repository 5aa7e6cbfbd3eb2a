import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { composeMessage, dropDraft, keepDraft, readDraft } from '../../src/commit/draft.ts';
import { lintMessage } from '../../src/commit/lint.ts';

it('a draft with everything makes a valid message with its parts in order', () => {
  const message = composeMessage(
    { type: 'feat', scope: 'api', subject: ' drop v1 ', body: 'why\\nand how', breaking: 'use v2', issues: 'refs #3' },
    100,
  );
  expect(message).toBe('feat(api)!: drop v1\n\nwhy\nand how\n\nBREAKING CHANGE: use v2\nrefs #3\n');
  expect(lintMessage(message).problems).toEqual([]);
});

it('a long body and a long note are wrapped', () => {
  const long = 'word '.repeat(60);
  const message = composeMessage({ type: 'fix', subject: 'x', body: long, breaking: long }, 100);
  expect(lintMessage(message).problems).toEqual([]);
});

it('a draft is kept, read again and dropped; a damaged one is none', () => {
  const directory = mkdtempSync(join(tmpdir(), 'oxide-guard-draft-'));
  expect(readDraft(directory)).toBeNull();
  keepDraft(directory, { type: 'fix' });
  expect(readDraft(directory)).toEqual({ type: 'fix' });
  for (const damaged of ['{', '[]', 'null', '{"type": 1}']) {
    writeFileSync(join(directory, 'oxide-guard/commit-draft.json'), damaged);
    expect(readDraft(directory)).toBeNull();
  }
  dropDraft(directory);
  expect(readDraft(directory)).toBeNull();
});
