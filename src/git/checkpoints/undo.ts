import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { messageOf } from '../../error-message.ts';
import { OxideError } from '../../errors.ts';
import { quoteWord } from '../../quote.ts';
import { pathsInCheckout } from '../contents/sparse-checkout.ts';
import { stoppedOperations } from '../history/stopped-operations.ts';
import { shortBranchName } from '../refs/refspec.ts';
import type { Repository } from '../repository.ts';
import { checkpointBudget, recordSnapshot } from './checkpoint.ts';
import { type Checkpoint, type EndangeredRef, readCheckpoints } from './checkpoint-record.ts';
import { type Snapshot, withTemporaryIndex, writeSnapshot } from './snapshot.ts';
import { openSnapshotGit, type SnapshotGit, type SnapshotRepository } from './snapshot-git.ts';
import { compareTrees, type FileChange, leftOutThen, refuseObstacles, treeWithout } from './undone-files.ts';
import { refuseLocks, type UnfinishedUndo, unfinishedUndo, whileNoted, withUndoLock } from './unfinished-undo.ts';
import { type HeadPosition, statsOf } from './work-tree-state.ts';

/**
 * What an undo does to HEAD. `keep`: nothing (with the reason where HEAD is not where it was). `move`: the branch goes
 * back to its commit. `switch`: HEAD goes back to the branch (`ref`) or commit it stood on.
 */
export type HeadChange =
  | { readonly kind: 'keep'; readonly reason: string | null }
  | { readonly kind: 'move'; readonly ref: string; readonly from: string; readonly to: string }
  | { readonly kind: 'switch'; readonly ref: string | null; readonly from: string | null; readonly to: string };

/** What an undo would do, or has done. */
export interface Undo {
  readonly checkpoint: Checkpoint;
  readonly files: readonly FileChange[];
  readonly head: HeadChange;
  /** Commands that get back what the undo itself leaves alone. */
  readonly advice: readonly string[];
  /** The snapshot of the state before the undo, which undoes it; null for a dry run. */
  readonly before: Checkpoint | null;
}

type UndoRepository = SnapshotRepository & Pick<Repository, 'isAncestor'>;

/**
 * Restores the work tree and the index to a checkpoint: files come back, files made since are deleted; what is
 * ignored or was ignored then, and what a snapshot leaves out, is never touched. The present is snapshot first. HEAD goes back to where it stood;
 * its branch goes back only when it has lost the checkpoint's commit (reset, amend, rebase), never to take off commits
 * that were made on top.
 *
 * git checks all files before it writes the first one. Killed halfway, each file is old or new, but for the one that a
 * git that is killed itself was writing; both states are on checkpoints: the same undo again finishes it, and so does
 * the next one without an id ({@link findCheckpoint}).
 *
 * @throws OxideError `undo-unfinished`, `undo-under-way`, `git-locked`, `undo-in-the-way` where an ignored or left-out file stands in the way of one to restore,
 *   `undo-elsewhere` for another work tree's checkpoint, and what taking a checkpoint throws
 */
export async function undoTo(
  repository: UndoRepository,
  checkpoint: Checkpoint,
  options: { readonly dryRun?: boolean } = {},
): Promise<Undo> {
  if (checkpoint.workTree !== repository.workTree) {
    throw new OxideError('undo-elsewhere', `Checkpoint ${checkpoint.id} is of the work tree ${checkpoint.workTree}.`, {
      remedy: `cd ${quoteWord(checkpoint.workTree)} && oxide-guard undo ${checkpoint.id}`,
    });
  }
  const git = await openSnapshotGit(repository, 6 * checkpointBudget, checkpoint.filtersOff);
  const undo = () =>
    withTemporaryIndex(git, (temporary) => undoWith({ git, temporary, repository, checkpoint }, options));
  return options.dryRun === true ? undo() : withUndoLock(git.places.gitDir, undo);
}

interface Tools {
  readonly git: SnapshotGit;
  /** On an index that is the undo's own. */
  readonly temporary: SnapshotGit;
  readonly repository: UndoRepository;
  readonly checkpoint: Checkpoint;
}

