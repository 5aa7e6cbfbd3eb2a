/** What a rebase picks. */
export interface PickedRange {
  /** The full name of the branch that is rebased; `HEAD` where it is detached. */
  readonly ref: string;
  readonly tip: string;
  /** Behind it begins what is picked; null: it is not known here. */
  readonly upstream: string | null;
  /** What the commits are put on; null: it is not known here. */
  readonly onto: string | null;
}

/** A rebase that the line has begun, as a conflict would stop it. */
export interface BegunRebase extends PickedRange {
  /** Any commit may conflict: the list may be edited, or something is fetched before. */
  readonly isOpen: boolean;
}

/** How a file differs from HEAD. */
export type Difference = 'in conflict' | 'changed' | 'new';

/** Has the line put back what a picked commit changes in a file? @param path from the work tree's root, '' for all */
export type PutBack = (path: string, difference: Difference) => boolean;
