import { defaultRefspecs, readPushRemoteName } from '../../../git/push/push-defaults.ts';
import type { PushRequest } from '../../../git/push/push-request.ts';
import { parsePushRefspec, shortBranchName } from '../../../git/refs/refspec.ts';
import type { Head, Repository } from '../../../git/repository.ts';
import type { GitConfiguration } from '../../../git/settings/configuration.ts';
import { type Remote, readRemote } from '../../../git/settings/remote.ts';
import type { PushIntent } from '../../intent.ts';
import type { Overlay } from '../overlay.ts';
import { madeBelow } from './made-commits.ts';
import { madeUpRef } from './new-refs.ts';

/** What a push brings to a remote is reachable from the tracking ref afterwards. */
export async function applyPush(
  { request, unknown, remote: named }: PushIntent,
  overlay: Overlay,
  repository: Repository,
): Promise<void> {
  const [config, head] = await Promise.all([repository.config(), repository.head()]);
  if (sendsNothing(request, config)) {
    return;
  }
  if (unknown.length > 0 || named !== undefined) {
    if (named === undefined) {
      await applyUnnamed({ request, unknown }, overlay, repository);
    }
    // Which branches they are, or where they go, is not known: the one that is checked out may be among them.
    return request.setsUpstream ? setUpstream(request, { src: 'HEAD', dst: null }, overlay, repository) : undefined;
  }
  const isOpen = overlay.headIsOpen;
  const asksHead = request.repository === null || request.refspecs.length === 0;
  const remote = readRemote(config, request.repository ?? readPushRemoteName(config, head));
  if (isOpen && asksHead) {
    return;
  }
  for (const text of refspecsOf(request, { remote, config, head })) {
    const refspec = parsePushRefspec(text);
    const isKnown = refspec?.kind === 'explicit' && refspec.src !== '' && !(isOpen && startsAtHead(refspec.src));
    if (isKnown && remote.name !== null) {
      await applyUpdate({ ...refspec, remote: remote.name }, overlay, repository);
    }
    if (refspec?.kind === 'explicit' && request.setsUpstream) {
      await setUpstream(request, refspec, overlay, repository);
    }
  }
}

/** `git push origin HEAD:refs/heads/backup-$(date +%F)`: what goes there is known, and that it then is on the remote. */
async function applyUnnamed(
  { request, unknown }: Pick<PushIntent, 'request' | 'unknown'>,
  overlay: Overlay,
  repository: Repository,
): Promise<void> {
  const { repository: given } = request;
  const remote = given === null ? null : readRemote(await repository.config(), given).name;
  for (const word of remote === null ? [] : unknown) {
    const [, src = '', begun = ''] = /^\+?([^:+]+):(?:refs\/heads\/)?([^:]*)$/.exec(word.prefix) ?? [];
    const isKnown = src !== '' && !word.suffix.includes(':') && !(overlay.headIsOpen && startsAtHead(src));
    const space = `refs/remotes/${remote}/`;
    const ref = isKnown ? await madeUpRef(space, { ...word, prefix: begun }, repository) : null;
    if (ref !== null && remote !== null) {
      await applyUpdate({ src, dst: ref.slice(space.length), remote }, overlay, repository);
    }
  }
}

/** git-push(1) "--set-upstream": of a branch, whatever it is called there. */
async function setUpstream(
  { repository: given }: PushRequest,
  { src, dst }: Pick<Update, 'src' | 'dst'>,
  overlay: Overlay,
  repository: Repository,
): Promise<void> {
  const head = await repository.head();
  const isHead = src === 'HEAD' || src === '@';
  const branch = !isHead ? shortBranchName(src) : head.kind === 'branch' ? head.branch : null;
  const name = dst === null ? branch : shortBranchName(dst);
  const isBranch = branch !== null && (await repository.ref(`refs/heads/${branch}`)) !== null;
  if (isBranch && name !== null && !name.startsWith('refs/')) {
    const remote = given ?? readPushRemoteName(await repository.config(), head);
    overlay.replaceSetting(`branch.${branch}.remote`, remote);
    overlay.replaceSetting(`branch.${branch}.merge`, `refs/heads/${name}`);
  }
}

/** `--recurse-submodules=only` pushes what is in submodules, and nothing of the repository around them. */
function sendsNothing({ dryRun, delete: deletes, submodules }: PushRequest, config: GitConfiguration): boolean {
  return dryRun || deletes || (submodules ?? config.get('push.recursesubmodules')) === 'only';
}

function startsAtHead(revision: string): boolean {
  return /^(?:HEAD|@)(?![\w./-])/.test(revision);
}

interface Pushing {
  readonly remote: Remote;
  readonly config: GitConfiguration;
  readonly head: Head;
}

/** As they are written, or as git chooses them; none where it refuses, or where it isn't told which branches go. */
function refspecsOf(request: PushRequest, { remote, config, head }: Pushing): readonly string[] {
  const { refspecs, branches, tags, mirror } = request;
  if (refspecs.length > 0) {
    return refspecs;
  }
  const chosen = branches || tags || mirror || remote.mirror ? null : defaultRefspecs(config, head, remote);
  return chosen?.kind === 'refspecs' ? chosen.refspecs : [];
}

interface Update {
  readonly src: string;
  /** Null: by the source's name. */
  readonly dst: string | null;
  readonly remote: string;
}

async function applyUpdate({ src, dst, remote }: Update, overlay: Overlay, repository: Repository): Promise<void> {
  const oid = await repository.resolve(`${src}^{commit}`);
  const head = src === 'HEAD' ? await repository.head() : null;
  const name = dst ?? (head?.kind === 'branch' ? head.branch : src);
  const made = await madeBelow(src, overlay.made, repository);
  if (oid !== null || made.length > 0) {
    const tracking = `refs/remotes/${remote}/${shortBranchName(name)}`;
    overlay.made.set(tracking, made);
    overlay.refs.set(tracking, oid);
  }
}
