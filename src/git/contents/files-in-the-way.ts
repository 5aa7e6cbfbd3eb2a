import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { statsOf } from '../checkpoints/work-tree-state.ts';
import type { TreeEntry } from './tree-entries.ts';

/** Something in the work tree where another file is to be, or a directory. */
export interface FileInTheWay {
  /** From the work tree's root; a repository of its own ends in a slash. */
  readonly path: string;
  /** What lies there by itself: `data` of `data/a.csv` where a file called `data` comes. */
  readonly root: string;
  /** What comes in its place, or below it. */
  readonly incoming: TreeEntry;
}

/** Of a directory with more files in it, none is looked at. */
const maximumFiles = 500;
const submodule = '160000';
/** No path is called so. */
const notThere = '';

/**
 * What lies where files would be put, tracked or not: without a process, and without a look below directories that are
 * not there.
 *
 * @param incoming by their paths from the work tree's root
 * @param isPassed directories that are not looked into, by their paths with a slash at the end
 */
export function filesInTheWay(
  incoming: readonly TreeEntry[],
  workTree: string,
  isPassed: (directory: string) => boolean,
): readonly FileInTheWay[] {
  const directories = new Directories(workTree);
  const found = new Map<string, FileInTheWay>();
  for (const entry of incoming) {
    const above = directories.blocking(entry.path);
    if (above === notThere) {
      continue;
    }
    const root = above ?? entry.path;
    for (const path of above === null ? lyingAt(entry, workTree, isPassed) : [above]) {
      found.set(path, { path, root, incoming: entry });
    }
  }
  return [...found.values()];
}

function lyingAt(
  { path, mode }: TreeEntry,
  workTree: string,
  isPassed: (directory: string) => boolean,
): readonly string[] {
  const stats = statsOf(join(workTree, path));
  if (stats === undefined) {
    return [];
  }
  if (!stats.isDirectory()) {
    return [path];
  }
  // A submodule leaves what is in its directory.
  return mode === submodule ? [] : filesBelow(path, workTree, isPassed);
}

/** What is in a directory, at whatever depth, as {@link FileInTheWay.path} says it. Of too many, the directory stands for them. */
export function filesBelow(
  root: string,
  workTree: string,
  isPassed: (directory: string) => boolean,
): readonly string[] {
  const files: string[] = [];
  const waiting = [root];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (isPassed(`${path}/`)) {
      continue;
    }
    const entries = entriesOf(join(workTree, path));
    if (entries.some(({ name }) => name === '.git')) {
      files.push(`${path}/`);
      continue;
    }
    for (const entry of entries) {
      (entry.isDirectory() ? waiting : files).push(`${path}/${entry.name}`);
    }
    if (files.length > maximumFiles) {
      return [`${root}/`];
    }
  }
  return files;
}

function entriesOf(directory: string) {
  try {
    return readdirSync(directory, { withFileTypes: true });
  } catch {
    return [];
  }
}

/** What is known of the directories above files, so that each is looked at once. */
class Directories {
  readonly #workTree: string;
  readonly #seen = new Map<string, string | null>();

  constructor(workTree: string) {
    this.#workTree = workTree;
  }

  /** What is no directory above a path; null: all of them are directories; {@link notThere}: one of them is not there. */
  blocking(path: string): string | null {
    const end = path.lastIndexOf('/');
    if (end < 0) {
      return null;
    }
    const directory = path.slice(0, end);
    const known = this.#seen.get(directory);
    const found = known === undefined ? (this.blocking(directory) ?? this.#look(directory)) : known;
    this.#seen.set(directory, found);
    return found;
  }

  #look(directory: string): string | null {
    const stats = statsOf(join(this.#workTree, directory));
    return stats === undefined ? notThere : stats.isDirectory() ? null : directory;
  }
}
