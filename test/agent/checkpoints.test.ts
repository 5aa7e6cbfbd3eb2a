import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Checkpoints } from '../../src/agent/checkpoints.ts';
import { gitProcessesStarted } from '../../src/git/runner.ts';
import { emptyRepository, open, repositoryWithCommit, write } from '../git/fixture.ts';

async function checkpointsOf(root: string, budget?: number) {
  const repository = await open(root);
  const problems: string[] = [];
  const missing: string[] = [];
  const checkpoints = new Checkpoints({
    repository,
    session: 'test',
    kept: [],
    ...(budget === undefined ? {} : { budget }),
    onCheckpoint: () => {},
    onMissing: (messageId) => missing.push(messageId),
    onProblem: (problem) => problems.push(problem),
  });
  return { checkpoints, problems, missing };
}

describe('the checkpoints of a session', () => {
  it('say once what they leave out', async () => {
    const root = repositoryWithCommit();
    writeFileSync(join(root, 'big.bin'), Buffer.alloc(6 * 1024 * 1024));
    emptyRepository(join(root, 'nested'));
    const { checkpoints, problems } = await checkpointsOf(root);
    for (const content of ['one', 'two']) {
      write(root, 'a.txt', content);
      expect(await checkpoints.take('a change', 'm1')).not.toBeNull();
    }
    expect(problems).toEqual([
      'Checkpoints leave out, so nothing brings back: big.bin (untracked, over 5 MiB), nested/ (a repository of its own).',
    ]);
  });

  it('that take too long are told, and not tried again at every call', async () => {
    const root = repositoryWithCommit();
    write(root, 'a.txt', 'a');
    const { checkpoints, problems } = await checkpointsOf(root, 1);
    expect(await checkpoints.take('a change', 'm1')).toBeNull();
    const started = gitProcessesStarted();
    expect(await checkpoints.take('a change', 'm1')).toBeNull();
    expect(gitProcessesStarted()).toBe(started);
    expect(problems).toEqual([expect.stringContaining('not done with a snapshot within its time budget')]);
  });

  it('that can’t be written are told with the place', async () => {
    const root = repositoryWithCommit();
    write(root, 'a.txt', 'a');
    // Not a directory, whoever asks: root may write into one without permission.
    rmSync(join(root, '.git/oxide-guard'), { recursive: true, force: true });
    writeFileSync(join(root, '.git/oxide-guard'), '');
    const { checkpoints, problems, missing } = await checkpointsOf(root);
    expect(await checkpoints.take('a change', 'm1')).toBeNull();
    expect(missing).toEqual(['m1']);
    expect(problems).toEqual([expect.stringContaining(`${join(root, '.git/oxide-guard')} can't be written (EEXIST)`)]);
  });

  it('that were missing before the first change bring nothing back, also when later ones could be taken', async () => {
    const root = repositoryWithCommit();
    write(root, 'a.txt', 'before');
    rmSync(join(root, '.git/oxide-guard'), { recursive: true, force: true });
    writeFileSync(join(root, '.git/oxide-guard'), '');
    const { checkpoints } = await checkpointsOf(root);
    expect(await checkpoints.take('a change', 'm1')).toBeNull();
    write(root, 'a.txt', 'after the first');
    rmSync(join(root, '.git/oxide-guard'));
    expect(await checkpoints.take('a change', 'm1')).not.toBeNull();
    write(root, 'a.txt', 'after the second');
    await expect(checkpoints.restoreBefore(['m1'])).rejects.toMatchObject({ code: 'checkpoint-missing' });
    expect(readFileSync(join(root, 'a.txt'), 'utf8')).toBe('after the second');
  });
});
