import { fullNames, mapByPattern, parsePushRefspec, type Refspec } from '../refs/refspec.ts';
import type { Remote } from '../settings/remote.ts';
import type { Force } from './push-plan.ts';
import type { PushRequest } from './push-request.ts';

/**
 * What a `git push` may overwrite at one ref, given how it was called: git-push(1) `--force`, `--force-with-lease`.
 * `--force` and `+` win over a lease beside them.
 *
 * @param plus whether the refspec that names this ref starts with `+`
 */
export function forceOf(request: PushRequest, remoteRef: string, plus: boolean): Force {
  if (request.force || plus) {
    return 'unconditional';
  }
  const isLeased = request.leases.some(({ ref }) => ref === null || fullNames(ref).includes(remoteRef));
  return isLeased ? 'lease' : 'none';
}

/**
 * Does a refspec with `+` name this update? For a hook, which is told the outcome of refspecs, not their text. Where
 * two refspecs could have named it, the one with `+` is held to be the one.
 *
 * @param localRef as git gives it to pre-push: as it was typed
 */
export function isNamedWithPlus(
  request: PushRequest,
  remote: Remote,
  update: { readonly localRef: string | null; readonly remoteRef: string },
): boolean {
  const typed = request.refspecs;
  const configuredApply = typed.length === 0 ? !request.branches && !request.tags : typed.some(hasNoDestination);
  return [...typed, ...(configuredApply ? remote.push : [])].some((text) => {
    const refspec = text.startsWith('+') ? parsePushRefspec(text) : null;
    return refspec !== null && mayName(refspec, update);
  });
}

function hasNoDestination(refspec: string): boolean {
  return !refspec.includes(':');
}

function mayName(refspec: Refspec, { localRef, remoteRef }: Parameters<typeof isNamedWithPlus>[2]): boolean {
  switch (refspec.kind) {
    case 'negative':
      return false;
    case 'matching':
      return remoteRef.startsWith('refs/heads/');
    case 'pattern':
      return mapByPattern(remoteRef, refspec.dst, refspec.src) !== null;
    case 'explicit':
      return refspec.dst === null
        ? refspec.src === localRef || fullNames(refspec.src).includes(remoteRef)
        : fullNames(refspec.dst).includes(remoteRef);
  }
}
