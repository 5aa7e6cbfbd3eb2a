import type { Head } from '../refs/head.ts';
import type { RefValue } from '../refs/ref-files.ts';
import { mapByPattern, matchingRefs, type Refspec } from '../refs/refspec.ts';
import type { RemoteState } from '../refs/remote-state.ts';
import type { ObjectName } from '../refs/revision.ts';
import { isExcludedBy } from '../settings/remote.ts';

/** What can be pushed: refs, HEAD, and the object names of other revisions that refspecs name. */
export interface LocalSources {
  readonly refs: ReadonlyMap<string, RefValue>;
  readonly head: Head;
  readonly objects: ReadonlyMap<string, ObjectName | null>;
}

/** One ref of the remote and what is pushed to it. */
export interface RefMatch {
  /** As pre-push would be told; null for a deletion. */
  readonly localRef: string | null;
  /** Null for a deletion, or where the local ref does not resolve. */
  readonly localOid: string | null;
  readonly remoteRef: string;
  /** The refspec starts with `+`. */
  readonly plus: boolean;
}

export interface MatchOptions {
  /** `--all`: every branch, also those that the remote lacks. */
  readonly all: boolean;
  /** `--mirror`: every ref. */
  readonly mirror: boolean;
  readonly prune: boolean;
}

export interface Matched {
  readonly matches: readonly RefMatch[];
  /** What makes git refuse the whole push. */
  readonly errors: readonly string[];
}

type Explicit = Extract<Refspec, { kind: 'explicit' }>;

/** Works out which refs a push updates, as git's match_push_refs() does: git-push(1) `<refspec>...`. */
export function matchRefspecs(
  refspecs: readonly Refspec[],
  sources: LocalSources,
  remote: RemoteState,
  options: MatchOptions,
): Matched {
  const matches = new Map<string, RefMatch>();
  const errors: string[] = [];
  for (const refspec of refspecs) {
    if (refspec.kind === 'explicit') {
      const { match, error } = matchExplicit(refspec, sources, remote);
      errors.push(...(error === null ? [] : [error]));
      if (match !== null) {
        errors.push(...(matches.has(match.remoteRef) ? [`${match.remoteRef} receives from more than one source`] : []));
        matches.set(match.remoteRef, match);
      }
    }
  }
  for (const match of matchWildcards(refspecs, sources, remote, options)) {
    // What an explicit refspec sends to a ref wins over a wildcard.
    matches.set(match.remoteRef, matches.get(match.remoteRef) ?? match);
  }
  if (options.prune) {
    for (const match of pruned(refspecs, sources, remote, options.mirror)) {
      matches.set(match.remoteRef, matches.get(match.remoteRef) ?? match);
    }
  }
  const exclusions = refspecs.filter(({ kind }) => kind === 'negative');
  const remaining = [...matches.values()].filter(
    ({ remoteRef }) => !exclusions.some((refspec) => isExcludedBy(refspec, remoteRef)),
  );
  return { matches: remaining, errors };
}

/** The revisions that explicit refspecs name and that are no refs: only git can resolve them. */
export function revisionsToResolve(
  refspecs: readonly Refspec[],
  refs: ReadonlyMap<string, RefValue>,
): readonly string[] {
  return refspecs.flatMap((refspec) => {
    const isRevision = refspec.kind === 'explicit' && refspec.src !== '' && refspec.src !== 'HEAD';
    return isRevision && matchingRefs(refspec.src, refs).length === 0 ? [refspec.src] : [];
  });
}

interface Source {
  readonly localRef: string | null;
  readonly localOid: string | null;
  /** The full ref that the source is in the end, where it is one: gives an unqualified destination its kind. */
  readonly ref: string | null;
  readonly error: string | null;
}

function matchExplicit(
  refspec: Explicit,
  sources: LocalSources,
  remote: RemoteState,
): { readonly match: RefMatch | null; readonly error: string | null } {
  const source = findSource(refspec.src, sources);
  const wanted = refspec.dst ?? source.ref ?? refspec.src;
  const { remoteRef, error } = findDestination(wanted, source, remote);
  const { localRef, localOid } = source;
  return {
    match: remoteRef === null ? null : { localRef, localOid, remoteRef, plus: refspec.force },
    error: source.error ?? error,
  };
}

