import { existsSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { isChosen } from '../../../git/contents/sparse-checkout.ts';
import { trackedAt } from '../../../git/contents/tracked-files.ts';
import type { Repository } from '../../../git/repository.ts';
import { checksIn } from '../../files/checks-in-work-tree.ts';
import { guardedFile } from '../../files/guarded-file.ts';
import { hooksDirectoryOf } from '../../files/hooks-directory.ts';
import { fitsNames, readPathGlob } from '../../files/path-glob.ts';
import type { Finding } from '../../finding.ts';
import { textOf } from '../../git-command/words.ts';
import type { ChangeFilesIntent } from '../../intent.ts';
import type { Scene } from '../../scene.ts';
import { judgeGuardedFile } from './guarded-files.ts';

/** `git sparse-checkout set src`: tracked files by which the checks work go where they are not among what is chosen. */
export async function judgeNarrowing(
  { paths, byPatterns, means }: ChangeFilesIntent,
  { repository, policy }: Scene,
): Promise<readonly Finding[]> {
  const { workTree, git } = repository;
  const watched = workTree === null ? [] : await watchedFiles(workTree, repository);
  if (workTree === null || watched.length === 0) {
    return [];
  }
  const chosen = paths.flatMap((word) => textOf(word) ?? []);
  const isByPatterns = byPatterns ?? !(await repository.config()).getBoolean('core.sparsecheckoutcone', true);
  const stays = isByPatterns ? stayingByPatterns(chosen) : stayingByDirectories(chosen, repository.cwd, workTree);
  const hooks = await hooksDirectoryOf(repository);
  return watched
    .filter((path) => !stays(path))
    .flatMap((path) => {
      const file = guardedFile(join(workTree, path), hooks, git.context.env);
      return file === null ? [] : judgeGuardedFile(file, path, 'remove', policy, { means });
    });
}

/** From the top of the work tree: what is there and tracked, of hooks, the guard's configuration and agents' settings. */
async function watchedFiles(workTree: string, repository: Repository): Promise<readonly string[]> {
  const paths = await checksIn(repository);
  const tracked =
    paths.length === 0
      ? []
      : await trackedAt(
          repository,
          paths.map((path) => `:(top,literal)${path}`),
        );
  return tracked.filter((path) => existsSync(join(workTree, path)));
}

type Staying = (path: string) => boolean;

function stayingByDirectories(chosen: readonly string[], cwd: string, workTree: string): Staying {
  const directories = chosen.map((word) =>
    relative(workTree, word.startsWith('/') ? join(workTree, word) : resolve(cwd, word)),
  );
  return (path) => directories.includes('') || isChosen(dirname(path), directories);
}

/** Without a pattern, these are taken. */
const defaultPatterns = ['/*', '!/*/'];

/** git-sparse-checkout(1) "FULL PATTERN SET": the last pattern that fits decides; where none does, as for the directory above. */
function stayingByPatterns(given: readonly string[]): Staying {
  const patterns = (given.length === 0 ? defaultPatterns : given).map((pattern) => ({
    isTaken: !pattern.startsWith('!'),
    // One that can't be tried may leave out anything.
    fits: fitting(pattern.replace(/^!/, '')) ?? (() => pattern.startsWith('!')),
  }));
  return (path) => {
    for (let entry = path; entry !== '.'; entry = dirname(entry)) {
      const last = patterns.findLast(({ fits }) => fits(entry, entry !== path));
      if (last !== undefined) {
        return last.isTaken;
      }
    }
    return false;
  };
}

/** gitignore(5) "PATTERN FORMAT". */
function fitting(pattern: string): ((path: string, isDirectory: boolean) => boolean) | null {
  const plain = pattern.replace(/\/$/, '');
  const isAnchored = plain.includes('/');
  const glob = readPathGlob(plain.replace(/^\//, ''));
  return glob === null
    ? null
    : (path, isDirectory) =>
        (isDirectory || !pattern.endsWith('/')) && fitsNames(glob, isAnchored ? path.split('/') : [basename(path)]);
}
