import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { isDirectory } from '../../git/files.ts';

/** Is a bare repository here? What git itself looks for: gitrepository-layout(5). */
export function isBareRepository(directory: string): boolean {
  return (
    basename(directory) !== '.git' &&
    existsSync(join(directory, 'HEAD')) &&
    isDirectory(join(directory, 'objects')) &&
    isDirectory(join(directory, 'refs'))
  );
}

/** Is a git directory here, `.git` or a bare repository? */
export function isGitDirectory(path: string): boolean {
  return basename(path) === '.git' ? existsSync(path) : isBareRepository(path);
}

/** A path of or in a git directory. */
export interface InGitDirectory {
  /** `…/.git`, or a bare repository. */
  readonly gitDirectory: string;
  /** The rest of the path; empty for the directory itself. */
  readonly inside: string;
}

/** The git directory at a path or above it that is there; null: none. */
export function gitDirectoryAround(path: string): InGitDirectory | null {
  for (let directory = path; ; directory = dirname(directory)) {
    if (isGitDirectory(directory)) {
      return { gitDirectory: directory, inside: path.slice(directory.length + 1) };
    }
    if (directory === dirname(directory)) {
      return null;
    }
  }
}
