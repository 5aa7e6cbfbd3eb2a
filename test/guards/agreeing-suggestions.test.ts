import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { busyRepository, commit, type GuardedRepository } from './guarded-repository.ts';

async function suggestions(repository: GuardedRepository, command: string, rule?: string): Promise<(string | null)[]> {
  const { findings } = await repository.judge(command);
  return findings.filter((finding) => rule === undefined || finding.rule === rule).map(({ suggestion }) => suggestion);
}

describe('proposals for one call do not keep what another objection is about', () => {
  it('a push that skips its hook and is forced', async () => {
    const busy = busyRepository();
    const [first] = await suggestions(busy, 'git push --force --no-verify origin main', 'skip-checks');
    expect(first).not.toMatch(/--force(?!-with-lease)|--no-verify/);
  });

  it('a commit without a type can be pasted once it has one', async () => {
    const busy = busyRepository();
    expect(await suggestions(busy, "git commit -m 'zzz'", 'commit-message')).toEqual([
      "git commit -m 'TYPE: zzz'   # with feat, fix, docs, … for TYPE",
    ]);
  });
});

describe('what publishes a site', () => {
  it('is not compared with what is checked out, and goes without force instead', async () => {
    const busy = busyRepository();
    busy.git('push', '--quiet', 'origin', 'topic:refs/heads/gh-pages');
    busy.git('stash', '--quiet', '--include-untracked');
    busy.git('switch', '--quiet', 'main');
    busy.git('fetch', '--quiet');
    expect(await suggestions(busy, 'mkdocs gh-deploy --force', 'force-push')).toEqual(['mkdocs gh-deploy']);
    expect(await suggestions(busy, 'npx gh-pages -d dist --no-history', 'force-push')).toEqual(['gh-pages -d dist']);
    expect(await suggestions(busy, 'docusaurus deploy', 'force-push')).toEqual([
      'git ls-remote origin refs/heads/gh-pages',
    ]);
    expect(await suggestions(busy, 'npx gh-pages -d dist', 'diverged')).toEqual([]);
  });
});

describe('a stash that git does not refuse', () => {
  it('of a file of which the index has only the name', async () => {
    const busy = busyRepository();
    busy.write('intended.txt', 'intended\n');
    busy.git('add', '--intent-to-add', 'intended.txt');
    const [proposal] = await suggestions(busy, 'git checkout -- intended.txt', 'discard-changes');
    expect(proposal).toBe('git add --force intended.txt && git stash push -- intended.txt');
    expect(spawnSync('sh', ['-c', proposal ?? 'false'], { cwd: busy.path }).status).toBe(0);
  });
});

it('own commits that a rebase has replaced are not pulled back', async () => {
  const busy = busyRepository();
  busy.git('stash', '--quiet', '--include-untracked');
  busy.git('switch', '--quiet', '-c', 'other');
  commit(busy, 'topic.txt', 'feat: topic');
  busy.git('push', '--quiet', '--set-upstream', 'origin', 'other');
  busy.git('commit', '--quiet', '--amend', '-m', 'feat: topic, reworded');
  expect(await suggestions(busy, 'git push', 'diverged')).toEqual(['git push --force-with-lease origin other']);
});
