import { basename, join, relative, resolve } from 'node:path';
import type { Policy } from '../config/policy.ts';
import { readUserSetting } from '../git/configuration.ts';
import type { PushRequest } from '../git/push-request.ts';
import { shortBranchName } from '../git/refspec.ts';
import { namesSameRepository } from '../git/same-repository.ts';
import { quoteCommand, quoteWord } from '../quote.ts';
import { runsOnlyAfter } from '../shell/path.ts';
import type { SimpleCommand, Word } from '../shell/simple-command.ts';
import { describeIntent } from './describe-intent.ts';
import { isWithin, workTreeAbove } from './files/guarded-file.ts';
import { type Finding, findings } from './finding.ts';
import type { GitCall } from './git-call.ts';
import { namesHead } from './git-command/discards.ts';
import { lastSetting, normalizedKey } from './git-command/invocation.ts';
import { shown, textOf } from './git-command/words.ts';
import type { ConfigureIntent, DiscardIntent, Intent, PushIntent, RemoteIntent, SwitchIntent } from './intent.ts';
import { judgeAnywhere } from './judge-intent.ts';
import { judgeWithoutRepository } from './judge-without-repository.ts';
import { judgeNamedPush, leaseOn } from './push/named-push.ts';
import { named } from './rules/discard-objection.ts';
import { unreadable } from './rules/unreadable-command.ts';
import { stepsOfRun } from './run-steps.ts';
import { type FilesAround, isPath, type ScratchRepository } from './simulation/scratch-repositories.ts';
import { count } from './wording.ts';
import type { World } from './world.ts';
import { filesAfter } from './written-files.ts';

/** A call of git in a repository in which nothing is at stake. */
export interface ScratchCall extends GitCall {
  /** The subcommand. */
  readonly name: string;
  readonly scratch: ScratchRepository;
}

/**
 * In a repository that this line makes itself, or that belongs to nobody, only what leaves it counts: pushes to other
 * repositories, programs that git starts, settings for every repository.
 */
export async function judgeScratch(intents: readonly Intent[], call: ScratchCall): Promise<readonly Finding[]> {
  const { files } = call.scratch;
  const isJudged = (intent: Intent) => files === undefined || !concernsFiles(intent, files, call);
  const found: Finding[] = [];
  for (const intent of intents.filter(isJudged)) {
    found.push(...(await judgeOne(intent, call)));
  }
  return files === undefined ? found : [...found, ...(await judgeAround(files, intents, call))];
}

/** `git init` where files are: these are somebody's, and so is what becomes of them, until all are committed. */
async function judgeAround(
  files: FilesAround,
  intents: readonly Intent[],
  call: ScratchCall,
): Promise<readonly Finding[]> {
  const { command, name, scratch, world } = call;
  const convention = await world.convention(null);
  const place = { kind: 'unknown', reason: `${scratch.directory} is no repository yet` } as const;
  const concerned = intents.filter((intent) => concernsFiles(intent, files, call));
  noteFiles(files, intents, command, scratch.directory);
  return judgeWithoutRepository(call, name, concerned, place, convention);
}

/** What changes a repository of which nobody has anything yet. */
const changingNew: ReadonlySet<Intent['kind']> = new Set(['push', 'remote', 'run', 'switch', 'rename-ref']);

/** `git reset --hard` itself leaves the branch where it is. */
function isAside(intent: Intent): boolean {
  return changingNew.has(intent.kind) || (intent.kind === 'move-ref' && namesHead(intent.to ?? undefined));
}

function concernsFiles(intent: Intent, { committedBy }: FilesAround, { command }: ScratchCall): boolean {
  if (intent.kind !== 'discard') {
    return !isAside(intent);
  }
  const isCommitted = committedBy !== null && runsOnlyAfter(command.origin, committedBy);
  return !isCommitted || (intent.what.kind === 'untracked' && intent.what.arguments.some(takesIgnored));
}

/** git-clean(1): "-x", "-X". */
const takesIgnored = (word: Word) => /^-[a-z]*x/i.test(shown(word));

