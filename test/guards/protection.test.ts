import { expect, it } from 'vitest';
import { resolveConfiguration } from '../../src/config/configuration.ts';
import { isProtected } from '../../src/guards/protection.ts';

const policy = (...protectedBranches: string[]) => resolveConfiguration({ protectedBranches });

it.each([
  ['main', [], null, true],
  ['master', [], null, true],
  ['trunk', [], 'trunk', true],
  ['trunk', [], 'main', false],
  ['release/1.2', ['release/*'], null, true],
  ['release/1.2/hotfix', ['release/*'], null, false],
  ['release/1.2/hotfix', ['release/**'], null, true],
  ['maintenance', [], null, false],
  ['x/main', [], null, false],
  ['v1.0', ['v?.?'], null, true],
  ['v1x0', ['v1.0'], null, false],
  ['master', ['!master'], null, false],
  ['trunk', ['!trunk'], 'trunk', false],
  ['release/test', ['release/*', '!release/test'], null, false],
] as const)('%s with %j and default branch %s: protected %s', (branch, globs, defaultBranch, expected) => {
  expect(isProtected(branch, policy(...globs), defaultBranch)).toBe(expected);
});
