import { join } from 'node:path';
import { quoteWord } from '../../quote.ts';
import { checksIn } from '../files/checks-in-work-tree.ts';
import { guardedFile } from '../files/guarded-file.ts';
import { hooksDirectoryOf } from '../files/hooks-directory.ts';
import type { Finding } from '../finding.ts';
import { textsOf } from '../git-command/words.ts';
import type { StashIntent } from '../intent.ts';
import type { Scene } from '../scene.ts';
import { judgeGuardedFile } from './guarded-files.ts';

/**
 * `git stash -u`: hooks, the guard's configuration and agents' settings that no commit has yet go into the stash. Not where
 * the line takes them out again.
 */
export async function judgeStashedChecks(
  { action, untracked, ignored, partial, paths }: StashIntent,
  { repository, policy, unstashes }: Scene,
): Promise<readonly Finding[]> {
  const { workTree, git } = repository;
  const given = partial ? textsOf(paths ?? []) : [':/'];
  if (action !== 'push' || !untracked || workTree === null || given === null || given.length === 0) {
    return [];
  }
  const watched = await checksIn(repository);
  if (watched.length === 0) {
    return [];
  }
  const chosen = ignored === true ? [] : ['--exclude-standard'];
  const listed = await git.run(['ls-files', '-z', '--full-name', '--others', ...chosen, '--', ...given]);
  const hooks = await hooksDirectoryOf(repository);
  const taken = listed.stdout
    .toString('utf8')
    .split('\0')
    .filter((path) => watched.some((one) => `${path}/`.startsWith(`${one}/`)))
    .flatMap((path) => {
      const file = guardedFile(join(workTree, path), hooks, git.context.env);
      return file === null ? [] : [{ path, file }];
    });
  if (taken.length === 0 || unstashes()) {
    return [];
  }
  const left = taken.map(({ path }) => quoteWord(`:(exclude,top)${path}`)).join(' ');
  return taken
    .flatMap(({ path, file }) => judgeGuardedFile(file, path, 'remove', policy, { means: 'git stash' }))
    .map((finding) =>
      partial ? finding : { ...finding, suggestion: `git stash push --include-untracked -- :/ ${left}` },
    );
}
