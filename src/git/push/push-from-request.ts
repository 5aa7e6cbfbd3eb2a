import { withoutNeedOfForce } from '../history/replaced-commits.ts';
import type { Head } from '../refs/head.ts';
import type { RefValue } from '../refs/ref-files.ts';
import { parsePushRefspec } from '../refs/refspec.ts';
import { ownState, type RemoteState, readRemoteState } from '../refs/remote-state.ts';
import type { Repository } from '../repository.ts';
import type { GitConfiguration } from '../settings/configuration.ts';
import { knownRemote, type Remote, readRemote } from '../settings/remote.ts';
import { followedTags } from './follow-tags.ts';
import { type ChosenRefspecs, defaultRefspecs, mapTypedRefspec, readPushRemoteName } from './push-defaults.ts';
import { forceOf } from './push-force.ts';
import { matchRefspecs, type RefMatch, revisionsToResolve } from './push-matching.ts';
import type { PushPlan, RefUpdate, RefUpdateKind } from './push-plan.ts';
import type { PushRequest } from './push-request.ts';
import { classifyChanges } from './update-kind.ts';

/**
 * The plan of a push that somebody wants to run, from its options and git's configuration: git-push(1). The remote is
 * not asked: what it has is what the tracking refs say, which may be stale.
 *
 * Two processes for configuration and refs, at most two for the kinds, one more where refspecs name revisions that
 * are no refs, two more with `--follow-tags`.
 */
export async function planFromRequest(request: PushRequest, repository: Repository): Promise<PushPlan> {
  const [config, head, refs] = await Promise.all([repository.config(), repository.head(), repository.refs()]);
  const remote = readRemote(config, request.repository ?? readPushRemoteName(config, head));
  const known = knownRemote(config, remote, repository.workTree ?? repository.gitDir);
  const state = remote.given === '.' ? ownState(refs) : readRemoteState(known, refs);
  const mirror = request.mirror || remote.mirror;
  const choice = chooseRefspecs({ ...request, mirror }, config, head, remote, refs);
  const { matches, errors } = await matchChosen(
    choice,
    { ...request, mirror },
    { config, head, refs, state, repository },
  );
  const refusals = [
    noDestination(request, config, head, remote),
    choice.kind === 'refused' ? choice.reason : null,
    ...errors,
  ];
  const [url = remote.pushUrls[0] ?? '', ...furtherUrls] = remote.pushUrls;
  return {
    remote: known?.name ?? null,
    url,
    furtherUrls,
    updates: await updatesOf(matches, request, mirror, state, repository),
    mirror,
    verify: request.verify,
    dryRun: request.dryRun,
    refusal: refusals.find((reason) => reason !== null) ?? null,
  };
}

/** The refspecs by which git would push: those of the request, else by the remote's configuration and push.default. */
export async function refspecsOf(request: PushRequest, repository: Repository): Promise<readonly string[]> {
  const [config, head, refs] = await Promise.all([repository.config(), repository.head(), repository.refs()]);
  const remote = readRemote(config, request.repository ?? readPushRemoteName(config, head));
  const choice = chooseRefspecs(request, config, head, remote, refs);
  return choice.kind === 'refused' ? [] : choice.refspecs;
}

function noDestination(request: PushRequest, config: GitConfiguration, head: Head, remote: Remote): string | null {
  const isDefault = request.repository === null && readPushRemoteName(config, head) === 'origin';
  return isDefault && remote.name === null ? 'no remote is configured to push to' : null;
}

function chooseRefspecs(
  request: PushRequest,
  config: GitConfiguration,
  head: Head,
  remote: Remote,
  refs: ReadonlyMap<string, RefValue>,
): ChosenRefspecs {
  const typed = typedRefspecs(request, config, remote, refs);
  if (request.delete && (request.refspecs.length === 0 || request.branches || request.tags)) {
    return { kind: 'refused', reason: '--delete names no ref, or --all or --tags beside it' };
  }
  if (request.mirror || request.branches) {
    return typed.length === 0
      ? { kind: 'refspecs', refspecs: [':'] }
      : { kind: 'refused', reason: `${request.mirror ? '--mirror' : '--all'} can't be combined with refspecs` };
  }
  return typed.length > 0 ? { kind: 'refspecs', refspecs: typed } : defaultRefspecs(config, head, remote);
}

function typedRefspecs(
  request: PushRequest,
  config: GitConfiguration,
  remote: Remote,
  refs: ReadonlyMap<string, RefValue>,
): readonly string[] {
  const refspecs = request.refspecs.map((text) =>
    request.delete ? `:${text.slice(text.lastIndexOf(':') + 1)}` : mapTypedRefspec(config, text, remote, refs),
  );
  return request.tags ? ['refs/tags/*', ...refspecs] : refspecs;
}

interface Surroundings {
  readonly config: GitConfiguration;
  readonly head: Head;
  readonly refs: ReadonlyMap<string, RefValue>;
  readonly state: RemoteState;
  readonly repository: Repository;
}

async function matchChosen(
  choice: ChosenRefspecs,
  request: PushRequest,
  { config, head, refs, state, repository }: Surroundings,
): Promise<{ readonly matches: readonly RefMatch[]; readonly errors: readonly string[] }> {
  if (choice.kind === 'refused') {
    return { matches: [], errors: [] };
  }
  const parsed = choice.refspecs.map((text) => ({ text, refspec: parsePushRefspec(text) }));
  const refspecs = parsed.flatMap(({ refspec }) => refspec ?? []);
  const invalid = parsed.filter(({ refspec }) => refspec === null).map(({ text }) => `invalid refspec '${text}'`);
  const revisions = revisionsToResolve(refspecs, refs);
  const objects = revisions.length === 0 ? new Map() : await repository.resolveAll(revisions);
  const options = { all: request.branches, mirror: request.mirror, prune: request.prune || request.mirror };
  const { matches, errors } = matchRefspecs(refspecs, { refs, head, objects }, state, options);
  const isFollowing = request.followTags ?? config.getBoolean('push.followtags', false);
  const tags = isFollowing ? await followedTags(matches, state, repository) : [];
  return { matches: [...matches, ...tags], errors: [...invalid, ...errors] };
}

async function updatesOf(
  matches: readonly RefMatch[],
  request: PushRequest,
  mirror: boolean,
  state: RemoteState,
  repository: Repository,
): Promise<readonly RefUpdate[]> {
  const remoteOids = matches.map(({ remoteRef }) => state.refs.get(remoteRef) ?? null);
  const kinds = await classifyChanges(
    repository,
    matches.map(({ localOid, remoteRef }, index) => ({
      remoteRef,
      newOid: localOid,
      oldOid: remoteOids[index] ?? null,
    })),
  );
  const updates = matches.map((match, index): RefUpdate => {
    const { localRef, localOid, remoteRef, plus } = match;
    return {
      localRef,
      localOid,
      remoteRef,
      remoteOid: remoteOids[index] ?? null,
      kind: knownKind(kinds[index] ?? 'unknown', match, state),
      force: forceOf(request, remoteRef, plus || mirror),
    };
  });
  return withoutNeedOfForce(updates, repository);
}

/** A ref that no tracking ref could show may exist all the same; a source that does not resolve tells nothing. */
function knownKind(
  kind: RefUpdateKind,
  { localRef, localOid, remoteRef }: RefMatch,
  state: RemoteState,
): RefUpdateKind {
  if (localRef !== null && localOid === null) {
    return 'unknown';
  }
  return kind === 'create' && !state.covers(remoteRef) ? 'unknown' : kind;
}
