import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readText } from '../git/files.ts';
import type { Repository, StatusEntry } from '../git/repository.ts';
import { stoppedOperations } from '../git/stopped-operations.ts';

/** Conflict markers can be made again from the stages: `git checkout --merge`. */
export function isUnmerged({ index, worktree }: StatusEntry): boolean {
  return (
    index === 'U' || worktree === 'U' || (index === 'A' && worktree === 'A') || (index === 'D' && worktree === 'D')
  );
}

/** Files in conflict that are neither full of conflict markers nor what one of the stages has: somebody has worked on them. */
export async function resolvedByHand(
  unmerged: readonly StatusEntry[],
  repository: Repository,
): Promise<readonly StatusEntry[]> {
  const top = repository.workTree;
  const open = unmerged.filter(({ path }) => {
    const text = top === null ? null : readText(join(top, path));
    return text !== null && !/^<{7}(?: |$)/m.test(text);
  });
  if (open.length === 0 || top === null) {
    return [];
  }
  const stages = (await repository.git.run(['ls-files', '--unmerged'])).stdout.toString('utf8');
  const files = open.map(({ path }) => join(top, path));
  // Its own filters are programs that whoever made the repository has named: looking at it must not start them.
  const hashed = await repository.git.run(['hash-object', '--no-filters', '--', ...files]);
  const oids = hashed.stdout.toString('utf8').split('\n');
  return open.filter((_, at) => !stages.includes(` ${oids[at]} `));
}

/** What git has written while an operation is stopped: a tree, as long as there is a conflict in it. */
const autoMerge = 'AUTO_MERGE';

/** `cherry-pick --no-commit` leaves such a tree as well, but is over: what was staged before it is in there, too. */
function hasStopped({ gitDir }: Repository): boolean {
  return existsSync(join(gitDir, autoMerge)) && stoppedOperations(gitDir).length > 0;
}

/**
 * Of changed files, those that somebody has worked on. While a merge or its like is stopped, git itself has changed the
 * others, and can do so again.
 *
 * @param isStagedHere whether the line itself stages a path: the index does not have it yet
 */
export async function ownChanges(
  entries: readonly StatusEntry[],
  repository: Repository,
  isStagedHere: (path: string) => boolean,
): Promise<readonly StatusEntry[]> {
  const isUnderWay = entries.some(isUnmerged) || hasStopped(repository);
  if (!isUnderWay) {
    return entries;
  }
  const isOpen = (entry: StatusEntry) => isUnmerged(entry) || isStagedHere(entry.path);
  const byHand = new Set(await resolvedByHand(entries.filter(isOpen), repository));
  const indexed = entries.filter((entry) => !isOpen(entry) && entry.index !== '.' && entry.worktree === '.');
  const byGit = await stagedByGit(indexed, repository);
  return entries.filter((entry) => (isOpen(entry) ? byHand.has(entry) : !byGit.has(entry)));
}

/** Staged files that are as the stopped operation has written them, or as one of its sides had them. */
async function stagedByGit(staged: readonly StatusEntry[], repository: Repository): Promise<ReadonlySet<StatusEntry>> {
  if (staged.length === 0) {
    return new Set();
  }
  const listed = async (...args: readonly string[]) => {
    const output = await repository.git.run([...args, '--', ...staged.map(({ path }) => `:(top,literal)${path}`)]);
    return output.exitCode === 0 ? output.stdout.toString('utf8').split('\0').filter(Boolean) : null;
  };
  const differing = await listed('diff-index', '--cached', '--name-only', '-z', autoMerge);
  const sides = (await listed('ls-files', '--resolve-undo', '-z', '--full-name')) ?? [];
  const inIndex = sides.length === 0 ? [] : ((await listed('ls-files', '--stage', '-z', '--full-name')) ?? []);
  const asSide = new Set(inIndex.filter((entry) => sides.some((side) => isSame(entry, side))).map(pathOf));
  return new Set(staged.filter(({ path }) => differing?.includes(path) === false || asSide.has(path)));
}

/** Files that were in conflict and have been staged since: the index remembers what it had of them. */
export async function resolvedPaths(repository: Repository): Promise<readonly string[]> {
  const output = await repository.git.run(['ls-files', '--resolve-undo', '-z', '--full-name']);
  return [...new Set(output.stdout.toString('utf8').split('\0').filter(Boolean).map(pathOf))];
}

/** `MODE OID STAGE\tPATH`, each with the same content of the same path */
function isSame(one: string, other: string): boolean {
  return pathOf(one) === pathOf(other) && one.split(' ')[1] === other.split(' ')[1];
}

function pathOf(entry: string): string {
  return entry.slice(entry.indexOf('\t') + 1);
}
