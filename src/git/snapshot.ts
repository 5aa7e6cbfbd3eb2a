import {
  accessSync,
  constants,
  copyFileSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  type Stats,
  utimesSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { OxideError } from '../errors.ts';
import { homeDirectory, realPath } from './files.ts';
import type { Repository } from './repository.ts';
import { Git, withoutRepositoryVariables } from './runner.ts';
import { parseStatus } from './status.ts';

/** Untracked files above this size stay out of a snapshot. In bytes. */
export const maximumUntrackedSize = 5 * 1024 * 1024;

/** Where HEAD stood: the branch's full name (null when detached) and its commit (null when unborn). */
export interface HeadPosition {
  readonly ref: string | null;
  readonly oid: string | null;
}

/** A file that a snapshot leaves out. */
export interface SkippedFile {
  readonly path: string;
  readonly reason: 'too-large' | 'nested-repository' | 'unreadable';
}

/** The present state of a work tree, as trees in the object database. */
export interface Snapshot {
  readonly head: HeadPosition;
  /** Tracked and untracked files as they are in the work tree; null: the same as HEAD's. */
  readonly tree: string | null;
  /** What is staged; null: the same as HEAD's tree. `unmerged`: a conflict is being resolved, no tree can say it. */
  readonly index: string | 'unmerged' | null;
  readonly skipped: readonly SkippedFile[];
}

/** The repository parts that a snapshot needs. */
export type SnapshotRepository = Pick<Repository, 'git' | 'gitDir' | 'commonDir' | 'workTree' | 'config'>;

/** Subcommands that write nothing: they need not wait for the names of configured hooks. */
const readers: ReadonlySet<string> = new Set(['status', 'ls-files', 'for-each-ref', 'rev-parse', 'diff-tree']);

interface Places {
  readonly workTree: string;
  readonly gitDir: string;
  readonly commonDir: string;
  /** The index that git reads and writes. */
  readonly index: string;
}

/** git in one work tree, without hooks, with what is left of a time budget. */
export class SnapshotGit {
  readonly places: Places;
  readonly #git: Git;
  readonly #hooksOff: () => Promise<readonly string[]>;
  readonly #deadline: number;

  constructor(git: Git, places: Places, hooksOff: () => Promise<readonly string[]>, deadline: number) {
    this.#git = git;
    this.places = places;
    this.#hooksOff = hooksOff;
    this.#deadline = deadline;
  }

  /** The same, reading and writing another index. */
  withIndex(index: string): SnapshotGit {
    const context = { ...this.#git.context, env: { ...this.#git.context.env, GIT_INDEX_FILE: index } };
    return new SnapshotGit(new Git(context), { ...this.places, index }, this.#hooksOff, this.#deadline);
  }

  /**
   * Standard output, byte for byte in Latin-1, because paths may be in any encoding.
   *
   * @throws OxideError `checkpoint-failed`, `checkpoint-too-slow`
   */
  async run(args: readonly string[], input?: Uint8Array): Promise<string> {
    const isReader = readers.has(args[0] ?? '');
    const settings = isReader ? [] : (await this.#hooksOff()).flatMap((setting) => ['-c', setting]);
    const timeout = Math.max(1, this.#deadline - Date.now());
    try {
      const output = await this.#git.run([...settings, ...args], {
        timeout,
        ...(input === undefined ? {} : { input }),
      });
      if (output.exitCode !== 0) {
        throw new OxideError('checkpoint-failed', `git ${args[0]} failed: ${output.stderr.trim()}`, {
          remedy: 'git status',
        });
      }
      return output.stdout.toString('latin1');
    } catch (error) {
      if (error instanceof OxideError && error.code === 'git-timed-out') {
        throw new OxideError(
          'checkpoint-too-slow',
          'The work tree is too large for a snapshot within its time budget.',
          {
            remedy: 'git status --short   # untracked directories that should be in .gitignore?',
            cause: error,
          },
        );
      }
      throw error;
    }
  }
}

/**
 * Prepares git for snapshots of a repository's work tree.
 *
 * @param budget milliseconds for everything that is run with it
 * @throws OxideError `checkpoint-refused` without a work tree, in the home directory and in the root directory
 */
export async function openSnapshotGit(repository: SnapshotRepository, budget: number): Promise<SnapshotGit> {
  const { workTree, gitDir, commonDir } = repository;
  if (workTree === null) {
    throw new OxideError('checkpoint-refused', 'A bare repository has no work tree, so there is nothing to snapshot.');
  }
  const home = realPath(homeDirectory()) ?? homeDirectory();
  if (workTree === home || workTree === dirname(workTree)) {
    throw new OxideError(
      'checkpoint-refused',
      `The work tree is ${workTree}: a snapshot of all of it would take too long and too much.`,
    );
  }
  const { context } = repository.git;
  const git = new Git({
    cwd: workTree,
    // A file whose line endings would change on the way is no reason to stop.
    parameters: [...(context.parameters ?? []), 'core.hooksPath=/dev/null', 'core.safecrlf=false'],
    env: { ...withoutRepositoryVariables(context.env), ...identity, GIT_DIR: gitDir, GIT_WORK_TREE: workTree },
  });
  const places = { workTree, gitDir, commonDir, index: join(gitDir, 'index') };
  return new SnapshotGit(git, places, () => configuredHooksOff(repository), Date.now() + budget);
}

/** Hooks by configuration (git 2.54) run whatever core.hooksPath says. */
async function configuredHooksOff(repository: SnapshotRepository): Promise<readonly string[]> {
  const configuration = await repository.config();
  return configuration.subsections('hook').map((name) => `hook.${name}.enabled=false`);
}

/** Snapshots are the guard's, and must not fail where nobody has told git who they are. */
const identity = {
  GIT_AUTHOR_NAME: 'oxide-guard',
  GIT_AUTHOR_EMAIL: 'oxide-guard@localhost',
  GIT_COMMITTER_NAME: 'oxide-guard',
  GIT_COMMITTER_EMAIL: 'oxide-guard@localhost',
};

/** What `git status` says, in one reading of the work tree. */
interface WorkTreeState {
  readonly head: HeadPosition;
  readonly changed: readonly string[];
  readonly untracked: readonly string[];
  readonly staged: boolean;
  readonly unmerged: boolean;
}

/** Writes the present state of the work tree into the object database. The user's index is only read. */
export async function takeSnapshot(git: SnapshotGit): Promise<Snapshot> {
  const state = await readWorkTree(git);
  const isClean = state.changed.length === 0 && state.untracked.length === 0;
  if (isClean && state.head.oid !== null) {
    return { head: state.head, tree: null, index: null, skipped: [] };
  }
  return withTemporaryIndex(git, (temporary) => writeSnapshot(temporary, state));
}

/**
 * Runs `use` with a copy of the user's index, in a directory of its own that is removed afterwards. What a killed
 * process leaves is a copy of an index below `<gitDir>/oxide-guard`, harmless.
 */
export async function withTemporaryIndex<Result>(
  git: SnapshotGit,
  use: (temporary: SnapshotGit) => Promise<Result>,
): Promise<Result> {
  const parent = join(git.places.gitDir, 'oxide-guard');
  mkdirSync(parent, { recursive: true });
  const directory = mkdtempSync(join(parent, 'index-'));
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

/** The snapshot's trees; afterwards the index of `git` describes the work tree. */
export async function writeSnapshot(git: SnapshotGit, known?: WorkTreeState): Promise<Snapshot> {
  const state = known ?? (await readWorkTree(git));
  const index = await writeIndexTree(git, state);
  const { kept, skipped } = screen(git.places.workTree, state);
  if (kept.length > 0) {
    const paths = Buffer.from(kept.map((path) => `${path}\0`).join(''), 'latin1');
    await git.run(['update-index', '--add', '--remove', '--replace', '-z', '--stdin'], paths);
  }
  const tree = (await git.run(['write-tree'])).trim();
  return { head: state.head, tree, index, skipped };
}

async function writeIndexTree(git: SnapshotGit, state: WorkTreeState): Promise<Snapshot['index']> {
  if (state.unmerged) {
    return 'unmerged';
  }
  const isHeads = !state.staged && state.head.oid !== null;
  return isHeads ? null : (await git.run(['write-tree'])).trim();
}

async function readWorkTree(git: SnapshotGit): Promise<WorkTreeState> {
  const status = await git.run([
    'status',
    '--porcelain=v2',
    '-z',
    '--branch',
    '--no-ahead-behind',
    '--no-renames',
    '--untracked-files=all',
    '--ignore-submodules=dirty',
  ]);
  const entries = parseStatus(status);
  const isUntracked = ({ index }: { index: string }) => index === '?';
  const tracked = entries.filter((entry) => !isUntracked(entry));
  const isUnmerged = ({ index, worktree }: { index: string; worktree: string }) =>
    index === 'U' || worktree === 'U' || ['AA', 'DD'].includes(index + worktree);
  return {
    head: parseHead(status),
    changed: tracked.map(({ path }) => path),
    untracked: entries.filter(isUntracked).map(({ path }) => path),
    staged: tracked.some(({ index }) => index !== '.'),
    unmerged: tracked.some(isUnmerged),
  };
}

function parseHead(status: string): HeadPosition {
  const header = (name: string) =>
    status
      .split('\0')
      .find((record) => record.startsWith(`# branch.${name} `))
      ?.slice(`# branch.${name} `.length) ?? '';
  const oid = header('oid');
  const branch = Buffer.from(header('head'), 'latin1').toString('utf8');
  return {
    ref: branch === '(detached)' ? null : `refs/heads/${branch}`,
    oid: oid === '(initial)' ? null : oid,
  };
}

/** Leaves out what is too large, what is a repository of its own, and what can't be read. */
function screen(workTree: string, state: WorkTreeState): { kept: readonly string[]; skipped: readonly SkippedFile[] } {
  const kept: string[] = [];
  const skipped: SkippedFile[] = [];
  const sizeLimits = [
    { paths: state.changed, limit: Number.POSITIVE_INFINITY },
    { paths: state.untracked, limit: maximumUntrackedSize },
  ];
  for (const { paths, limit } of sizeLimits) {
    for (const path of paths) {
      const reason = reasonToSkip(workTree, path, limit);
      if (reason === null) {
        kept.push(path);
      } else {
        skipped.push({ path: Buffer.from(path, 'latin1').toString('utf8'), reason });
      }
    }
  }
  return { kept, skipped };
}

function reasonToSkip(workTree: string, path: string, limit: number): SkippedFile['reason'] | null {
  if (path.endsWith('/')) {
    return 'nested-repository';
  }
  const absolute = Buffer.concat([Buffer.from(`${workTree}/`), Buffer.from(path, 'latin1')]);
  const stats = statsOf(absolute);
  if (stats === undefined || !stats.isFile()) {
    return null;
  }
  if (stats.size > limit) {
    return 'too-large';
  }
  try {
    accessSync(absolute, constants.R_OK);
    return null;
  } catch {
    return 'unreadable';
  }
}

/** A path's own state; undefined where there is nothing, also below something that is no directory. */
export function statsOf(path: string | Uint8Array): Stats | undefined {
  try {
    return lstatSync(Buffer.from(path));
  } catch {
    return undefined;
  }
}
