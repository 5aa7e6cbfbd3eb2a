/**
 * What a push would do: one plan, whether it is read from the lines git gives to pre-push (githooks(5)) or worked out
 * from a command's arguments (git-push(1)).
 */
export interface PushPlan {
  /** The remote's name; null when the push names a URL that no remote has. */
  readonly remote: string | null;
  /** Where the push goes, after insteadOf, pushInsteadOf and pushurl. */
  readonly url: string;
  /** A remote may have several push URLs: git pushes to these too, calling pre-push once for each. */
  readonly furtherUrls: readonly string[];
  readonly updates: readonly RefUpdate[];
  /** `--mirror` or `remote.<name>.mirror`: every ref of the remote that is absent here is deleted. */
  readonly mirror: boolean;
  /** False with `--no-verify`: the repository's own pre-push hook does not run. */
  readonly verify: boolean;
  readonly dryRun: boolean;
  /** Why git refuses before it contacts the remote (push.default=nothing, no upstream, a bad refspec); else null. */
  readonly refusal: string | null;
}

/**
 * What the update does to the remote ref, as far as the remote's last known state tells.
 * `unknown`: the remote's commit is not in this repository (or history is shallow), so ancestry can't be told.
 * `up-to-date` never comes from pre-push's lines (git leaves such refs out); arguments may still name such a ref.
 */
export type RefUpdateKind = 'create' | 'fast-forward' | 'forced' | 'delete' | 'up-to-date' | 'unknown';

/**
 * What the push is allowed to overwrite. `lease`: only the value it expects (`--force-with-lease`).
 * `undetermined`: in the hook, when the pushing git's command line can't be read; in a command, where git takes for a
 * fast-forward what is none.
 */
export type Force = 'none' | 'lease' | 'unconditional' | 'undetermined';

export interface RefUpdate {
  /** As it was typed or given (`HEAD~1`, `refs/heads/x`, an object name); null for a deletion. */
  readonly localRef: string | null;
  /** Null for a deletion, or where it does not resolve. */
  readonly localOid: string | null;
  /** Full name on the remote: `refs/heads/main`. */
  readonly remoteRef: string;
  /** Null when the ref does not exist on the remote (or is not known to). */
  readonly remoteOid: string | null;
  readonly kind: RefUpdateKind;
  readonly force: Force;
}
