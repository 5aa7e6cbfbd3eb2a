import type { Repository } from '../repository.ts';
import { readRemote, trackingRefOf } from './remote.ts';

const relative = /^(?<name>HEAD|@(?!\{)|[^~^:@{]*)@\{(?:(?<upstream>u|upstream)|push)\}(?<rest>.*)$/is;

/**
 * A revision with the branch or ref by its name that git would find by what is checked out and configured:
 * `@{upstream}~1` becomes `refs/remotes/origin/main~1`. gitrevisions(7) "`<branchname>@{upstream}`".
 *
 * @param repository as it will be; git itself looks at how it is
 * @returns null where there is no upstream, or its branch isn't followed here
 */
export async function withUpstreamNamed(
  revision: string,
  repository: Pick<Repository, 'head' | 'config'>,
): Promise<string | null> {
  const { name, upstream, rest } = relative.exec(revision)?.groups ?? {};
  if (name === undefined || rest === undefined) {
    return revision;
  }
  const current = await repository.head();
  const isCurrent = name === '' || name === '@' || name.toUpperCase() === 'HEAD';
  const branch = !isCurrent ? name : current.kind === 'branch' ? current.branch : null;
  if (branch === null || upstream === undefined) {
    return branch === null ? null : `${branch}@{push}${rest}`;
  }
  const configuration = await repository.config();
  const remote = configuration.get(`branch.${branch}.remote`);
  const merge = configuration.get(`branch.${branch}.merge`);
  if (remote === null || merge === null) {
    return null;
  }
  const ref = remote === '.' ? merge : trackingRefOf(readRemote(configuration, remote), merge);
  return ref === null ? null : ref + rest;
}

/**
 * The same for a repository as it is, where its configuration says enough; else the revision as it stands, for git.
 *
 * @returns git takes the first of several `branch.*.merge`, and knows remotes of other kinds: then it is asked
 */
export async function withKnownUpstream(
  revision: string,
  repository: Pick<Repository, 'head' | 'config'>,
): Promise<string> {
  if (!asksForUpstream.test(revision)) {
    return revision;
  }
  const { entries } = await repository.config();
  const merges = entries.map(({ key }) => key).filter((key) => /^branch\..+\.merge$/.test(key));
  const named = new Set(merges).size === merges.length ? await withUpstreamNamed(revision, repository) : null;
  return named ?? revision;
}

const asksForUpstream = /@\{u(?:pstream)?\}/i;
