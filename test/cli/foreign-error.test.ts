import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { foreignError } from '../../src/cli/foreign-error.ts';

function refused(code: string, syscall: string, path: string): Error {
  return Object.assign(new Error(`${code}: permission denied, ${syscall} '${path}'`), { code, syscall, path });
}

describe('what the file system refuses', () => {
  const directory = mkdtempSync(join(tmpdir(), 'oxide-guard-refused-'));
  const hooks = join(directory, 'hooks');
  mkdirSync(hooks);
  writeFileSync(join(hooks, 'pre-push'), '');

  it('is told of the directory that is there, not of a file that could not be made', () => {
    const { message, remedy } = foreignError(refused('EACCES', 'open', join(hooks, '.pre-push.1.tmp')));
    expect(message).toMatch(`${hooks} does not let this user do that`);
    expect(remedy).toMatch(`ls -ld ${hooks}   #`);
    expect(foreignError(refused('EACCES', 'mkdir', join(directory, 'a/b'))).remedy).toMatch(`ls -ld ${directory}   #`);
  });

  it('is told of the directory where its entries may not change', () => {
    expect(foreignError(refused('EPERM', 'unlink', join(hooks, 'pre-push'))).remedy).toMatch(`ls -ld ${hooks}   #`);
    expect(foreignError(refused('EROFS', 'open', join(hooks, 'pre-push')))).toMatchObject({
      message: expect.stringContaining('can only be read'),
      remedy: expect.stringContaining(`ls -ld ${join(hooks, 'pre-push')}`),
    });
  });
});
