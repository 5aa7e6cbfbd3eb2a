import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { directoryEntries, kindOf } from '../../git/files.ts';
import { agentSettingsIn } from './agent-hooks.ts';
import { configurationsIn } from './checks-in-work-tree.ts';
import { gitDirectoryAround, isBareRepository } from './git-directory.ts';
import { isWithin, workTreeAbove } from './guarded-file.ts';
import { repositoriesBelow } from './repositories-below.ts';

/** Enough to tell whether a pattern takes refs or logs along. */
const maximumEntries = 200;

/**
 * The paths that the guard watches in the repositories at, around and near below a directory: what a pattern is compared
 * with, of which only a part is known.
 *
 * @param directory absolute
 * @param hooksOf tells where a work tree's hooks may be
 */
export function guardedPathsNear(
  directory: string,
  hooksOf: (workTree: string) => readonly string[],
): readonly string[] {
  const around = gitDirectoryAround(directory)?.gitDirectory ?? null;
  const above = workTreeAbove(directory);
  const tops = new Set([...(above === null ? [] : [above]), ...repositoriesBelow(directory)]);
  const gitDirectories = new Set(around === null ? [] : [around]);
  for (const top of tops) {
    gitDirectories.add(isBareRepository(top) ? top : join(top, '.git'));
  }
  return [...[...tops].flatMap((top) => ofWorkTree(top, hooksOf(top))), ...[...gitDirectories].flatMap(ofGitDirectory)];
}

/**
 * The directories at which the repositories near below a directory go with their directory.
 *
 * @param directory absolute; itself left out
 */
export function holdersNear(directory: string): readonly string[] {
  const nested = repositoriesBelow(directory).filter((top) => top !== directory);
  return [...new Set(nested.flatMap((top) => above(top, directory)))];
}

function ofWorkTree(top: string, hooks: readonly string[]): readonly string[] {
  const directories = [join(top, '.husky'), ...hooks.filter((path) => path !== top && isWithin(path, top))];
  return [
    top,
    ...configurationsIn(top).map((name) => join(top, name)),
    ...agentSettingsIn(top),
    ...new Set(directories.flatMap((path) => [...above(path, top), ...entriesBelow(path, 1)])),
  ];
}

/** The directories between a path and one that holds it, which take it along when they go. */
function above(path: string, top: string): readonly string[] {
  const parent = dirname(path);
  return parent === top ? [] : [parent, ...above(parent, top)];
}

function ofGitDirectory(directory: string): readonly string[] {
  return [
    ...entriesBelow(directory, 0),
    ...['hooks', 'refs', 'logs'].flatMap((name) => entriesBelow(join(directory, name), 8).slice(1)),
    ...['objects', 'worktrees'].flatMap((name) => entriesBelow(join(directory, name), 1).slice(1)),
  ];
}

/** The directory itself and what is in it, so many levels deep. */
function entriesBelow(directory: string, levels: number): readonly string[] {
  const found = existsSync(directory) ? [directory] : [];
  let directories: readonly string[] = found;
  for (let depth = 0; depth <= levels && found.length < maximumEntries; depth += 1) {
    const entries = directories.flatMap(entriesIn);
    found.push(...entries.map(({ path }) => path));
    directories = entries.flatMap(({ path, isDirectory }) => (isDirectory ? [path] : []));
  }
  return found;
}

interface Entry {
  readonly path: string;
  readonly isDirectory: boolean;
}

/** Links count for what they lead to, and not where they lead to nothing. */
function entriesIn(directory: string): readonly Entry[] {
  return directoryEntries(directory).flatMap((entry) => {
    const path = join(directory, entry.name);
    const kind = entry.isSymbolicLink() ? kindOf(path) : entry.isDirectory() ? 'directory' : 'file';
    return kind === null ? [] : [{ path, isDirectory: kind === 'directory' }];
  });
}
