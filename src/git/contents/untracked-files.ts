import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { kindOf } from '../files.ts';
import type { Repository } from '../repository.ts';
import { readIndexedPaths } from './index-file.ts';

/** Above one of these, to look takes as long as to ask git. */
const maximumIndexSize = 256 * 1024;
const maximumDirectories = 150;

/**
 * May anything lie in the work tree that is not tracked? Told without a process, by comparing the index with what is
 * there.
 *
 * @param isPassed paths that do not count, those of directories with a slash at the end
 * @returns true as well where that takes too long, or only git can tell
 */
export async function mayHaveUntracked(repository: Repository, isPassed: (path: string) => boolean): Promise<boolean> {
  const { workTree, gitDir } = repository;
  try {
    const isSmall = statSync(join(gitDir, 'index')).size <= maximumIndexSize;
    const indexed = workTree === null || !isSmall ? null : await readIndexedPaths(repository);
    const names = indexed === null ? null : namesByDirectory(indexed);
    return (
      workTree === null ||
      names === null ||
      names.size > maximumDirectories ||
      [...names].some(([directory, known]) => hasOthers(directory, known, workTree, isPassed))
    );
  } catch {
    return true;
  }
}

/** What the index has in each directory, files and directories; the top is the empty one. */
function namesByDirectory(paths: readonly string[]): ReadonlyMap<string, ReadonlySet<string>> {
  const names = new Map<string, Set<string>>([['', new Set(['.git'])]]);
  for (const path of paths) {
    // Whatever is above a directory that is known already is known, too.
    for (let end = path.length, isNew = true; isNew && end > 0; ) {
      const start = path.lastIndexOf('/', end - 1);
      const directory = path.slice(0, Math.max(start, 0));
      const known = names.get(directory) ?? new Set();
      isNew = known.size === 0;
      names.set(directory, known.add(path.slice(start + 1, end)));
      end = start;
    }
  }
  return names;
}

function hasOthers(
  directory: string,
  known: ReadonlySet<string>,
  workTree: string,
  isPassed: (path: string) => boolean,
): boolean {
  const prefix = directory === '' ? '' : `${directory}/`;
  const place = join(workTree, directory);
  const entries = kindOf(place) === 'directory' ? readdirSync(place, { withFileTypes: true }) : [];
  return entries.some(
    (entry) => !known.has(entry.name) && !isPassed(`${prefix}${entry.name}${entry.isDirectory() ? '/' : ''}`),
  );
}

/**
 * Files that are ignored, and directories of nothing else, with a slash at their end: git-ls-files(1) "--directory". Paths
 * from the work tree's root.
 */
export async function readIgnored({ git, workTree }: Repository): Promise<readonly string[]> {
  const list = ['ls-files', '-z', '--others', '--ignored', '--exclude-standard', '--directory'];
  const output = workTree === null ? null : await git.run(['-C', workTree, ...list]);
  const listed = output?.stdout.toString('utf8').split('\0').filter(Boolean) ?? [];
  // A directory that is not ignored itself is listed before the files in it that are.
  return listed.filter((path, at) => !(path.endsWith('/') && listed[at + 1]?.startsWith(path) === true));
}
