import { readdirSync } from 'node:fs';
import { OxideError } from '../errors.ts';
import { quoteWord } from '../quote.ts';
import { checkpointBudget, recordSnapshot } from './checkpoint.ts';
import { type Checkpoint, readCheckpoints } from './checkpoint-record.ts';
import { shortBranchName } from './refspec.ts';
import type { Repository } from './repository.ts';
import { type Snapshot, withTemporaryIndex, writeSnapshot } from './snapshot.ts';
import { openSnapshotGit, type SnapshotGit, type SnapshotRepository } from './snapshot-git.ts';
import { stoppedOperations } from './stopped-operations.ts';
import { type HeadPosition, statsOf } from './work-tree-state.ts';

/** What an undo does to one file. */
export interface FileChange {
  readonly path: string;
  readonly change: 'restore' | 'recreate' | 'delete';
}

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
 * Restores the work tree and the index to a checkpoint: files come back, files made since are deleted, ignored files
 * and those a snapshot leaves out are never touched. The present is snapshot first. HEAD goes back to where it stood;
 * its branch goes back only when it has lost the checkpoint's commit (reset, amend, rebase), never to take off commits
 * that were made on top.
 *
 * git checks all files before it writes the first one. Killed halfway, each file is old or new, but for the one that a
 * git that is killed itself was writing; both states are on checkpoints: the same undo again finishes it.
 *
 * @throws OxideError `undo-in-the-way` where an ignored or left-out file stands in the way of one to restore,
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
  return withTemporaryIndex(git, async (temporary) => {
    const snapshot = await writeSnapshot(temporary);
    const [tree, head] = [await treeOf(git, snapshot), await planHead(git, repository, checkpoint, snapshot.head)];
    const target = (await git.run(['rev-parse', '--verify', checkpoint.tree])).trim();
    const files = await compare(git, tree, target);
    const advice = [...operationsInProgress(git.places.gitDir), ...(await adviceFor(git, checkpoint))];
    refuseObstacles(git, files);
    if (options.dryRun === true) {
      return { checkpoint, files, head, advice, before: null };
    }
    const before = await recordSnapshot(git, snapshot, await readCheckpoints(git), {
      session: checkpoint.id.slice(0, checkpoint.id.lastIndexOf('/')),
      reason: `before undo ${checkpoint.id}`,
    });
    await restoreWorkTree(temporary, tree, target);
    await restoreHead(git, head, `oxide-guard: undo ${checkpoint.id}`);
    await restoreIndex(git, checkpoint);
    return { checkpoint, files, head, advice, before };
  });
}

async function treeOf(git: SnapshotGit, snapshot: Snapshot): Promise<string> {
  return snapshot.tree ?? (await git.run(['rev-parse', `${snapshot.head.oid}^{tree}`])).trim();
}

async function compare(git: SnapshotGit, from: string, to: string): Promise<readonly FileChange[]> {
  const output = await git.run(['diff-tree', '-r', '-z', '--no-renames', '--name-status', from, to]);
  const fields = Buffer.from(output, 'latin1').toString('utf8').split('\0');
  const kinds: Readonly<Record<string, FileChange['change']>> = { A: 'recreate', D: 'delete' };
  const changes: FileChange[] = [];
  for (let n = 0; n + 1 < fields.length; n += 2) {
    changes.push({ path: fields[n + 1] ?? '', change: kinds[fields[n] ?? ''] ?? 'restore' });
  }
  return changes;
}

/** What exists where a file has to come back, though the snapshot of the present doesn't know it, would be lost. */
function refuseObstacles(git: SnapshotGit, files: readonly FileChange[]): void {
  const deleted = new Set(files.filter(({ change }) => change === 'delete').map(({ path }) => path));
  const obstacles = files
    .filter(({ change }) => change === 'recreate')
    .flatMap(({ path }) => filesAt(git.places.workTree, path))
    .filter((path) => !deleted.has(path));
  const [first] = obstacles;
  if (first !== undefined) {
    throw new OxideError(
      'undo-in-the-way',
      `Ignored or very large files stand where files have to come back: ${obstacles.slice(0, 5).join(', ')}. Nothing was changed.`,
      { remedy: `mv -- ${quoteWord(first)} ${quoteWord(`${first}.kept`)}   # then undo again` },
    );
  }
}

function filesAt(workTree: string, path: string): readonly string[] {
  const stats = statsOf(`${workTree}/${path}`);
  if (stats === undefined) {
    return [];
  }
  if (!stats.isDirectory()) {
    return [path];
  }
  return readdirSync(`${workTree}/${path}`).flatMap((name) => filesAt(workTree, `${path}/${name}`));
}

/** A two-tree merge on the snapshot's own index: git-read-tree(1) "Two Tree Merge". It verifies everything, then writes. */
async function restoreWorkTree(temporary: SnapshotGit, from: string, to: string): Promise<void> {
  if (from !== to) {
    await temporary.run(['update-index', '-q', '--refresh']);
    await temporary.run(['read-tree', '-m', '-u', from, to]);
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
  const others = refs.filter(({ name }) => name !== head.ref);
  const present = await Promise.all(others.map(({ name }) => tipOf(git, name)));
  return others.filter(({ oid }, n) => present[n] !== oid).map(({ name, oid }) => `git update-ref ${name} ${oid}`);
}

/** A merge or rebase that has been started since is not ended by an undo. */
function operationsInProgress(gitDir: string): readonly string[] {
  return stoppedOperations(gitDir).map((operation) => `git ${operation} --quit`);
}