/** Follows whether the files are committed: all of them at once, by commands that surely succeed one after the other. */
function noteFiles(files: FilesAround, intents: readonly Intent[], { origin, cwd }: SimpleCommand, top: string): void {
  const isTop = cwd.kind === 'known' && cwd.path === top;
  for (const intent of intents) {
    if (intent.kind === 'stage') {
      const isAll = intent.paths.some((word) => /^:\/$/.test(shown(word)) || (isTop && /^\.\/?$/.test(shown(word))));
      files.stagedBy = isAll && intent.untracked && intent.part === 'content' ? origin : files.stagedBy;
    } else if (intent.kind === 'commit' && !intent.amend && !intent.dryRun && intent.isLoose !== true) {
      const isOfAll = files.stagedBy !== null && runsOnlyAfter(origin, files.stagedBy) && intent.paths.length === 0;
      files.committedBy ??= isOfAll ? origin : null;
    } else if (!leavesFiles(intent)) {
      files.stagedBy = null;
      files.committedBy = null;
    }
  }
}

/** Does everything that was staged or committed stay so? */
function leavesFiles(intent: Intent): boolean {
  return isAside(intent) || ['discard', 'configure', 'version', 'bring-files'].includes(intent.kind);
}

async function judgeOne(intent: Intent, call: ScratchCall): Promise<readonly Finding[]> {
  const { command, scratch, world } = call;
  const isConventional = ['clone', 'copy'].includes(scratch.origin) || !world.scratch.isThrownAway(scratch.directory);
  const convention = await world.convention(null);
  const anywhere = () => judgeAnywhere(intent, convention, command, world.writtenTexts);
  switch (intent.kind) {
    case 'push':
      return judgePush(intent, call);
    case 'run':
      return call.judgeSteps(
        stepsOfRun(intent, command, {
          cwd: scratch.directory,
          env: world.env,
          files: filesAfter(world.writtenTexts),
        }),
      );
    case 'commit':
    case 'skip-hooks':
      scratch.hasCommits ||= intent.kind === 'commit';
      return isConventional ? anywhere() : [];
    case 'configure':
      if (intent.scope === 'global' || intent.scope === 'system') {
        return anywhere();
      }
      rememberSetting(intent, scratch);
      return [];
    case 'remote':
      rememberRemote(intent, scratch);
      return [];
    case 'switch':
      switchBranch(intent, scratch);
      return [];
    case 'rename-ref':
      scratch.head = intent.from === null ? branchNamed(textOf(intent.to.name)) : null;
      return [];
    case 'discard':
      return judgeArrivals(intent, call);
    case 'unreadable':
      return call.name === 'push' ? anywhere() : [];
    default:
      return [];
  }
}

function rememberSetting(intent: ConfigureIntent, scratch: ScratchCall['scratch']): void {
  const [key, value] = [textOf(intent.key), textOf(intent.value)];
  if (key !== null && intent.value !== null) {
    scratch.settings.set(normalizedKey(key), value);
  }
}

function rememberRemote({ name, value, action, mirror }: RemoteIntent, scratch: ScratchCall['scratch']): void {
  const [remote, url] = [textOf(name), textOf(value)];
  if (remote !== null && (action === 'add' || action === 'set-url')) {
    scratch.settings.set(`remote.${remote}.url`, url);
  }
  if (remote !== null && mirror) {
    scratch.settings.set(`remote.${remote}.mirror`, 'true');
  }
}

/** `mv notes.md ../new && git -C ../new clean -f`: what was uncommitted work where it lay is that here as well. */
async function judgeArrivals(
  { what, means }: DiscardIntent,
  { scratch, world }: ScratchCall,
): Promise<readonly Finding[]> {
  const arrived = world.moved.entriesIn(scratch.directory);
  if (arrived.length === 0 || what.kind === 'stash' || what.kind === 'worktree' || scratch.hasCommits === true) {
    return [];
  }
  const isWork = await Promise.all(arrived.map(({ from }) => holdsWork(from, world)));
  const lost = arrived
    .filter((_, at) => isWork[at])
    .map(({ from, to }) => relative(scratch.directory, to) || basename(from));
  const { policy } = await world.convention(null);
  return findings(
    'discard-changes',
    policy,
    lost.length === 0
      ? null
      : {
          message: `${means} would discard ${count(lost.length, 'file')} that this command line moves there, with changes that are not committed: ${named(lost)}.`,
          evidence: { files: lost },
          suggestion: 'git stash push --include-untracked',
        },
  );
}

