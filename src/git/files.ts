import {
  type Dirent,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
} from 'node:fs';
import { dirname } from 'node:path';

/*
 * Reading a repository's small files. Synchronously: a hook has nothing else to do meanwhile, and `node:fs/promises`
 * with its thread pool costs it more than all the reading.
 */

/** A file's text; null where there is none (or a directory in its place, or it may not be read). */
export function readText(path: string): string | null {
  const content = tryReadText(path);
  return content === 'error' ? null : content;
}

/** Like {@link readText}, but tells a file that is there and can't be read: `error`. */
export function tryReadText(path: string): string | 'error' | null {
  try {
    // Most of what is asked for is not there, and an error with its stack costs ten times as much as looking. Not
    // `existsSync`, which takes what can't be told for no.
    const found = statSync(path, { throwIfNoEntry: false });
    // A named pipe waits for a writer.
    return found === undefined || found.isFIFO() ? null : readFileSync(path, 'utf8');
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    return code === 'ENOENT' || code === 'ENOTDIR' || code === 'EISDIR' ? null : 'error';
  }
}

/** What is at a path, symbolic links followed; null for nothing. */
export function kindOf(path: string): 'file' | 'directory' | null {
  try {
    const found = statSync(path, { throwIfNoEntry: false });
    return found === undefined ? null : found.isDirectory() ? 'directory' : 'file';
  } catch (error) {
    // Below a file there is nothing.
    if ((error as NodeJS.ErrnoException).code === 'ENOTDIR') {
      return null;
    }
    throw error;
  }
}

/** Is a directory at a path, symbolic links followed? No where that can't be told. */
export function isDirectory(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
  } catch {
    // Also where a file stands in the way: the path goes through the `.git` of a linked work tree.
    return false;
  }
}

/** Is something at a path, be it a link that leads nowhere? Yes where that can't be told. */
export function isThere(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ENOTDIR';
  }
}

/** May it be opened without waiting? A named pipe waits for a writer. Symbolic links are followed. */
export function isRegularFile(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
  } catch {
    return false;
  }
}

/** The path without symbolic links; null where it does not exist. */
export function realPath(path: string): string | null {
  try {
    return realpathSync.native(path);
  } catch {
    return null;
  }
}

export function isSymbolicLink(path: string): boolean {
  try {
    // Not `readlinkSync`, whose answer for most files is an error with a stack.
    return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;
  } catch {
    return false;
  }
}

/** The user's home directory. `node:os` is loaded when it is asked for, which few hooks do. */
export function homeDirectory(): string {
  return process.getBuiltinModule('node:os').homedir();
}

/** What is in a directory; nothing where it can't be read. */
export function directoryEntries(directory: string): readonly Dirent[] {
  try {
    return readdirSync(directory, { withFileTypes: true });
  } catch {
    return [];
  }
}

/** What is in a directory and below it, by the way there; nothing where it is not there. */
export function recursiveNames(directory: string): readonly string[] {
  try {
    return existsSync(directory) ? readdirSync(directory, { recursive: true, encoding: 'utf8' }) : [];
  } catch {
    return [];
  }
}

/** The names in a directory; none where it can't be read. */
export function namesIn(directory: string): readonly string[] {
  try {
    return existsSync(directory) ? readdirSync(directory) : [];
  } catch {
    return [];
  }
}

/**
 * Makes a directory with those above it that are missing. Not node's `recursive`: that never ends where the system
 * answers ENOENT although the directory above is there, as /proc does.
 *
 * @param mode of the directories that are made
 * @throws ErrnoException of mkdir(2)
 */
export function makeDirectory(path: string, mode = 0o777): void {
  if (kindOf(path) === 'directory') {
    return;
  }
  const parent = dirname(path);
  if (parent !== path) {
    makeDirectory(parent, mode);
  }
  try {
    mkdirSync(path, { mode });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') {
      throw error;
    }
    // Another program may have made it just now; of a file in its place this is ENOTDIR, in every version of node.
    statSync(`${path}/`);
  }
}

/** Removes what a failed attempt may have left. `force` overlooks only what is absent, and here nothing may fail. */
export function removeRemains(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    // Then it stays.
  }
}
