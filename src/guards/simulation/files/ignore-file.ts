import { basename } from 'node:path';

/** One that git finds in a work tree: gitignore(5). */
export function isIgnoreFile(path: string): boolean {
  return basename(path) === '.gitignore';
}
