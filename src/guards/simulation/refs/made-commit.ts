/** A commit that the command line itself makes: its name can't be known. */
export interface MadeCommit {
  /** It holds work that nothing else has, unlike a merge or a picked commit. */
  readonly holdsWork: boolean;
  /** Commits that go where it goes: what it merges or replaces; those that were there by name, and others of this line. */
  readonly merged: readonly string[];
  readonly mergedMade: readonly MadeCommit[];
  /** It was made in the place of these, and does not go on from them: `git commit --amend`. */
  readonly takesTheirPlace?: boolean;
}

/** Another commit; each is an object of its own. */
export function madeCommit(holdsWork: boolean): MadeCommit {
  return { holdsWork, merged: [], mergedMade: [] };
}
