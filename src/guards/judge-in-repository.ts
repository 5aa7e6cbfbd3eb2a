import { existsSync } from 'node:fs';
import type { Policy } from '../config/policy.ts';
import { ownDirectory } from '../git/own-directory.ts';
import type { Repository } from '../git/repository.ts';
import type { Word } from '../shell/simple-command.ts';
import { textWithNumbers } from '../shell/words/read-again.ts';
import { judgeFileChanges } from './file-step.ts';
import { absolutePath } from './files/absolute-path.ts';
import { followFilling } from './filled-worktree.ts';
import type { Finding } from './finding.ts';
import { type GitCall, hookedCall, namesPrograms } from './git-call.ts';
import { lastSetting } from './git-command/invocation.ts';
import { namedOutputs } from './git-command/output-files.ts';
import { usesOtherIndex } from './git-command/own-variables.ts';
import { textOf } from './git-command/words.ts';
import { withIncluded } from './included-settings.ts';
import type { Intent } from './intent.ts';
import { judgeIntent } from './judge-intent.ts';
import { judgeKeptCopies } from './kept-copies.ts';
import { followManagersFiles } from './managers-files.ts';
import { noteCall, writtenBefore } from './noted-call.ts';
import type { PlaceInRepository } from './place.ts';
import { placedFinding } from './placed-suggestion.ts';
import { judgePassingPrograms } from './rules/checks/delayed-execution.ts';
import { judgeHollowWorktree } from './rules/checks/hollow-worktree.ts';
import { judgeSilencedChecks } from './rules/checks/silenced-checks.ts';
import {
  judgeEnvironment,
  judgeHookSettings,
  judgeOtherPlaces,
  readsOtherFiles,
  type UsualRepository,
} from './rules/checks/skip-checks.ts';
import { judgePassingExpiry } from './rules/commits/destroy-recovery.ts';
import { judgeEditedTodo } from './rules/commits/edited-todo.ts';
import { editsTodo, mayEditTodo } from './rules/commits/edits-todo.ts';
import { judgeMadeMessages } from './rules/messages/edited-message.ts';
import { mayMakeMessages } from './rules/messages/made-by-call.ts';
import { unreadable } from './rules/unreadable-command.ts';
import { underSettings } from './run-steps.ts';
import type { Convention, Scene } from './scene.ts';
import { recordWrites } from './simulation/files/writes.ts';
import { overlaid } from './simulation/overlaid-repository.ts';
import type { Overlay } from './simulation/overlay.ts';
import { throughFetched } from './simulation/refs/fetched-start.ts';
import { throughMergeBases } from './simulation/refs/merge-bases.ts';
import { foundBy } from './simulation/refs/presumed-branch.ts';
import { isRefused } from './simulation/refs/refusals.ts';
import { throughSymbolicRefs } from './simulation/refs/symbolic-refs.ts';
import { takenPatches } from './taken-patches.ts';
import { changesIncluded, readWrittenIncludes } from './written-includes.ts';

/** What is made of a call in a repository. */
export interface JudgedInRepository {
  readonly findings: readonly Finding[];
  /** git would surely do nothing of it. */
  readonly isRefused: boolean;
  /** By which it was judged. */
  readonly policy: Policy;
}

