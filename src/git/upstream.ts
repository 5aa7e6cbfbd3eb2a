import { readRemote, trackingRefOf } from './remote.ts';
import type { Repository } from './repository.ts';

/** What a branch follows: git-config(1) branch.<name>.remote and branch.<name>.merge. */
export interface Upstream {
  /** The remote's name (or URL); `.` for a branch of this repository. */
  readonly remote: string;
  /** Full name of the branch there: `refs/heads/main`. */
  readonly remoteRef: string;
  /** The local ref that remembers it; null where no fetch refspec covers it. */
  readonly trackingRef: string | null;
  /** Where it was when it was last fetched; null when it never was. */
  readonly oid: string | null;
}

/**
 * The upstream of a branch. Reads configuration and a file.
 *
 * @param branch short name: `main`
 * @returns null for a branch without one
 */
export async function readUpstream(repository: Repository, branch: string): Promise<Upstream | null> {
  const config = await repository.config();
  const remote = config.get(`branch.${branch}.remote`);
  const remoteRef = config.getAll(`branch.${branch}.merge`).at(0);
  if (remote === null || remoteRef === undefined) {
    return null;
  }
  const trackingRef = remote === '.' ? remoteRef : trackingRefOf(readRemote(config, remote), remoteRef);
  return { remote, remoteRef, trackingRef, oid: trackingRef === null ? null : await repository.ref(trackingRef) };
}
