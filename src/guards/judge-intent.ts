import { resolve } from 'node:path';
import { cleanupOptions } from '../commit/message.ts';
import type { Repository } from '../git/repository.ts';
import type { SimpleCommand } from '../shell/simple-command.ts';
import { submodulesOf } from './files/submodules.ts';
import { type Finding, strongest } from './finding.ts';
import { textOf } from './git-command/words.ts';
import type { GrowIntent, Intent, PushIntent, SwitchIntent, UnreadableIntent, VersionIntent } from './intent.ts';
import { judgeCheckedOutFiles, judgeTakenBack } from './rules/checks/checked-out-files.ts';
import { judgeLastingSetting } from './rules/checks/delayed-execution.ts';
import { judgeIndexedFiles, judgePatch } from './rules/checks/indexed-files.ts';
import { judgeHookConfiguration, judgeSkippedHooks } from './rules/checks/skip-checks.ts';
import { judgeStashedChecks } from './rules/checks/stashed-checks.ts';
import { judgeUnknownKey } from './rules/checks/unknown-key.ts';
import { judgeBareCommit, judgeBareRefs } from './rules/commits/bare-refs.ts';
import { judgeCallOff } from './rules/commits/called-off.ts';
import { judgeDeletedTrackingRefs } from './rules/commits/deleted-tracking-refs.ts';
import { judgeDestroyedRecovery, judgeExpirySetting } from './rules/commits/destroy-recovery.ts';
import { judgeDroppedCommit } from './rules/commits/dropped-commit.ts';
import { judgeEmptiedCommits } from './rules/commits/emptied-commits.ts';
import { judgeFetch } from './rules/commits/fetched-refs.ts';
import { judgeForgottenWorktrees } from './rules/commits/forgotten-worktrees.ts';
import { judgeForkedCommits } from './rules/commits/forked-commits.ts';
import { judgeGoOn } from './rules/commits/going-on.ts';
import { judgeLeftBases } from './rules/commits/left-bases.ts';
import { judgeBisection, judgeEndedBisection } from './rules/commits/left-bisection.ts';
import { judgeLeftHead } from './rules/commits/left-head.ts';
import { judgeLeftOutByOnto } from './rules/commits/left-out-by-onto.ts';
import { judgeGivenWay } from './rules/commits/left-out-picks.ts';
import { judgeDeletedRefs, judgeMovedRef, judgeRenamedRef } from './rules/commits/lose-commits.ts';
import { judgeOpenPush, judgeOpenReset } from './rules/commits/open-branches.ts';
import { judgeReplacedHistory } from './rules/commits/replaced-history.ts';
import { judgeCommittedAgain, judgeRewrite } from './rules/commits/rewrite-published.ts';
import { judgeCommitMessage, type MessageIntent } from './rules/messages/commit-message.ts';
import { makesMergeCommit, preparedInstead } from './rules/messages/merge-message.ts';
import { judgeDestinationSetting, judgeRemoteChange } from './rules/pushes/change-remote.ts';
import { judgeCommandedPush } from './rules/pushes/commanded-push.ts';
import { judgeReceivingSetting } from './rules/pushes/receiving-settings.ts';
import { judgePublished } from './rules/pushes/remote-api.ts';
import { judgeDiscard } from './rules/uncommitted/discard-changes.ts';
import { judgeDeletedAutostash } from './rules/uncommitted/discarded-stash.ts';
import { judgeStashedOver } from './rules/uncommitted/hidden-changes.ts';
import { judgeLeftSubmodules } from './rules/uncommitted/left-submodules.ts';
import { judgeOnlyStaged } from './rules/uncommitted/only-staged.ts';
import { judgeBroughtFiles } from './rules/uncommitted/overwritten-files.ts';
import { judgePutBack } from './rules/uncommitted/put-back-files.ts';
import { judgeRemovedWorktree } from './rules/uncommitted/removed-worktree.ts';
import { judgeReplacedSubmodules } from './rules/uncommitted/replaced-submodules.ts';
import { judgeTakenOut } from './rules/uncommitted/taken-out-of-commit.ts';
import { judgeUncommitted } from './rules/uncommitted/uncommitted-changes.ts';
import { unreadable } from './rules/unreadable-command.ts';
import { stepsOfRun } from './run-steps.ts';
import type { Convention, Scene } from './scene.ts';
import { configuredRebase } from './simulation/refs/configured-rebase.ts';
import { filesAfter } from './written-files.ts';

/** Judges one intent by its rule, with the repository's facts. */
export async function judgeIntent(intent: Intent, scene: Scene): Promise<readonly Finding[]> {
  const found = await judgeByKind(intent, scene);
  return scene.overlay.onlyStaged.size === 0 ? found : [...(await judgeOnlyStaged(intent, scene)), ...found];
}

