import { join } from 'node:path';
import { readText } from '../files.ts';
import type { Repository } from '../repository.ts';
import { readBlobs } from './blobs.ts';
import { type StoredFile, unlikeWorkTree } from './compared-files.ts';
import { isPlainFile, readTreeEntries, type TreeEntry } from './tree-entries.ts';

/** A stash of more files is not compared. */
const maximumFiles = 500;

/**
 * Is all that a stash holds in the work tree as well, or in HEAD: was it applied, and taken back nowhere since?
 *
 * @param stash its name, or that of its commit
 */
export async function isStashElsewhere(stash: string, repository: Repository): Promise<boolean> {
  const stashed = await stashedFiles(stash, repository);
  if (repository.workTree === null || stashed === null) {
    return false;
  }
  const left = await unlikeWorkTree(stashed, repository.workTree, repository);
  return left.length === 0 || (await areInHead(left, repository)) || (await areTakenUp(left, stash, repository));
}

/**
 * Is all that a stash holds in what `git stash show --patch` prints of it? It leaves out what was staged and then changed
 * again, and, unless it is told to show them, untracked files and what is in binary ones.
 */
export async function isShownWhole(
  stash: string,
  { showsBinary, showsUntracked }: { readonly showsBinary: boolean; readonly showsUntracked: boolean },
  repository: Repository,
): Promise<boolean> {
  const { git } = repository;
  const hasUntracked = (await repository.resolve(`${stash}^3`)) !== null;
  if (hasUntracked && !(showsUntracked && (await canShowUntracked(repository)))) {
    return false;
  }
  const listed = (...words: readonly string[]) => git.run(['diff-tree', '-r', '-z', '--no-renames', ...words]);
  const counted = hasUntracked ? ['--root', '--no-commit-id', `${stash}^3`] : [`${stash}^1`, stash];
  const [all, staged, since, numbers, others] = await Promise.all([
    listed(`${stash}^1`, stash),
    listed(`${stash}^1`, `${stash}^2`),
    listed(`${stash}^2`, stash),
    listed('--numstat', `${stash}^1`, stash),
    listed('--numstat', ...counted),
  ]);
  const [changed, before, after] = [all, staged, since].map(({ stdout }) => readTreeEntries(stdout));
  const changedSince = new Set(after?.map(({ path }) => path));
  const isText =
    showsBinary || [numbers, others].every(({ stdout }) => !/(?:^|\0)-\t-\t/.test(stdout.toString('utf8')));
  return (
    [all, staged, since, numbers, others].every(({ exitCode }) => exitCode === 0) &&
    isText &&
    changed?.every(({ mode }) => mode !== '160000') === true &&
    before?.every(({ path }) => !changedSince.has(path)) === true
  );
}

/** Before git 2.32, `-u` says that a patch is to be shown. */
async function canShowUntracked({ git }: Repository): Promise<boolean> {
  const [, major, minor] = /(\d+)\.(\d+)/.exec(await git.text(['version'])) ?? [];
  return Number(major) > 2 || (Number(major) === 2 && Number(minor) >= 32);
}

/** The commits of all stashes, the newest first: only that one has a ref. */
export async function stashCommits({ git }: Repository): Promise<readonly string[]> {
  return (await git.text(['stash', 'list', '--format=%H'])).split('\n').filter(Boolean);
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

/** Has the work tree what the stash has changed in these files, beside other changes? So it is once a conflict is resolved. */
async function areTakenUp(
  files: readonly StoredFile[],
  stash: string,
  { git, workTree }: Repository,
): Promise<boolean> {
  const known = files.flatMap(({ path, oid }) => (oid === null || path.includes('\n') ? [] : [{ path, oid }]));
  const top = workTree;
  if (top === null || known.length < files.length) {
    return false;
  }
  const names = known.flatMap(({ path, oid }) => [oid, `${stash}^1:${path}`]);
  const texts = await readBlobs(names, git);
  return known.every(({ path }, at) => {
    const [stashed, before] = [texts[2 * at] ?? null, texts[2 * at + 1] ?? ''];
    const now = readText(join(top, path));
    return stashed !== null && now !== null && hasChanges(now, before, stashed);
  });
}

const conflictMarker = /^(?:<{7}|>{7})(?: |$)/m;

/**
 * Has a text each line that another one has beside what came before it, and none that it has left out? No where that only
 * has other places for its lines.
 */
function hasChanges(text: string, before: string, after: string): boolean {
  if (conflictMarker.test(text) || [text, before, after].some((content) => content.includes('\0'))) {
    return false;
  }
  const [now, old, own] = [countLines(text), countLines(before), countLines(after)];
  const changed = [...new Set([...old.keys(), ...own.keys()])].filter((line) => old.get(line) !== own.get(line));
  const isTaken = (line: string) => {
    const [has, had, wants] = [now.get(line) ?? 0, old.get(line) ?? 0, own.get(line) ?? 0];
    return wants > had ? has >= wants : has <= wants;
  };
  return changed.length > 0 && changed.every(isTaken);
}

function countLines(text: string): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const line of text.split('\n')) {
    counts.set(line, (counts.get(line) ?? 0) + 1);
  }
  return counts;
}
