import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { lateOptimising } from '../../src/cli/late-optimising.ts';

it('is an option that this node knows: V8 complains about others where the answers’ reader may look', () => {
  const options = lateOptimising === null ? [] : [lateOptimising];
  const { status, stderr } = spawnSync(process.execPath, [...options, '-e', ''], { encoding: 'utf8' });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
});

it('is given to the nodes that gain from it', () => {
  const [major] = process.versions.v8.split('.');
  expect(lateOptimising).toEqual(major === '11' || major === '12' ? expect.stringMatching(/^--[a-z-]+=\d+$/) : null);
});
