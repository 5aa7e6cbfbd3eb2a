import { mkdirSync } from 'node:fs';
import { beforeAll, expect, it } from 'vitest';
import { busyRepository, commit, emptyRepository, type GuardedRepository } from './guarded-repository.ts';

let repository: GuardedRepository;
let other: GuardedRepository;
beforeAll(() => {
  repository = busyRepository();
  repository.write('src/d.txt', 'd\n');
  commit(repository, 'e.txt', 'feat: e');
  repository.write('src/d.txt', 'changed\n');
  other = busyRepository();
});

async function suggested(command: string, cwd = repository.path): Promise<string | null | undefined> {
  return (await repository.judge(command, cwd)).findings.find(({ verdict }) => verdict !== 'allow')?.suggestion;
}

it('a suggestion works where the line begins, not where it has gone', async () => {
  expect(await suggested(`git -C ${other.path} reset --hard`)).toBe(`git -C ../${other.path.split('/').at(-1)} stash`);
  expect(await suggested(`cd ${other.path} && git checkout -f`)).toMatch(/^git -C \S+ stash$/);
  expect(await suggested('cd src && git checkout -- d.txt')).toBe('git -C src stash push -- d.txt');
  expect(await suggested('cd src && git reset --hard')).toBe('git stash');
  expect(await suggested('git checkout -- src/d.txt')).toBe('git stash push -- src/d.txt');
});

it('it keeps the very stash that would be dropped', async () => {
  repository.git('stash', 'push', '--quiet');
  repository.write('a.txt', 'again\n');
  repository.git('stash', 'push', '--quiet');
  expect(await suggested('git stash drop')).toBe('git stash branch kept-work');
  expect(await suggested('git stash drop stash@{1}')).toBe("git stash branch kept-work 'stash@{1}'");
  expect(await suggested('git stash clear')).toBe('git stash list');
  repository.git('stash', 'drop', '--quiet');
  expect(await suggested('git stash clear')).toBe('git stash branch kept-work');
});

it('it asks for no stash before the first commit', async () => {
  const fresh = emptyRepository();
  fresh.write('a.txt', 'new\n');
  const { findings } = await fresh.judge('git clean -fd');
  expect(findings[0]?.suggestion).toBe("git add --all && git commit -m 'chore: keep the work'");
});

it('it goes into the submodule whose changes are at stake', async () => {
  const outer = emptyRepository();
  commit(outer, 'a.txt', 'feat: a');
  outer.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', other.path, 'lib');
  outer.git('commit', '--quiet', '-m', 'build: add the library');
  outer.write('lib/a.txt', 'changed\n');
  const { findings } = await outer.judge('git submodule deinit -f lib');
  expect(findings[0]?.suggestion).toBe('git -C lib stash --include-untracked');
});

it('what takes one check away is not proposed with another one', async () => {
  expect(await suggested('OXIDE_GUARD_CONFIRM=1 git push --no-verify origin topic')).toBe('git push origin topic');
});

it('a push without a remote that is known names one', async () => {
  mkdirSync(`${repository.path}/empty`);
  expect(await suggested('cd "$NOWHERE" && git push "$REMOTE" main')).not.toContain('the remote ');
});
