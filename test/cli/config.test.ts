import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { runOxideGuard } from '../e2e/guarded-repository.ts';
import { emptyRepository } from '../git/fixture.ts';

it('config prints one JSON document with --json, whatever it is asked for', () => {
  const cwd = emptyRepository();
  const config = (action: string): unknown => {
    const { stdout, status } = runOxideGuard(['config', action, '--json'], { cwd });
    expect({ action, status }).toEqual({ action, status: 0 });
    return JSON.parse(stdout);
  };
  const path = join(cwd, 'oxide-guard.config.json');
  expect(config('init')).toEqual({ path, content: { protectedBranches: [], rules: {} } });
  expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual({ protectedBranches: [], rules: {} });
  expect(config('print')).toMatchObject({ protectedBranches: ['main', 'master'] });
  expect(config('schema')).toMatchObject({ type: 'object' });
});