/** Judges what a call does in a repository, in each of the worlds that the commands before it may have left. */
export async function judgeInRepository(
  call: GitCall,
  name: string,
  given: readonly Intent[],
  place: PlaceInRepository,
): Promise<JudgedInRepository> {
  const { command, invocation, world } = call;
  const { repository, changes } = place;
  const included = given.some(changesIncluded) ? await withIncluded(given, invocation, repository, world) : given;
  const intents = await throughRevisions(name, included, overlaid(repository, place.likely));
  const convention = await conventionIn(place, world);
  const { policy } = convention;
  const named = textOf(invocation.gitDir);
  const isNamed = named !== null && named !== world.env.GIT_DIR;
  const placed = (finding: Finding) =>
    placedFinding(finding, repository, world.start, isNamed && finding.rule !== 'skip-checks');
  const found: Finding[] = [...(await judgeChecks(call, name, intents, { repository, policy }))];
  const judged: Finding[] = [];
  const taken = new Set<string>();
  // What it sets off looks at all of its worlds by itself.
  let { judgeSteps } = call;
  const worlds: Repository[] = [];
  for (const overlay of await changes.before(command.origin, intents.some(looksAtWork))) {
    const scene = await sceneIn({ ...call, judgeSteps }, overlay, place, intents, convention);
    judged.push(...(await judgeUnder(call, intents, scene)));
    worlds.push(scene.repository);
    for (const path of scene.taken) {
      taken.add(path);
    }
    judgeSteps = async () => [];
  }
  const files = touchedFiles(call, intents);
  if (files !== null) {
    found.push(...(await judgeFiles(call, files)));
  }
  const isVoid =
    judged.some(({ rule }) => !alwaysStand.has(rule)) && (await isSurelyRefused(call, intents, repository, worlds));
  if (isVoid) {
    const left = [...found, ...judged.filter(({ rule }) => alwaysStand.has(rule))];
    return { findings: left.map(placed), isRefused: true, policy };
  }
  found.push(...judged, ...(place.copy === undefined ? [] : await judgeKeptCopies(intents, place.copy, call)));
  await followChecks(call, name, intents, repository);
  for (const path of taken) {
    world.patches.forget(path, 'changed');
  }
  if (intents.length > 0) {
    await noteCall(call, intents, place);
  }
  return { findings: found.map(placed), isRefused: false, policy };
}

/** What has no convention takes any message. */
async function conventionIn(
  { repository, isThrownAway }: PlaceInRepository,
  world: GitCall['world'],
): Promise<Convention> {
  const convention = await world.convention(repository);
  return isThrownAway === true
    ? { ...convention, judgeMessage: () => ({ valid: true, problems: [], corrected: null }) }
    : convention;
}

/** What keeps a call from being checked by the repository's hooks, by its settings and by what the line has done to them. */
async function judgeChecks(
  call: GitCall,
  name: string,
  intents: readonly Intent[],
  { repository, policy }: Pick<Scene, 'repository' | 'policy'>,
): Promise<readonly Finding[]> {
  const { world } = call;
  const found = hasSettings(call) ? await judgeSettings(call, name, repository, policy) : [];
  const isSilenced = world.managersFiles.size > 0 && intents.length > 0;
  const added = repository.workTree === null ? null : world.trees.addedAround(repository.workTree);
  return [
    ...found,
    ...(isSilenced ? await judgeSilencedChecks(world.managersFiles, hookedCall(call, name), repository, policy) : []),
    ...(added === null ? [] : await judgeHollowWorktree(name, added, policy, world.start)),
  ];
}

/** What the call does to checks that the line has taken away: they are there again, or in another place. */
async function followChecks(
  { invocation: { directory }, world }: GitCall,
  name: string,
  intents: readonly Intent[],
  { workTree }: Repository,
): Promise<void> {
  if (world.managersFiles.size > 0) {
    followManagersFiles(intents, directory, world);
  }
  const added = workTree === null ? null : world.trees.addedAround(workTree);
  if (added !== null) {
    await followFilling(name, intents, directory, added);
  }
}

/** What is objected to whether git would go on or not. */
const alwaysStand: ReadonlySet<string> = new Set(['skip-checks', 'unreadable-command', 'guard-failure']);

/** Nothing of the call happens, and nothing that it names is started. */
async function isSurelyRefused(
  call: GitCall,
  intents: readonly Intent[],
  repository: Repository,
  worlds: readonly Repository[],
): Promise<boolean> {
  const starts = namesPrograms(call) || intents.some(({ kind }) => kind === 'run');
  const indexes = usesOtherIndex(call.command, repository) ? [] : worlds;
  return !starts && call.world.uses.comesFirst(call.command) && isRefused(intents, repository, indexes);
}

