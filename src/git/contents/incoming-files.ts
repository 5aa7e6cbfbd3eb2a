import type { Repository } from '../repository.ts';
import { readTreeEntries, type TreeEntry } from './tree-entries.ts';

/**
 * What one commit has that another lacks, in one process: git-diff-tree(1).
 *
 * @param from null: nothing is checked out
 * @param to of commits, each as a revision
 * @param pathspecs as git reads them in the repository's `cwd`; none: all paths
 * @returns none where a commit is not known here
 */
export async function addedFiles(
  from: string | null,
  to: string,
  { git }: Repository,
  pathspecs: readonly string[] = [],
): Promise<readonly TreeEntry[]> {
  const list =
    from === null
      ? ['ls-tree', '-r', '-z', '--full-tree', to]
      : ['diff-tree', '-r', '-z', '--no-renames', '--diff-filter=A', from, to, '--', ...pathspecs];
  return readTreeEntries((await git.run(list)).stdout);
}

/**
 * What any of several commits has that another one lacks, in one process: git-diff-tree(1) "--stdin", for which a list of
 * commits is one with its parents.
 *
 * @param from an object name
 * @param commits object names
 * @param below names at the top of the work tree; only in there it is looked
 */
export async function addedByAny(
  from: string,
  commits: readonly string[],
  below: readonly string[],
  { git, workTree }: Repository,
): Promise<readonly TreeEntry[]> {
  const input = commits.map((commit) => `${commit} ${from}\n`).join('');
  const shown = ['-r', '-z', '--no-abbrev', '--no-renames', '--no-commit-id', '--diff-filter=A'];
  const list = ['-C', workTree ?? '.', '--literal-pathspecs', 'diff-tree', '--stdin', ...shown, '--', ...below];
  return readTreeEntries((await git.run(list, { input })).stdout);
}

/**
 * What commits have added or changed, each of a merge or stash against its first parent.
 *
 * @param revisions ranges too
 * @param takenBack what they have removed or changed instead, as it was before them
 */
export async function changedFiles(
  revisions: readonly string[],
  takenBack: boolean,
  { git }: Repository,
): Promise<readonly TreeEntry[]> {
  const compared = ['-m', '--first-parent', '--raw', '-z', '--no-abbrev', '--no-renames', '--diff-filter=AM'];
  const reversed = takenBack ? ['-R'] : [];
  const list = ['log', '--no-walk=unsorted', '--format=', ...compared, ...reversed, ...revisions, '--'];
  return readTreeEntries((await git.run(list)).stdout);
}

/** Those of the paths, from the work tree's root, at which two commits differ. */
export async function differingPaths(
  from: string,
  to: string,
  paths: readonly string[],
  { git, workTree }: Repository,
): Promise<ReadonlySet<string>> {
  const compared = ['diff-tree', '-r', '-z', '--no-renames', '--name-only', from, to, '--', ...paths];
  const output = paths.length === 0 ? null : await git.run(['-C', workTree ?? '.', '--literal-pathspecs', ...compared]);
  return new Set(output?.stdout.toString('utf8').split('\0').filter(Boolean));
}

/** The commit from which two have gone apart; null: none, or it can't be told. */
export async function mergeBase(one: string, other: string, { git }: Repository): Promise<string | null> {
  const { stdout, exitCode } = await git.run(['merge-base', one, other]);
  return exitCode === 0 ? stdout.toString('utf8').trim() : null;
}

/**
 * Which contents some commit has that a ref reaches, of files by these names.
 *
 * @param oids of blobs
 */
export async function committedContents(
  oids: readonly string[],
  paths: readonly string[],
  repository: Repository,
): Promise<ReadonlySet<string>> {
  // Most that is ignored was never in the repository, and then no history is walked.
  const there = oids.length === 0 ? [] : [...(await repository.resolveAll(oids)).values()];
  const known = there.flatMap((object) => (object === null ? [] : [object.oid]));
  if (known.length === 0) {
    return new Set();
  }
  const wanted = known.map((oid) => `--find-object=${oid}`);
  const shown = ['--format=', '--raw', '-z', '--no-abbrev', '--no-renames', '--diff-filter=AM'];
  const list = ['log', '--all', ...shown, ...wanted, '--', ...paths];
  const output = await repository.git.run(['-C', repository.workTree ?? '.', '--literal-pathspecs', ...list]);
  return new Set(readTreeEntries(output.stdout).map(({ oid }) => oid));
}
