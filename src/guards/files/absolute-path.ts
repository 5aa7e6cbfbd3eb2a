import { resolve } from 'node:path';
import { type Directory, hostPath, type Word } from '../../shell/simple-command.ts';
import { textOf } from '../git-command/words.ts';

/** Where a path leads; null where it or the directory is not known. */
export function absolutePath(path: Word, cwd: Directory): string | null {
  const text = textOf(path);
  if (text === null || text === '' || (cwd.kind === 'unknown' && !text.startsWith('/'))) {
    return null;
  }
  const absolute = resolve(cwd.kind === 'known' ? cwd.path : '/', text);
  return text.startsWith('/') ? hostPath(absolute, cwd) : absolute;
}
