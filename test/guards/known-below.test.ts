import { beforeAll, describe, expect, it } from 'vitest';
import { busyRepository, type GuardedRepository } from './guarded-repository.ts';

let repository: GuardedRepository;
beforeAll(() => {
  // topic has a commit that origin/topic has not.
  repository = busyRepository();
  repository.git('commit', '--quiet', '--all', '--message', 'feat: more');
  repository.git('clean', '--quiet', '--force');
});

const isAllowed = async (line: string) => (await repository.judge(line)).verdict === 'allow';

/** What holds where HEAD's commits are all in origin/topic. */
const questions: readonly string[] = [
  'git merge-base --is-ancestor HEAD origin/topic',
  'git merge-base --is-ancestor @ @{upstream}',
  'git merge-base --is-ancestor topic refs/remotes/origin/topic',
  '[ -z "$(git log origin/topic..HEAD)" ]',
  '[ -z "$(git log --oneline @{u}..)" ]',
  '[ -z "$(git rev-list -1 origin/topic..topic)" ]',
  'test -z "$(git log --format=%h origin/topic..)"',
  '[ "$(git rev-list --count origin/topic..HEAD)" -eq 0 ]',
  '[ $(git rev-list --count origin/topic..) = 0 ]',
  '! [ "$(git rev-list --count @{u}..HEAD)" -gt 0 ]',
  '[ "$(git log --oneline origin/topic..HEAD | wc -l)" -eq 0 ]',
  '[ -z "$(git cherry)" ]',
  '[ -z "$(git cherry -v origin/topic HEAD)" ]',
];

/** What says something else. */
const others: readonly string[] = [
  'git merge-base --is-ancestor origin/topic HEAD',
  '! git merge-base --is-ancestor HEAD origin/topic',
  'git merge-base HEAD origin/topic',
  'git merge-base --is-ancestor HEAD origin/main~0',
  'git --git-dir=.git merge-base --is-ancestor HEAD origin/topic',
  '[ -n "$(git log origin/topic..HEAD)" ]',
  '[ -z "$(git log HEAD..origin/topic)" ]',
  '[ -z "$(git log --no-merges origin/topic..HEAD)" ]',
  '[ -z "$(git log --format=%b origin/topic..HEAD)" ]',
  '[ -z "$(git log origin/topic..HEAD -- src)" ]',
  '[ "$(git rev-list --count HEAD..origin/topic)" -eq 0 ]',
  '[ "$(git rev-list --count origin/topic..HEAD)" -lt 3 ]',
  '[ "$(git rev-list --count --left-right origin/topic...HEAD)" = 0 ]',
];

describe('where the line has found that a ref has the commits, they are not lost', () => {
  it.each(questions)('%s', async (question) => {
    expect(await isAllowed(`git fetch; if ${question}; then git reset --hard origin/topic; fi`)).toBe(true);
    expect(await isAllowed(`git fetch; if ${question}; then :; else git reset --hard origin/topic; fi`)).toBe(false);
    expect(await isAllowed(`git fetch; ${question}; git reset --hard origin/topic`)).toBe(false);
  });

  it.each(others)('but not by %s', async (question) => {
    expect(await isAllowed(`git fetch; ${question} && git reset --hard origin/topic`)).toBe(false);
  });

  it('nor are those of a branch that was merged', async () => {
    const pulled = 'git checkout main && git pull && git merge-base --is-ancestor topic';
    expect(await isAllowed(`${pulled} main && git branch -D topic`)).toBe(true);
    expect(await isAllowed(`${pulled} HEAD && git branch -D topic`)).toBe(true);
  });

  it('as long as that ref has them', async () => {
    const asked = 'git fetch; git merge-base --is-ancestor topic kept && git checkout main';
    repository.git('branch', 'kept', 'main');
    expect(await isAllowed(`${asked} && git branch -D topic`)).toBe(true);
    expect(await isAllowed(`${asked} && git branch -D topic kept`)).toBe(false);
    expect(await isAllowed(`${asked} && git branch -D kept && git branch -D topic`)).toBe(false);
    expect(await isAllowed(`${asked} && git branch -f kept main && git branch -D topic`)).toBe(false);
  });

  it('and not what the line commits itself', async () => {
    const commit = "git commit --allow-empty -m 'feat: x'";
    const asked = 'git merge-base --is-ancestor HEAD origin/topic';
    expect(await isAllowed(`git fetch; ${commit}; ${asked} && git reset --hard origin/topic`)).toBe(false);
    expect(await isAllowed(`git fetch; ${asked} && ${commit} && git reset --hard origin/topic`)).toBe(false);
  });
});
