import type { Snapshot } from './snapshot.ts';
import type { SnapshotGit } from './snapshot-git.ts';
import type { HeadPosition, SkippedFile } from './work-tree-state.ts';

/** Private refs keep checkpoints from being collected, and `git push` does not send them. */
export const checkpointRefs = 'refs/oxide-guard/checkpoints/';

/** A ref that a risky command endangers besides HEAD: its commit is kept, and undo says how to get it back. */
export interface EndangeredRef {
  /** In full, or `stash@{N}`. */
  readonly name: string;
  readonly oid: string;
}

/** A snapshot of a work tree with where HEAD stood, on a private ref. */
export interface Checkpoint {
  /** `<session>/<n>`. */
  readonly id: string;
  readonly ref: string;
  readonly oid: string;
  /** Tracked and untracked files as they were in the work tree: a tree's name, or `<commit>^{tree}`. */
  readonly tree: string;
  /** The work tree and the index were as HEAD has them. */
  readonly clean: boolean;
  /** What was staged; null when a conflict was being resolved. */
  readonly indexTree: string | null;
  readonly head: HeadPosition;
  readonly workTree: string;
  /** ISO 8601, UTC. */
  readonly created: string;
  /** What was about to happen: a command line, or `before undo …`. */
  readonly reason: string;
  readonly skipped: readonly SkippedFile[];
  readonly refs: readonly EndangeredRef[];
  /** Files that it holds only because they were named: ignored ones. */
  readonly named: readonly string[];
  /** Files that it holds and that only their owner might read. */
  readonly privates: readonly string[];
  /** Of the state that an unfinished undo has left, before it was finished. */
  readonly halfway: boolean;
  /** Filters without which its files were read, and have to be written. */
  readonly filtersOff: readonly string[];
}

/** Newest first. */
export async function readCheckpoints(git: SnapshotGit): Promise<readonly Checkpoint[]> {
  const format = '%(refname)%00%(objectname)%00%(tree)%00%(contents:body)%00';
  const output = await git.run(['for-each-ref', `--format=${format}`, checkpointRefs]);
  const fields = Buffer.from(output, 'latin1').toString('utf8').split('\0');
  const checkpoints: Checkpoint[] = [];
  for (let n = 0; n + 3 < fields.length; n += 4) {
    const [ref = '', oid = '', tree = '', body = ''] = fields.slice(n, n + 4);
    checkpoints.push(...parseCheckpoint(ref.trim(), oid, tree, body));
  }
  return checkpoints.sort((a, b) => b.created.localeCompare(a.created) || numberOf(b) - numberOf(a));
}

/** What the checkpoint's commit message says, as one line of JSON. */
export interface CheckpointRecord {
  readonly version: 1;
  readonly workTree: string;
  readonly head: HeadPosition;
  /** `head`: HEAD's tree. */
  readonly index: string;
  readonly clean: boolean;
  readonly created: string;
  readonly reason: string;
  readonly skipped: readonly SkippedFile[];
  readonly refs: readonly EndangeredRef[];
  readonly named?: readonly string[];
  readonly privates?: readonly string[];
  readonly halfway?: true;
  readonly filtersOff?: readonly string[];
}

function parseCheckpoint(ref: string, oid: string, tree: string, body: string): readonly Checkpoint[] {
  try {
    const record = JSON.parse(body) as CheckpointRecord;
    return record.version === 1 ? [checkpointOf(record, { ref, oid, tree })] : [];
  } catch {
    // Not written by this program.
    return [];
  }
}

export function checkpointOf(
  record: CheckpointRecord,
  { ref, oid, tree }: Pick<Checkpoint, 'ref' | 'oid' | 'tree'>,
): Checkpoint {
  const {
    clean,
    head,
    workTree,
    created,
    reason,
    skipped,
    refs,
    index,
    named = [],
    privates = [],
    halfway = false,
    filtersOff = [],
  } = record;
  const indexTree = index === 'head' ? headTree(head) : index === 'unmerged' ? null : index;
  return {
    id: ref.slice(checkpointRefs.length),
    ref,
    oid,
    tree,
    indexTree,
    clean,
    head,
    workTree,
    created,
    reason,
    skipped,
    refs,
    named,
    privates,
    halfway,
    filtersOff,
  };
}

export function headTree({ oid }: HeadPosition): string {
  return `${oid}^{tree}`;
}

/** The snapshot's commit. Its parents keep HEAD's commit, what was staged, and the endangered commits from being collected. */
export async function commitSnapshot(
  git: SnapshotGit,
  snapshot: Snapshot,
  record: CheckpointRecord,
): Promise<Pick<Checkpoint, 'oid' | 'tree'>> {
  const { head, index } = snapshot;
  const tree = snapshot.tree ?? headTree(head);
  const ofHead = head.oid === null ? [] : [head.oid];
  const hasOwnIndex = index !== null && index !== 'unmerged' && index !== tree;
  const staged = hasOwnIndex
    ? [(await git.run(['commit-tree', index, '-m', 'oxide-guard: index', ...parents(ofHead)])).trim()]
    : [];
  const kept = [...new Set([...ofHead, ...staged, ...record.refs.map(({ oid }) => oid)])];
  const message = `oxide-guard: checkpoint\n\n${JSON.stringify(record)}\n`;
  const oid = (await git.run(['commit-tree', tree, ...parents(kept), '-F', '-'], Buffer.from(message))).trim();
  return { oid, tree };
}

function parents(oids: readonly string[]): readonly string[] {
  return oids.flatMap((oid) => ['-p', oid]);
}

/** Within its session. */
export function numberOf({ id }: Pick<Checkpoint, 'id'>): number {
  return Number(id.slice(id.lastIndexOf('/') + 1));
}