async function undoWith(tools: Tools, { dryRun }: { readonly dryRun?: boolean }): Promise<Undo> {
  const { git, temporary, repository, checkpoint } = tools;
  const { workTree, gitDir, commonDir, index } = git.places;
  const snapshot = await writeSnapshot(temporary, { named: await trackedAmong(git, checkpoint.named) });
  const head = await planHead(git, repository, checkpoint, snapshot.head);
  const { from, to, files } = await planFiles(tools, await treeOf(git, snapshot));
  const advice = [...operationsInProgress(gitDir), ...(await adviceFor(git, checkpoint))];
  refuseObstacles(workTree, files);
  if (dryRun === true) {
    return { checkpoint, files, head, advice, before: null };
  }
  const moved = head.kind === 'keep' || head.ref === null ? [] : [join(commonDir, head.ref)];
  refuseLocks([index, join(gitDir, 'HEAD'), ...moved]);
  const present = await readCheckpoints(git);
  const left = unfinishedUndo(gitDir);
  const isResumed = left?.to === checkpoint.id;
  const kept = await recordSnapshot(git, snapshot, present, {
    session: checkpoint.id.slice(0, checkpoint.id.lastIndexOf('/')),
    reason: `before undo ${checkpoint.id}`,
    halfway: isResumed,
  });
  const before = present.find(({ id }) => isResumed && id === left.before) ?? kept;
  const note = { to: checkpoint.id, before: before.id, started: new Date().toISOString() };
  const restore = async () => {
    await restoreWorkTree(temporary, from, to);
    keepPrivate(workTree, checkpoint);
    await restoreHead(git, head, `oxide-guard: undo ${checkpoint.id}`);
    await restoreIndex(git, checkpoint);
  };
  await whileNoted(gitDir, note, () => restore().catch((cause: unknown) => Promise.reject(halfDone(note, cause))));
  return { checkpoint, files, head, advice, before };
}

/** What was there before is safe, and whoever reads this must know where. */
function halfDone({ to, before }: Pick<UnfinishedUndo, 'to' | 'before'>, cause: unknown): OxideError {
  return new OxideError('undo-unfinished', `The undo stopped halfway, some files may be back: ${messageOf(cause)}.`, {
    remedy:
      `oxide-guard undo ${to}   # goes on, once what stood in the way is gone\n` +
      `  → to what was there before: oxide-guard undo ${before}`,
    cause,
  });
}

/** Files that were named and that git tracks: with the others, ignored ones, an undo has nothing to do as long as they are there. */
async function trackedAmong(git: SnapshotGit, named: readonly string[]): Promise<readonly string[]> {
  const paths = named.map((path) => `:(top,literal)${path}`);
  const output = paths.length === 0 ? '' : await git.run(['ls-files', '-z', '--', ...paths]);
  return Buffer.from(output, 'latin1').toString('utf8').split('\0').filter(Boolean);
}

/** The trees between which the work tree goes, without what stays as it is, and what that does to files. */
async function planFiles(
  { git, temporary, repository, checkpoint }: Tools,
  present: string,
): Promise<{ readonly from: string; readonly to: string; readonly files: readonly FileChange[] }> {
  const { workTree } = git.places;
  const target = (await git.run(['rev-parse', '--verify', checkpoint.tree])).trim();
  const compared = await compareTrees(git, present, target);
  const leftOut = await leftOutThen(git, checkpoint, target, compared);
  const named = new Set(checkpoint.named);
  const isThere = ({ path, change }: FileChange) =>
    change === 'recreate' && named.has(path) && statsOf(join(workTree, path))?.isDirectory() === false;
  const ignored = new Set(compared.filter(isThere).map(({ path }) => path));
  const changed = compared.filter(({ path }) => !leftOut.has(path) && !ignored.has(path));
  const placed = new Set(
    await pathsInCheckout(
      changed.map(({ path }) => path),
      repository,
    ),
  );
  const files = changed.filter(({ path }) => placed.has(path) || statsOf(join(workTree, path)) !== undefined);
  const from = leftOut.size === 0 ? present : await treeWithout(temporary, [...leftOut]);
  const to = ignored.size === 0 ? target : await targetWithout(temporary, target, [...ignored]);
  return { from, to, files: files.map(({ path, change }) => ({ path, change })) };
}

async function targetWithout(temporary: SnapshotGit, target: string, paths: readonly string[]): Promise<string> {
  const other = temporary.withIndex(`${temporary.places.index}.target`);
  await other.run(['read-tree', target]);
  return treeWithout(other, paths);
}

async function treeOf(git: SnapshotGit, snapshot: Snapshot): Promise<string> {
  return snapshot.tree ?? (await git.run(['rev-parse', `${snapshot.head.oid}^{tree}`])).trim();
}

/** A two-tree merge on the snapshot's own index: git-read-tree(1) "Two Tree Merge". It verifies everything, then writes. */
async function restoreWorkTree(temporary: SnapshotGit, from: string, to: string): Promise<void> {
  if (from !== to) {
    await temporary.run(['update-index', '-q', '--refresh']);
    await temporary.run(['read-tree', '-m', '-u', from, to]);
  }
}

