import type { Policy } from '../../../config/policy.ts';
import { planFromRequest, refspecsOf } from '../../../git/push/push-from-request.ts';
import type { PushPlan } from '../../../git/push/push-plan.ts';
import type { PushRequest } from '../../../git/push/push-request.ts';
import { parsePushRefspec } from '../../../git/refs/refspec.ts';
import type { Repository } from '../../../git/repository.ts';
import { quoteCommand, quoteWord } from '../../../quote.ts';
import { type Finding, findings } from '../../finding.ts';
import { shown, type UnknownWord } from '../../git-command/words.ts';
import type { PushIntent } from '../../intent.ts';
import { protectedTrackingRefs } from '../../protected-refs.ts';
import { judgePush } from '../../push/judge-push.ts';
import { judgeNamedPush } from '../../push/named-push.ts';
import { sentPushFacts } from '../../push/plan-facts.ts';
import type { Scene } from '../../scene.ts';
import { madeBelow } from '../../simulation/refs/made-commits.ts';
import { isMadeBefore, presumedFor } from '../../simulation/refs/presumed-branch.ts';
import { judgeLastCopies } from '../commits/last-copies.ts';
import { unreadable } from '../unreadable-command.ts';
import { judgeEmptySource } from './empty-source.ts';
import { isSurelyUnprotected } from './open-refspec.ts';

/**
 * A push that a command asks for. The remote's state is what the last fetch left. Messages of outgoing commits are left
 * to the repository's own pre-push hook.
 */
export async function judgeCommandedPush(intent: PushIntent, scene: Scene): Promise<readonly Finding[]> {
  const { remote, ...others } = intent;
  if (remote === undefined) {
    return judgeKnownRemote(others, scene);
  }
  const remotes = (await scene.repository.config()).subsections('remote');
  const [first = ''] = intent.request.refspecs;
  if (remotes.includes(first)) {
    // Where the unknown word is an option, that is the remote.
    return judgeKnownRemote({ ...others, unknown: [remote, ...intent.unknown] }, scene);
  }
  const named = remotes.length === 0 ? [null] : remotes;
  const judged = await Promise.all(
    named.map((repository) => judgeKnownRemote({ ...others, request: { ...intent.request, repository } }, scene)),
  );
  return judged.find((found) => found.length > 0) ?? [];
}

async function judgeKnownRemote(intent: PushIntent, scene: Scene): Promise<readonly Finding[]> {
  const { request, unknown } = intent;
  const { repository, policy } = scene;
  if (request.dryRun) {
    return [];
  }
  const named = unknown.flatMap((word) => judgeNamedTarget(word, request, policy));
  const namesEverything = request.mirror || request.branches || request.tags;
  if (unknown.length > 0 && request.refspecs.length === 0 && !namesEverything) {
    return [
      ...named,
      ...(await judgeUnknownNames(unknown, request, scene)),
      ...(await judgeEmptySource(unknown, request, scene)),
    ];
  }
  const plan = await planFromRequest(request, repository);
  const names = [...unknown, ...unknownNameOfHead(plan, scene)];
  const made = async (revision: string) => (await madeBelow(revision, scene.overlay.made, repository)).length;
  return [
    ...(request.prune ? await judgeBlindPrune(request, plan, scene) : []),
    ...(await judgePush(await sentPushFacts({ plan, exact: false, made }, repository, policy), null)),
    ...(scene.overlay.refs.size === 0 ? [] : await judgeLastCopies(plan, scene)),
    ...named,
    ...(await judgeUnknownNames(names, request, scene)),
    ...(unknown.length > 0 ? await judgeEmptySource(unknown, request, scene) : []),
  ];
}

/** `$(git commit-tree …):main`: the commit can't be known, but where it goes. What is proposed brings the same commit. */
function judgeNamedTarget(word: UnknownWord, request: PushRequest, policy: Policy): readonly Finding[] {
  const target = /:([^:]+)$/.exec(word.suffix)?.[1];
  const refspecs = target === undefined ? [] : [`${word.prefix.startsWith('+') ? '+' : ''}HEAD:${target}`];
  const remote = request.repository ?? 'origin';
  const proposed = new Map([
    ['protected-force-push', leased(word, remote)],
    ['protected-push', elsewhere(word, target ?? '', remote)],
  ]);
  return judgeNamedPush({ ...request, refspecs }, policy).map((finding) => ({
    ...finding,
    suggestion: proposed.get(finding.rule) ?? finding.suggestion,
  }));
}

