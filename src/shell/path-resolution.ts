import { posix } from 'node:path';
import { type Directory, hostPath, type Word } from './simple-command.ts';

/** The absolute path that a word names in a directory; null where one of them is not known. */
export function resolvePath(word: Word, cwd: Directory): string | null {
  if (word.kind === 'unknown' || word.value === '') {
    return null;
  }
  if (posix.isAbsolute(word.value)) {
    return hostPath(posix.resolve(word.value), cwd);
  }
  return cwd.kind === 'known' ? posix.resolve(cwd.path, word.value) : null;
}
