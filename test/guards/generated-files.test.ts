import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { commit, emptyRepository } from './guarded-repository.ts';

/** What is said to `git clean -x` where a script has made something that is ignored. */
async function verdictAfter(script: string): Promise<string> {
  const repository = emptyRepository();
  repository.write('.gitignore', 'node_modules\ndata\ntest-results\n');
  commit(repository, 'a.txt', 'feat: begin');
  execFileSync('sh', ['-ec', script], { cwd: repository.path });
  const { verdict } = await repository.judge('git clean -f -d -x');
  rmSync(repository.path, { recursive: true });
  return verdict;
}

describe('tools make again', () => {
  it.each([
    ['mkdir node_modules; echo 1 >node_modules/a.js', 'installed packages'],
    ['ln -s /usr/lib/node_modules node_modules', 'a link to them'],
    ['mkdir -p data/composer; echo {} >data/composer/installed.json', 'what Composer has installed'],
    ['mkdir data; echo "Signature: 8a477f597d28d172789f06886806bc55" >data/CACHEDIR.TAG', 'a cache'],
    ['mkdir -p data/lib; echo home >data/pyvenv.cfg', 'a virtual environment'],
    ['mkdir test-results; echo 1 >test-results/a.xml', 'what a test has found'],
  ])('%s', async (script) => {
    expect(await verdictAfter(script)).toBe('allow');
  });
});

describe('somebody has made', () => {
  it.each([
    ['mkdir data; echo 1 >data/a.csv', 'other files'],
    ['echo 1 >node_modules', 'a file of such a name'],
    ['ln -s /usr/lib data', 'a link of another name'],
  ])('%s', async (script) => {
    expect(await verdictAfter(script)).toBe('ask');
  });
});
