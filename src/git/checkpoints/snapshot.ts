import { constants, copyFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { OxideError } from '../../errors.ts';
import { quoteWord } from '../../quote.ts';
import { addable, isBeyondLink } from './named-files.ts';
import type { SnapshotGit } from './snapshot-git.ts';
import {
  type HeadPosition,
  readWorkTree,
  type SkippedFile,
  screen,
  statsOf,
  type WorkTreeState,
} from './work-tree-state.ts';

/** The present state of a work tree, as trees in the object database. */
export interface Snapshot {
  readonly head: HeadPosition;
  /** Tracked and untracked files as they are in the work tree; null: the same as HEAD's. */
  readonly tree: string | null;
  /** What is staged; null: the same as HEAD's tree. `unmerged`: a conflict is being resolved, no tree can say it. */
  readonly index: string | 'unmerged' | null;
  readonly skipped: readonly SkippedFile[];
  /** Paths of files that it holds only because they were named: ignored ones, changes that git does not look at. */
  readonly named: readonly string[];
  /** What it holds that HEAD has not, or has otherwise. */
  readonly held: ReadonlySet<string>;
  /** Those of them that only their owner may read: git does not keep that. */
  readonly privates: readonly string[];
  /** Filters that did not run: their files are kept as they lie in the work tree, and are written back so. */
  readonly filtersOff: readonly string[];
}

/**
 * Writes the present state of the work tree into the object database. The user's index is only read.
 *
 * @param named further files that it should hold, from the top of the work tree
 */
export async function takeSnapshot(git: SnapshotGit, named: readonly string[] = []): Promise<Snapshot> {
  const state = await readWorkTree(git);
  const isClean = state.changed.length + state.untracked.length + state.unfiltered.length === 0;
  if (isClean && state.head.oid !== null && addable(git.places.workTree, named).length === 0) {
    return {
      head: state.head,
      tree: null,
      index: null,
      skipped: [],
      named: [],
      held: new Set(),
      privates: [],
      filtersOff: [],
    };
  }
  return withTemporaryIndex(git, (temporary) => writeSnapshot(temporary, { state, named }));
}

/**
 * Runs `use` with a copy of the user's index, in a directory of its own that is removed afterwards. What a killed
 * process leaves is a copy of an index below `<gitDir>/oxide-guard`, harmless, which goes an hour later.
 */
export async function withTemporaryIndex<Result>(
  git: SnapshotGit,
  use: (temporary: SnapshotGit) => Promise<Result>,
): Promise<Result> {
  const directory = temporaryDirectory(join(git.places.gitDir, 'oxide-guard'));
  try {
    const index = join(directory, 'index');
    // A repository without any commit or staged file has no index yet.
    const stats = statsOf(git.places.index);
    if (stats !== undefined) {
      copyFileSync(git.places.index, index, constants.COPYFILE_FICLONE);
      // By its own time the copy would vouch for files that changed in the second in which the index was written
      // (racy-git(7)), and the snapshot would hold what they were before.
      utimesSync(index, stats.atime, new Date(Math.floor(stats.mtimeMs)));
    }
    return await use(git.withIndex(index));
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

function removeOldIndexes(parent: string): void {
  const hourAgo = Date.now() - 60 * 60_000;
  const left = readdirSync(parent).filter((name) => name.startsWith('index-'));
  for (const path of left.map((name) => join(parent, name))) {
    if ((statsOf(path)?.mtimeMs ?? hourAgo) < hourAgo) {
      rmSync(path, { recursive: true, force: true });
    }
  }
}

function temporaryDirectory(parent: string): string {
  try {
    mkdirSync(parent, { recursive: true });
    removeOldIndexes(parent);
    return mkdtempSync(join(parent, 'index-'));
  } catch (cause) {
    const { code = String(cause) } = cause as NodeJS.ErrnoException;
    throw new OxideError('checkpoint-failed', `${parent} can't be written (${code}).`, {
      remedy: `ls -ld ${quoteWord(parent)}`,
      cause,
    });
  }
}

/** The snapshot's trees; afterwards the index of `git` describes the work tree. */
export async function writeSnapshot(
  git: SnapshotGit,
  known: { readonly state?: WorkTreeState; readonly named?: readonly string[] } = {},
): Promise<Snapshot> {
  const { workTree } = git.places;
  const state = known.state ?? (await readWorkTree(git));
  const index = await writeIndexTree(git, state);
  const links = new Map<string, boolean>();
  const beyond = state.changed.filter((path) => isBeyondLink(workTree, path, links));
  const gone = new Set(beyond);
  const changed = gone.size === 0 ? state.changed : state.changed.filter((path) => !gone.has(path));
  const { kept, skipped } = screen(workTree, { ...state, changed });
  const held = new Set([...kept, ...beyond].map((path) => Buffer.from(path, 'latin1').toString('utf8')));
  const skippedPaths = new Set(skipped.map(({ path }) => path));
  const named = addable(workTree, known.named ?? []).filter((path) => !held.has(path) && !skippedPaths.has(path));
  const namedBytes = named.map((path) => Buffer.from(path, 'utf8').toString('latin1'));
  // Where a link has taken a directory's place, what the index has below it is gone.
  await forget(git, [...state.unfiltered, ...namedBytes, ...beyond]);
  if (kept.length + named.length > 0) {
    const paths = Buffer.from([...kept, ...namedBytes].map((path) => `${path}\0`).join(''), 'latin1');
    await git.run(['update-index', '--add', '--remove', '--replace', '-z', '--stdin'], paths);
  }
  const tree = (await git.run(['write-tree'])).trim();
  const all = new Set([...held, ...named]);
  const privates = privateFiles(workTree, all);
  return { head: state.head, tree, index, skipped, named, held: all, privates, filtersOff: git.filtersOff };
}

/** None where nobody else may read any file that is made. */
function privateFiles(workTree: string, paths: ReadonlySet<string>): readonly string[] {
  const areAll = (process.umask() & 0o077) === 0o077;
  const isPrivate = (path: string) => {
    const stats = statsOf(join(workTree, path));
    return stats?.isFile() === true && (stats.mode & 0o077) === 0;
  };
  return areAll ? [] : [...paths].filter(isPrivate);
}

/** Without its entry in the index a file is read whose times have not changed, too, or that git was told not to look at. */
async function forget(git: SnapshotGit, paths: readonly string[]): Promise<void> {
  if (paths.length > 0) {
    const list = Buffer.from(paths.map((path) => `${path}\0`).join(''), 'latin1');
    await git.run(['update-index', '--force-remove', '-z', '--stdin'], list);
  }
}

async function writeIndexTree(git: SnapshotGit, state: WorkTreeState): Promise<Snapshot['index']> {
  if (state.unmerged) {
    return 'unmerged';
  }
  const isHeads = !state.staged && state.head.oid !== null;
  return isHeads ? null : (await git.run(['write-tree'])).trim();
}
