import { join } from 'node:path';
import { readBlobs } from '../git/contents/blobs.ts';
import { readText } from '../git/files.ts';
import type { CommitSummary } from '../git/history/commit.ts';
import { commitsOnlyReachableFrom } from '../git/history/reachability.ts';
import { rebasedBranch, stoppedOperations } from '../git/history/stopped-operations.ts';
import { hasPseudoRef } from '../git/refs/pseudo-refs.ts';
import type { Repository, StatusEntry } from '../git/repository.ts';

/** Conflict markers can be made again from the stages: `git checkout --merge`. */
export function isUnmerged({ index, worktree }: StatusEntry): boolean {
  return (
    index === 'U' || worktree === 'U' || (index === 'A' && worktree === 'A') || (index === 'D' && worktree === 'D')
  );
}

/** Is a file in conflict, or was it until the line has staged it? */
export function wasInConflict(entry: StatusEntry): boolean {
  return isUnmerged(entry) || entry.wasUnmerged === true;
}

/** Files in conflict that are neither what git has written there nor what one of the stages has: somebody has worked on them. */
export async function resolvedByHand(
  unmerged: readonly StatusEntry[],
  repository: Repository,
): Promise<readonly StatusEntry[]> {
  const top = repository.workTree;
  const texts = new Map(unmerged.map((entry) => [entry, top === null ? null : readText(join(top, entry.path))]));
  const isMarked = (entry: StatusEntry) => /^<{7}(?: |$)/m.test(texts.get(entry) ?? '');
  const open = unmerged.filter((entry) => texts.get(entry) !== null && !isMarked(entry));
  const [resolved, begun] = await Promise.all([
    unlikeStages(open, repository),
    unlikeMerged(unmerged.filter(isMarked), texts, repository),
  ]);
  return unmerged.filter((entry) => resolved.includes(entry) || begun.includes(entry));
}

async function unlikeStages(
  open: readonly StatusEntry[],
  { git, workTree }: Repository,
): Promise<readonly StatusEntry[]> {
  if (open.length === 0 || workTree === null) {
    return [];
  }
  const stages = (await git.run(['ls-files', '--unmerged'])).stdout.toString('utf8');
  const files = open.map(({ path }) => join(workTree, path));
  // Its own filters are programs that whoever made the repository has named: looking at it must not start them.
  const hashed = await git.run(['hash-object', '--no-filters', '--', ...files]);
  const oids = hashed.stdout.toString('utf8').split('\n');
  return open.filter((_, at) => !stages.includes(` ${oids[at]} `));
}

/** Of several conflicts in a file some are resolved: it still has markers, but is not as git has written it. */
async function unlikeMerged(
  marked: readonly StatusEntry[],
  texts: ReadonlyMap<StatusEntry, string | null>,
  { git, gitDir }: Repository,
): Promise<readonly StatusEntry[]> {
  // A path of several lines can't be asked for; an older git, and `git am`, do not remember what they have written.
  const asked = marked.filter(({ path }) => !path.includes('\n'));
  if (asked.length === 0 || !hasPseudoRef(gitDir, autoMerge)) {
    return [];
  }
  const contents = await readBlobs(
    asked.map(({ path }) => `${autoMerge}:${path}`),
    git,
  );
  return asked.filter((entry, at) => {
    const content = contents[at] ?? null;
    return content !== null && withPlainMarkers(content) !== withPlainMarkers(texts.get(entry) ?? '');
  });
}

/** Without what `git checkout --conflict=…` writes in another way: the names of the sides, and what both came from. */
function withPlainMarkers(text: string): string {
  return text
    .replaceAll('\r\n', '\n')
    .replace(/^([<>]{7}) .*$/gm, '$1')
    .replace(/^\|{7}(?: .*)?\n(?:(?!={7}\n).*\n)*/gm, '');
}

/** What git has written while an operation is stopped: a tree, as long as there is a conflict in it. */
const autoMerge = 'AUTO_MERGE';

/** `cherry-pick --no-commit` leaves such a tree as well, but is over: what was staged before it is in there, too. */
function hasStopped({ gitDir }: Repository): boolean {
  return hasPseudoRef(gitDir, autoMerge) && stoppedOperations(gitDir).length > 0;
}

