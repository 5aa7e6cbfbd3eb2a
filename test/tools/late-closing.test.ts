import { closeSync, fstatSync, openSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createLateClosing } from '../../src/tools/late-closing.ts';
import { multiEdit } from '../../src/tools/multi-edit.ts';
import { skipUnless } from '../skip.ts';
import { succeed, workspace } from './fixture.ts';

const isLinux = process.platform === 'linux';

/** The files below a directory that this process has open, replaced ones too. */
function openBelow(root: string): readonly string[] {
  return readdirSync('/proc/self/fd').flatMap((name) => {
    try {
      const path = readlinkSync(`/proc/self/fd/${name}`);
      return path.startsWith(`${root}/`) ? [path] : [];
    } catch {
      return [];
    }
  });
}

describe.skipIf(skipUnless(isLinux, 'only Linux tells which files are open'))('files that MultiEdit has read', () => {
  const names = Array.from({ length: 300 }, (_, index) => `f${index}.ts`);
  const changes = names.map((name) => ({ file_path: name, old_string: 'a', new_string: 'b' }));
  const files = Object.fromEntries(names.map((name) => [name, 'a\n']));

  it('are closed when it ends, those that it could not change too', async () => {
    const { root, context } = workspace({ ...files, 'binary.ts': '\0' });
    const failing = [
      { file_path: 'f0.ts', old_string: 'absent', new_string: 'b' },
      { file_path: 'binary.ts', old_string: 'a', new_string: 'b' },
      { file_path: 'none.ts', old_string: 'a', new_string: 'b' },
      { file_path: '.', old_string: 'a', new_string: 'b' },
    ];
    const { text } = await succeed(multiEdit, { edits: [...failing, ...changes] }, context);
    expect(text).toContain('300 of 304 edits made in 300 files; 4 failed.');
    expect(openBelow(root)).toEqual([]);
  });

  it('are never many at once', async () => {
    const { root, context } = workspace(files);
    let most = 0;
    const signal = Object.defineProperty(new AbortController().signal, 'aborted', {
      get: () => {
        most = Math.max(most, openBelow(root).length);
        return false;
      },
    });
    await succeed(multiEdit, { edits: changes }, { ...context, signal });
    expect(readFileSync(join(root, 'f299.ts'), 'utf8')).toBe('b\n');
    expect(most).toBeLessThanOrEqual(64);
  });

  it('are left to who read them where it is not known how files are replaced', () => {
    const path = '/proc/self/stat';
    const descriptor = openSync(path, 'r');
    expect(createLateClosing().keep(descriptor, path, fstatSync(descriptor))).toBe(false);
    closeSync(descriptor);
  });
});
