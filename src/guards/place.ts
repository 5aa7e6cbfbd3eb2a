import type { Repository } from '../git/repository.ts';
import type { ChangesInTree } from './simulation/line-changes.ts';
import type { Overlay } from './simulation/overlay.ts';
import type { ScratchRepository } from './simulation/scratch-repositories.ts';

/** Where a git command works. */
export type Place =
  | {
      readonly kind: 'repository';
      /** As it is. */
      readonly repository: Repository;
      /** What the line has changed, if everything before has run. */
      readonly likely: Overlay;
      readonly changes: ChangesInTree;
      /** Only its files are somebody's: a git directory below the temporary one that the call names beside them. */
      readonly isThrownAway?: boolean;
      /** The top of its work tree, where the files there are copies: see {@link MadeGitfiles}. */
      readonly copy?: string;
    }
  /** Something in the line decides it that can't be known. */
  | {
      readonly kind: 'unknown';
      /** On another machine: its work trees are nobody's here. */
      readonly isElsewhere?: boolean;
      readonly reason: string;
    }
  | {
      readonly kind: 'scratch';
      readonly scratch: ScratchRepository;
      /** The call works on files of others; see {@link ScratchRepositories.filesOf}. */
      readonly others?: string | null;
    }
  /** No repository is there: git would stop. */
  | { readonly kind: 'none' };

export type PlaceInRepository = Extract<Place, { kind: 'repository' }>;

/** A work tree that the line adds. */
export interface AddedTree extends Pick<PlaceInRepository, 'repository' | 'changes'> {
  readonly top: string;
  /** The one from which it is added. */
  readonly from: Repository;
  /** No file has been checked out yet: `--no-checkout`. */
  isHollow: boolean;
}
