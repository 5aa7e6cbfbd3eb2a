import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { repositoryWithRemote } from '../git/fixture.ts';
import { installIn, writeHook } from '../githooks/fixture.ts';
import { type GuardedRepository, guardedAt } from './guarded-repository.ts';

let repository: GuardedRepository;
let changed: GuardedRepository;
let chained: GuardedRepository;
beforeAll(async () => {
  const made = async (before: string | null = null) => {
    const { work } = repositoryWithRemote();
    if (before !== null) {
      writeHook(join(work, '.git/hooks/pre-push'), before);
    }
    await installIn(work);
    return guardedAt(work);
  };
  [repository, changed] = [await made(), await made()];
  chained = await made('#!/bin/sh\ngit push --force origin main\n');
  appendFileSync(join(changed.path, '.git/hooks/pre-push'), 'git push --force origin main\n');
});

describe('the guard’s own hook, run by hand', () => {
  it.each([
    '.git/hooks/commit-msg message',
    'sh .git/hooks/pre-push origin url </dev/null',
    'cd .git/hooks && ./pre-push',
  ])('is what git would run: %s', async (line) => {
    expect((await repository.judge(line)).findings).toEqual([]);
  });

  it('starts the hook that was there before', async () => {
    const { findings } = await chained.judge('sh .git/hooks/pre-push origin url');
    expect(findings[0]?.rule).toBe('protected-force-push');
  });

  it('is read where somebody has changed it', async () => {
    expect((await changed.judge('sh .git/hooks/pre-push origin url')).verdict).not.toBe('allow');
  });
});
