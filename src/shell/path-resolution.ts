import { posix } from 'node:path';
import { type Directory, hostPath, type Word } from './simple-command.ts';
import { settledText } from './words/read-again.ts';

/** The absolute path that a word names in a directory; null where one of them is not known. */
export function resolvePath(word: Word, cwd: Directory): string | null {
  const path = settledText(word);
  if (path === null || path === '') {
    return null;
  }
  if (posix.isAbsolute(path)) {
    return hostPath(posix.resolve(path), cwd);
  }
  const place = within(cwd, path);
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
    const { presumed, candidates } = cwd;
    return {
      ...cwd,
      ...(presumed && { presumed: { ...presumed, path: posix.resolve(presumed.path, path) } }),
      ...(candidates && {
        candidates: { ...candidates, paths: candidates.paths.map((one) => posix.resolve(one, path)) },
      }),
    };
  }
  return another === undefined ? { kind: 'known', path: only } : { ...cwd, among };
}
