import { resolve } from 'node:path';
import { mapByPattern, parsePushRefspec, type Refspec } from '../refs/refspec.ts';
import type { GitConfiguration } from './configuration.ts';

/** A remote as the configuration describes it, or a bare URL or path: git-config(1) `remote.<name>.*`. */
export interface Remote {
  /** Null for a URL or path that is not the name of a remote. */
  readonly name: string | null;
  /** How it was named: the remote's name, or the URL before insteadOf. */
  readonly given: string;
  /** Where a fetch goes, after insteadOf. */
  readonly urls: readonly string[];
  /** Where a push goes, after pushurl, pushInsteadOf and insteadOf; all of them, each push. */
  readonly pushUrls: readonly string[];
  /** `remote.<name>.fetch` as it is written. */
  readonly fetch: readonly string[];
  /** `remote.<name>.push` as it is written. */
  readonly push: readonly string[];
  readonly mirror: boolean;
}

/** A configuration that is kept is asked for the same remotes by every push. */
const remotes = new WeakMap<GitConfiguration, Map<string, Remote>>();

/** The remote of that name, else the URL or path itself as a nameless remote. */
export function readRemote(config: GitConfiguration, nameOrUrl: string): Remote {
  const known = remotes.get(config) ?? new Map<string, Remote>();
  remotes.set(config, known);
  const remote = known.get(nameOrUrl) ?? remoteOf(config, nameOrUrl);
  known.set(nameOrUrl, remote);
  return remote;
}

function remoteOf(config: GitConfiguration, nameOrUrl: string): Remote {
  const isRemote = config.subsections('remote').includes(nameOrUrl);
  const setting = (variable: string) => (isRemote ? config.getAll(`remote.${nameOrUrl}.${variable}`) : []);
  const listed = sinceLastEmpty(setting('url'));
  const urls = listed.length > 0 ? listed : [nameOrUrl];
  return {
    name: isRemote ? nameOrUrl : null,
    given: nameOrUrl,
    urls: urls.map((url) => rewrite(config, url, 'insteadof')),
    pushUrls: pushUrlsOf(config, urls, sinceLastEmpty(setting('pushurl'))),
    fetch: setting('fetch'),
    push: setting('push'),
    mirror: isRemote && config.getBoolean(`remote.${nameOrUrl}.mirror`, false),
  };
}

/**
 * The remote whose tracking refs tell what is there: itself when it has a name, else a configured one that goes to
 * the same URL.
 *
 * @param directory what relative paths start from: git pushes from the work tree's root, or the bare repository
 */
export function knownRemote(config: GitConfiguration, remote: Remote, directory: string): Remote | null {
  if (remote.name !== null) {
    return remote;
  }
  const named = config.subsections('remote').map((name) => readRemote(config, name));
  const comparable = (url: string) => comparableUrl(url, directory);
  const wanted = remote.pushUrls.map(comparable);
  return (
    named.find(({ pushUrls }) => pushUrls.some((url) => wanted.includes(comparable(url)))) ??
    named.find(({ urls }) => urls.some((url) => wanted.includes(comparable(url)))) ??
    null
  );
}

/** The local ref that remembers a ref of the remote; null where no fetch refspec covers it. */
export function trackingRefOf(remote: Remote, remoteRef: string): string | null {
  const refspecs = fetchRefspecs(remote);
  if (refspecs.some((refspec) => isExcludedBy(refspec, remoteRef))) {
    return null;
  }
  for (const refspec of refspecs) {
    const tracking = mapForward(refspec, remoteRef);
    if (tracking !== null) {
      return tracking;
    }
  }
  return null;
}

/** The remote's ref that a local ref remembers; null where it is no tracking ref of this remote. */
export function trackedRefOf(remote: Remote, trackingRef: string): string | null {
  const refspecs = fetchRefspecs(remote);
  for (const refspec of refspecs) {
    const remoteRef = mapBack(refspec, trackingRef);
    if (remoteRef !== null && !refspecs.some((other) => isExcludedBy(other, remoteRef))) {
      return remoteRef;
    }
  }
  return null;
}

/** Does a local ref remember a ref of any remote? */
export function isTrackingRef(ref: string, config: GitConfiguration): boolean {
  return config.subsections('remote').some((name) => trackedRefOf(readRemote(config, name), ref) !== null);
}

/** Is the ref left out by a negative refspec (`^refs/heads/wip-*`)? */
export function isExcludedBy(refspec: Refspec, ref: string): boolean {
  return refspec.kind === 'negative' && mapByPattern(ref, refspec.pattern, ref) !== null;
}

/** Asked for every ref that there is. */
const parsed = new WeakMap<Remote, readonly Refspec[]>();

/** Without a destination a fetch refspec remembers nothing. */
function fetchRefspecs(remote: Remote): readonly Refspec[] {
  const known = parsed.get(remote);
  if (known !== undefined) {
    return known;
  }
  const refspecs = remote.fetch.flatMap((text) => {
    const refspec = text.startsWith('^') || text.includes(':') ? parsePushRefspec(text) : null;
    return refspec ?? [];
  });
  parsed.set(remote, refspecs);
  return refspecs;
}

function mapForward(refspec: Refspec, name: string): string | null {
  if (refspec.kind === 'pattern') {
    return mapByPattern(name, refspec.src, refspec.dst);
  }
  return refspec.kind === 'explicit' && refspec.src === name ? refspec.dst : null;
}

function mapBack(refspec: Refspec, name: string): string | null {
  if (refspec.kind === 'pattern') {
    return mapByPattern(name, refspec.dst, refspec.src);
  }
  return refspec.kind === 'explicit' && refspec.dst === name ? refspec.src : null;
}

/** Since git 2.46 an empty value forgets the ones before it. */
function sinceLastEmpty(values: readonly string[]): readonly string[] {
  return values.slice(values.lastIndexOf('') + 1);
}

function pushUrlsOf(config: GitConfiguration, urls: readonly string[], pushUrls: readonly string[]): readonly string[] {
  if (pushUrls.length > 0) {
    return pushUrls.map((url) => rewrite(config, url, 'insteadof'));
  }
  // git-config(1) url.<base>.pushInsteadOf: URLs that it rewrites become the only ones that are pushed to.
  const rewritten = urls.map((url) => rewrite(config, url, 'pushinsteadof')).filter((url) => !urls.includes(url));
  return rewritten.length > 0 ? rewritten : urls.map((url) => rewrite(config, url, 'insteadof'));
}

/** git-config(1) url.<base>.insteadOf: the longest match wins. */
function rewrite(config: GitConfiguration, url: string, variable: 'insteadof' | 'pushinsteadof'): string {
  let best = { base: '', prefix: '' };
  for (const base of config.subsections('url')) {
    for (const prefix of config.getAll(`url.${base}.${variable}`)) {
      if (prefix.length > best.prefix.length && url.startsWith(prefix)) {
        best = { base, prefix };
      }
    }
  }
  return best.prefix === '' ? url : best.base + url.slice(best.prefix.length);
}

/** Spellings of one place: `file://` or a relative path, a slash or `.git` at the end. */
function comparableUrl(url: string, directory: string): string {
  const isRemote = /^[^/]+:/.test(url) && !url.startsWith('file://');
  const place = isRemote ? url : resolve(directory, url.replace(/^file:\/\//, ''));
  return place
    .replace(/\/+$/, '')
    .replace(/\/?\.git$/, '')
    .replace(/\/+$/, '');
}