/** Does it have settings or variables of its own? */
function hasSettings({ command, invocation }: GitCall): boolean {
  const { settings, gitDir, workTree } = invocation;
  return settings.length > 0 || gitDir !== null || workTree !== null || command.env.size > 0;
}

/** What this call's own settings and environment do to the repository's checks. */
async function judgeSettings(
  call: GitCall,
  name: string,
  repository: Repository,
  policy: Policy,
): Promise<readonly Finding[]> {
  const { command, invocation, world } = call;
  const { settings, gitDir, workTree } = invocation;
  const hooked = hookedCall(call, name);
  const included = await readWrittenIncludes(settings, world.writtenTexts, repository);
  const found = [
    ...(await judgeHookSettings([...settings, ...included.settings], hooked, policy, repository)),
    ...included.unknown.flatMap((source) =>
      unreadable(policy, {
        source,
        reason: 'what this line writes to it is not known',
        could: 'settings that name other hooks or programs',
      }),
    ),
    ...judgePassingExpiry(settings, name, policy),
    ...judgeEnvironment(command.env, hooked, policy),
  ];
  if (!readsOtherFiles(settings, command.env) && gitDir === null && workTree === null) {
    return found;
  }
  return [...found, ...(await judgeOtherPlaces(await usualRepository(call, repository), repository, hooked, policy))];
}

/** What git would work on without anything that the call names: found from where it stands, else at home. */
async function usualRepository(
  { invocation: { directory }, world }: GitCall,
  changed: Repository,
): Promise<UsualRepository | null> {
  const home = ownDirectory(changed);
  const standing = directory.kind === 'known' ? directory.path : home;
  const [here, there] = await Promise.all(
    [standing, home].map(async (place) => {
      const found = existsSync(place) ? await world.open(place).catch(() => null) : null;
      return found?.commonDir === changed.commonDir ? found : null;
    }),
  );
  // In a git directory no work tree is found.
  const isHere = here != null && (here.workTree !== null || there == null);
  const repository = isHere ? here : there;
  return repository == null ? null : { repository, from: isHere ? undefined : home };
}

/** Where a call is, in one of the worlds that the commands before it may have left. */
async function sceneIn(
  call: GitCall,
  overlay: Overlay,
  { repository, changes }: PlaceInRepository,
  intents: readonly Intent[],
  convention: Convention,
): Promise<Scene> {
  const { command, invocation, world } = call;
  if (intents.some(({ kind }) => kind === 'discard')) {
    await recordWrites(writtenBefore(world, overlay, repository), overlay, repository);
  }
  const { settings } = invocation;
  const { policy, judgeMessage } = convention;
  const scene: Scene = {
    policy,
    judgeMessage,
    command,
    start: world.start,
    repository: foundBy(command, overlaid(repository, overlay), overlay),
    overlay,
    writtenTexts: world.writtenTexts,
    printed: world.printed,
    changesWorktrees: world.changesWorktrees || changes.switchBeside(overlay),
    makesRepositories: world.newRepositories !== 'none',
    patches: world.patches,
    taken: new Set(),
    moved: world.moved,
    links: world.links,
    addedWorktree: (path) => world.trees.addedWorktree(path, overlay),
    linkedWorktree: (path) => world.trees.linkedWorktree(path, overlay),
    treesBefore: (path) => world.trees.treesBefore(path, command.origin),
    comesBack: world.returns.after(command),
    unstashes: () => world.uses.unstashes(command),
    staysUnnamed: () => world.uses.staysUnnamed(command),
    judgeSteps: (steps) => call.judgeSteps(underSettings(settings, steps)),
    judgeLater: (steps) => world.trees.apart(() => call.judgeSteps(steps)),
  };
  return world.patches.isEmpty ? scene : { ...scene, taken: await takenPatches(intents, scene) };
}

