import { existsSync } from 'node:fs';
import { namesByPath } from '../git/refs/worktree-heads.ts';
import type { Repository } from '../git/repository.ts';
import { taking } from '../shell/path.ts';
import { linkedWorktree, mainWorkTree } from './files/work-trees.ts';
import { followSubmodules } from './followed-submodules.ts';
import type { GitCall } from './git-call.ts';
import { usesOtherIndex } from './git-command/own-variables.ts';
import { known, textOf } from './git-command/words.ts';
import type { Intent } from './intent.ts';
import type { PlaceInRepository } from './place.ts';
import { recordRevealed } from './revealed-files.ts';
import { applyIntent, besideTree } from './simulation/apply.ts';
import { recordIgnoreChanges } from './simulation/files/ignore-changes.ts';
import type { KeptPatches } from './simulation/files/kept-patches.ts';
import { entryNumber } from './simulation/files/stash-changes.ts';
import { recordWrites } from './simulation/files/writes.ts';
import { areForeseen } from './simulation/foreseen.ts';
import { overlaid } from './simulation/overlaid-repository.ts';
import type { Overlay } from './simulation/overlay.ts';
import { beginRebase, rebasedRange } from './simulation/refs/conflicting-picks.ts';
import { followsOwnCommits } from './simulation/refs/own-fast-forward.ts';
import { type CallInLine, foundBy } from './simulation/refs/presumed-branch.ts';
import { applyBase, rebaseAmong } from './simulation/refs/rebased-onto.ts';
import { commitOfNothing, isRefusedThere, mayBeRefused, mayStopHalfWay } from './simulation/refs/refusals.ts';
import { throughSymbolicRefs } from './simulation/refs/symbolic-refs.ts';
import type { World } from './world.ts';
import { filesSoFar, textsAsWritten } from './written-ignore-texts.ts';

/** Notes what a call changes in a repository, for the commands that come behind it, and whether that is foreseen. */
export async function noteCall(call: GitCall, intents: readonly Intent[], place: PlaceInRepository): Promise<void> {
  const { command, world } = call;
  const { repository, changes, likely } = place;
  const decides = world.decisions.dependOn(command);
  const ofNothing = world.uses.isStoodOn(command) ? await commitOfNothing(intents, repository) : null;
  const refusable = ofNothing === 'refused' || (await mayRefuse(call, intents, place));
  const isForeseen = decides && !refusable && (await areForeseen(intents, overlaid(repository, likely)));
  const switches = intents.some(changesBranch);
  const meant = ofNothing === null ? intents : intents.map(findingNothing);
  const effects = await effectsOf(call, meant, place, decides);
  changes.add(command.origin, { mayBeRefused: refusable, switches }, effects);
  // A push moves no submodule, and its judge needs nothing of what follows them.
  if (intents.some(({ kind }) => kind !== 'push')) {
    await followSubmodules(intents, overlaid(repository, likely), call);
  }
  const range = intents.some(mayStopHalfWay) ? await rebasedRange(intents, overlaid(repository, likely)) : null;
  if (range !== null) {
    // Whether it goes through or not.
    const isFetched = intents.some(({ kind }) => kind === 'fetch');
    changes.add(command.origin, { mayBeRefused: true, switches: false }, (overlay) =>
      beginRebase(range, isFetched, overlay, overlaid(repository, overlay)),
    );
  }
  const rebase = range === null ? null : rebaseAmong(intents);
  if (rebase !== null && decides) {
    const { path, success } = command.origin;
    changes.know(command.origin, taking(path, success, true), (overlay) => applyBase(rebase, overlay, repository));
  }
  // What is checked out then tells whether git has refused a switch.
  command.origin.success.isExpected ||=
    isForeseen && (!switches || typeof (await changes.likely()).switched === 'object');
}

/** Is another branch checked out then? At its end a rebase goes back to its own. */
function changesBranch(intent: Intent): boolean {
  return intent.kind === 'switch' || (intent.kind === 'go-on' && intent.operation === 'rebase');
}

/** `git stash apply`: of the newest entry, without what was staged. */
function appliesNewest(intent: Intent): boolean {
  return (
    intent.kind === 'stash' &&
    intent.action === 'apply' &&
    intent.restoresIndex !== true &&
    (intent.entry === null || entryNumber(textOf(intent.entry) ?? '') === 0)
  );
}

/** The same where there is nothing to commit. */
function findingNothing(intent: Intent): Intent {
  return intent.kind === 'commit' ? { ...intent, findsNothing: true } : intent;
}

/** May git refuse it, for a reason that is not seen here? */
async function mayRefuse(
  { command, world }: GitCall,
  intents: readonly Intent[],
  { repository, likely }: PlaceInRepository,
): Promise<boolean> {
  const { stashes } = likely.shared;
  // What was put away just now comes back to where it was.
  const isJustPutAway = stashes.made > 0 && !likely.keepsIndex && world.uses.followsStash(command);
  if (isJustPutAway && intents.some(appliesNewest)) {
    return false;
  }
  const here = { repository: overlaid(repository, likely), overlay: likely };
  if (world.uses.isFollowed(command) && (await isRefusedThere(intents, here))) {
    return true;
  }
  if (!(await mayBeRefused(intents, repository))) {
    return false;
  }
  const mayFollow = intents.some(({ kind }) => kind === 'grow');
  return !(mayFollow && (await followsOwnCommits(intents, here, (path) => world.trees.addedWorktree(path, likely))));
}

