import { fullNames } from '../../../git/refs/refspec.ts';
import type { Repository } from '../../../git/repository.ts';
import { readRemote, trackedRefOf } from '../../../git/settings/remote.ts';
import { withUpstreamNamed } from '../../../git/settings/upstreams.ts';
import type { Word } from '../../../shell/simple-command.ts';
import { textOf } from '../../git-command/words.ts';
import type { Tracking } from '../../intent.ts';
import type { Overlay } from '../overlay.ts';

/** A branch that is made, and from what. */
interface NewBranch {
  /** Its short name. */
  readonly branch: string;
  /** Where it starts; null: at HEAD. */
  readonly start: Word | null;
  /** Undefined: no upstream is set up. */
  readonly tracking: Tracking | undefined;
}

/** Settings that make an upstream. */
interface Upstream {
  readonly remote: string;
  readonly merge: string;
}

/**
 * The upstream that a new branch gets, to which a later push may go: git-branch(1) "--track", git-config(1)
 * "branch.autoSetupMerge".
 */
export async function setUpUpstream(
  { branch, start, tracking }: NewBranch,
  overlay: Overlay,
  repository: Repository,
): Promise<void> {
  const name = start === null ? 'HEAD' : textOf(start);
  const mode = tracking === 'as configured' ? await configuredMode(repository) : (tracking ?? 'none');
  const ref = name === null || mode === 'none' ? null : await refNamed(name, repository);
  const upstream = ref === null ? null : await upstreamOf(ref, branch, mode, repository);
  if (upstream !== null) {
    overlay.replaceSetting(`branch.${branch}.remote`, upstream.remote);
    overlay.replaceSetting(`branch.${branch}.merge`, upstream.merge);
  }
}

/** Besides what a command may say: what the configuration may. */
type Mode = Exclude<Tracking, 'as configured'> | 'remote branches' | 'same name' | 'always';

async function configuredMode(repository: Repository): Promise<Mode> {
  const config = await repository.config();
  const value = config.get('branch.autosetupmerge')?.toLowerCase();
  switch (value) {
    case 'always':
    case 'inherit':
      return value;
    case 'simple':
      return 'same name';
    default:
      return config.getBoolean('branch.autosetupmerge', true) ? 'remote branches' : 'none';
  }
}

/** The branch or remote-tracking branch that a name stands for, links followed; null: it is none. */
async function refNamed(name: string, repository: Repository): Promise<string | null> {
  const revision = await withUpstreamNamed(name, repository);
  if (revision === 'HEAD' || revision === '@') {
    const head = await repository.head();
    return head.kind === 'branch' ? head.ref : null;
  }
  const refs = await repository.refs();
  const found = revision === null ? undefined : fullNames(revision).find((full) => refs.has(full));
  const ref = found === undefined ? null : (refs.get(found)?.symref ?? found);
  return ref?.startsWith('refs/heads/') || ref?.startsWith('refs/remotes/') ? ref : null;
}

async function upstreamOf(ref: string, branch: string, mode: Mode, repository: Repository): Promise<Upstream | null> {
  const config = await repository.config();
  if (mode === 'inherit') {
    const key = `branch.${ref.replace(/^refs\/heads\//, '')}`;
    const [remote, merge] = [config.get(`${key}.remote`), config.get(`${key}.merge`)];
    return remote === null || merge === null ? null : { remote, merge };
  }
  const found = config.subsections('remote').flatMap((remote) => {
    const merge = trackedRefOf(readRemote(config, remote), ref);
    return merge === null ? [] : [{ remote, merge }];
  });
  const [only = null] = found;
  if (found.length > 1 || (mode === 'same name' && only?.merge !== `refs/heads/${branch}`)) {
    return null;
  }
  // A branch of this very repository becomes an upstream only where that is asked for.
  return only ?? (mode === 'direct' || mode === 'always' ? { remote: '.', merge: ref } : null);
}
