import type { Head } from '../refs/head.ts';
import { mapByPattern, matchingRefs, parsePushRefspec } from '../refs/refspec.ts';
import type { GitConfiguration } from '../settings/configuration.ts';
import type { Remote } from '../settings/remote.ts';

/** git-config(1) push.default. */
export type PushDefault = 'nothing' | 'current' | 'upstream' | 'simple' | 'matching';

/** Refspecs that git would push, or why it refuses to. */
export type ChosenRefspecs =
  | { readonly kind: 'refspecs'; readonly refspecs: readonly string[] }
  | { readonly kind: 'refused'; readonly reason: string };

export function readPushDefault(config: GitConfiguration): PushDefault {
  const value = config.get('push.default');
  switch (value) {
    case 'nothing':
    case 'current':
    case 'matching':
    case 'upstream':
      return value;
    case 'tracking': // the old name
      return 'upstream';
    default:
      return 'simple';
  }
}

/** Where a push goes that names no repository: git-config(1) branch.<name>.pushRemote, remote.pushDefault. */
export function readPushRemoteName(config: GitConfiguration, head: Head): string {
  const own = head.kind === 'branch' ? config.get(`branch.${head.branch}.pushremote`) : null;
  return own ?? config.get('remote.pushdefault') ?? readFetchRemoteName(config, head);
}

function readFetchRemoteName(config: GitConfiguration, head: Head): string {
  return (head.kind === 'branch' ? config.get(`branch.${head.branch}.remote`) : null) ?? 'origin';
}

/** What a push pushes that names no refspec: git-push(1) `<refspec>...`, by remote.<name>.push, else push.default. */
export function defaultRefspecs(config: GitConfiguration, head: Head, remote: Remote): ChosenRefspecs {
  if (remote.push.length > 0) {
    return { kind: 'refspecs', refspecs: remote.push };
  }
  const mode = readPushDefault(config);
  if (mode === 'matching') {
    return { kind: 'refspecs', refspecs: [':'] };
  }
  if (mode === 'nothing') {
    return refused('push.default is "nothing" and no refspec is given');
  }
  if (head.kind === 'detached') {
    return refused('HEAD is detached: no branch is to be pushed');
  }
  if (mode === 'current') {
    return chosen(head.ref, head.ref);
  }
  const isSameRemote = remote.given === readFetchRemoteName(config, head);
  if (!isSameRemote) {
    return mode === 'simple'
      ? chosen(head.ref, head.ref)
      : refused(`the upstream of ${head.branch} is on another remote than the one that is pushed to`);
  }
  const upstream = upstreamForPush(config, head.branch);
  if (upstream === null) {
    return refused(`${head.branch} has no upstream branch`);
  }
  return mode === 'simple' && upstream !== head.ref
    ? refused(`the upstream of ${head.branch} has another name`)
    : chosen(head.ref, upstream);
}

/** Null also where there are several: git refuses to choose. */
function upstreamForPush(config: GitConfiguration, branch: string): string | null {
  const [merge, ...more] = config.getAll(`branch.${branch}.merge`);
  if (merge === undefined) {
    return config.getBoolean('push.autosetupremote', false) ? `refs/heads/${branch}` : null;
  }
  return more.length === 0 && config.get(`branch.${branch}.remote`) !== null ? merge : null;
}

/**
 * What a refspec without a colon becomes: where it names one local ref, remote.<name>.push or an upstream (with
 * push.default=upstream) may give it a destination of another name. git-push(1): "git push origin <branch>".
 */
export function mapTypedRefspec(
  config: GitConfiguration,
  text: string,
  remote: Remote,
  refs: { has(name: string): boolean },
): string {
  const [ref, ...more] = text.includes(':') ? [] : matchingRefs(text, refs);
  if (ref === undefined || more.length > 0) {
    return text;
  }
  for (const configured of remote.push) {
    const refspec = parsePushRefspec(configured);
    const dst =
      refspec?.kind === 'pattern'
        ? mapByPattern(ref, refspec.src, refspec.dst)
        : refspec?.kind === 'explicit' && refspec.src === ref
          ? refspec.dst
          : null;
    if (dst !== null && (refspec?.kind === 'pattern' || refspec?.kind === 'explicit')) {
      return `${refspec.force ? '+' : ''}${ref}:${dst}`;
    }
  }
  const branch = ref.startsWith('refs/heads/') ? ref.slice('refs/heads/'.length) : null;
  const merges = branch === null ? [] : config.getAll(`branch.${branch}.merge`);
  const isMapped = branch !== null && readPushDefault(config) === 'upstream' && merges.length === 1;
  return isMapped && config.get(`branch.${branch}.remote`) !== null ? `${text}:${merges[0]}` : text;
}

function chosen(src: string, dst: string): ChosenRefspecs {
  return { kind: 'refspecs', refspecs: [`${src}:${dst}`] };
}

function refused(reason: string): ChosenRefspecs {
  return { kind: 'refused', reason };
}
