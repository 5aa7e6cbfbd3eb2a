import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { OxideError } from '../errors.ts';
import {
  type HeadPosition,
  openSnapshotGit,
  type SkippedFile,
  type Snapshot,
  type SnapshotGit,
  type SnapshotRepository,
  statsOf,
  takeSnapshot,
} from './snapshot.ts';

/** Private refs keep checkpoints from being collected, and `git push` does not send them. */
const refPrefix = 'refs/oxide-guard/checkpoints/';

/** Milliseconds that a checkpoint may take before it is given up. */
export const checkpointBudget = 10_000;

/** Kept for each session, and for how long, unless told otherwise. */
const keptCheckpoints = 100;
const keptMilliseconds = 14 * 24 * 60 * 60_000;

/** A ref that a risky command endangers besides HEAD: its commit is kept, and undo says how to get it back. */
export interface EndangeredRef {
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
}

export interface CheckpointOptions {
  /** Groups checkpoints: an agent's session, or `manual`. */
  readonly session?: string;
  readonly reason?: string;
  readonly refs?: readonly EndangeredRef[];
  /** Milliseconds; default {@link checkpointBudget}. */
  readonly budget?: number;
}

/**
 * Snapshots the work tree: tracked and untracked files that are not ignored, what is staged, and where HEAD stands.
 * The user's index, HEAD, branches and files are untouched, and no hook runs. Where nothing has changed since the
 * session's last checkpoint, that one is returned. Killed at any moment it leaves at most unreachable objects.
 *
 * Not recorded: files that are ignored, too large or in nested repositories (see `skipped`), the contents of
 * submodules, and the state of a merge or rebase in progress.
 *
 * @throws OxideError `checkpoint-refused`, `checkpoint-too-slow`, `checkpoint-failed`
 */
export async function createCheckpoint(
  repository: SnapshotRepository,
  options: CheckpointOptions = {},
): Promise<Checkpoint> {
  const git = await openSnapshotGit(repository, options.budget ?? checkpointBudget);
  const snapshot = await takeSnapshot(git);
  const last = readLast(git, sessionName(options.session ?? 'manual'));
  return last !== null && isUnchanged(last, snapshot, git, options)
    ? last
    : recordSnapshot(git, snapshot, await readCheckpoints(git), options);
}

/** Puts a snapshot on a ref of its own. */
export async function recordSnapshot(
  git: SnapshotGit,
  snapshot: Snapshot,
  present: readonly Checkpoint[],
  options: CheckpointOptions,
): Promise<Checkpoint> {
  const session = sessionName(options.session ?? 'manual');
  const refs = options.refs ?? [];
  const ofSession = present.filter(({ id }) => id.startsWith(`${session}/`));
  const [last] = ofSession;
  if (last !== undefined && isUnchanged(last, snapshot, git, options)) {
    return last;
  }
  const record: CheckpointRecord = {
    version: 1,
    workTree: git.places.workTree,
    head: snapshot.head,
    index: snapshot.index ?? 'head',
    clean: snapshot.tree === null,
    created: new Date().toISOString(),
    reason: options.reason ?? '',
    skipped: snapshot.skipped,
    refs,
  };
  const { oid, tree } = await commitSnapshot(git, snapshot, record);
  const number = Math.max(0, ...ofSession.map(numberOf)) + 1;
  const ref = await createRef(git, `${refPrefix}${session}/`, number, oid, outdated(ofSession));
  writeLast(git, session, { ref, oid, tree, record });
  return checkpointOf(record, { ref, oid, tree });
}

/** A repository's checkpoints, of all its work trees and sessions, newest first. */
export async function listCheckpoints(repository: SnapshotRepository): Promise<readonly Checkpoint[]> {
  return readCheckpoints(await openSnapshotGit(repository, checkpointBudget));
}

/**
 * Finds a checkpoint by its id, by its number where that is unambiguous, or the newest one of this work tree.
 *
 * @throws OxideError `no-checkpoint`, `ambiguous-checkpoint`
 */
export function findCheckpoint(checkpoints: readonly Checkpoint[], workTree: string | null, id?: string): Checkpoint {
  const here = checkpoints.filter((checkpoint) => checkpoint.workTree === workTree);
  const matches =
    id === undefined
      ? here.slice(0, 1)
      : checkpoints.filter((checkpoint) => checkpoint.id === id || checkpoint.id.endsWith(`/${id}`));
  const [found, second] = matches;
  if (found === undefined) {
    const what = id === undefined ? 'There is no checkpoint of this work tree' : `There is no checkpoint '${id}'`;
    throw new OxideError('no-checkpoint', `${what}, so there is nothing to go back to.`, {
      remedy: 'oxide-guard checkpoint list',
    });
  }
  if (second !== undefined) {
    throw new OxideError('ambiguous-checkpoint', `Several sessions have a checkpoint '${id}'.`, {
      remedy: `oxide-guard undo ${found.id}`,
    });
  }
  return found;
}

/**
 * Deletes checkpoints that are older than two weeks or beyond a session's hundred newest; with `all`, every one.
 *
 * @returns what was deleted
 */
export async function pruneCheckpoints(
  repository: SnapshotRepository,
  options: { readonly all?: boolean; readonly keepMilliseconds?: number } = {},
): Promise<readonly Checkpoint[]> {
  const git = await openSnapshotGit(repository, checkpointBudget);
  const checkpoints = await readCheckpoints(git);
  const sessions = new Set(checkpoints.map(({ id }) => id.slice(0, id.lastIndexOf('/'))));
  const deleted =
    options.all === true
      ? checkpoints
      : [...sessions].flatMap((session) =>
          outdated(
            checkpoints.filter(({ id }) => id.startsWith(`${session}/`)),
            options.keepMilliseconds,
          ),
        );
  await git.run(['update-ref', '--stdin'], Buffer.from(deleted.map(deletion).join('')));
  removeLeftovers(join(git.places.gitDir, 'oxide-guard'));
  return deleted;
}