async function judgeByKind(intent: Intent, scene: Scene): Promise<readonly Finding[]> {
  const { policy, repository } = scene;
  switch (intent.kind) {
    case 'push':
      return [
        ...(await judgeCommandedPush(intent, scene)),
        ...(await judgeUnknownHead(intent, scene)),
        ...(isItself(intent.request.repository, repository) ? await judgeBareRefs(intent, scene) : []),
      ];
    case 'discard':
      return [...(await judgeDiscard(intent, scene)), ...(await judgePutBack(intent, scene))];
    case 'move-ref':
      return [
        ...(await judgeTakenOut(intent, scene)),
        ...(await judgeMovedRef(intent, scene)),
        ...(await judgeOpenReset(intent, scene)),
        ...(await judgeReplacedHistory(intent, scene)),
        ...(await judgeBareRefs(intent, scene)),
      ];
    case 'delete-ref':
      return [
        ...(await judgeDeletedRefs(intent, scene)),
        ...(await judgeDeletedTrackingRefs(intent, scene)),
        ...judgeDeletedAutostash(intent, scene),
        ...(await judgeBareRefs(intent, scene)),
      ];
    case 'remove-worktree':
      return judgeRemovedWorktree(intent, scene);
    case 'forget-worktrees':
      return judgeForgottenWorktrees(intent, scene);
    case 'leave-submodules':
      return judgeLeftSubmodules(intent, scene);
    case 'rename-ref':
      return [
        ...(await judgeRenamedRef(intent, scene)),
        ...(await judgeReplacedHistory(intent, scene)),
        ...(await judgeBareRefs(intent, scene)),
      ];
    case 'fetch':
      return [...(await judgeFetch(intent, scene)), ...(await judgeBareRefs(intent, scene))];
    case 'import':
      return judgeBareRefs(intent, scene);
    case 'call-off':
      return judgeCallOff(intent, scene);
    case 'go-on':
      return intent.operation === 'rebase' ? judgeGoOn(scene) : [];
    case 'change-files':
      return judgeCheckedOutFiles(intent, scene);
    case 'bring-files':
      return [
        ...(await judgeBroughtFiles(intent, scene)),
        ...(await judgeReplacedSubmodules(intent, scene)),
        ...(await judgePutBack(intent, scene)),
      ];
    case 'change-index':
      return judgeIndexedFiles(intent, scene);
    case 'stash':
      return [
        ...(await judgeStashedChecks(intent, scene)),
        ...(await judgeStashedOver(intent, scene)),
        ...(await judgePutBack(intent, scene)),
      ];
    case 'take-back':
      return judgeTakenBack(intent, scene);
    case 'grow':
      return [
        ...(await judgeCommittedAgain(scene, intent.merges ? intent : undefined)),
        ...(await judgeBareCommit(intent, scene)),
        ...(await judgeMerge(intent, scene)),
      ];
    case 'patch':
      return judgePatch(intent, scene);
    case 'commit':
      return [
        ...(intent.isLoose === true
          ? []
          : [
              ...(await judgeTakenOut(intent, scene)),
              ...(await judgeCommittedAgain(scene)),
              ...(await judgeBareCommit(intent, scene)),
            ]),
        ...(intent.isLoose === true && scene.staysUnnamed()
          ? []
          : await preparedInstead(await judgeMessage(intent, scene, scene, await repository.config()), intent, scene)),
      ];
    case 'switch':
      return [...(await judgeSwitch(intent, scene)), ...(await judgeBareRefs(intent, scene))];
    case 'rewrite':
      return [
        ...(await judgeRewrite(intent, scene)),
        ...(await judgeLeftOutByOnto(intent, scene)),
        ...(await judgeLeftBases(intent, scene)),
        ...(await judgeDroppedCommit(intent, scene)),
        ...(await judgeEmptiedCommits(intent, scene)),
        ...(await judgeGivenWay(intent, scene)),
        ...(await judgeForkedCommits(intent, scene)),
      ];
    case 'remote':
      return judgeRemoteChange(intent, scene);
    case 'configure':
      return [
        ...(await judgeHookConfiguration(intent, repository, policy)),
        ...judgeExpirySetting(intent, policy),
        ...judgeUnknownKey(intent, policy),
        ...(await judgeDestinationSetting(intent, scene)),
        ...(await judgeReceivingSetting(intent, repository, policy)),
        ...(await judgeLastingSetting(intent, scene)),
      ];
    case 'destroy-recovery':
      return judgeDestroyedRecovery(intent, policy, repository);
    case 'version':
      return [...(await judgeUncommitted(intent, scene)), ...(await judgeConfiguredRebase(intent, scene))];
    case 'run': {
      if (intent.protocol !== undefined && !(await isAllowed(intent.protocol, scene))) {
        return [];
      }
      const places = placesOfRun(intent.by, scene);
      const { env } = repository.git.context;
      const files = filesAfter(scene.writtenTexts);
      return scene.judgeSteps(places.flatMap((cwd) => stepsOfRun(intent, scene.command, { cwd, env, files })));
    }
    case 'unreadable':
      return (await isFeared(intent, scene)) ? judgeAnywhere(intent, scene, scene.command, scene.writtenTexts) : [];
    default:
      return judgeAnywhere(intent, scene, scene.command, scene.writtenTexts);
  }
}

