import { describe, expect, it } from 'vitest';
import { gitProcessesStarted } from '../../src/git/runner.ts';
import { commit, git, open, repositoryWithRemote, tryGit } from './fixture.ts';

/** On `topic`, which follows the remote's `main` and has a commit more; `local` follows `topic`, `alone` nothing. */
function following(): string {
  const { work } = repositoryWithRemote();
  git(work, 'fetch', '--quiet', 'origin');
  git(work, 'switch', '--quiet', '-c', 'topic', '--track', 'origin/main');
  commit(work, 'feat: more');
  git(work, 'branch', '--quiet', '--track', 'local', 'topic');
  git(work, 'branch', '--quiet', '--no-track', 'alone');
  return work;
}

const revisions = [
  '@{u}',
  '@{upstream}',
  '@{U}^{commit}',
  'HEAD@{u}',
  'topic@{upstream}',
  'local@{u}',
  'local@{u}~1',
  'alone@{u}',
  'nowhere@{u}',
  '@{push}',
];

const situations: Record<string, (work: string) => void> = {
  'as it was made': () => undefined,
  'with a detached HEAD': (work) => git(work, 'switch', '--quiet', '--detach'),
  'without the ref that remembers the remote’s branch': (work) =>
    git(work, 'update-ref', '-d', 'refs/remotes/origin/main'),
  'with two upstreams': (work) => git(work, 'config', '--add', 'branch.topic.merge', 'refs/heads/other'),
  'with a remote that is fetched elsewhere': (work) =>
    git(work, 'config', 'remote.origin.fetch', '+refs/heads/*:refs/elsewhere/*'),
  'without the remote': (work) => git(work, 'config', '--remove-section', 'remote.origin'),
  'without the branch that it follows': (work) => git(work, 'branch', '--quiet', '--delete', '--force', 'local'),
};

describe('an upstream', () => {
  for (const [situation, arrange] of Object.entries(situations)) {
    it(`is what git takes it for, ${situation}`, async () => {
      const work = following();
      arrange(work);
      const repository = await open(work);
      for (const revision of revisions) {
        const theirs = tryGit(work, 'rev-parse', '--verify', '--quiet', revision)?.trim() ?? null;
        expect(await repository.resolve(revision), revision).toBe(theirs);
      }
    });
  }

  it('is found without a process', async () => {
    const repository = await open(following());
    await repository.config();
    const before = gitProcessesStarted();
    await repository.resolve('@{u}');
    await repository.resolve('local@{upstream}');
    expect(gitProcessesStarted()).toBe(before);
  });
});
