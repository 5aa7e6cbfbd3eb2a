import { accessSync, constants, lstatSync, type Stats } from 'node:fs';
import { filteredFiles } from '../contents/own-filters.ts';
import { parseStatus } from '../contents/status.ts';
import type { SnapshotGit } from './snapshot-git.ts';

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

/** Why a file is left out, for people. */
export const skipReasons: Readonly<Record<SkippedFile['reason'], string>> = {
  'too-large': 'untracked, over 5 MiB',
  'nested-repository': 'a repository of its own',
  unreadable: 'can’t be read',
};

/** What `git status` says, in one reading of the work tree. */
export interface WorkTreeState {
  readonly head: HeadPosition;
  readonly changed: readonly string[];
  readonly untracked: readonly string[];
  /** Files that must be read although they are as the index has them: it has them as a filter made them. */
  readonly unfiltered: readonly string[];
  readonly staged: boolean;
  readonly unmerged: boolean;
}

/** Reads it, with one git process where no filters are off. */
export async function readWorkTree(git: SnapshotGit): Promise<WorkTreeState> {
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
    unfiltered: await unfilteredFiles(git),
    staged: tracked.some(({ index }) => index !== '.'),
    unmerged: tracked.some(isUnmerged),
  };
}

/** Of the files whose filters do not run, those that can be read. */
async function unfilteredFiles(git: SnapshotGit): Promise<readonly string[]> {
  const paths =
    git.filtersOff.length === 0 ? [] : await filteredFiles((args, input) => git.run(args, input), git.filtersOff);
  return paths.filter(
    (path) =>
      statsOf(absolutePath(git.places.workTree, path))?.isFile() === true &&
      reasonToSkip(git.places.workTree, path, Number.POSITIVE_INFINITY) === null,
  );
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
export function screen(
  workTree: string,
  state: WorkTreeState,
): { kept: readonly string[]; skipped: readonly SkippedFile[] } {
  const kept: string[] = [];
  const skipped: SkippedFile[] = [];
  const sizeLimits = [
    { paths: new Set([...state.changed, ...state.unfiltered]), limit: Number.POSITIVE_INFINITY },
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
  const absolute = absolutePath(workTree, path);
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

/** @param path in Latin-1, byte for byte */
function absolutePath(workTree: string, path: string): Buffer {
  return Buffer.concat([Buffer.from(`${workTree}/`), Buffer.from(path, 'latin1')]);
}

/** A path's own state; undefined where there is nothing, also below something that is no directory. */
export function statsOf(path: string | Uint8Array): Stats | undefined {
  try {
    return lstatSync(Buffer.from(path));
  } catch {
    return undefined;
  }
}