/** What its intents do there. */
async function judgeUnder(call: GitCall, intents: readonly Intent[], scene: Scene): Promise<readonly Finding[]> {
  const { settings } = call.invocation;
  // What a named program does to other files is told when it is judged by itself.
  const found = [...(await judgeEdited(call, intents, scene))];
  if (namesPrograms(call)) {
    found.push(...(await judgePassingPrograms(settings, scene)));
  }
  for (const intent of intents) {
    found.push(...(await judgeIntent(await throughSymbolicRefs(intent, scene.repository), scene)));
  }
  return found;
}

/** The same intents with the commits that the command means by words which others take in another way. */
async function throughRevisions(
  name: string,
  intents: readonly Intent[],
  likely: Repository,
): Promise<readonly Intent[]> {
  switch (name) {
    case 'pull':
      return throughFetched(intents, likely);
    // git-checkout(1), git-switch(1), git-restore(1), and what makes a branch: `A...B`.
    case 'checkout':
    case 'switch':
    case 'restore':
    case 'branch':
    case 'worktree':
      return throughMergeBases(intents, likely);
    default:
      return intents;
  }
}

/** What goes through an editor: messages, and the list of a rebase. */
async function judgeEdited(call: GitCall, intents: readonly Intent[], scene: Scene): Promise<readonly Finding[]> {
  const { settings } = call.invocation;
  const isTodo = intents.some(mayEditTodo);
  if (!isTodo && !intents.some(mayMakeMessages)) {
    return [];
  }
  const config = await scene.repository.config();
  const setting = (key: string) => textWithNumbers(lastSetting(settings, key)?.value) ?? config.get(key);
  const found: Finding[] = [];
  for (const intent of intents) {
    found.push(...(await judgeMadeMessages(intent, setting, scene)));
  }
  const head = isTodo ? await scene.repository.head() : null;
  const edits = isTodo && editsTodo(intents, setting, head?.kind === 'branch' ? head.branch : null);
  return edits ? [...found, ...(await judgeEditedTodo(setting, scene))] : found;
}

/** git keeps the repository, but not the guard's own files, nor what it is told to write to by name. */
async function judgeFiles({ command, invocation, world }: GitCall, files: TouchedFiles): Promise<readonly Finding[]> {
  const named = files.named.flatMap((word) => absolutePath(word, invocation.directory) ?? []);
  for (const path of named) {
    world.writtenTexts.set(path, null);
  }
  const changes = [
    ...files.removed.map((path) => ({ path, kind: 'remove' }) as const),
    ...files.written.map((path) => ({ path, kind: 'write' }) as const),
  ];
  const found = await judgeFileChanges({ changes, cwd: invocation.directory, destroyedBy: null }, world);
  world.patches.recordProgram(named, command);
  return found;
}

interface TouchedFiles {
  /** What it is told to write by name, among {@link written}, and nobody knows the text. */
  readonly named: readonly Word[];
  readonly written: readonly Word[];
  readonly removed: readonly Word[];
}

/** Null: none, as for most calls. */
function touchedFiles({ command, invocation }: GitCall, intents: readonly Intent[]): TouchedFiles | null {
  const { workTree, settings } = invocation;
  const [named, configured, removed]: [Word[], Word[], Word[]] = [[], [], []];
  let fillsWorkTree = false;
  for (const intent of intents) {
    if (intent.kind === 'write-files') {
      (intent.sets === undefined ? named : configured).push(...intent.paths);
    } else if (intent.kind === 'change-files' && intent.to === 'nothing') {
      removed.push(...intent.paths);
    }
    fillsWorkTree ||= intent.kind === 'discard' || intent.kind === 'change-files' || intent.kind === 'switch';
  }
  const top = workTree !== null && fillsWorkTree ? [workTree] : [];
  const written = [...named, ...configured, ...namedOutputs(command.env, settings), ...top];
  return written.length + removed.length === 0 ? null : { named, written, removed };
}

/** Does it matter for it what is there that is not committed? */
function looksAtWork({ kind }: Intent): boolean {
  return kind !== 'fetch' && kind !== 'configure' && kind !== 'remote' && kind !== 'track';
}
