import { dirname, join } from 'node:path';
import { bareRepository, commit, git, repositoryWithCommit } from './fixture.ts';

/**
 * A repository at `<directory>/project` with branches ahead of, equal to and diverged from those of `origin`, branches and
 * tags that only one side has, and two more bare repositories beside it: the remote `fork`, and `elsewhere.git`, which
 * is no remote. URLs are relative, so the whole directory can be copied.
 */
export function arrangeRemotes(): string {
  const work = repositoryWithCommit();
  for (const name of ['origin', 'fork', 'elsewhere']) {
    bareRepository(join(dirname(work), `${name}.git`));
  }
  git(work, 'remote', 'add', 'origin', '../origin.git');
  git(work, 'remote', 'add', 'fork', '../fork.git');
  for (const branch of ['topic', 'same', 'gone', 'both', 'feature/x']) {
    git(work, 'branch', branch);
  }
  git(work, 'switch', '--quiet', 'topic');
  commit(work, 'feat: on the remote only');
  git(work, 'tag', '-a', '-m', 'one', 'v1', 'main');
  git(work, 'tag', 'moved', 'main');
  git(work, 'push', '--quiet', 'origin', '--all');
  git(work, 'push', '--quiet', 'origin', '--tags');
  git(work, 'push', '--quiet', 'fork', 'main', 'topic');
  git(work, 'reset', '--quiet', '--hard', 'main');
  commit(work, 'feat: in its place');
  git(work, 'switch', '--quiet', 'main');
  commit(work, 'feat: ahead');
  git(work, 'branch', '-D', '--quiet', 'gone');
  git(work, 'branch', 'only-here');
  git(work, 'branch', `odd;na'me-ü`);
  git(work, 'tag', '-a', '-m', 'two', 'v2');
  git(work, 'tag', 'light');
  git(work, 'tag', 'both');
  git(work, 'tag', '--force', 'moved');
  git(work, 'tag', '-a', '-m', 'off the road', 'aside', 'topic');
  git(work, 'remote', 'set-head', 'origin', 'main');
  return work;
}
