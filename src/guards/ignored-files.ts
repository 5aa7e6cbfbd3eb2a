import { join } from 'node:path';
import { statsOf } from '../git/checkpoints/work-tree-state.ts';
import { contentsOf, haveSameContents } from '../git/contents/compared-files.ts';
import { filesBelow } from '../git/contents/files-in-the-way.ts';
import { readTreeEntries } from '../git/contents/tree-entries.ts';
import { mayHaveUntracked, readIgnored } from '../git/contents/untracked-files.ts';
import type { Repository } from '../git/repository.ts';
import { isGenerated, isMarkedAsGenerated } from './generated-files.ts';
import { type Before, hasLeftTree } from './gone-files.ts';
import type { Scene } from './scene.ts';
import type { OverlaidTree } from './simulation/line-changes.ts';

/** Of more files the contents are not compared. */
const maximumFiles = 500;

/**
 * Ignored files of a work tree with something in them that no tool makes again, as the line leaves them; of too many in one
 * directory, that. None of them is looked for by a process where nothing but what tools make is untracked.
 *
 * @returns paths from the work tree's root
 */
export async function ignoredFiles({ repository, overlay }: OverlaidTree, before: Before): Promise<readonly string[]> {
  const { workTree } = repository;
  const files = workTree === null || overlay.isAdded ? [] : await ignoredWork(repository, workTree);
  return files.filter((path) => {
    const place = join(workTree ?? '/', path);
    const isTaken = before.patches.isRemoved(place) || hasLeftTree(path, workTree ?? '/', before);
    return !overlay.hasPutAway(path) && !isTaken;
  });
}

/** The same as they are before the line. */
export async function ignoredWork(repository: Repository, workTree: string): Promise<readonly string[]> {
  if (!(await mayHaveIgnored(repository))) {
    return [];
  }
  const isPassed = (directory: string) => isGenerated(directory) || isMarkedAsGenerated(join(workTree, directory));
  const listed = (await readIgnored(repository)).filter((path) => !isExpendable(path));
  const files = listed.flatMap((path) =>
    path.endsWith('/') ? filesBelow(path.slice(0, -1), workTree, isPassed) : [path],
  );
  return files.filter((path) => !isExpendable(path) && holdsSomething(join(workTree, path)));
}

/** Told without a process. */
export function mayHaveIgnored(repository: Repository): Promise<boolean> {
  return mayHaveUntracked(repository, isExpendable);
}

/** What programs have said is nobody's work either, where something else is the aim than to clean up. */
function isExpendable(path: string): boolean {
  return isGenerated(path) || /\.log(?:\.\d+)?$/.test(path);
}

/** A link is made again, and an empty file. */
function holdsSomething(path: string): boolean {
  const stats = statsOf(path);
  return stats !== undefined && !stats.isSymbolicLink() && !(stats.isFile() && stats.size === 0);
}

/**
 * Those of the files that are the only ones: neither has a work tree that stays the same at their place (an `.env` is
 * copied from there), nor the commit that is checked out (`.env.example`), nor does the line keep a copy.
 *
 * @param paths from the root of the work tree
 * @param staying roots of other work trees, absolute
 */
export async function onlyCopies(
  paths: readonly string[],
  { repository }: OverlaidTree,
  staying: readonly string[],
  scene: Scene,
): Promise<readonly string[]> {
  const { patches } = scene;
  const top = repository.workTree ?? repository.cwd;
  const isCopied = (path: string) =>
    staying.some(
      (other) => !patches.isRemoved(join(other, path)) && haveSameContents(join(top, path), join(other, path)),
    );
  const own = paths.length > maximumFiles ? paths : paths.filter((path) => !isCopied(path));
  if (own.length === 0) {
    return [];
  }
  const oids = own.length > maximumFiles ? null : await contentsOf(own, top, repository);
  const committed = new Set(oids === null ? [] : await committedHere(repository));
  const left = own.filter((path) => !committed.has(oids?.get(path) ?? ''));
  return patches.without(left, 'both', { repository, command: scene.command, without: top });
}

async function committedHere({ git }: Repository): Promise<readonly string[]> {
  const output = await git.run(['ls-tree', '-r', '-z', '--full-tree', 'HEAD']);
  return readTreeEntries(output.stdout).map(({ oid }) => oid);
}
