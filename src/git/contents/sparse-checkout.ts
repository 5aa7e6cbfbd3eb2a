import { dirname } from 'node:path';
import type { Repository } from '../repository.ts';
import { literalPathspec } from './pathspec.ts';
import { trackedAt } from './tracked-files.ts';

/** Directories that a sparse checkout has; none where nothing tells which. */
export async function chosenDirectories(repository: Pick<Repository, 'git'>): Promise<readonly string[]> {
  return (await listedDirectories(repository)) ?? [];
}

/** Null: nothing tells which, or the checkout is not sparse yet. */
async function listedDirectories({ git }: Pick<Repository, 'git'>): Promise<readonly string[] | null> {
  const output = await git.run(['sparse-checkout', 'list']);
  return output.exitCode === 0 ? output.stdout.toString('utf8').split('\n').filter(Boolean) : null;
}

/**
 * Does a checkout leave files out? Then git looks only with a warning, and too late, for untracked files where others come
 * (unpack-trees.c, `WARNING_SPARSE_ORPHANED_NOT_OVERWRITTEN`): in whatever is checked out, they are overwritten.
 */
export async function isSparse(repository: Pick<Repository, 'config'>): Promise<boolean> {
  return (await repository.config()).getBoolean('core.sparsecheckout', false);
}

/** git-sparse-checkout(1) "CONE PATTERN SET": everything below a directory, and the files of those above it. */
export function isChosen(directory: string, chosen: readonly string[]): boolean {
  return directory === '.' || chosen.some((each) => isAtOrBelow(directory, each) || each.startsWith(`${directory}/`));
}

function isAtOrBelow(directory: string, other: string): boolean {
  return `${directory}/`.startsWith(`${other}/`);
}

/** Those of the paths, from the work tree's root, that are not left out where directories are chosen. */
export async function pathsInCheckout(
  paths: readonly string[],
  repository: Pick<Repository, 'git' | 'config'>,
): Promise<readonly string[]> {
  const isCone =
    paths.length > 0 &&
    (await isSparse(repository)) &&
    (await repository.config()).getBoolean('core.sparsecheckoutcone', true);
  const chosen = isCone ? await listedDirectories(repository) : null;
  return chosen === null ? paths : paths.filter((path) => isChosen(dirname(path), chosen));
}

/**
 * Which paths that are ignored go from the work tree with a directory that leaves the checkout? git takes it away whole where
 * no tracked file in it is changed, and nothing in it is untracked and not ignored.
 *
 * @param chosen directories, from the work tree's root
 */
export async function leavingCheckout(
  chosen: readonly string[],
  repository: Repository,
): Promise<(path: string) => boolean> {
  const tracked = new Set((await trackedAt(repository, [literalPathspec('')])).flatMap(directoriesAbove));
  const entries = await repository.status();
  const isBelow = (directory: string) => (path: string) => path.startsWith(`${directory}/`);
  const changed = entries.filter(({ index, worktree }) => index !== '?' && worktree !== '.').map(({ path }) => path);
  const untracked = entries.filter(({ index }) => index === '?').map(({ path }) => path);
  const leaves = (directory: string) =>
    tracked.has(directory) && !isChosen(directory, chosen) && !changed.some(isBelow(directory));
  return (path) => {
    const left = directoriesAbove(path).find(leaves);
    return left !== undefined && !untracked.some(isBelow(left));
  };
}

/** `a`, `a/b` above `a/b/c`. */
function directoriesAbove(path: string): readonly string[] {
  return [...path.matchAll(/\//g)].map(({ index }) => path.slice(0, index));
}
