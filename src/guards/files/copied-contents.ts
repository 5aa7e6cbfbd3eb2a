import { join } from 'node:path';
import { directoryEntries } from '../../git/files.ts';
import type { Word } from '../../shell/simple-command.ts';
import { beginningOf, known, textOf } from '../git-command/words.ts';
import type { FileChange } from './file-change.ts';

/** Is something said by a letter among others, or by one of these options? */
const says = (words: readonly Word[], option: RegExp) => words.some((word) => option.test(beginningOf(word)));

/**
 * `cp -r DIRECTORY/. TARGET`, `cp -rT DIRECTORY TARGET`: a repository's `.git` comes along, over the one that is there,
 * and so does everything else that the directory has.
 *
 * @param sources what is copied
 */
export function copiedContents(
  sources: readonly Word[],
  target: Word | undefined,
  words: readonly Word[],
): readonly FileChange[] {
  const isWhole = says(words, /^-[a-zA-Z]*T|^--no-target-directory$/);
  const isContents = (source: string) => isWhole || /(?:^|\/)\.{1,2}\/?$/.test(source);
  // cp(1): what is there stays.
  const spares = says(words, /^-(?!-)[a-zA-Z]*n|^--no-clobber$/);
  return target !== undefined && says(words, /^-[a-zA-Z]*[rRa]|^--(?:recursive|archive)$/)
    ? [
        ...gitBroughtAlong(sources, target, isContents),
        ...(spares ? [] : copiedDirectories(sources, target, { isContents, leavesOut: () => false })),
      ]
    : [];
}

interface Copying {
  /** Not the directory comes, but what is in it. */
  readonly isContents: (source: string) => boolean;
  /** @param name of a file below the directory @param source of the directory, as it is given */
  readonly leavesOut: (name: string, source: string) => boolean;
}

/** Directories that are copied with all that is in them, over what is there under the same names. */
export function copiedDirectories(
  sources: readonly Word[],
  target: Word,
  { isContents, leavesOut }: Copying,
): readonly FileChange[] {
  return textOf(target)?.includes(':') === true
    ? []
    : sources.map((from) => {
        const source = textOf(from) ?? '';
        const contents = { from, keepsName: !isContents(source), leavesOut: (name: string) => leavesOut(name, source) };
        return { path: target, kind: 'write', contents };
      });
}

/** Of a directory whose contents are copied its `.git` as well: only where it has one, and something is there. */
export function gitBroughtAlong(
  sources: readonly Word[],
  target: Word,
  isContents: Copying['isContents'],
): readonly FileChange[] {
  const directory = textOf(target)?.replace(/\/$/, '');
  return sources.flatMap((source): FileChange[] =>
    directory !== undefined && !directory.includes(':') && isContents(textOf(source) ?? '')
      ? [{ path: known(`${directory}/.git`), kind: 'write', broughtFrom: known(`${textOf(source)}/.git`) }]
      : [],
  );
}

/** More entries of a directory are not looked at; those that matter lie near its top. */
const maximumEntries = 1000;

/** What lies in a directory, by its name there, what is near before what is deep; never a repository's own files. */
export function namesBelow(directory: string): readonly string[] {
  const found: string[] = [];
  const left = [''];
  for (const place of left) {
    const entries = found.length > maximumEntries ? [] : directoryEntries(join(directory, place));
    for (const entry of entries.filter(({ name }) => name !== '.git' && name !== 'node_modules')) {
      (entry.isDirectory() ? left : found).push(join(place, entry.name));
    }
  }
  return found;
}
