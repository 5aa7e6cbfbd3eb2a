import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { busyRepository, type GuardedRepository } from './guarded-repository.ts';

let repository: GuardedRepository;
beforeAll(() => {
  repository = busyRepository();
  renameSync(join(repository.path, '.git'), join(repository.path, 'git.bak'));
});

describe('a git directory that the line puts in its place', () => {
  it.each([
    ['mv git.bak .git && git reset --hard HEAD~1', 'discard-changes'],
    ['ln -s git.bak .git && git checkout -- a.txt', 'discard-changes'],
    ['mkdir -p sub && cd sub && mv ../git.bak ../.git; git push origin :main', 'protected-delete'],
  ])('is judged with what is there: %s', async (line, rule) => {
    const { findings } = await repository.judge(line);
    expect(findings.map((finding) => finding.rule)).toContain(rule);
  });

  it.each(['git reset --hard', 'ln -s git.bak .git && git status', 'ln -s git.bak .git && git push origin topic'])(
    'leaves what does no harm alone: %s',
    async (line) => {
      expect((await repository.judge(line)).findings.filter(({ verdict }) => verdict !== 'allow')).toEqual([]);
    },
  );
});
