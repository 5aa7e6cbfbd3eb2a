import { type StoredFile, unlikeWorkTree } from './compared-files.ts';
import type { Repository } from './repository.ts';

/** Of more files the whole tree is listed, and their contents are not compared. */
const maximumFiles = 500;

/**
 * Files of the work tree in whose place a tree has something else: other contents, a directory, or a file where they
 * have a directory.
 *
 * @param paths of files, from the work tree's root
 * @param tree of which commit, or its own name
 */
export async function filesInTheWay(
  paths: readonly string[],
  tree: string,
  repository: Repository,
): Promise<readonly string[]> {
  const { workTree } = repository;
  if (workTree === null || paths.length === 0) {
    return [];
  }
  const found = await entriesAt(paths, tree, workTree, repository);
  const blobs = paths.flatMap((path): StoredFile[] => {
    const oid = found.get(path);
    return typeof oid === 'string' ? [{ path, oid }] : [];
  });
  const isComparable = blobs.length <= maximumFiles;
  const differing = blobs.length > 0 && isComparable ? await unlikeWorkTree(blobs, workTree, repository) : blobs;
  const others = new Set(differing.map(({ path }) => path));
  const isBelowFile = (path: string) => directoriesOf(path).some((above) => typeof found.get(above) === 'string');
  return paths.filter((path) => others.has(path) || found.get(path) === null || isBelowFile(path));
}

/** What a tree has at these paths and above them: the name of what a file has in it, null for a directory. */
async function entriesAt(
  paths: readonly string[],
  tree: string,
  workTree: string,
  { git }: Repository,
): Promise<ReadonlyMap<string, string | null>> {
  const named =
    paths.length > maximumFiles ? [] : [...new Set(paths.flatMap((path) => [...directoriesOf(path), path]))];
  const list = ['ls-tree', '-z', '--full-tree', ...(named.length === 0 ? ['-r', '-t'] : []), tree, '--', ...named];
  const output = await git.run(['-C', workTree, '--literal-pathspecs', ...list]);
  const entries = output.stdout.toString('utf8').split('\0');
  return new Map(
    entries.flatMap((entry): [string, string | null][] => {
      const { type, oid, path } = /^\d+ (?<type>\w+) (?<oid>\w+)\t(?<path>.*)$/s.exec(entry)?.groups ?? {};
      return path === undefined || oid === undefined ? [] : [[path, type === 'tree' ? null : oid]];
    }),
  );
}

/** `a/b/c.ts`: `a` and `a/b`. */
function directoriesOf(path: string): readonly string[] {
  const names = path.split('/').slice(0, -1);
  return names.map((_, at) => names.slice(0, at + 1).join('/'));
}
