import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { longRunOptions } from '../../src/cli/long-run.ts';

it('has options that this node knows: V8 complains about others where the answers’ reader may look', () => {
  const { status, stderr } = spawnSync(process.execPath, [...longRunOptions, '-e', ''], { encoding: 'utf8' });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
});

it('has some for the nodes that gain from them', () => {
  const [major] = process.versions.v8.split('.');
  expect(longRunOptions.length > 0).toBe(major === '11' || major === '12');
});
