import { existsSync } from 'node:fs';
import { basename, join, relative, resolve } from 'node:path';
import { isDirectory } from '../../../git/files.ts';
import type { Repository } from '../../../git/repository.ts';
import { textOf } from '../../git-command/words.ts';
import type { ChangeFilesIntent } from '../../intent.ts';
import type { Overlay } from '../overlay.ts';

/**
 * `git add notes.md && git mv notes.md docs.md`: the index has under the new name what it had under the old one. That stays
 * where git-status(1) tells it, because the work tree of before the line has it there.
 */
export function applyStagedMove(
  { paths, newPlace }: ChangeFilesIntent,
  overlay: Overlay,
  { workTree, cwd }: Repository,
): void {
  const target = textOf(newPlace);
  if (workTree === null || target === null) {
    return;
  }
  const to = resolve(cwd, target);
  for (const source of paths.flatMap((word) => textOf(word) ?? [])) {
    const place = isDirectory(to) ? join(to, basename(source)) : to;
    // git refuses to put it in the place of something else.
    const staged = existsSync(place) ? [] : [...overlay.index];
    const from = relative(workTree, resolve(cwd, source));
    for (const [path, indexed] of staged) {
      if (path === from || path.startsWith(`${from}/`)) {
        overlay.index.set(relative(workTree, place) + path.slice(from.length), indexed);
      }
    }
  }
}
