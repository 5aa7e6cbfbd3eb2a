import { posix } from 'node:path';
import { resolvePath } from '../path-resolution.ts';
import type { ScriptOverlay } from '../script-overlay.ts';
import { type Directory, knownWord, type UnknownWord } from '../simple-command.ts';

/** Entries of directories that are looked at for one listing, and files that are read of it. */
const maximumEntries = 4000;
const maximumFiles = 40;

/** Where nobody keeps programs of a project's own, and most of the files are. */
const elsewhere = new Set(['.git', 'node_modules']);

/** Directories that are looked for below one, and how far down. */
const maximumDirectories = 40;
const maximumDepth = 4;

/** A listing may have any file in it. */
export const anyPath = () => true;

/** Is it known what a listing chooses of which the word is one name? */
export function isListed({ fits }: UnknownWord): boolean {
  return fits !== undefined && fits !== anyPath;
}

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

/**
 * The directories there now that a word may name which has a known beginning, or comes from a listing: `packages/$NAME`,
 * what `find packages -type d` prints. Those that nobody keeps anything of his own in are left out.
 *
 * @param base absolute: from where it is named
 * @returns absolute paths; no more than can be looked at
 */
export function listedDirectories(word: UnknownWord, base: string, overlay: ScriptOverlay): readonly string[] {
  const { prefix, fits = anyPath } = word;
  const suffix = word.suffix.replace(/[\n/]+$/, '');
  const top = prefix.slice(0, prefix.lastIndexOf('/') + 1);
  if (top === '' && !isListed(word)) {
    return [];
  }
  const depth = isListed(word) ? maximumDepth : suffix.split('/').length;
  const root = posix.resolve(base, top);
  const found: string[] = [];
  // The list grows while it is gone through.
  const directories = [''];
  let entries = 0;
  for (const directory of directories) {
    const names = (overlay.list(posix.join(root, directory)) ?? []).filter((one) => !elsewhere.has(one));
    entries += names.length;
    const below = names.map((name) => directory + name).filter((path) => overlay.isDirectory(posix.join(root, path)));
    const isMeant = (path: string) => path.startsWith(prefix) && path.endsWith(suffix) && fits(path);
    found.push(...below.filter((path) => isMeant(top + path)).map((path) => posix.join(root, path)));
    if (entries > maximumEntries || found.length > maximumDirectories) {
      break;
    }
    directories.push(...below.filter((path) => path.split('/').length < depth).map((path) => `${path}/`));
  }
  return found.slice(0, maximumDirectories);
}
