import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { expect, it } from 'vitest';
import { oxideGuard } from '../e2e/guarded-repository.ts';
import { temporaryDirectory } from '../git/fixture.ts';

it.each(['SIGINT', 'SIGTERM'] as const)('demo leaves nothing behind when %s ends it', async (signal) => {
  const TMPDIR = temporaryDirectory();
  const demo = spawn(process.execPath, [oxideGuard, 'demo'], { env: { ...process.env, TMPDIR } });
  await once(demo.stdout, 'data');
  expect(readdirSync(TMPDIR).filter((name) => name.startsWith('oxide-guard-demo-'))).toHaveLength(1);
  demo.stdout.resume();
  demo.stderr.resume();
  demo.kill(signal);
  expect(await once(demo, 'close')).toEqual([null, signal]);
  expect(readdirSync(TMPDIR).filter((name) => name.startsWith('oxide-guard-demo-'))).toEqual([]);
});
