import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { directoryEntries } from '../../git/files.ts';
import { isBareRepository } from './git-directory.ts';

/** More directories than this are not looked into: removing one must be judged at once. */
const maximumDirectories = 200;
const maximumDepth = 3;
/** What package managers put there is no repository of anybody's. */
const skipped = new Set(['.git', 'node_modules']);

/**
 * Work trees and bare repositories at a directory and below it, those that are near: three levels, and the first two hundred directories.
 * What lies within a work tree (a submodule, a nested clone) is found as well.
 */
export function repositoriesBelow(start: string): readonly string[] {
  const found: string[] = [];
  let level = [start];
  let seen = 0;
  for (let depth = 0; depth <= maximumDepth && seen < maximumDirectories; depth += 1) {
    const near = level.slice(0, maximumDirectories - seen);
    seen += near.length;
    found.push(...near.filter((directory) => existsSync(join(directory, '.git')) || isBareRepository(directory)));
    level = near.flatMap(directoriesIn);
  }
  return found;
}

function directoriesIn(directory: string): readonly string[] {
  return directoryEntries(directory)
    .filter((entry) => entry.isDirectory() && !skipped.has(entry.name))
    .map(({ name }) => join(directory, name));
}
