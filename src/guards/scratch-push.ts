import { join } from 'node:path';
import type { Policy } from '../config/policy.ts';
import type { PushRequest } from '../git/push/push-request.ts';
import { shortBranchName } from '../git/refs/refspec.ts';
import { namesSameRepository } from '../git/same-repository.ts';
import { readUserSetting } from '../git/settings/configuration.ts';
import { quoteCommand, quoteWord } from '../quote.ts';
import { describeIntent } from './describe-intent.ts';
import { type Finding, findings } from './finding.ts';
import { lastSetting, normalizedKey } from './git-command/invocation.ts';
import { shown, textOf, type UnknownWord } from './git-command/words.ts';
import type { PushIntent } from './intent.ts';
import { instead, judgeNamedPush } from './push/named-push.ts';
import { unreadable } from './rules/unreadable-command.ts';
import type { ScratchCall } from './scratch-call.ts';
import { judgeSkippedChecks } from './scratch-checks.ts';
import { located } from './simulation/scratch-repositories.ts';

/** Where a push goes that names no branch: git-config(1) "push.default", "remote.*.mirror". */
async function asConfigured(request: PushRequest, call: ScratchCall): Promise<PushRequest> {
  if (isMirror(request, call)) {
    return { ...request, mirror: true };
  }
  const { head, settings } = call.scratch;
  const isOpen = request.refspecs.length === 0 && !request.branches && !request.tags && !request.mirror;
  const isHead = request.refspecs.length === 1 && /^(?:HEAD|@)$/.test(request.refspecs[0] ?? '');
  if (head === null || head === 'default' || !(isOpen || isHead)) {
    return request;
  }
  const keys = [
    ...settings.keys(),
    ...call.invocation.settings.map(({ key }) => normalizedKey(textOf(key) ?? 'remote.*.push')),
  ];
  const isRedirected = keys.some((key) => /^remote\..*\.(?:push|mirror)$|^branch\..*\.merge$/.test(key));
  const pushDefault = await pushDefaultOf(call);
  return /^(?:simple|current)$/.test(pushDefault) && !isRedirected
    ? { ...request, refspecs: [`HEAD:refs/heads/${head.branch}`] }
    : request;
}

/** What a repository made here has of it, by this call, its own configuration or that of the user. */
async function pushDefaultOf({ scratch, invocation, world }: ScratchCall): Promise<string> {
  const passing = lastSetting(invocation.settings, 'push.default');
  if (passing !== undefined) {
    return textOf(passing.value) ?? '';
  }
  const own = scratch.settings.get('push.default');
  if (own !== undefined) {
    return own ?? '';
  }
  const here = await world.open(world.start).catch(() => null);
  const found =
    here === null
      ? await readUserSetting({ cwd: world.start, env: world.env }, 'push.default').catch(() => 'not known')
      : (await here.config()).get('push.default');
  return found ?? 'simple';
}

/** git-push(1) "--mirror": as configured, where no branch is named. */
function isMirror({ repository, refspecs }: PushRequest, { scratch, invocation }: ScratchCall): boolean {
  const key = `remote.${repository ?? 'origin'}.mirror`;
  const value = textOf(lastSetting(invocation.settings, key)?.value) ?? scratch.settings.get(key);
  return refspecs.length === 0 && typeof value === 'string' && /^(?:true|yes|on|1)$/i.test(value);
}

/** Where a push goes, null in the place of what is not known; null alone: git has no remote to push to. */
function destinationsOf(given: string | null, call: ScratchCall): readonly (string | null)[] | null {
  const { settings } = call.scratch;
  const passing = call.invocation.settings.map(({ key, value }) => [normalizedKey(shown(key)), textOf(value)] as const);
  const all = [...settings, ...passing];
  const urls = all
    .filter(([key]) => /^remote\..*\.(?:push)?url$/.test(key))
    .filter(([key]) => given === null || key === `remote.${given}.url` || key === `remote.${given}.pushurl`)
    .map(([, url]) => url);
  if (urls.length > 0) {
    return urls;
  }
  const isName = given === null || /^[\w.-]+$/.test(given);
  if (!isName) {
    return [given];
  }
  return mayHaveOthers(call) ? [null] : null;
}

/** git-config(1) "url.*.insteadOf", "url.*.pushInsteadOf": does a push go elsewhere than its URL says? */
function isRedirected(url: string, { scratch: { settings }, invocation }: ScratchCall): boolean {
  const passing = invocation.settings.map(({ key, value }) => [normalizedKey(shown(key)), textOf(value)] as const);
  return [...settings, ...passing].some(
    ([key, start]) => /^url\..*\.(?:push)?insteadof$/.test(key) && (start === null || url.startsWith(start)),
  );
}

/**
 * Has it remotes that are not known? A copy has those of what was copied, as files may that were put there, and its
 * configuration may be a file of others.
 */
function mayHaveOthers({ scratch: { directory, origin, settings }, world }: ScratchCall): boolean {
  const files = [join(directory, '.git', 'config'), join(directory, 'config')];
  const isBrought = origin === 'copy' || origin === 'around';
  return isBrought || settings.has('include.path') || world.written.some((path) => files.includes(path));
}

/** What a push there must leave alone. */
interface Protection {
  readonly policy: Policy;
  readonly defaultBranch: string | null;
}

/**
 * The branches of a remote are protected wherever they are pushed from: in a clone of it, too, which the line makes, as in
 * the repository where the line starts.
 *
 * @param destinations null in the place of one that is not known
 */