/** gitcore-tutorial(7): of a file's permissions git keeps whether it can be executed. */
function keepPrivate(workTree: string, { privates }: Checkpoint): void {
  for (const path of privates.map((name) => join(workTree, name))) {
    const stats = statsOf(path);
    if (stats?.isFile() === true && (stats.mode & 0o077) !== 0) {
      chmodSync(path, stats.mode & 0o700);
    }
  }
}

async function restoreIndex(git: SnapshotGit, checkpoint: Checkpoint): Promise<void> {
  const tree = checkpoint.indexTree ?? checkpoint.head.oid;
  if (tree !== null) {
    await git.run(['read-tree', '--reset', tree]);
    await git.run(['update-index', '-q', '--refresh']);
  }
}

async function planHead(
  git: SnapshotGit,
  repository: UndoRepository,
  { head: then }: Checkpoint,
  now: HeadPosition,
): Promise<HeadChange> {
  const isSameRef = then.ref === now.ref;
  if (then.oid === null) {
    const reason = isSameRef && now.oid === null ? null : 'At the checkpoint the branch had no commit yet.';
    return { kind: 'keep', reason };
  }
  if (then.ref === null) {
    return isSameRef && now.oid === then.oid
      ? { kind: 'keep', reason: null }
      : { kind: 'switch', ref: null, from: now.oid, to: then.oid };
  }
  const tip = isSameRef ? now.oid : await tipOf(git, then.ref);
  const hasCommit = tip !== null && (await repository.isAncestor(then.oid, tip)) === 'yes';
  if (!isSameRef) {
    if (await isCheckedOutElsewhere(git, then.ref)) {
      return { kind: 'keep', reason: `${shortBranchName(then.ref)} is checked out in another work tree.` };
    }
    return { kind: 'switch', ref: then.ref, from: tip, to: hasCommit ? tip : then.oid };
  }
  if (hasCommit) {
    const reason = tip === then.oid ? null : `${shortBranchName(then.ref)} has commits made since; they stay.`;
    return { kind: 'keep', reason };
  }
  return { kind: 'move', ref: then.ref, from: tip ?? '', to: then.oid };
}

async function isCheckedOutElsewhere(git: SnapshotGit, ref: string): Promise<boolean> {
  const worktrees = await git.run(['worktree', 'list', '--porcelain']);
  return worktrees.split('\n').includes(`branch ${ref}`);
}

async function restoreHead(git: SnapshotGit, head: HeadChange, message: string): Promise<void> {
  if (head.kind === 'keep') {
    return;
  }
  if (head.kind === 'move') {
    await git.run(['update-ref', '-m', message, head.ref, head.to, head.from]);
  } else if (head.ref === null) {
    await git.run(['update-ref', '--no-deref', '-m', message, 'HEAD', head.to]);
  } else {
    if (head.from !== head.to) {
      await git.run(['update-ref', '-m', message, head.ref, head.to, head.from ?? '']);
    }
    await git.run(['symbolic-ref', '-m', message, 'HEAD', head.ref]);
  }
}

/** A ref's commit as it is now; null where there is no such ref. */
async function tipOf(git: SnapshotGit, ref: string): Promise<string | null> {
  return (await git.run(['for-each-ref', '--format=%(objectname)', ref])).split('\n')[0] || null;
}

/** How to get back refs that the undo does not move itself. */
async function adviceFor(git: SnapshotGit, { refs, head }: Checkpoint): Promise<readonly string[]> {
  const stashed = refs.some(isStash) && (await tipOf(git, 'refs/stash')) !== null;
  const stashes = stashed ? (await git.run(['reflog', 'show', '--format=%H', 'refs/stash'])).split('\n') : [];
  const others = refs.filter((ref) => ref.name !== head.ref && !isStash(ref));
  const present = await Promise.all(others.map(({ name }) => tipOf(git, name)));
  return [
    ...others.filter(({ oid }, n) => present[n] !== oid).map(({ name, oid }) => `git update-ref ${name} ${oid}`),
    ...refs.filter((ref) => isStash(ref) && !stashes.includes(ref.oid)).map(({ oid }) => `git stash store ${oid}`),
  ];
}

function isStash({ name }: EndangeredRef): boolean {
  return name.startsWith('stash@');
}

/** A merge or rebase that has been started since is not ended by an undo. */
function operationsInProgress(gitDir: string): readonly string[] {
  return stoppedOperations(gitDir).map((operation) => `git ${operation} --quit`);
}
