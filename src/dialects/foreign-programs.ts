import { existsSync } from 'node:fs';
import { sep } from 'node:path';
import { realPath } from '../git/files.ts';
import type { Repository } from '../git/repository.ts';
import { manifestPath } from '../githooks/manifest.ts';
import { gitDirectoriesOf } from '../guards/files/git-directories.ts';
import { workTreeAbove } from '../guards/files/guarded-file.ts';

/** Configurations that were not run, and what is judged by in their place. */
const leftOut = new Map<string, string>();

/**
 * May configurations of this repository that are programs be run? A command names whatever repository it likes, and
 * judging it must not run what a stranger has written there. Somebody has installed the guard in a repository whose
 * programs may run: the mark lies in the git directory, which no clone and no push brings along.
 *
 * @param here the directory in which a person has asked; whoever works there runs its programs anyway, in each of its work
 *   trees. Null: an agent asks
 */
export function mayRunPrograms({ commonDir, workTree }: Repository, here: string | null): boolean {
  return (
    existsSync(manifestPath(commonDir)) ||
    (here !== null && workTree !== null && (isInside(here, workTree) || isOfSame(here, commonDir)))
  );
}

/** Is a directory in a work tree of the repository whose git directory this is? */
function isOfSame(path: string, commonDir: string): boolean {
  const top = workTreeAbove(path);
  const own = top === null ? null : gitDirectoriesOf(top);
  return own !== null && (realPath(own.commonDir) ?? own.commonDir) === (realPath(commonDir) ?? commonDir);
}

function isInside(path: string, directory: string): boolean {
  const top = realPath(directory) ?? directory;
  return `${realPath(path) ?? path}${sep}`.startsWith(top.endsWith(sep) ? top : `${top}${sep}`);
}

/**
 * Remembers a configuration that was not run.
 *
 * @param instead what holds without it
 * @returns false: it may not
 */
export function leaveOut(path: string, instead = 'what holds there are the defaults'): false {
  leftOut.set(path, instead);
  return false;
}

/** What was judged without a configuration that is a program, a sentence each. */
export function leftOutNotices(): readonly string[] {
  return [...leftOut].map(
    ([path, instead]) =>
      `${path} was not run, because nobody has installed the guard in that repository; ${instead}. ` +
      'After reading it, to have it count: oxide-guard install',
  );
}