async function protectionAt(destinations: readonly (string | null)[], call: ScratchCall): Promise<Protection> {
  const { world } = call;
  const here = await world.open(world.start).catch(() => null);
  const config = await here?.config();
  const top = here?.workTree ?? world.start;
  const from = pushesFrom(call);
  const places = destinations.map((one) => (one === null || from === null ? null : located(one, from)));
  const isMeant = (url: string) =>
    places.some((place) => place === null || namesSameRepository(place, located(url, top)));
  const remote = (config?.subsections('remote') ?? []).find((name) =>
    config?.getAll(`remote.${name}.url`).some(isMeant),
  );
  const isHere = places.includes(top) || places.includes(join(top, '.git'));
  const { policy } = await world.convention(remote === undefined && !isHere ? null : here);
  return { policy, defaultBranch: remote === undefined ? null : ((await here?.remoteDefaultBranch(remote)) ?? null) };
}

/**
 * From where git takes a path that is a remote's: the top of the work tree; where it is told of a bare repository, the
 * directory in which it stands. Null: not known.
 */
function pushesFrom({ scratch: { directory }, invocation, others = directory }: ScratchCall): string | null {
  const isTold = others === directory && invocation.gitDir !== null && invocation.workTree === null;
  return isTold && invocation.directory.kind === 'known' ? invocation.directory.path : others;
}

/** A push that stays among scratch repositories harms nobody; of any other one, the words count. */
export async function judgeScratchPush(intent: PushIntent, call: ScratchCall): Promise<readonly Finding[]> {
  const { world } = call;
  const [word = intent.request.refspecs.every((refspec) => refspec.includes(':')) ? undefined : intent.remote] =
    intent.unknown;
  const request = word === undefined ? await asConfigured(intent.request, call) : intent.request;
  const destinations = destinationsOf(request.repository, call);
  const from = pushesFrom(call);
  const isScratch = (url: string | null) =>
    url !== null && from !== null && !isRedirected(url, call) && world.scratch.isScratchUrl(url, from);
  const stays = destinations === null || destinations.every(isScratch);
  if (request.dryRun || (stays && word === undefined)) {
    return [];
  }
  return [...(await judgeSkippedChecks(call)), ...(await judgeLeaving(intent, { request, destinations, word }, call))];
}

/** Where a push goes, as far as it is known. */
interface Leaving {
  /** What is meant, with what is configured. */
  readonly request: PushRequest;
  readonly destinations: readonly (string | null)[] | null;
  /** By which it may change other branches than it names. */
  readonly word: UnknownWord | undefined;
}

async function judgeLeaving(
  intent: PushIntent,
  { request, destinations, word }: Leaving,
  call: ScratchCall,
): Promise<readonly Finding[]> {
  const { policy, defaultBranch } = await protectionAt(destinations ?? [], call);
  const judged = judgeNamedPush(request, policy, { defaultBranch, isNew: true });
  if (judged.length > 0) {
    return judged;
  }
  return word === undefined
    ? judgeLeavingPush(intent, request, shownAll(destinations ?? []), { scratch: call.scratch, policy })
    : unreadable(policy, { source: word.source, reason: word.reason, could: 'a protected branch' });
}

const shownAll = (destinations: readonly (string | null)[]) =>
  destinations.filter((url) => url !== null).join(', ') || 'its remote';

/**
 * A push to where somebody's branches are, of which none is named that is protected.
 *
 * @param request what is meant, with what is configured
 */
function judgeLeavingPush(
  intent: PushIntent,
  request: PushRequest,
  destinations: string,
  { scratch: { head, directory }, policy }: Pick<ScratchCall, 'scratch'> & { readonly policy: Policy },
): readonly Finding[] {
  const remote = quoteWord(request.repository ?? 'origin');
  const isDefault = request.refspecs.every((text) => /^\+?(?:HEAD|@)$/.test(text)) && head === 'default';
  if (isDefault && !request.force && !request.delete && !request.branches && !request.tags) {
    return findings('protected-push', policy, {
      message: `This push updates the default branch of ${destinations}, a protected branch.`,
      suggestion: `git switch -c my-change && git push -u ${remote} my-change`,
    });
  }
  const deleted = deletedNames(request);
  if (deleted.length > 0) {
    return findings('remote-delete', policy, {
      message: `This push deletes ${deleted.join(', ')} on ${destinations}.`,
      evidence: { refs: deleted },
      suggestion: `git ls-remote ${remote} ${quoteCommand(deleted)}`,
    });
  }
  const isOpen = request.refspecs.length === 0 || request.refspecs.some((text) => /^\+?:$/.test(text));
  if (isOpen || request.branches || request.prune) {
    return findings('unreadable-command', policy, {
      message: `Which branches of ${destinations} this push changes can't be known before ${directory} is there: it ${describeIntent(intent)}.`,
      suggestion: `git push ${remote} HEAD:refs/heads/my-change`,
    });
  }
  const isForced = request.force || request.refspecs.some((text) => text.startsWith('+'));
  const names = request.refspecs.map((text) => shortBranchName(text.replace(/^\+/, '').split(':').at(-1) ?? text));
  return isForced
    ? findings('force-push', policy, {
        message: `This forced push may drop commits of ${names.join(', ')} on ${destinations}: it has no lease.`,
        suggestion: instead(names, request.refspecs, request.repository, true),
      })
    : [];
}

/** git-push(1) "--delete", and a refspec without a source. */
function deletedNames({ refspecs, delete: isDeletion }: PushRequest): readonly string[] {
  const deleting = isDeletion ? refspecs : refspecs.filter((text) => /^\+?:./.test(text));
  return deleting.map((text) => shortBranchName(text.replace(/^\+?:?/, '')));
}
