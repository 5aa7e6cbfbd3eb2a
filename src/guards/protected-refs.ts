import type { Policy } from '../config/policy.ts';
import type { Repository } from '../git/repository.ts';
import { isProtected } from './protection.ts';

/** A protected branch of a remote, and the local ref that remembers it. */
export interface TrackedBranch {
  readonly ref: string;
  readonly branch: string;
}

/** Remote-tracking branches of protected branches. */
export async function protectedTrackingRefs(repository: Repository, policy: Policy): Promise<readonly TrackedBranch[]> {
  const remotes = (await repository.config()).subsections('remote');
  const refs = await repository.refs();
  const found: TrackedBranch[] = [];
  for (const remote of remotes) {
    const prefix = `refs/remotes/${remote}/`;
    const defaultBranch = await repository.remoteDefaultBranch(remote);
    for (const ref of refs.keys()) {
      const branch = ref.slice(prefix.length);
      if (ref.startsWith(prefix) && branch !== 'HEAD' && isProtected(branch, policy, defaultBranch)) {
        found.push({ ref, branch });
      }
    }
  }
  return found;
}
