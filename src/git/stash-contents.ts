import { type StoredFile, unlikeWorkTree } from './compared-files.ts';
import type { Repository } from './repository.ts';
import { isPlainFile, readTreeEntries, type TreeEntry } from './tree-entries.ts';

/** A stash of more files is not compared. */
const maximumFiles = 500;

/**
 * Is all that a stash holds in the work tree as well, or in HEAD: was it applied, and not changed since?
 *
 * @param stash its name, or that of its commit
 */
export async function isStashElsewhere(stash: string, repository: Repository): Promise<boolean> {
  const stashed = await stashedFiles(stash, repository);
  if (repository.workTree === null || stashed === null) {
    return false;
  }
  const left = await unlikeWorkTree(stashed, repository.workTree, repository);
  return left.length === 0 || (await areInHead(left, repository));
}

/** Null: it is not compared. */
async function stashedFiles(stash: string, { git }: Repository): Promise<readonly StoredFile[] | null> {
  const [changed, untracked] = await Promise.all([
    git.run(['diff-tree', '-r', '-z', '--no-renames', `${stash}^1`, stash]),
    git.run(['ls-tree', '-r', '-z', '--full-tree', `${stash}^3`]),
  ]);
  const files = [changed, untracked].flatMap(({ stdout }) => readTreeEntries(stdout)).map(storedFile);
  const isComparable = changed.exitCode === 0 && files.length > 0 && files.length <= maximumFiles;
  const known = files.filter((file) => file !== null);
  return isComparable && known.length === files.length ? known : null;
}

/** Of plain files; null for links and submodules. */
function storedFile(entry: TreeEntry): StoredFile | null {
  const { path, mode, oid } = entry;
  return mode === '000000' ? { path, oid: null } : isPlainFile(entry) ? { path, oid } : null;
}

async function areInHead(files: readonly StoredFile[], { git, workTree }: Repository): Promise<boolean> {
  const paths = files.map(({ path }) => path);
  const list = ['-C', workTree ?? '.', '--literal-pathspecs', 'ls-tree', '-r', '-z', 'HEAD', '--', ...paths];
  const listed = readTreeEntries((await git.run(list)).stdout).map(storedFile);
  const oids = new Map(listed.flatMap((file) => (file === null ? [] : [[file.path, file.oid]])));
  return files.every(({ path, oid }) => (oids.get(path) ?? null) === oid);
}
