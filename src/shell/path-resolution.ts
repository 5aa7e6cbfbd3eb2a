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
  const place = within(cwd, word.value);
  return place.kind === 'known' ? place.path : null;
}

/** Where a relative path leads: from several directories perhaps to the same one. */
export function within(cwd: Directory, path: string): Directory {
  if (cwd.kind === 'known') {
    return { ...cwd, path: posix.resolve(cwd.path, path) };
  }
  const among = [...new Set(cwd.among?.map((directory) => posix.resolve(directory, path)))];
  const [only, another] = among;
  if (only === undefined) {
    return cwd;
  }
  return another === undefined ? { kind: 'known', path: only } : { ...cwd, among };
}