/** Is it written as a shell would read it, and not as a program in another language puts it together? */
const isOfShell = ({ source }: UnknownWord) => /[$`]/.test(source);

/** What is pushed is what the word says: without it git pushes what is checked out. */
function leased(word: UnknownWord, remote: string): string {
  // A `+` wins over a lease.
  const refspec = word.source.replace(/^(["']?)\+/, '$1');
  return isOfShell(word)
    ? `git push --force-with-lease ${quoteWord(remote)} ${refspec}`
    : `git ls-remote --heads ${quoteWord(remote)}`;
}

/** To a branch of its own. A commit has no name by which git would find out that a branch is meant. */
function elsewhere(word: UnknownWord, target: string, remote: string): string | null {
  const [, quote = ''] = /(["']?)$/.exec(word.source) ?? [];
  const end = `:${target}${quote}`;
  return isOfShell(word) && word.source.endsWith(end)
    ? `git push ${quoteWord(remote)} ${word.source.slice(0, -end.length)}:refs/heads/my-change${quote}`
    : null;
}

/** Names that could be a protected branch's. */
async function judgeUnknownNames(
  names: readonly UnknownWord[],
  request: PushRequest,
  scene: Scene,
): Promise<readonly Finding[]> {
  const found: Finding[] = [];
  for (const word of names) {
    const deletes = request.delete || word.prefix.startsWith(':');
    const isTag = await namesTag(word, scene);
    const isUnprotected = isTag || isSurelyUnprotected(word, scene.policy);
    const isOwn = !deletes && (scene.overlay.hasMadeTag(word) || (!request.force && (await isNewBranch(word, scene))));
    if (deletes && isUnprotected) {
      found.push(...judgeUnknownDeletion(word, request.repository ?? 'origin', scene.policy));
    } else if (request.force && (isUnprotected || isOwn)) {
      found.push(...judgeUnknownOverwrite(word, isTag || isOwn, request.repository ?? 'origin', scene.policy));
    } else if (!isUnprotected && !isOwn) {
      const could = request.force || deletes ? 'a protected branch, overwritten or deleted' : 'a protected branch';
      found.push(...unreadable(scene.policy, { source: shown(word), reason: word.reason, could }));
    }
  }
  return found;
}

/** `git push -d origin "feature/$NAME"`: no protected branch, but one that others may have built on. */
function judgeUnknownDeletion(word: UnknownWord, remote: string, policy: Policy): readonly Finding[] {
  return findings('remote-delete', policy, {
    message: `This push deletes a branch or tag of the remote; which one is not known: ${shown(word)}.`,
    suggestion: quoteCommand(['git', 'ls-remote', '--heads', '--tags', remote]),
  });
}

/** `git push -f origin "$(git describe --tags)"`, `git push -f origin "feature/$NAME"` */
function judgeUnknownOverwrite(word: UnknownWord, isTag: boolean, remote: string, policy: Policy): readonly Finding[] {
  const [what, loss] = isTag ? ['a tag', 'it may move there'] : ['a branch', 'commits there may be lost'];
  return findings('force-push', policy, {
    message: `This forced push overwrites ${what} of the remote, ${shown(word)}: ${loss}.`,
    suggestion: isTag ? `git ls-remote --tags ${quoteWord(remote)}` : leased(word, remote),
  });
}

/**
 * What git has printed as the name of a tag: git refuses to push it where it names a branch as well. Where there is no
 * tag, a word without quotes is none, and the branch is pushed.
 */
async function namesTag(word: UnknownWord, { repository }: Scene): Promise<boolean> {
  const isTag = word.names === 'tags' && /^(?:refs\/tags\/)?$/.test(word.prefix) && word.suffix === '';
  return (
    isTag &&
    (!word.mayExpandToSeveral || [...(await repository.refs()).keys()].some((ref) => ref.startsWith('refs/tags/')))
  );
}

/** The name of the branch that is pushed because it is checked out, where the line has made it. */
function unknownNameOfHead({ updates }: PushPlan, { command, overlay }: Scene): readonly UnknownWord[] {
  const created = presumedFor(command, overlay);
  const head = created?.head ?? null;
  const isPushed = head?.kind === 'branch' && updates.some(({ remoteRef }) => remoteRef === head.ref);
  return isPushed && created?.name != null ? [created.name] : [];
}

/**
 * A branch that the line has just made was not here before: it is protected only if the remote has a protected branch
 * that was not here.
 */
async function isNewBranch(name: UnknownWord, { command, overlay, repository, policy }: Scene): Promise<boolean> {
  if (!isMadeBefore(name, command, overlay)) {
    return false;
  }
  const refs = await repository.refs();
  const onRemotes = await protectedTrackingRefs(repository, policy);
  return onRemotes.length > 0 && onRemotes.every(({ branch }) => refs.has(`refs/heads/${branch}`));
}

/** Remotes of which something was fetched. */
async function trackedRemotes(repository: Repository): Promise<ReadonlySet<string>> {
  const names = [...(await repository.refs()).keys()];
  return new Set(names.flatMap((name) => /^refs\/remotes\/([^/]+)\//.exec(name)?.[1] ?? []));
}

/**
 * `--prune` with a wildcard over refs that no tracking ref shows, be it typed or configured: whatever the remote has of them
 * and is not here goes.
 */
async function judgeBlindPrune(
  request: PushRequest,
  { remote, url }: PushPlan,
  { repository, policy }: Scene,
): Promise<readonly Finding[]> {
  const tracked = await trackedRemotes(repository);
  const isTracked = remote !== null && tracked.has(remote);
  const open = (await refspecsOf(request, repository)).find((text) => {
    const refspec = parsePushRefspec(text);
    return refspec?.kind === 'matching'
      ? !isTracked
      : refspec?.kind === 'pattern' && !(isTracked && refspec.dst.startsWith('refs/heads/'));
  });
  const place = remote ?? url;
  const covered = /^\+?:$/.test(open ?? '') ? `branch of ${place}` : `ref of ${place} that ${open} covers and`;
  return findings(
    'remote-delete',
    policy,
    open === undefined
      ? null
      : {
          message: `This push deletes every ${covered} that is not here.`,
          suggestion: quoteCommand(['git', 'ls-remote', place]),
        },
  );
}
