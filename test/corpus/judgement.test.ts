import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { judgedMisses } from './judging.ts';
import { readRows } from './rows.ts';
import { StateTemplates } from './states/build.ts';

const root = mkdtempSync(join(tmpdir(), 'corpus-judgement-'));
const templates = new StateTemplates(root);
afterAll(() => rmSync(root, { recursive: true, force: true }));

const rows = readRows();

describe('the corpus', () => {
  it('has at least a thousand commands, of which at least a third are harmless', () => {
    const harmless = rows.filter(({ verdict }) => verdict === 'allow').length;
    expect(rows.length).toBeGreaterThanOrEqual(1000);
    expect(harmless / rows.length).toBeGreaterThanOrEqual(1 / 3);
  });

  it('leaves few commands open that the guard does not judge as it must', () => {
    expect(rows.filter(({ open }) => open !== undefined).length / rows.length).toBeLessThan(0.005);
  });

  it('has no command twice in the same state', () => {
    const keys = rows.map(({ state, command }) => `${state}\0${command}`);
    expect(keys.filter((key, index) => keys.indexOf(key) !== index)).toEqual([]);
  });
});

describe('the guard says what the corpus says', () => {
  for (const subject of new Set(rows.map((row) => row.subject))) {
    it(subject, async () => {
      const settled = rows.filter((row) => row.subject === subject && row.open === undefined);
      const misses = await judgedMisses(settled, templates);
      const told = misses.map(
        ({ row, got }) => `${row.line} in ${row.state}: ${row.command} → ${got}, not ${row.verdict}`,
      );
      expect(told).toEqual([]);
    }, 900_000);
  }
});
