import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { directoryEntries } from '../../git/files.ts';
import type { Repository } from '../../git/repository.ts';
import type { MovedPaths } from '../simulation/files/moved-paths.ts';
import { isBareRepository } from './git-directory.ts';

/** More submodules than this are judged by their first ones. */
const maximum = 50;

/** The working trees of the submodules that are there, absolute: gitmodules(5). */
export function submodulesOf({ workTree }: Repository): readonly string[] {
  const file = workTree === null ? null : join(workTree, '.gitmodules');
  if (workTree === null || file === null || !existsSync(file)) {
    return [];
  }
  const paths = [...readFileSync(file, 'utf8').matchAll(/^\s*path\s*=\s*(.+?)\s*$/gm)].map(([, path = '']) =>
    join(workTree, path),
  );
  return paths.filter((path) => existsSync(join(path, '.git'))).slice(0, maximum);
}

/**
 * Those at or below some of these paths, as they are written in the repository's `cwd`; without any, all of them.
 *
 * @returns where they lay before the line has moved them
 */
export function submodulesAt(
  { repository, moved }: { readonly repository: Repository; readonly moved: MovedPaths },
  paths: readonly string[],
): readonly string[] {
  const given = paths.map((path) => resolve(repository.cwd, path));
  const places = given.filter((path) => !moved.isAway(path, true));
  const meant = places.flatMap((place) => [moved.before(place), ...moved.into(place)]).map((place) => `${place}/`);
  return submodulesOf(repository).filter(
    (place) => paths.length === 0 || meant.some((path) => `${place}/`.startsWith(path)),
  );
}

/**
 * The histories that git keeps of submodules at a path or below it: gitsubmodules(7), in `.git/modules`, those of nested
 * ones within their own. None where the path is elsewhere, or has too many to look at each.
 *
 * @param path absolute
 */
export function submoduleHistories(path: string): readonly string[] {
  if (!/\/\.git\/modules(?:\/|$)/.test(path)) {
    return [];
  }
  const found = historiesBelow(path);
  return found.length > maximum ? [] : found;
}

/** The same of any directory where they are kept: a linked work tree has its own. */
export function historiesBelow(directory: string): readonly string[] {
  const isOne = isBareRepository(directory);
  const below = isOne ? join(directory, 'modules') : directory;
  const directories = directoryEntries(below).filter((entry) => entry.isDirectory());
  return [...(isOne ? [directory] : []), ...directories.flatMap(({ name }) => historiesBelow(join(below, name)))];
}