/** What killed processes left behind, and the shortcuts of sessions, which are made anew when they are missed. */
function removeLeftovers(directory: string): void {
  const hourAgo = Date.now() - 60 * 60_000;
  for (const name of existsSync(directory) ? readdirSync(directory) : []) {
    const path = join(directory, name);
    const isOurs = /^index-|^checkpoint-.*\.json/.test(name);
    if (isOurs && (statsOf(path)?.mtimeMs ?? hourAgo) < hourAgo) {
      rmSync(path, { recursive: true, force: true });
    }
  }
}

export async function readCheckpoints(git: SnapshotGit): Promise<readonly Checkpoint[]> {
  const format = '%(refname)%00%(objectname)%00%(tree)%00%(contents:body)%00';
  const output = await git.run(['for-each-ref', `--format=${format}`, refPrefix]);
  const fields = Buffer.from(output, 'latin1').toString('utf8').split('\0');
  const checkpoints: Checkpoint[] = [];
  for (let n = 0; n + 3 < fields.length; n += 4) {
    const [ref = '', oid = '', tree = '', body = ''] = fields.slice(n, n + 4);
    checkpoints.push(...parseCheckpoint(ref.trim(), oid, tree, body));
  }
  return checkpoints.sort((a, b) => b.created.localeCompare(a.created) || numberOf(b) - numberOf(a));
}

/** What the checkpoint's commit message says, as one line of JSON. */
interface CheckpointRecord {
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

function checkpointOf(
  record: CheckpointRecord,
  { ref, oid, tree }: Pick<Checkpoint, 'ref' | 'oid' | 'tree'>,
): Checkpoint {
  const { clean, head, workTree, created, reason, skipped, refs, index } = record;
  const indexTree = index === 'head' ? headTree(head) : index === 'unmerged' ? null : index;
  return {
    id: ref.slice(refPrefix.length),
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
  };
}

function headTree({ oid }: HeadPosition): string {
  return `${oid}^{tree}`;
}

/** The snapshot's commit. Its parents keep HEAD's commit, what was staged, and the endangered commits from being collected. */
async function commitSnapshot(
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

/** Another process may take the number first: the ref is only created where there is none, else the next is tried. */
async function createRef(
  git: SnapshotGit,
  prefix: string,
  number: number,
  oid: string,
  old: readonly Checkpoint[],
): Promise<string> {
  for (let n = number; ; n += 1) {
    const ref = `${prefix}${n}`;
    try {
      await git.run(['update-ref', '--stdin'], Buffer.from(`create ${ref} ${oid}\n${old.map(deletion).join('')}`));
      return ref;
    } catch (error) {
      if (n >= number + 20) {
        throw error;
      }
      if (old.length > 0) {
        return createRef(git, prefix, number, oid, []);
      }
    }
  }
}

function deletion({ ref, oid }: Checkpoint): string {
  return `delete ${ref} ${oid}\n`;
}

function outdated(ofSession: readonly Checkpoint[], keepMilliseconds = keptMilliseconds): readonly Checkpoint[] {
  const limit = new Date(Date.now() - keepMilliseconds).toISOString();
  return ofSession.filter(({ created }, position) => position >= keptCheckpoints || created < limit);
}

function isUnchanged(
  last: Checkpoint,
  snapshot: Snapshot,
  git: SnapshotGit,
  { refs = [] }: CheckpointOptions,
): boolean {
  return (
    refs.length + last.refs.length === 0 &&
    last.workTree === git.places.workTree &&
    last.head.oid === snapshot.head.oid &&
    last.head.ref === snapshot.head.ref &&
    (snapshot.tree === null ? last.clean : last.tree === snapshot.tree) &&
    last.indexTree === (snapshot.index === 'unmerged' ? null : (snapshot.index ?? headTree(snapshot.head))) &&
    JSON.stringify(last.skipped) === JSON.stringify(snapshot.skipped)
  );
}

interface LastCheckpoint extends Pick<Checkpoint, 'ref' | 'oid' | 'tree'> {
  readonly record: CheckpointRecord;
}

/** Beside the refs, so that a session in which nothing changes need not ask git for them. Lost or stale, git is asked. */
function lastPath({ places }: SnapshotGit, session: string): string {
  return join(places.gitDir, 'oxide-guard', `checkpoint-${session}.json`);
}

function readLast(git: SnapshotGit, session: string): Checkpoint | null {
  try {
    const last = JSON.parse(readFileSync(lastPath(git, session), 'utf8')) as LastCheckpoint;
    const present = readFileSync(join(git.places.commonDir, last.ref), 'utf8').trim();
    return present === last.oid && last.record.version === 1 ? checkpointOf(last.record, last) : null;
  } catch {
    return null;
  }
}

function writeLast(git: SnapshotGit, session: string, last: LastCheckpoint): void {
  try {
    const path = lastPath(git, session);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(`${path}.${process.pid}`, JSON.stringify(last));
    renameSync(`${path}.${process.pid}`, path);
  } catch {
    // Only a shortcut.
  }
}

function numberOf({ id }: Pick<Checkpoint, 'id'>): number {
  return Number(id.slice(id.lastIndexOf('/') + 1));
}

/** A ref name component out of whatever an agent calls its session: git-check-ref-format(1). */
function sessionName(session: string): string {
  const safe = session.replace(/[^A-Za-z0-9_-]+/g, '-').replace(/^-+|-+$/g, '');
  return safe.slice(0, 40) || 'manual';
}
