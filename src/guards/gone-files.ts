import { join } from 'node:path';
import { filesBelow } from '../git/contents/files-in-the-way.ts';
import type { SimpleCommand } from '../shell/simple-command.ts';
import { isWithin } from './files/guarded-file.ts';
import type { Scene } from './scene.ts';

/** How the line has gone about files before a command. */
export interface Before extends Pick<Scene, 'patches' | 'moved'> {
  readonly command: Pick<SimpleCommand, 'origin'>;
}

/**
 * Is an untracked file gone when the command runs, for which nobody is asked: removed by a plain command, or at another
 * place? Of a directory, everything in it.
 *
 * @param path from the top of the work tree
 */
export function isGone(path: string, workTree: string, before: Before): boolean {
  if (!path.endsWith('/')) {
    return isTakenAway(join(workTree, path), workTree, before);
  }
  const directory = path.slice(0, -1);
  return (
    isTakenAway(join(workTree, directory), workTree, before) ||
    filesBelow(directory, workTree, () => false).every((file) => isTakenAway(join(workTree, file), workTree, before))
  );
}

/**
 * The same of what goes with the whole work tree: it is not at another place in there.
 *
 * @param path from the top of the work tree
 */
export function hasLeftTree(path: string, workTree: string, before: Before): boolean {
  const place = join(workTree, path);
  return isGone(path, workTree, before) && !before.moved.into(workTree).some((from) => isWithin(place, from));
}

function isTakenAway(path: string, workTree: string, { patches, moved, command }: Before): boolean {
  const removed = patches.removedBefore(path, command.origin);
  if (removed === 'no') {
    return moved.hasLeft(path, workTree, command.origin);
  }
  // What the line writes may hold what was removed: `cat notes.md > n.md && rm notes.md`.
  return removed === 'surely' && patches.writtenIn(workTree).every((written) => moved.touches(written));
}
