import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync } from 'node:fs';
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

it('demo leaves nothing behind when nobody reads on, and needs no directory to stand in', () => {
  const TMPDIR = temporaryDirectory();
  const here = temporaryDirectory();
  const play = `cd '${here}' && rmdir '${here}' && '${process.execPath}' '${oxideGuard}' demo`;
  const shell = (line: string) => {
    mkdirSync(here, { recursive: true });
    return spawnSync('bash', ['-c', line], { env: { ...process.env, TMPDIR }, encoding: 'utf8' });
  };
  expect(shell(`${play} | head -n 1`).stderr).toBe('');
  const { status, stdout } = shell(play);
  expect(status).toBe(0);
  expect(stdout).toContain('✓ branch');
  expect(readdirSync(TMPDIR).filter((name) => name.startsWith('oxide-guard-demo-'))).toEqual([]);
});

it('demo tells a program what happened, in one document', () => {
  const env = { ...process.env, TMPDIR: temporaryDirectory() };
  const { status, stdout, stderr } = spawnSync(process.execPath, [oxideGuard, 'demo', '--json'], {
    env,
    encoding: 'utf8',
  });
  expect([status, stderr]).toEqual([0, '']);
  const { scenes, repository } = JSON.parse(stdout) as {
    scenes: { title: string; lines: string[] }[];
    repository: string | null;
  };
  expect(repository).toBeNull();
  expect(scenes.map(({ lines }) => lines.length > 0)).toEqual(scenes.map(() => true));
  expect(scenes.find(({ title }) => /force push to main/.test(title))?.lines.join('\n')).toContain('git push --force');
  expect(scenes.at(-1)?.lines.join('\n')).toContain('git publish');
});