function findSource(src: string, { refs, head, objects }: LocalSources): Source {
  if (src === '') {
    return { localRef: null, localOid: null, ref: null, error: null };
  }
  const [ref, ...more] = matchingRefs(src, refs);
  if (ref !== undefined) {
    const error = more.length > 0 ? `source ${src} matches more than one ref` : null;
    const { oid = null, symref = null } = refs.get(ref) ?? {};
    // Without a destination git pushes what a symbolic branch stands for, to the branch of that name.
    return { localRef: ref, localOid: oid, ref: symref ?? ref, error };
  }
  if (src === 'HEAD') {
    const error = head.oid === null ? 'HEAD has no commit yet' : null;
    return { localRef: 'HEAD', localOid: head.oid, ref: head.kind === 'branch' ? head.ref : null, error };
  }
  const oid = objects.get(src)?.oid ?? null;
  return {
    localRef: src,
    localOid: oid,
    ref: null,
    error: oid === null ? `source ${src} does not match any ref` : null,
  };
}

/**
 * A destination is a ref that the remote has, a full name, or guessed from the source's kind. Where git would not know
 * (it refuses then), a branch is meant by all likelihood: the remote may have one that was never fetched.
 */
function findDestination(
  dst: string,
  source: Source,
  remote: RemoteState,
): { readonly remoteRef: string | null; readonly error: string | null } {
  const [known, ...more] = matchingRefs(dst, remote.refs);
  if (known !== undefined) {
    return { remoteRef: known, error: more.length > 0 ? `destination ${dst} matches more than one ref` : null };
  }
  if (dst.startsWith('refs/')) {
    return { remoteRef: dst, error: null };
  }
  if (dst === 'HEAD') {
    return { remoteRef: null, error: 'HEAD is detached: the destination must be named in full' };
  }
  if (source.ref?.startsWith('refs/tags/')) {
    return { remoteRef: `refs/tags/${dst}`, error: null };
  }
  const isGuessable = source.ref?.startsWith('refs/heads/') === true || source.localRef === null;
  const error = isGuessable ? null : `destination ${dst} must be named in full, as refs/heads/${dst}`;
  return { remoteRef: `refs/heads/${dst}`, error };
}

function* matchWildcards(
  refspecs: readonly Refspec[],
  { refs }: LocalSources,
  remote: RemoteState,
  { all, mirror }: MatchOptions,
): Generator<RefMatch> {
  for (const [name, { oid }] of refs) {
    const found = wildcardTarget(refspecs, name, mirror);
    // `:` only updates what both sides have; where the remote is not known, it may.
    const isAbsentThere = found !== null && !remote.refs.has(found.remoteRef) && remote.covers(found.remoteRef);
    if (found !== null && !(found.isMatching && isAbsentThere && !all && !mirror)) {
      yield { localRef: name, localOid: oid, remoteRef: found.remoteRef, plus: found.plus };
    }
  }
}

/** The first pattern that fits; `:` only where none does: git's get_ref_match(). */
function wildcardTarget(refspecs: readonly Refspec[], name: string, mirror: boolean) {
  for (const refspec of refspecs) {
    const remoteRef = refspec.kind === 'pattern' ? mapByPattern(name, refspec.src, refspec.dst) : null;
    if (remoteRef !== null && refspec.kind === 'pattern') {
      return { remoteRef, plus: refspec.force, isMatching: false };
    }
  }
  const matching = refspecs.filter((refspec) => refspec.kind === 'matching');
  return matching.length > 0 && (mirror || name.startsWith('refs/heads/'))
    ? { remoteRef: name, plus: matching.some(({ force }) => force), isMatching: true }
    : null;
}

/** Refs of the remote that a wildcard covers and that have no counterpart here: git-push(1) `--prune`. */
function* pruned(
  refspecs: readonly Refspec[],
  { refs }: LocalSources,
  remote: RemoteState,
  mirror: boolean,
): Generator<RefMatch> {
  const backwards = refspecs.map(
    (refspec): Refspec => (refspec.kind === 'pattern' ? { ...refspec, src: refspec.dst, dst: refspec.src } : refspec),
  );
  for (const remoteRef of remote.refs.keys()) {
    const counterpart = wildcardTarget(backwards, remoteRef, mirror);
    if (counterpart !== null && !refs.has(counterpart.remoteRef)) {
      yield { localRef: null, localOid: null, remoteRef, plus: counterpart.plus };
    }
  }
}
