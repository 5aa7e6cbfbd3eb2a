import { type Remote, trackedRefOf, trackingRefOf } from '../settings/remote.ts';
import type { RefValue } from './ref-files.ts';

/**
 * A remote's refs as this repository last saw them, by their names on the remote. Refs that no fetch refspec covers
 * (tags, in a common clone) are not known: they may or may not be there.
 */
export interface RemoteState {
  readonly refs: ReadonlyMap<string, string>;
  /** Would a tracking ref exist if this ref were there? */
  covers(remoteRef: string): boolean;
}

/** @param remote null for a place that no remote of the configuration goes to: nothing is known */
export function readRemoteState(remote: Remote | null, refs: ReadonlyMap<string, RefValue>): RemoteState {
  const known = new Map<string, string>();
  if (remote === null) {
    return { refs: known, covers: () => false };
  }
  for (const [name, { oid, symref }] of refs) {
    const remoteRef = trackedRefOf(remote, name);
    const isRemoteHead = symref !== null;
    if (remoteRef !== null && !isRemoteHead) {
      known.set(remoteRef, oid);
    }
  }
  return { refs: known, covers: (remoteRef) => known.size > 0 && trackingRefOf(remote, remoteRef) !== null };
}

/** A push to `.`: the repository is its own remote. */
export function ownState(refs: ReadonlyMap<string, RefValue>): RemoteState {
  return { refs: new Map([...refs].map(([name, { oid }]) => [name, oid])), covers: () => true };
}
