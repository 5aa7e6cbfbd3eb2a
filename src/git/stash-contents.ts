import { type StoredFile, unlikeWorkTree } from './compared-files.ts';
import type { Repository } from './repository.ts';

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
  const fields = changed.stdout.toString('utf8').split('\0').slice(0, -1);
  const differing = fields.flatMap((field, at) => (at % 2 === 0 ? [`${field}\t${fields[at + 1]}`] : []));
  const files = [...differing, ...untracked.stdout.toString('utf8').split('\0').slice(0, -1)].map(readEntry);
  const isComparable = changed.exitCode === 0 && files.length > 0 && files.length <= maximumFiles;
  const known = files.filter((file) => file !== null);
  return isComparable && known.length === files.length ? known : null;
}

/** Of plain files; null for links and submodules. */
function readEntry(entry: string): StoredFile | null {
  const { mode, oid, path } =
    /^(?::\d+ )?(?<mode>\d+) (?:[\da-f]+|blob) (?<oid>[\da-f]+)(?: [A-Z])?\t(?<path>.*)$/s.exec(entry)?.groups ?? {};
  if (path === undefined || oid === undefined) {
    return null;
  }
  return mode === '000000' ? { path, oid: null } : mode?.startsWith('100') === true ? { path, oid } : null;
}

async function areInHead(files: readonly StoredFile[], { git, workTree }: Repository): Promise<boolean> {
  const paths = files.map(({ path }) => path);
  const list = ['-C', workTree ?? '.', '--literal-pathspecs', 'ls-tree', '-r', '-z', 'HEAD', '--', ...paths];
  const listed = (await git.run(list)).stdout.toString('utf8').split('\0').slice(0, -1).map(readEntry);
  const oids = new Map(listed.flatMap((file) => (file === null ? [] : [[file.path, file.oid]])));
  return files.every(({ path, oid }) => (oids.get(path) ?? null) === oid);
}
