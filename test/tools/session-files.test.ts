import { describe, expect, it } from 'vitest';
import { createSessionFiles, type FileVersion } from '../../src/tools/session-files.ts';

const change = (content: string, baseVersion: number, author = 'agent') => ({
  path: '/project/main.go',
  content: Buffer.from(content),
  author,
  reason: 'Write',
  baseVersion,
});
const nothing = async () => undefined;

describe('the files of a session', () => {
  it('get version after version, with author and reason', async () => {
    const files = createSessionFiles();
    await files.write(change('one', 0), nothing);
    await files.write(change('two', 1, 'subagent-1'), nothing);
    expect(files.history('/project/main.go')).toMatchObject([
      { version: 1, author: 'agent', reason: 'Write' },
      { version: 2, author: 'subagent-1' },
    ]);
    expect(files.latest('/project/main.go')?.content.toString()).toBe('two');
    expect(files.list()).toHaveLength(1);
    expect(files.latest('/project/other.go')).toBeNull();
  });

  it('refuse a write made from an older version, naming both', async () => {
    const files = createSessionFiles();
    const writes = await Promise.all([
      files.write(change('mine', 0), nothing),
      files.write(change('yours', 0, 'subagent-1'), nothing),
    ]);
    expect(writes).toMatchObject([
      { kind: 'written', version: { version: 1 } },
      { kind: 'conflict', baseVersion: 0, currentVersion: 1, author: 'agent' },
    ]);
    expect(files.latest('/project/main.go')?.content.toString()).toBe('mine');
  });

  it('make no version when the disk refuses, and go on afterwards', async () => {
    const files = createSessionFiles();
    const refused = files.write(change('one', 0), () => Promise.reject(new Error('disk full')));
    await expect(refused).rejects.toThrow('disk full');
    expect(files.latest('/project/main.go')).toBeNull();
    expect(await files.write(change('one', 0), nothing)).toMatchObject({ kind: 'written' });
  });

  it('do not touch the disk when they are virtual', async () => {
    let touched = false;
    const files = createSessionFiles({ mode: 'virtual' });
    await files.write(change('one', 0), async () => {
      touched = true;
    });
    expect(touched).toBe(false);
    expect(files.latest('/project/main.go')?.version).toBe(1);
  });

  it('come back from what the store was given', async () => {
    const kept: FileVersion[] = [];
    const before = createSessionFiles({
      onVersion: (version) => {
        kept.push(version);
        return version;
      },
    });
    await before.write(change('one', 0), nothing);
    await before.write(change('two', 1), nothing);
    const after = createSessionFiles({ versions: kept });
    expect(after.history('/project/main.go')).toEqual(before.history('/project/main.go'));
    expect(await after.write(change('three', 2), nothing)).toMatchObject({ version: { version: 3 } });
  });
});
