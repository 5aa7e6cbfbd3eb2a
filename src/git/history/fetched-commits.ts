import { join, resolve } from 'node:path';
import { kindOf, readText, realPath } from '../files.ts';
import { readReflog } from '../refs/reflog.ts';
import type { Repository } from '../repository.ts';
import { namesSameRepository } from '../same-repository.ts';
import { knownRemote, type Remote, readRemote, trackingRefOf } from '../settings/remote.ts';

/** A commit that a fetch has brought, and what it was there. */
interface Fetched {
  readonly oid: string;
  /** The remote's ref, full name. */
  readonly ref: string;
  /** The remote's name, or a URL. */
  readonly from: string;
}

/** More commits than these are not asked for. */
const maximumFetched = 1000;

/**
 * Commits that a remote has where no tracking ref tells of that: of pull requests (`refs/pull/42/head`), and of repositories
 * that are no remote. The last fetch has written them down in FETCH_HEAD (git-fetch(1)), or the log of a branch says that a fetch
 * has put it there. Of what a tracking ref covers that ref tells, and where it is gone, so is what it was for.
 *
 * @param refs full names: those whose logs are read
 */
export async function readFetchedCommits(refs: readonly string[], repository: Repository): Promise<readonly string[]> {
  const branches = refs.filter((ref) => ref.startsWith('refs/heads/'));
  const logged = await Promise.all(branches.map((ref) => storedIn(ref, repository)));
  const fetched = [...fetchHead(repository), ...logged.flat()].slice(0, maximumFetched);
  const held = await Promise.all(fetched.map(async (one) => ((await isHeld(one, repository)) ? [one.oid] : [])));
  const oids = [...new Set(held.flat())];
  const found = oids.length === 0 ? null : await repository.resolveAll(oids);
  return oids.filter((oid) => found?.get(oid)?.type === 'commit');
}

/** `OID TAB [not-for-merge] TAB 'refs/pull/42/head' of URL`, `… branch 'topic' of URL` */
function fetchHead({ gitDir }: Repository): readonly Fetched[] {
  const lines = (readText(join(gitDir, 'FETCH_HEAD')) ?? '').matchAll(
    /^([0-9a-f]+)\t(?:not-for-merge)?\t(branch )?'(\S+)' of (.+)$/gm,
  );
  return Array.from(lines, ([, oid = '', branch, name = '', from = '']) => ({
    oid,
    ref: branch === undefined ? name : `refs/heads/${name}`,
    from,
  }));
}

/** Options of git-fetch(1) and git-pull(1) whose value is the next word. */
const valued =
  /^(?:-[jo]|--(?:depth|deepen|shallow-since|shallow-exclude|jobs|upload-pack|refmap|server-option|negotiation-tip|filter|strategy|strategy-option))$/;

/** What a branch was put on by `git fetch REMOTE REF:BRANCH`, or `git pull REMOTE REF` that only went forward. */
async function storedIn(branch: string, repository: Repository): Promise<readonly Fetched[]> {
  const log = await readReflog(branch, repository);
  const config = await repository.config();
  const configured = (variable: string) => config.get(`branch.${branch.slice('refs/heads/'.length)}.${variable}`);
  return log.flatMap(({ oid, message }): Fetched[] => {
    const [, program, given = ''] =
      /^(fetch)(?: (.*))?: (?:storing (?:head|ref)|fast-forward|forced-update)$/.exec(message) ??
      /^(pull)(?: (.*))?: Fast-forward$/.exec(message) ??
      [];
    const words = given.split(' ');
    const [from, ...refspecs] = words.filter(
      (word, at) => word !== '' && !word.startsWith('-') && !valued.test(words[at - 1] ?? ''),
    );
    const remote = from ?? configured('remote');
    const source =
      program === 'pull'
        ? (refspecs[0] ?? (from === undefined ? configured('merge') : null))
        : refspecs.flatMap((refspec) => sourceFor(branch, refspec) ?? []).at(0);
    return remote == null || source == null ? [] : [{ oid, ref: fullName(source), from: remote }];
  });
}

/** The source of a refspec that puts a branch there; null: it does not. */
function sourceFor(branch: string, refspec: string): string | null {
  const [, source = '', target = ''] = /^\+?([^:]+):(.+)$/.exec(refspec) ?? [];
  const full = target.startsWith('refs/') ? target : `refs/heads/${target}`;
  const [before = '', after] = full.split('*');
  const fits = after === undefined ? branch === full : branch.startsWith(before) && branch.endsWith(after);
  return source !== '' && fits ? source : null;
}

/** What hosting services keep beside branches and tags. */
const ofServices = /^(?:pull|pull-requests|merge-requests|changes)\//;

function fullName(source: string): string {
  return source.startsWith('refs/') ? source : `refs/${ofServices.test(source) ? '' : 'heads/'}${source}`;
}

/** Has the remote the commit, so that nothing here tells of it? */
async function isHeld({ ref, from }: Fetched, repository: Repository): Promise<boolean> {
  const config = await repository.config();
  const top = repository.workTree ?? repository.gitDir;
  const remote = readRemote(config, from);
  const known = knownRemote(config, remote, top) ?? sameBy(remote, config);
  const isElsewhere = (known ?? remote).urls.every((url) =>
    isHosted(url) ? true : known !== null && isOther(resolve(top, url.replace(/^file:\/\//, '')), repository),
  );
  return isElsewhere && (known === null || trackingRefOf(known, ref) === null);
}

/** git leaves credentials out of FETCH_HEAD. */
function sameBy({ urls }: Remote, config: Parameters<typeof readRemote>[0]): Remote | null {
  const remotes = config.subsections('remote').map((name) => readRemote(config, name));
  const isSame = (other: Remote) => other.urls.some((url) => urls.some((one) => namesSameRepository(url, one)));
  return remotes.find(isSame) ?? null;
}

const isHosted = (url: string) => /^(?!file:)[^/]+:/.test(url);

/** Is another repository there than this one, and its linked work trees? */
function isOther(path: string, { workTree, commonDir }: Repository): boolean {
  const place = realPath(path) ?? realPath(`${path}.git`);
  return (
    place !== null &&
    place !== workTree &&
    place !== commonDir &&
    kindOf(join(place, '.git')) !== 'file' &&
    kindOf(join(place, 'commondir')) === null
  );
}
