import type { HiddenChange, StatusEntry } from './contents/status.ts';
import type { Ancestry } from './history/ancestry.ts';
import type { CommitList } from './history/commit.ts';
import type { Divergence } from './history/divergence.ts';
import type { Head } from './refs/head.ts';
import type { RefValue } from './refs/ref-files.ts';
import type { ObjectName } from './refs/revision.ts';
import type { Git } from './runner.ts';
import type { GitConfiguration } from './settings/configuration.ts';

export type { HiddenChange, StatusEntry } from './contents/status.ts';
export type { Ancestry } from './history/ancestry.ts';
export type { Head } from './refs/head.ts';
export type { RefValue } from './refs/ref-files.ts';

/**
 * Facts about a repository at a moment. Every fact is read lazily, at most once, in as few git processes as possible.
 * Methods reject with OxideError when git itself fails.
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
  /** Runs git here; for the modules of src/git that read what has no method. */
  readonly git: Git;

  config(): Promise<GitConfiguration>;
  head(): Promise<Head>;
  /** Every ref by full name. */
  refs(): Promise<ReadonlyMap<string, RefValue>>;
  /** The commits at which other work trees have a detached HEAD, by its name: `worktrees/x/HEAD`. */
  otherHeads(): Promise<ReadonlyMap<string, string>>;
  /** One ref's object name by full name (symbolic refs followed), null when absent. Usually reads only a file. */
  ref(name: string): Promise<string | null>;
  /** The full name of the ref that a symbolic one stands for in the end; of any other, its own. */
  refTarget(name: string): Promise<string>;
  /** Tracked changes and untracked files (not ignored ones). Empty in a bare repository. */
  status(): Promise<readonly StatusEntry[]>;
  /** Changes of tracked files that `git status` does not show. Empty in a bare repository. */
  hiddenChanges(): Promise<readonly HiddenChange[]>;
  /** Branch name (`main`) that a remote's HEAD is known to name here; null when not known. */
  remoteDefaultBranch(remote: string): Promise<string | null>;
  /** Object name of a revision, peeled as asked by its own suffix; null when it does not resolve. */
  resolve(revision: string): Promise<string | null>;
  /** Several revisions in one process, with their objects' types. */
  resolveAll(revisions: readonly string[]): Promise<ReadonlyMap<string, ObjectName | null>>;
  /** Is `ancestor` reachable from `descendant`? */
  isAncestor(ancestor: string, descendant: string): Promise<Ancestry>;
  /** Commits reachable from `tips` and from none of `except` (revisions, or rev-list options such as `--remotes=origin`), newest first; `limit` bounds the list (20), not the total. */
  commits(tips: readonly string[], except: readonly string[], limit?: number): Promise<CommitList>;
  /**
   * What each of two commits (object names) has that the other lacks, and whether `left` is an ancestor of `right`;
   * null where one of them is not a commit of this repository.
   */
  divergence(left: string, right: string): Promise<Divergence | null>;
  /** Where a shallow clone's history is cut off; empty in a full one. */
  shallowCommits(): ReadonlySet<string>;
}
