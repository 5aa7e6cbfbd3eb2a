import { posix } from 'node:path';
import { resolvePath } from './path-resolution.ts';
import type { ScriptOverlay } from './script-overlay.ts';
import { type Directory, knownWord, type UnknownWord } from './simple-command.ts';

/** Entries of directories that are looked at for one listing, and files that are read of it. */
const maximumEntries = 4000;
const maximumFiles = 40;

/** Where nobody keeps programs of a project's own, and most of the files are. */
const elsewhere = new Set(['.git', 'node_modules']);

/** A listing may have any file in it. */
export const anyPath = () => true;

/**
 * The files there now that a listing may name: what `find` prints, `grep -rl` finds. As the listing would name them.
 *
 * @param word what stands for one of its names, or for all of them
 * @param which all of them; or the project's own, of any listing
 * @returns null where it can't be told: the word comes from no listing, or too many files may be meant
 */
export function listedFiles(
  word: UnknownWord,
  cwd: Directory,
  overlay: ScriptOverlay,
  which: 'all' | 'own',
): readonly string[] | null {
  const { prefix, fits } = word;
  const suffix = word.suffix.replace(/\n$/, '');
  const top = prefix.slice(0, prefix.lastIndexOf('/') + 1);
  const root = top === '' ? null : resolvePath(knownWord(top), cwd);
  if (fits === undefined || root === null || (which === 'all' && fits === anyPath)) {
    return null;
  }
  const found: string[] = [];
  // The list grows while it is gone through.
  const directories = [''];
  let entries = 0;
  for (const directory of directories) {
    const names = overlay.list(posix.join(root, directory)) ?? [];
    entries += names.length;
    if (entries > maximumEntries || found.length > maximumFiles) {
      return null;
    }
    for (const name of names.filter((one) => which === 'all' || !elsewhere.has(one))) {
      const below = `${directory}${name}`;
      const path = top + below;
      if (overlay.isDirectory(posix.join(root, below))) {
        directories.push(`${below}/`);
      } else if (path.startsWith(prefix) && path.endsWith(suffix) && fits(path)) {
        found.push(path);
      }
    }
  }
  return found.length > maximumFiles ? null : found;
}