/**
 * What it makes of a work tree in whichever way the line has come there. Later commands may write to files as well, so that
 * of these is kept what holds now.
 */
async function effectsOf(
  call: GitCall,
  intents: readonly Intent[],
  place: PlaceInRepository,
  decides: boolean,
): Promise<(overlay: Overlay) => Promise<void>> {
  const { command, world } = call;
  const { repository, changes, likely } = place;
  const inLine: Omit<CallInLine, 'changesWorktrees'> = {
    command,
    written: [...writtenBefore(world, likely, repository)],
    decides,
    bringsBack: world.patches.broughtBackBy(command.origin),
    removalsOf: removalsBefore(world.patches),
  };
  const { changesWorktrees: changesBefore } = world;
  const swaps = intents.some(({ kind }) => swapping.has(kind));
  const ignores = swaps ? textsAsWritten(repository.workTree ?? repository.cwd, world) : new Map();
  const takesUp = intents.some(({ kind }) => takingUp.has(kind));
  const { patches, moved, writtenTexts } = takesUp ? filesSoFar(world) : world;
  const applied = await appliedHere(call, intents, repository);
  return async (overlay) => {
    if (takesUp) {
      await recordWrites(inLine.written, overlay, repository);
      await recordRevealed({ repository, overlay, command, writtenTexts, patches, moved });
    }
    if (swaps) {
      const seen = foundBy(command, overlaid(repository, overlay), overlay);
      await recordIgnoreChanges(intents, overlay, seen, ignores);
    }
    for (const intent of applied) {
      const seen = foundBy(command, overlaid(repository, overlay), overlay);
      await applyIntent(await throughSymbolicRefs(intent, seen), overlay, seen, {
        ...inLine,
        changesWorktrees: changesBefore || changes.switchBeside(overlay),
      });
    }
  };
}

/** By what the line has removed until now, whatever it removes later. */
function removalsBefore(patches: KeptPatches): CallInLine['removalsOf'] {
  const now = patches.removesNothing ? null : patches.copy();
  return (path) => now?.removalsOf(path) ?? 0;
}

/** What takes up files, or puts them away, as they are then. */
const takingUp: ReadonlySet<Intent['kind']> = new Set(['stage', 'stash', 'commit']);

/** What can change ignore files that git tracks, where nothing else would be said of it. */
const swapping: ReadonlySet<Intent['kind']> = new Set(['bring-files', 'change-files', 'switch', 'stash']);

/** What changes nothing but the index. */
const ofIndex: ReadonlySet<Intent['kind']> = new Set(['stage', 'change-index']);

/** Files that are at stake since the line has written them; where nothing was before, only what it has moved there. */
export function writtenBefore(
  { written, moved }: World,
  { isAdded }: Overlay,
  { workTree }: Repository,
): readonly string[] {
  return isAdded ? moved.entriesIn(workTree ?? '/').map(({ to }) => to) : written;
}

/** Its intents, as far as they do something to the work tree's own files and index. */
async function appliedHere(
  call: GitCall,
  intents: readonly Intent[],
  repository: Repository,
): Promise<readonly Intent[]> {
  const placed = (await Promise.all(intents.map((intent) => withPlace(intent, call, repository)))).flat();
  const ofTree = (await isOtherTree(call, repository)) ? placed.flatMap((intent) => besideTree(intent) ?? []) : placed;
  return usesOtherIndex(call.command, repository) ? ofTree.filter(({ kind }) => !ofIndex.has(kind)) : ofTree;
}

/** Of linked work trees that go, where each lies, by whatever it is named or missed. */
async function withPlace(
  intent: Intent,
  { command, world }: GitCall,
  repository: Repository,
): Promise<readonly Intent[]> {
  const gone = (path: string): Intent => ({ kind: 'remove-worktree', path: known(path), forced: true });
  if (intent.kind === 'remove-worktree' && intent.path.kind === 'known') {
    const { links, moved } = world;
    return [gone(await linkedWorktree(intent.path.value, { repository, links, moved }))];
  }
  if (intent.kind !== 'forget-worktrees' || intent.path !== null) {
    return [intent];
  }
  const removed = [...namesByPath(repository.commonDir).keys()].filter((place) =>
    world.scratch.isRemoved(place, command.origin.path),
  );
  return [intent, ...removed.map(gone)];
}

/** `--work-tree=DIR`, and `--git-dir=DIR` alone: does git work on other files than those that belong to the git directory? */
async function isOtherTree({ invocation, world }: GitCall, repository: Repository): Promise<boolean> {
  const { directory, gitDir, workTree } = invocation;
  if ((gitDir === null && workTree === null) || directory.kind === 'unknown') {
    return false;
  }
  const home = repository.gitDir === repository.commonDir ? mainWorkTree(repository) : directory.path;
  const usual = home !== null && existsSync(home) ? await world.open(home).catch(() => null) : null;
  return usual?.gitDir === repository.gitDir && usual.workTree !== null && usual.workTree !== repository.workTree;
}
