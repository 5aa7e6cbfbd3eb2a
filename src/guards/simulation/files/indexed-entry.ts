import type { StatusEntry } from '../../../git/repository.ts';
import { isUnmerged } from '../../work-in-conflict.ts';

/**
 * What the index has of a path: what the work tree or HEAD has, nothing, only the name (`git add --intent-to-add`), or what
 * the line has written there (`git update-index --cacheinfo`). An untracked file is `perhaps` in it after `git add "$FILE"`.
 */
export type Indexed = 'work tree' | 'HEAD' | 'nothing' | 'name' | 'other' | 'perhaps';

/** An entry of git-status(1), as it is when the index has something else of its path. */
export function entryAfter(entry: StatusEntry, indexed: Indexed): StatusEntry {
  if (isUnmerged(entry)) {
    return { ...entry, ...ofUnmerged(entry, indexed) };
  }
  return { ...entry, ...(entry.index === '?' ? ofUntracked[indexed] : ofTracked(entry, indexed)) };
}

/** The index has no stages of it any more, whatever the work tree has made of the conflict. */
function ofUnmerged(entry: StatusEntry, indexed: Indexed): Partial<StatusEntry> {
  switch (indexed) {
    case 'name':
    case 'perhaps':
      return {};
    case 'HEAD':
      return { ...(isNew(entry) ? untracked : { index: '.', worktree: 'M' }), wasUnmerged: true };
    case 'nothing':
      return { ...(isNew(entry) ? untracked : { index: 'D', worktree: 'M' }), wasUnmerged: true };
    case 'other':
      return { index: isNew(entry) ? 'A' : 'M', worktree: 'M', wasUnmerged: true };
    case 'work tree':
      return { ...ofTracked(entry, indexed), wasUnmerged: true };
  }
}

/** An entry of git-status(1), as it is when a commit has taken up what is staged of it: a conflict makes git refuse. */
export function entryCommitted(entry: StatusEntry): StatusEntry {
  return entry.index === '?' || isUnmerged(entry) ? entry : { ...entry, index: '.' };
}

/** Does git-status(1) show it? */
export function isChanged({ index, worktree }: StatusEntry): boolean {
  return index !== '.' || worktree !== '.';
}

type Letters = Pick<StatusEntry, 'index' | 'worktree'>;

const untracked: Letters = { index: '?', worktree: '?' };

const ofUntracked: Readonly<Record<Indexed, Letters>> = {
  'work tree': { index: 'A', worktree: '.' },
  name: { index: '.', worktree: 'A' },
  HEAD: untracked,
  nothing: untracked,
  other: { index: 'A', worktree: 'M' },
  // There it is at stake where it would not be otherwise.
  perhaps: { index: 'A', worktree: '.' },
};

function ofTracked(entry: StatusEntry, indexed: Indexed): Letters {
  const { index, worktree } = entry;
  switch (indexed) {
    case 'work tree':
      return { index: index === '.' || index === 'U' ? (worktree === 'D' ? 'D' : 'M') : index, worktree: '.' };
    case 'HEAD':
      return isNew(entry)
        ? untracked
        : { index: '.', worktree: worktree !== '.' ? worktree : index === 'D' ? 'D' : 'M' };
    case 'nothing':
      return isNew(entry) ? untracked : { index: 'D', worktree: 'M' };
    case 'name':
    case 'perhaps':
      return { index, worktree };
    case 'other':
      return { index: index === '.' ? 'M' : index, worktree: 'M' };
  }
}

/** Of a file that was untracked: `git clean` surely leaves it. */
export function isInIndex(indexed: Indexed): boolean {
  return indexed !== 'perhaps' && ofUntracked[indexed] !== untracked;
}

/** Has the line put into the index what the work tree has, as far as can be known? */
export function isStaged(indexed: Indexed | undefined): boolean {
  return indexed === 'work tree' || indexed === 'perhaps';
}

/** HEAD does not have it: of a conflict, the side that was checked out. */
export function isNew(entry: StatusEntry): boolean {
  const { index, worktree } = entry;
  return isUnmerged(entry)
    ? /^(?:D[DU]|UA)$/.test(index + worktree)
    : index === 'A' || (index === '.' && worktree === 'A');
}
