import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { removeLeftovers } from '../../src/githooks/atomic-file.ts';
import { temporaryDirectory } from '../git/fixture.ts';

it('a file stays whole when there is room for a part of the new one only', () => {
  const directory = temporaryDirectory();
  const path = join(directory, 'settings.json');
  writeFileSync(path, 'as it was');
  const script = `require('jiti').createJiti(process.cwd() + '/').import(${JSON.stringify(resolve('src/githooks/atomic-file.ts'))})
    .then(({ writeAtomically }) => writeAtomically(${JSON.stringify(path)}, 'x'.repeat(100_000), 0o644))
    .catch((error) => { console.log(error.code); });`;
  // A file may have 8 blocks of 512 bytes: the first write writes those and says so, only the next one fails.
  const { stdout } = spawnSync('sh', ['-c', `trap '' XFSZ; ulimit -f 8; exec "$0" -e "$1"`, process.execPath, script], {
    encoding: 'utf8',
    env: { ...process.env, JITI_FS_CACHE: 'false' },
  });
  expect(stdout.trim()).toBe('EFBIG');
  expect(readFileSync(path, 'utf8')).toBe('as it was');
  expect(readdirSync(directory)).toEqual(['settings.json']);
});

it('leftovers are those of the file that is named, or all', () => {
  const directory = temporaryDirectory();
  for (const name of ['.a.json.1.oxide-guard-tmp', '.b.json.2.oxide-guard-tmp', 'a.json']) {
    writeFileSync(join(directory, name), '');
  }
  removeLeftovers(directory, 'a.json');
  expect(readdirSync(directory).sort()).toEqual(['.b.json.2.oxide-guard-tmp', 'a.json']);
  removeLeftovers(directory);
  expect(readdirSync(directory)).toEqual(['a.json']);
});
