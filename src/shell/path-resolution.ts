import { isAbsolute, resolve } from 'node:path/posix';
import type { Directory, Word } from './simple-command.ts';

/** The absolute path that a word names in a directory; null where one of them is not known. */
export function resolvePath(word: Word, cwd: Directory): string | null {
  if (word.kind === 'unknown' || word.value === '') {
    return null;
  }
  if (isAbsolute(word.value)) {
    return resolve(word.value);
  }
  return cwd.kind === 'known' ? resolve(cwd.path, word.value) : null;
}
