import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';
import { underWatch } from '../../src/githooks/watchdog.ts';

it('gives what the work gives, and its failure', async () => {
  expect(await underWatch('file', () => Promise.resolve(1))).toBe(1);
  await expect(underWatch('file', () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
});

it('ends a process that loops, naming the file', () => {
  const program = `
    import { createJiti } from 'jiti';
    const { underWatch } = await createJiti(import.meta.url).import(${JSON.stringify(pathToFileURL(resolve('src/githooks/watchdog.ts')).href)});
    await underWatch('commitlint.config.js', async () => { for (;;); }, 200);
  `;
  const { status, signal, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', program], {
    encoding: 'utf8',
    timeout: 50_000,
  });
  expect([status, signal]).toEqual([null, 'SIGKILL']);
  expect(stderr).toContain('commitlint.config.js was not done within 0.2 s');
});
