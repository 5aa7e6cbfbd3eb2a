import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { oxideGuard } from '../e2e/guarded-repository.ts';

const shown = (env: NodeJS.ProcessEnv) =>
  spawnSync(process.execPath, [oxideGuard, 'no-such-command'], { env: { ...process.env, ...env }, encoding: 'utf8' })
    .stderr;

it.each([
  ['a pipe', {}],
  ['a pipe in CI', { CI: 'true' }],
  ['NO_COLOR, whatever else', { NO_COLOR: '1', FORCE_COLOR: '1' }],
])('%s gets no colours', (_, env) => {
  expect(shown(env)).not.toContain('\x1b');
});

it('FORCE_COLOR demands them', () => {
  expect(shown({ FORCE_COLOR: '1' })).toContain('\x1b[');
});
