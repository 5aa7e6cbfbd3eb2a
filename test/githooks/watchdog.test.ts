import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';
import { watchOver } from '../../src/githooks/watchdog.ts';

it('gives what the work gives, and its failure', async () => {
  const watch = watchOver('file');
  expect(await watch.over(() => Promise.resolve(1))).toBe(1);
  await expect(watch.over(() => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
});

/** A process that does this under a watch of so many milliseconds. */
function run(work: string, limit = 200) {
  const module = JSON.stringify(pathToFileURL(resolve('src/githooks/watchdog.ts')).href);
  const program = `
    import { createJiti } from 'jiti';
    const { watchOver } = await createJiti(import.meta.url).import(${module});
    const watch = watchOver('commitlint.config.js', 'The message is kept.', ${limit});
    ${work}
  `;
  return spawnSync(process.execPath, ['--input-type=module', '--eval', program], { encoding: 'utf8', timeout: 50_000 });
}

it.each([
  ['at once', 'await watch.over(async () => { for (;;); });'],
  ['in a later work', 'await watch.over(async () => 1); await watch.over(async () => { for (;;); });'],
  ['by a promise that never settles', 'setInterval(() => {}, 1000); await watch.over(() => new Promise(() => {}));'],
])('ends a process that loops %s, naming the file', (_, work) => {
  const { status, signal, stderr } = run(work);
  expect([status, signal]).toEqual([null, 'SIGKILL']);
  expect(stderr).toContain('commitlint.config.js was not done within 0.2 s');
  expect(stderr).toContain('The message is kept.');
});

it('counts each work for itself, and nothing between them', () => {
  const pause = 'await new Promise((done) => setTimeout(done, 700));';
  const works = `await watch.over(async () => { ${pause} }); ${pause}`.repeat(2);
  const { status, stdout } = run(`${works} console.log('done');`, 2000);
  expect([status, stdout]).toEqual([0, 'done\n']);
});
