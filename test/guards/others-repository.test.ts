import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { busyRepository, type GuardedRepository } from './guarded-repository.ts';

let repository: GuardedRepository;
beforeAll(() => {
  repository = busyRepository();
  repository.git('push', '--quiet', 'origin', 'topic:main');
});

/** As git's own tests make a repository another user's. */
const othersOwn = () => vi.stubEnv('GIT_TEST_ASSUME_DIFFERENT_OWNER', '1');
afterEach(() => vi.unstubAllEnvs());

/** git-config(1) "safe.directory" */
describe('a repository that another user owns', () => {
  it.each(['git reset --hard', 'git push --force origin main', 'git status && git stash clear'])(
    'is none of git’s business: %s',
    async (line) => {
      othersOwn();
      expect((await repository.judge(line)).verdict).toBe('allow');
    },
  );

  it.each([
    ['git config --global --add safe.directory "$PWD" && git reset --hard', 'discard-changes'],
    ["git config --global --add safe.directory '*' && git push --force origin main", 'protected-force-push'],
    ['chown -R "$(id -u)" . && git checkout -- .', 'discard-changes'],
    ['sudo -u owner git reset --hard', 'discard-changes'],
    ['SUDO_UID=1234 git reset --hard', 'discard-changes'],
    ['su owner -c "git push origin :main"', 'protected-delete'],
    ["git -c safe.directory='*' push --force origin main", 'protected-force-push'],
  ])('is judged where the line makes git trust it: %s', async (line, rule) => {
    othersOwn();
    const { findings } = await repository.judge(line);
    expect(findings.map((finding) => finding.rule)).toContain(rule);
  });

  it('is known with what its remote has', async () => {
    othersOwn();
    const { findings } = await repository.judge('chown -R me . && git push --force origin topic~2:main');
    expect(findings[0]?.message).toContain('2 commits there would be lost');
  });

  it.each(['chown -R me . && git status', 'sudo git log --oneline', 'sudo git push origin topic'])(
    'is let alone by what does no harm: %s',
    async (line) => {
      othersOwn();
      expect((await repository.judge(line)).verdict).toBe('allow');
    },
  );
});