/** A switch, or a bisection that goes on or ends. */
function judgeSwitch(intent: SwitchIntent, scene: Scene): Promise<readonly Finding[]> {
  if (intent.ends === 'bisect') {
    return judgeEndedBisection(intent, scene);
  }
  return intent.bisects === undefined ? judgeLeftHead(intent, scene) : judgeBisection(intent, intent.bisects, scene);
}

async function isFeared({ meaning }: UnreadableIntent, scene: Scene): Promise<boolean> {
  const judged = await Promise.all((meaning ?? []).map((intent) => judgeIntent(intent, scene)));
  return meaning === undefined || strongest(judged.flat()) !== 'allow';
}

/** Reads the rule of pushes from what can't be known where there is such a thing: nearly no push needs it. */
async function judgeUnknownHead(intent: PushIntent, scene: Scene): Promise<readonly Finding[]> {
  const { openSwitch } = scene.overlay;
  return openSwitch === null ? [] : judgeOpenPush(intent, openSwitch, scene);
}

/** The directories in which git runs a command that it is given. */
function placesOfRun(by: string, { repository, makesRepositories }: Scene): readonly string[] {
  const submodules = by === 'git submodule foreach' ? submodulesOf(repository) : null;
  const isKnown = submodules !== null && (submodules.length > 0 || !makesRepositories);
  return isKnown ? submodules : [repository.workTree ?? repository.cwd];
}

/** The rules that need no repository: what they are about is the same everywhere. */
export async function judgeAnywhere(
  intent: Intent,
  convention: Convention,
  command: SimpleCommand,
  writtenTexts: Scene['writtenTexts'],
): Promise<readonly Finding[]> {
  const { policy } = convention;
  switch (intent.kind) {
    case 'commit':
      return judgeMessage(intent, convention, { command, writtenTexts }, { get: () => null });
    case 'skip-hooks':
      return judgeSkippedHooks(intent, policy);
    case 'destroy-recovery':
      return judgeDestroyedRecovery(intent, policy, null);
    case 'configure':
      return [
        ...(await judgeHookConfiguration(intent, null, policy)),
        ...judgeExpirySetting(intent, policy),
        ...judgeUnknownKey(intent, policy),
      ];
    case 'publish':
      return judgePublished(intent, policy);
    case 'unreadable':
      return intent.where === undefined || intent.where.some((name) => command.env.has(name))
        ? unreadable(policy, intent)
        : [];
    default:
      return [];
  }
}

/** The message that a merge is given is linted as any other. */
async function judgeMerge(intent: GrowIntent, scene: Scene): Promise<readonly Finding[]> {
  const { said } = intent;
  return said !== undefined && said.message.kind !== 'elsewhere' && (await makesMergeCommit(intent, scene))
    ? judgeMessage(said, scene, scene, await scene.repository.config())
    : [];
}

/** As git tells its hooks that the message came with the command. */
const noEditor = { GIT_EDITOR: ':' };

function judgeMessage(
  intent: MessageIntent,
  convention: Convention,
  { command, writtenTexts }: Pick<Scene, 'command' | 'writtenTexts'>,
  configuration: { get(key: string): string | null },
): Promise<readonly Finding[]> {
  const cwd = command.cwd.kind === 'known' ? command.cwd.path : null;
  const cleaning = cleanupOptions((key) => configuration.get(key), noEditor);
  return judgeCommitMessage(intent, convention, { cwd, input: command.input, writtenTexts, cleaning });
}

/** git-config(1) "protocol.allow": `ext` is refused unless the settings or GIT_ALLOW_PROTOCOL say otherwise. */
async function isAllowed(protocol: string, { repository, command }: Scene): Promise<boolean> {
  const variable = command.env.get('GIT_ALLOW_PROTOCOL') ?? null;
  const listed = textOf(variable) ?? repository.git.context.env.GIT_ALLOW_PROTOCOL;
  if (variable?.kind === 'unknown' || listed !== undefined) {
    return listed?.split(':').includes(protocol) ?? true;
  }
  const config = await repository.config();
  const policy = config.get(`protocol.${protocol}.allow`) ?? config.get('protocol.allow') ?? 'never';
  return policy !== 'never';
}

/** What a pull replaces or leaves out of the branch that it rebases, because it is configured to. */
async function judgeConfiguredRebase(intent: VersionIntent, scene: Scene): Promise<readonly Finding[]> {
  const rebase = await configuredRebase(intent, scene.repository);
  return rebase === null
    ? []
    : [
        ...(await judgeRewrite(rebase, scene)),
        ...(await judgeEmptiedCommits(rebase, scene)),
        ...(await judgeGivenWay(rebase, scene)),
        ...(await judgeForkedCommits(rebase, scene)),
      ];
}

/** Does a push go to the very repository that it comes from? */
function isItself(remote: string | null, { cwd, gitDir }: Repository): boolean {
  return remote === '.' || (remote !== null && resolve(cwd, remote) === gitDir);
}
