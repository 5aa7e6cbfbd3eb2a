import { readText } from '../git/files.ts';
import { isWithin } from './files/guarded-file.ts';
import type { Scene } from './scene.ts';
import { isIgnoreFile } from './simulation/files/ignore-file.ts';

/** What a line does to files by other means than git. */
export type FilesOfLine = Pick<Scene, 'patches' | 'moved' | 'writtenTexts'>;

/** What the line has done so far, for those who look at it when it has gone on. */
export function filesSoFar({ patches, moved, writtenTexts }: FilesOfLine): FilesOfLine {
  return { patches: patches.copy(), moved: moved.copy(), writtenTexts: new Map(writtenTexts) };
}

/**
 * What an ignore file holds by what the line has written, removed and moved so far; null: it is gone, or that can't be
 * known; undefined: the line has left it alone.
 *
 * @param path absolute
 */
export function textAsWritten(path: string, { patches, writtenTexts, moved }: FilesOfLine): string | null | undefined {
  if (patches.isRemoved(path) || moved.isAway(path, !isIgnoreFile(path))) {
    return null;
  }
  const before = moved.before(path);
  const arrived = before === path ? undefined : (writtenTexts.get(before) ?? readText(before));
  return arrived ?? writtenTexts.get(path);
}

/** The same of all that the line has written to in a work tree. @returns by paths from its root */
export function textsAsWritten(top: string, line: FilesOfLine): ReadonlyMap<string, string | null> {
  const paths = [...line.writtenTexts.keys(), ...line.moved.into('/')];
  const inside = paths.filter((path) => isIgnoreFile(path) && isWithin(path, top));
  return new Map(
    inside.flatMap((path) => {
      const text = textAsWritten(path, line);
      return text === undefined ? [] : [[path.slice(top.length + 1), text] as const];
    }),
  );
}
