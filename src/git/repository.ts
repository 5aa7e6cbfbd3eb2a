import type { CommitList } from './commit.ts';
import type { GitConfiguration } from './configuration.ts';

/** Where HEAD stands. An unborn branch has no oid. */
export type Head =
  | { readonly kind: 'branch'; readonly ref: string; readonly branch: string; readonly oid: string | null }
  | { readonly kind: 'detached'; readonly oid: string };

export interface RefValue {
  readonly oid: string;
  /** For a symbolic ref, what it points to. */
  readonly symref: string | null;
}

/** One entry of `git status --porcelain`. Path relative to the work tree's root, unquoted. */
export interface StatusEntry {
  readonly path: string;
  /** State of the index against HEAD, and of the work tree against the index: git's letters, `.` for unchanged, `?` untracked, `!` ignored. */
  readonly index: string;
  readonly worktree: string;
}

/** Yes, no, or it can't be told here (an object is missing, or history is cut off). */
export type Ancestry = 'yes' | 'no' | 'unknown';

/**
 * Facts about a repository at a moment. Every fact is read lazily, at most once, in as few git processes as possible.
 * Methods reject with {@link OxideError} when git itself fails.
 */
export interface Repository {
  /** The directory the facts are about: where the command stands. */
  readonly cwd: string;
  /** Absolute $GIT_DIR: the linked worktree's own, where there is one. */
  readonly gitDir: string;
  /** Absolute: shared by all worktrees. State of the guard lives in `<commonDir>/oxide-guard/`. */
  readonly commonDir: string;
  /** Absolute root of the work tree; null in a bare repository. */
  readonly workTree: string | null;

  config(): Promise<GitConfiguration>;
  head(): Promise<Head>;
  /** Every ref by full name. */
  refs(): Promise<ReadonlyMap<string, RefValue>>;
  /** Tracked changes and untracked files (not ignored ones). */
  status(): Promise<readonly StatusEntry[]>;
  /** Branch names (`main`) that a remote's HEAD is known to name here; null when not known. */
  remoteDefaultBranch(remote: string): Promise<string | null>;
  /** Object name of a revision, peeled as asked by its own suffix; null when it does not resolve. */
  resolve(revision: string): Promise<string | null>;
  /** Is `ancestor` reachable from `descendant`? */
  isAncestor(ancestor: string, descendant: string): Promise<Ancestry>;
  /** Commits reachable from `tips` and from none of `except` (revisions, or rev-list options such as `--remotes=origin`), newest first; `limit` bounds the list, not the total. */
  commits(tips: readonly string[], except: readonly string[], limit?: number): Promise<CommitList>;
}
