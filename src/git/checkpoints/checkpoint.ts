import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { OxideError } from '../../errors.ts';
import type { Repository } from '../repository.ts';
import {
  type Checkpoint,
  type CheckpointRecord,
  checkpointOf,
  checkpointRefs,
  commitSnapshot,
  type EndangeredRef,
  headTree,
  numberOf,
  readCheckpoints,
} from './checkpoint-record.ts';
import { readLast, writeLast } from './last-checkpoint.ts';
import { type Snapshot, takeSnapshot } from './snapshot.ts';
import { openSnapshotGit, type SnapshotGit, type SnapshotRepository } from './snapshot-git.ts';
import { unfinishedUndo } from './unfinished-undo.ts';
import { statsOf } from './work-tree-state.ts';

/** Milliseconds that a checkpoint may take before it is given up. */
export const checkpointBudget = 10_000;

/** Kept for each session, and for how long, unless told otherwise. */
const keptCheckpoints = 100;
const keptMilliseconds = 14 * 24 * 60 * 60_000;

export interface CheckpointOptions {
  /** Groups checkpoints: an agent's session, or `manual`. */
  readonly session?: string;
  readonly reason?: string;
  readonly refs?: readonly EndangeredRef[];
  /** Files that are kept although they are ignored, from the top of the work tree: as many as there is room for. */
  readonly named?: readonly string[];
  /** It is the state that an unfinished undo has left. */
  readonly halfway?: boolean;
  /** A checkpoint of its own, although nothing has changed since the last one. */
  readonly anew?: boolean;
  /** Milliseconds; default {@link checkpointBudget}. */
  readonly budget?: number;
}

/**
 * Snapshots the work tree: tracked and untracked files that are not ignored, what is staged, and where HEAD stands.
 * The user's index, HEAD, branches and files are untouched, no hook runs, and no filter that the repository itself
 * configures: its files are kept as they lie there. Where nothing has changed since the
 * session's last checkpoint, that one is returned. Killed at any moment it leaves at most unreachable objects.
 *
 * Not recorded: files that are ignored and not named, too large or in nested repositories (see `skipped`), the contents of
 * submodules, the state of a merge or rebase in progress, and what git itself takes out of a file that it adds
 * (gitattributes(5): mixed line endings, an expanded `$Id$`, the person's own filters where smudge does not undo clean).
 *
 * @throws OxideError `checkpoint-refused`, `checkpoint-too-slow`, `checkpoint-failed`
 */
export async function createCheckpoint(
  repository: SnapshotRepository,
  options: CheckpointOptions = {},
): Promise<Checkpoint> {
  return (await takeCheckpoint(repository, options)).checkpoint;
}

/** {@link createCheckpoint}, with the paths that it holds and HEAD has not, or has otherwise. */
export async function takeCheckpoint(
  repository: SnapshotRepository,
  options: CheckpointOptions = {},
): Promise<{ readonly checkpoint: Checkpoint; readonly held: ReadonlySet<string> }> {
  const git = await openSnapshotGit(repository, options.budget ?? checkpointBudget);
  const snapshot = await takeSnapshot(git, options.named);
  const last = readLast(git, sessionName(options.session ?? 'manual'));
  const checkpoint =
    last !== null && isUnchanged(last, snapshot, git, options)
      ? last
      : await recordSnapshot(git, snapshot, await readCheckpoints(git), options);
  return { checkpoint, held: snapshot.held };
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
    ...(snapshot.named.length === 0 ? {} : { named: snapshot.named }),
    ...(snapshot.privates.length === 0 ? {} : { privates: snapshot.privates }),
    ...(options.halfway === true ? { halfway: true } : {}),
    ...(snapshot.filtersOff.length === 0 ? {} : { filtersOff: snapshot.filtersOff }),
  };
  const { oid, tree } = await commitSnapshot(git, snapshot, record);
  const number = Math.max(0, ...ofSession.map(numberOf)) + 1;
  const ref = await createRef(git, `${checkpointRefs}${session}/`, number, oid, outdated(ofSession));
  writeLast(git, session, { ref, oid, tree, record });
  return checkpointOf(record, { ref, oid, tree });
}

/** A repository's checkpoints, of all its work trees and sessions, newest first. */
export async function listCheckpoints(repository: SnapshotRepository): Promise<readonly Checkpoint[]> {
  return readCheckpoints(await openSnapshotGit(repository, checkpointBudget));
}

/**
 * Finds a checkpoint by its id, by its number where that is unambiguous, or the newest one of this work tree; but where an
 * undo was not finished, and no checkpoint was taken since, the one that it was going to.
 *
 * @throws OxideError `no-checkpoint`, `ambiguous-checkpoint`
 */
export function findCheckpoint(
  checkpoints: readonly Checkpoint[],
  { workTree, gitDir }: Pick<Repository, 'workTree' | 'gitDir'>,
  id?: string,
): Checkpoint {
  const here = checkpoints.filter((checkpoint) => checkpoint.workTree === workTree && !checkpoint.halfway);
  const matches =
    id === undefined
      ? [...unfinishedAmong(here, gitDir), ...here].slice(0, 1)
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

function unfinishedAmong(here: readonly Checkpoint[], gitDir: string): readonly Checkpoint[] {
  const undo = unfinishedUndo(gitDir);
  const isNewest = undo !== null && (here[0]?.created ?? '') <= undo.started;
  return isNewest ? here.filter(({ id }) => id === undo.to) : [];
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
  { refs = [], halfway = false, anew = false }: CheckpointOptions,
): boolean {
  return (
    !anew &&
    last.halfway === halfway &&
    refs.length + last.refs.length === 0 &&
    last.workTree === git.places.workTree &&
    last.head.oid === snapshot.head.oid &&
    last.head.ref === snapshot.head.ref &&
    (snapshot.tree === null ? last.clean : last.tree === snapshot.tree) &&
    last.indexTree === (snapshot.index === 'unmerged' ? null : (snapshot.index ?? headTree(snapshot.head))) &&
    JSON.stringify([last.skipped, last.named]) === JSON.stringify([snapshot.skipped, snapshot.named])
  );
}

/** A ref name component out of whatever an agent calls its session: git-check-ref-format(1). */
function sessionName(session: string): string {
  const safe = session.replace(/[^A-Za-z0-9_-]+/g, '-').replace(/^-+|-+$/g, '');
  return safe.slice(0, 40) || 'manual';
}
