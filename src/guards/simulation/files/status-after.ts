import type { StatusEntry } from '../../../git/repository.ts';
import type { Overlay } from '../overlay.ts';
import { entryAfter, entryCommitted, isChanged } from './indexed-entry.ts';

/** What the line has made of the files: see {@link Overlay}. */
export type FilesNow = Pick<
  Overlay,
  | 'shown'
  | 'hidden'
  | 'saved'
  | 'leavesSubmodules'
  | 'restored'
  | 'index'
  | 'written'
  | 'committedIndex'
  | 'unversioned'
>;

/** What git-status(1) tells after the line. @param before what it tells before it */
export function statusAfter(before: readonly StatusEntry[], overlay: FilesNow): readonly StatusEntry[] {
  const entries = [...before, ...[...overlay.shown].map((path) => ({ path, index: '.', worktree: 'M' }))];
  const isLeft = ({ index, isSubmodule }: StatusEntry) =>
    index === '?'
      ? overlay.saved !== 'everything'
      : overlay.saved === 'nothing' || (overlay.leavesSubmodules && isSubmodule === true);
  const left = entries.filter((entry) => isLeft(entry) && !overlay.restored.has(entry.path));
  const indexed = (entry: StatusEntry) => {
    const has = overlay.index.get(entry.path);
    // What the line writes may come after it has staged the file.
    const isOpen = has === undefined || (has === 'work tree' && entry.index !== '?' && overlay.written.has(entry.path));
    return isOpen ? entry : entryAfter(entry, has);
  };
  const isCommitted = ({ path }: StatusEntry) => overlay.committedIndex && !overlay.index.has(path);
  const tracked = left.map((entry) => (isCommitted(entry) ? entryCommitted(entry) : indexed(entry))).filter(isChanged);
  const seen = new Set(tracked.map(({ path }) => path));
  const written = [...overlay.written].filter((path) => !seen.has(path));
  const unversioned = [...overlay.unversioned].filter((path) => !seen.has(path));
  const all = [
    ...tracked,
    ...written.map((path) => ({ path, index: '.', worktree: 'M' })),
    ...unversioned.map((path) => indexed({ path, index: '?', worktree: '?' })),
  ];
  return overlay.hidden.size === 0 ? all : all.map((entry) => withoutHidden(entry, overlay)).filter(isChanged);
}

/** Of a file at which git does not look, what is staged is told all the same. */
function withoutHidden(entry: StatusEntry, { hidden }: FilesNow): StatusEntry {
  return hidden.has(entry.path) ? { ...entry, worktree: '.' } : entry;
}

/** The same at this moment, whatever the line changes later. */
export function statusNow(overlay: FilesNow): (before: readonly StatusEntry[]) => readonly StatusEntry[] {
  const { saved, leavesSubmodules, committedIndex } = overlay;
  const now: FilesNow = {
    saved,
    leavesSubmodules,
    committedIndex,
    shown: new Set(overlay.shown),
    restored: new Set(overlay.restored),
    written: new Set(overlay.written),
    unversioned: new Set(overlay.unversioned),
    index: new Map(overlay.index),
    hidden: new Map(overlay.hidden),
  };
  return (before) => statusAfter(before, now);
}
