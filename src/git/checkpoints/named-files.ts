import { existsSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { maximumUntrackedSize, statsOf } from './work-tree-state.ts';

/** Of more files than these, and of more bytes, none is kept by its name: what tools make is ignored as well. */
const mostFiles = 1000;
const mostBytes = 64 * 1024 * 1024;

/**
 * The files that some paths stand for: a directory for all below it, but for another repository. Null where there are too
 * many of them.
 *
 * @param paths from the top of the work tree
 */
export function filesAtStake(workTree: string, paths: readonly string[]): readonly string[] | null {
  const files: string[] = [];
  const open = [...paths];
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    const plain = path.replace(/\/$/, '');
    const isOpened =
      statsOf(join(workTree, plain))?.isDirectory() === true && !existsSync(join(workTree, plain, '.git'));
    const entries = isOpened ? below(workTree, plain) : null;
    if (entries === null) {
      files.push(plain);
    } else {
      open.push(...entries);
    }
    if (files.length + open.length > mostFiles) {
      return null;
    }
  }
  return files.reverse();
}

/** Null: it can't be read. */
function below(workTree: string, directory: string): readonly string[] | null {
  try {
    return readdirSync(join(workTree, directory)).map((name) => `${directory}/${name}`);
  } catch {
    return null;
  }
}

/** Those that can be added by name: files and links of this very work tree, as long as they are not too large. */
export function addable(workTree: string, files: readonly string[]): readonly string[] {
  const directories = new Map<string, boolean>();
  let bytes = 0;
  return files.filter((path) => {
    const stats = statsOf(join(workTree, path));
    const isFile = stats?.isFile() === true || stats?.isSymbolicLink() === true;
    if (stats === undefined || !isFile || stats.size > maximumUntrackedSize || bytes + stats.size > mostBytes) {
      return false;
    }
    const isOwn = isOwnDirectory(dirname(path), workTree, directories);
    bytes += isOwn ? stats.size : 0;
    return isOwn;
  });
}

/** Neither in another repository (a submodule, too) nor beyond a link, nor in git's own directory. */
function isOwnDirectory(directory: string, workTree: string, known: Map<string, boolean>): boolean {
  if (directory === '.') {
    return true;
  }
  const told = known.get(directory);
  if (told !== undefined) {
    return told;
  }
  const path = join(workTree, directory);
  const isOwn =
    !/^\.\.(?:\/|$)|^\/|(?:^|\/)\.git$/i.test(directory) &&
    !isLink(path) &&
    !existsSync(join(path, '.git')) &&
    isOwnDirectory(dirname(directory), workTree, known);
  known.set(directory, isOwn);
  return isOwn;
}

function isLink(path: string): boolean {
  return statsOf(path)?.isSymbolicLink() === true;
}

/** Do links lead to a path, which is then no file of this work tree? @param path in Latin-1, byte for byte */
export function isBeyondLink(workTree: string, path: string, known: Map<string, boolean>): boolean {
  const directory = dirname(path);
  if (directory === '.') {
    return false;
  }
  const told = known.get(directory);
  if (told !== undefined) {
    return told;
  }
  const absolute = Buffer.concat([Buffer.from(`${workTree}/`), Buffer.from(directory, 'latin1')]);
  const isBeyond = statsOf(absolute)?.isSymbolicLink() === true || isBeyondLink(workTree, directory, known);
  known.set(directory, isBeyond);
  return isBeyond;
}