/**
 * Of changed files, those that somebody has worked on. While a merge or its like is stopped, git itself has changed the
 * others, and can do so again.
 *
 * @param isStagedHere whether the line itself stages a path: the index does not have it yet
 * @param isUnstagedHere whether it takes back what is staged of it: the index has it still
 */
export async function ownChanges(
  entries: readonly StatusEntry[],
  repository: Repository,
  isStagedHere: (path: string) => boolean,
  isUnstagedHere: (path: string) => boolean = () => false,
): Promise<readonly StatusEntry[]> {
  if (!entries.some(wasInConflict) && !hasStopped(repository)) {
    return entries;
  }
  const isOpen = (entry: StatusEntry) => wasInConflict(entry) || isStagedHere(entry.path);
  const byHand = new Set(await resolvedByHand(entries.filter(isOpen), repository));
  const unstaged = entries.filter((entry) => !isOpen(entry) && isUnstagedHere(entry.path));
  const asIndexed = await withoutDifference(unstaged, repository);
  const indexed = entries.filter((entry) => !isOpen(entry) && entry.index !== '.' && entry.worktree === '.');
  const byGit = await stagedByGit([...new Set([...indexed, ...asIndexed])], repository);
  return entries.filter((entry) => (isOpen(entry) ? byHand.has(entry) : !byGit.has(entry)));
}

/** The commit that a rebase has stopped at, if no other branch or tag has it than the one that is rebased. */
export async function onlyInRebase(repository: Repository): Promise<readonly CommitSummary[]> {
  const stoppedAt = await repository.resolve('REBASE_HEAD^{commit}');
  const branch = rebasedBranch(repository.gitDir);
  const lost =
    stoppedAt === null || branch === null
      ? null
      : await commitsOnlyReachableFrom([{ ref: branch, to: null }], repository);
  return lost?.commits.filter(({ oid }) => oid === stoppedAt) ?? [];
}

/** Those that are in the work tree as the index has them before the line runs. */
async function withoutDifference(
  entries: readonly StatusEntry[],
  { git }: Repository,
): Promise<readonly StatusEntry[]> {
  if (entries.length === 0) {
    return [];
  }
  const paths = entries.map(({ path }) => `:(top,literal)${path}`);
  const output = await git.run(['diff', '--no-ext-diff', '--no-renames', '--name-only', '-z', '--', ...paths]);
  const differing = output.stdout.toString('utf8').split('\0');
  return output.exitCode === 0 ? entries.filter(({ path }) => !differing.includes(path)) : [];
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
  const written = staged.filter(({ path }) => differing?.includes(path) === false || asSide.has(path));
  const before = sides.length > 0 ? [] : await stagedBeforeRevert(written, repository);
  return new Set(written.filter((entry) => !before.includes(entry)));
}

/**
 * `git revert --no-commit` begins with what is staged, which is then in what it has written as well: a file that the commit
 * it took back has not touched, with a content that no commit has.
 */
async function stagedBeforeRevert(
  written: readonly StatusEntry[],
  { git, gitDir }: Repository,
): Promise<readonly StatusEntry[]> {
  if (!hasPseudoRef(gitDir, 'REVERT_HEAD')) {
    return [];
  }
  const listed = async (...args: readonly string[]) =>
    (await git.run(args)).stdout.toString('utf8').split('\0').filter(Boolean);
  const touched = await listed('diff-tree', '-r', '-m', '--root', '--no-commit-id', '--name-only', '-z', 'REVERT_HEAD');
  const others = written.filter(({ index, path }) => index !== 'D' && !touched.includes(path));
  const isCommitted = await Promise.all(
    others.map(async ({ path }) => {
      const [oid = ''] = await listed('rev-parse', '--verify', '--quiet', `:0:${path}`);
      return (await listed('log', '-1', '--format=%H', `--find-object=${oid.trim()}`, 'HEAD')).length > 0;
    }),
  );
  return others.filter((_, at) => isCommitted[at] === false);
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
