import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { isRegularFile, realPath } from '../git/files.ts';

/** Every name under which commitlint looks for its configuration (`@commitlint/load`), in its order. */
const names: readonly string[] = [
  'package.json',
  'package.yaml',
  ...['', '.json', '.yaml', '.yml', '.js', '.cjs', '.mjs'].map((extension) => `.commitlintrc${extension}`),
  ...['.js', '.cjs', '.mjs'].map((extension) => `commitlint.config${extension}`),
  ...['.ts', '.cts', '.mts'].map((extension) => `.commitlintrc${extension}`),
  ...['.ts', '.cts', '.mts'].map((extension) => `commitlint.config${extension}`),
];

/**
 * The repository's own commitlint configuration: one directory listing for each level from `directory` up to the work
 * tree's root. Nothing above the repository counts.
 *
 * @param directory absolute; one outside of the work tree (`git --work-tree=…`) counts as the root, where git runs hooks
 * @param root absolute, of the work tree, without symbolic links
 * @returns the file's path, which may be that of a directory or a pipe; null when there is none
 */
export function findCommitlintConfiguration(directory: string, root: string): string | null {
  for (let level = startIn(root, directory); ; level = dirname(level)) {
    const present = new Set(listing(level));
    const found = names.find((name) => present.has(name) && holdsConfiguration(join(level, name)));
    if (found !== undefined) {
      return join(level, found);
    }
    if (level === root || dirname(level) === level) {
      return null;
    }
  }
}

function startIn(root: string, directory: string): string {
  const isInside = (path: string | null): path is string =>
    path !== null && !`${relative(root, path)}${sep}`.startsWith(`..${sep}`);
  const places = [directory, realPath(directory)];
  return places.find(isInside) ?? root;
}

function listing(directory: string): readonly string[] {
  try {
    return readdirSync(directory);
  } catch {
    return [];
  }
}

/**
 * A manifest counts with a `commitlint` key only. One that can't be read is npm's to complain about, and what is no
 * regular file is not opened: a named pipe would wait for a writer for ever. Everything else counts by its name.
 */
function holdsConfiguration(path: string): boolean {
  const isManifest = path.endsWith('package.json');
  if (!isManifest && !path.endsWith('package.yaml')) {
    return true;
  }
  if (!isRegularFile(path)) {
    return false;
  }
  try {
    const text = readFileSync(path, 'utf8');
    return isManifest
      ? text.includes('"commitlint"') && Object.hasOwn(JSON.parse(text) as object, 'commitlint')
      : /^["']?commitlint["']?\s*:/m.test(text);
  } catch {
    return false;
  }
}