/** Is something uncommitted in a work tree, at a path or below it? */
async function holdsWork(path: string, world: World): Promise<boolean> {
  const top = workTreeAbove(path);
  const repository = top === null ? null : await world.open(top).catch(() => null);
  const entries = (await repository?.status()) ?? [];
  return entries.some((entry) => isWithin(join(top ?? '/', entry.path), path));
}

/** A name that is no branch's name for sure is not known afterwards. */
function switchBranch({ to, detach, create }: SwitchIntent, scratch: ScratchRepository): void {
  const name = detach ? null : textOf(to);
  const isName = name !== null && (create || (name !== 'HEAD' && !/^-$|[~^@:]|^[0-9a-f]{7,}$/.test(name)));
  scratch.head = branchNamed(isName ? name : null);
}

function branchNamed(branch: string | null): ScratchRepository['head'] {
  return branch === null ? null : { branch };
}

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

/** Has it remotes that are not known? A copy has those of what was copied, and its configuration may be a file of others. */
function mayHaveOthers({ scratch: { directory, origin, settings }, world }: ScratchCall): boolean {
  const files = [join(directory, '.git', 'config'), join(directory, 'config')];
  return origin === 'copy' || settings.has('include.path') || world.written.some((path) => files.includes(path));
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
async function protectionAt(
  destinations: readonly (string | null)[],
  { world, scratch }: ScratchCall,
): Promise<Protection> {
  const here = await world.open(world.start).catch(() => null);
  const config = await here?.config();
  const top = here?.workTree ?? world.start;
  const places = destinations.map((one) => (one === null ? null : located(one, scratch.directory)));
  const isMeant = (url: string) =>
    places.some((place) => place === null || namesSameRepository(place, located(url, top)));
  const remote = (config?.subsections('remote') ?? []).find((name) =>
    config?.getAll(`remote.${name}.url`).some(isMeant),
  );
  const isHere = places.includes(top) || places.includes(join(top, '.git'));
  const { policy } = await world.convention(remote === undefined && !isHere ? null : here);
  return { policy, defaultBranch: remote === undefined ? null : ((await here?.remoteDefaultBranch(remote)) ?? null) };
}

/** A path as it is from everywhere: git-clone(1) "GIT URLS". */
function located(url: string, from: string): string {
  return isPath(url) ? resolve(from, url.replace(/^file:\/\//, '')) : url;
}

/** A push that stays among scratch repositories harms nobody; of any other one, the words count. */
async function judgePush(intent: PushIntent, call: ScratchCall): Promise<readonly Finding[]> {
  const { scratch, world } = call;
  const [word = intent.request.refspecs.every((refspec) => refspec.includes(':')) ? undefined : intent.remote] =
    intent.unknown;
  const request = word === undefined ? await asConfigured(intent.request, call) : intent.request;
  const destinations = destinationsOf(request.repository, call);
  const stays =
    destinations === null ||
    destinations.every(
      (url) => url !== null && !isRedirected(url, call) && world.scratch.isScratchUrl(url, scratch.directory),
    );
  if (request.dryRun || (stays && word === undefined)) {
    return [];
  }
  const { policy, defaultBranch } = await protectionAt(destinations ?? [], call);
  const judged = judgeNamedPush(request, policy, { defaultBranch, isNew: scratch.origin !== 'clone' });
  if (judged.length > 0) {
    return judged;
  }
  return word === undefined
    ? judgeLeavingPush(intent, request, shownAll(destinations ?? []), { scratch, policy })
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
  { scratch: { head, origin, directory }, policy }: Pick<ScratchCall, 'scratch'> & { readonly policy: Policy },
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
  const refspecs = request.refspecs.map((text) => text.replace(/^\+/, ''));
  const names = refspecs.map((text) => shortBranchName(text.split(':').at(-1) ?? text));
  return isForced
    ? findings('force-push', policy, {
        message: `This forced push may drop commits of ${names.join(', ')} on ${destinations}: it has no lease.`,
        suggestion: `git push ${names.map((name) => leaseOn(name, request.repository, origin !== 'clone')).join(' ')} ${remote} ${quoteCommand(refspecs)}`,
      })
    : [];
}

/** git-push(1) "--delete", and a refspec without a source. */
function deletedNames({ refspecs, delete: isDeletion }: PushRequest): readonly string[] {
  const deleting = isDeletion ? refspecs : refspecs.filter((text) => /^\+?:./.test(text));
  return deleting.map((text) => shortBranchName(text.replace(/^\+?:?/, '')));
}
