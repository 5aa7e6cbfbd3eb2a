import { join } from 'node:path';
import { wholeTreeWithout } from '../../../git/contents/pathspec.ts';
import type { Repository } from '../../../git/repository.ts';
import { quoteWord } from '../../../quote.ts';
import { checksIn } from '../../files/checks-in-work-tree.ts';
import { guardedFile } from '../../files/guarded-file.ts';
import { hooksDirectoryOf } from '../../files/hooks-directory.ts';
import type { Finding } from '../../finding.ts';
import { textsOf } from '../../git-command/words.ts';
import type { StashIntent } from '../../intent.ts';
import type { Scene } from '../../scene.ts';
import { meant } from '../../simulation/files/meant-paths.ts';
import { judgeGuardedFile } from './guarded-files.ts';

/**
 * `git stash -u`, or `git stash` of what was added before: hooks, the guard's configuration and agents' settings that no
 * commit has yet go into the stash. Not where the line takes them out again.
 */
export async function judgeStashedChecks(
  { action, untracked, ignored, partial, paths }: StashIntent,
  { repository, policy, unstashes }: Scene,
): Promise<readonly Finding[]> {
  const { workTree } = repository;
  const given = partial ? textsOf(paths ?? []) : [':/'];
  if (action !== 'push' || workTree === null || given === null || given.length === 0) {
    return [];
  }
  const watched = await checksIn(repository);
  if (watched.length === 0) {
    return [];
  }
  const listed = untracked ? await untrackedAt(given, ignored === true, repository) : await addedAt(given, repository);
  const hooks = await hooksDirectoryOf(repository);
  const taken = listed
    .filter((path) => watched.some((one) => `${path}/`.startsWith(`${one}/`)))
    .flatMap((path) => {
      const file = guardedFile(join(workTree, path), hooks, repository.git.context.env);
      return file === null ? [] : [{ path, file }];
    });
  if (taken.length === 0 || unstashes()) {
    return [];
  }
  const instead = partial
    ? null
    : await leaving(
        taken.map(({ path }) => path),
        ignored === true,
        repository,
      );
  return taken
    .flatMap(({ path, file }) => judgeGuardedFile(file, path, 'remove', policy, { means: 'git stash' }))
    .map((finding) => (instead === null ? finding : { ...finding, suggestion: instead }));
}

/** What HEAD does not have and the index has: from the work tree's root. */
async function addedAt(pathspecs: readonly string[], repository: Repository): Promise<readonly string[]> {
  const added = (await repository.status()).filter(({ index }) => index === 'A');
  return added.length === 0 ? [] : meant(pathspecs, added, repository);
}

/** Paths from the work tree's root. */
async function untrackedAt(
  pathspecs: readonly string[],
  takesIgnored: boolean,
  { git }: Repository,
): Promise<readonly string[]> {
  const chosen = takesIgnored ? [] : ['--exclude-standard'];
  const listed = ['ls-files', '-z', '--full-name', '--others', ...chosen, '--', ...wholeTreeWithout(pathspecs)];
  const { stdout } = await git.run(listed);
  return stdout.toString('utf8').split('\0');
}

/** Without `--all` git leaves ignored files where they are, and refuses a pathspec that names them to leave them out. */
async function leaving(paths: readonly string[], mayBeIgnored: boolean, repository: Repository): Promise<string> {
  const taken = mayBeIgnored ? await untrackedAt([':/'], false, repository) : paths;
  const left = paths.filter((path) => taken.includes(path)).map((path) => quoteWord(`:(exclude,top)${path}`));
  return ['git stash push --include-untracked', ...(left.length === 0 ? [] : ['-- :/', ...left])].join(' ');
}
