import { describe, expect, it } from 'vitest';
import { openRepository } from '../../src/git/open-repository.ts';
import { gitProcessesStarted } from '../../src/git/runner.ts';
import { commit, git, repositoryWithRemote, tryGit, write } from './fixture.ts';

/** Branch, tag and remote branch of one name, each at a commit of its own. */
function ambiguousRepository(): string {
  const { work } = repositoryWithRemote();
  git(work, 'tag', 'both');
  commit(work, 'feat: second');
  git(work, 'branch', 'both');
  git(work, 'branch', 'beef');
  commit(work, 'feat: third');
  git(work, 'tag', '-a', '-m', 'one', 'v1');
  git(work, 'branch', 'heads/nested');
  git(work, 'update-ref', 'refs/remotes/origin/both', 'HEAD');
  write(work, '.git/odd', 'nonsense\n');
  return work;
}

describe('a plain name', () => {
  const names = ['main', 'both', 'heads/both', 'tags/both', 'remotes/origin/both', 'origin/both', 'origin', 'v1'];
  const others = ['beef', 'nested', 'heads/nested', 'nothing', 'odd', 'refs/heads/main', 'ORIG_HEAD', 'config'];
  it('stands for what git says it does', async () => {
    const work = ambiguousRepository();
    const repository = await openRepository({ cwd: work });
    for (const name of [...names, ...others]) {
      expect([name, await repository?.resolve(name)]).toEqual([
        name,
        tryGit(work, 'rev-parse', '--verify', '-q', name),
      ]);
    }
  });

  it('of another work tree is asked from git', async () => {
    const work = ambiguousRepository();
    git(work, 'worktree', 'add', '-q', '-b', 'there', '../there');
    const repository = await openRepository({ cwd: work });
    for (const name of ['worktrees/there/HEAD', 'main-worktree/HEAD']) {
      expect(await repository?.resolve(name)).toBe(git(work, 'rev-parse', name));
    }
  });

  it('that was nothing a moment ago is found when it has been made', async () => {
    const work = ambiguousRepository();
    expect(await (await openRepository({ cwd: work }))?.resolveAll(['later^{commit}'])).toEqual(
      new Map([['later^{commit}', null]]),
    );
    git(work, 'branch', 'later');
    expect(await (await openRepository({ cwd: work }))?.resolve('later')).toBe(git(work, 'rev-parse', 'later'));
  });

  it('is looked up without starting git', async () => {
    const repository = await openRepository({ cwd: ambiguousRepository() });
    const started = gitProcessesStarted();
    for (const name of [...names, 'nothing', 'no/such^{commit}']) {
      await repository?.resolve(name);
    }
    expect(gitProcessesStarted()).toBe(started);
  });
});
