/**
 * What `git push` was asked to do, its options parsed and nothing looked up: git-push(1). The last spelling of an
 * option and its negation wins before it gets here.
 */
export interface PushRequest {
  /** `<repository>`, else the value of `--repo`: a remote's name, a URL or a path; null when neither is given. */
  readonly repository: string | null;
  /** As they were typed, with the `tag <tag>` form already joined to `refs/tags/<tag>:refs/tags/<tag>`. */
  readonly refspecs: readonly string[];
  /** `--all`, `--branches` */
  readonly branches: boolean;
  /** `--mirror` */
  readonly mirror: boolean;
  /** `--tags` */
  readonly tags: boolean;
  /** `--follow-tags`; null: push.followTags decides. */
  readonly followTags: boolean | null;
  /** `--delete`, `-d` */
  readonly delete: boolean;
  /** `--prune` */
  readonly prune: boolean;
  /** `--force`, `-f` */
  readonly force: boolean;
  /** Each `--force-with-lease`, in order; empty after `--no-force-with-lease`. */
  readonly leases: readonly Lease[];
  /** `--force-if-includes`; null: push.useForceIfIncludes decides. */
  readonly forceIfIncludes: boolean | null;
  /** The value of `--recurse-submodules`; null: push.recurseSubmodules decides. */
  readonly submodules: string | null;
  /** False with `--no-verify`. */
  readonly verify: boolean;
  /** `--dry-run`, `-n` */
  readonly dryRun: boolean;
  /** `--atomic` */
  readonly atomic: boolean;
  /** `--set-upstream`, `-u` */
  readonly setsUpstream: boolean;
}

/** One `--force-with-lease[=<refname>[:<expect>]]`. */
export interface Lease {
  /** Null: every ref that is updated. */
  readonly ref: string | null;
  /** Null: the tracking ref's value. Empty: the ref must not exist yet. */
  readonly expect: string | null;
}

/** A bare `git push`: spread it and change what an option changes. */
export const plainPush: PushRequest = {
  repository: null,
  refspecs: [],
  branches: false,
  mirror: false,
  tags: false,
  followTags: null,
  delete: false,
  prune: false,
  force: false,
  leases: [],
  forceIfIncludes: null,
  submodules: null,
  verify: true,
  dryRun: false,
  atomic: false,
  setsUpstream: false,
};
