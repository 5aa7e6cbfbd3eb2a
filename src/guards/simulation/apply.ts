import { commitsOnlyReachableFrom } from '../../git/history/reachability.ts';
import type { Repository } from '../../git/repository.ts';
import { known, textOf } from '../git-command/words.ts';
import type { Intent, MoveRefIntent, RefName, SwitchIntent, VersionIntent } from '../intent.ts';
import { printedCommit } from './answers/printed-commits.ts';
import { trackUntracked } from './files/filled-index.ts';
import { applyPatch, applyStage, applyUnstage, unstageEverything } from './files/index-changes.ts';
import { applyBesideIndex } from './files/only-staged.ts';
import { recordReindexed } from './files/recorded-index.ts';
import { applyStagedMove } from './files/staged-moves.ts';
import { applyDiscard, applyStash } from './files/stash-changes.ts';
import { recordTakenOut } from './files/taken-out-changes.ts';
import { bringOutWork } from './files/taken-up.ts';
import { putsIndexBack } from './files/uncached-checks.ts';
import type { Overlay } from './overlay.ts';
import type { Past } from './pasts.ts';
import { applyAutostash, stashAutostash } from './refs/autostash.ts';
import { applyStep, endBisection, stepOf } from './refs/bisection.ts';
import { mayBeBrought, setAdrift } from './refs/brought-refs.ts';
import { applyCallOff } from './refs/called-off.ts';
import { applyCommit, applyConfiguredRebase, applyGrowth, applyRebase, uncommit } from './refs/commits.ts';
import { configuredRebase } from './refs/configured-rebase.ts';
import { applyContinued } from './refs/continued-operation.ts';
import { noteLastCopies } from './refs/copied-commits.ts';
import { currentRef } from './refs/current-ref.ts';
import { movesByFetch } from './refs/fetched-here.ts';
import { madeBelow } from './refs/made-commits.ts';
import type { CallInLine } from './refs/presumed-branch.ts';
import { applyPush } from './refs/pushes.ts';
import { putBackInRebase } from './refs/put-back-picks.ts';
import { applyDeletion, applyFetch, applyMove, applyRename, applySwitch, recordStand } from './refs/ref-changes.ts';
import { applyGoneWorktrees, recordHead } from './refs/work-tree-heads.ts';
import { applyRemote, applySetting, applyTrack } from './settings.ts';

/** What a command changes that can change the verdict on a later one: branch, settings, stashes, work at stake. */
export async function applyIntent(
  intent: Intent,
  overlay: Overlay,
  repository: Repository,
  call: CallInLine,
): Promise<void> {
  const before = moving.has(intent.kind) ? await checkedOut(overlay, repository) : null;
  const isNothing = intent.kind === 'move-ref' && (await namesNothing(intent, overlay, repository));
  await change(intent, overlay, repository, call);
  const isRefused = isNothing || (intent.kind === 'switch' && overlay.switched === 'refused');
  if (before !== null && !isRefused) {
    recordPast(intent, before, await checkedOut(overlay, repository), overlay);
    recordHead(overlay, repository);
  }
  await noteLastCopies(overlay, repository);
}

/** What changes files, or takes them up. */
const ofFiles: ReadonlySet<Intent['kind']> = new Set([
  'stage',
  'discard',
  'bring-files',
  'change-files',
  'change-index',
]);

/**
 * What is left of a command for the work tree of a repository, where git is told to work on other files: these are neither
 * added nor changed. The branch is the same one, and so are the stashes; null: nothing.
 */
export function besideTree(intent: Intent): Intent | null {
  if (intent.kind === 'commit') {
    return intent.paths.length > 0 ? null : { ...intent, all: false };
  }
  if (intent.kind === 'stash') {
    return { ...intent, isBeside: true };
  }
  return ofFiles.has(intent.kind) ? null : intent;
}

/** What can bring HEAD elsewhere. */
const moving: ReadonlySet<Intent['kind']> = new Set([
  'switch',
  'move-ref',
  'commit',
  'grow',
  'rewrite',
  'version',
  'go-on',
]);

/** git refuses a commit that is not there, or the word is a path. */
async function namesNothing({ to }: MoveRefIntent, overlay: Overlay, repository: Repository): Promise<boolean> {
  const target = textOf(to);
  return (
    target !== null &&
    (await repository.resolve(target)) === null &&
    (await madeBelow(target, overlay.made, repository)).length === 0 &&
    !(await mayBeBrought(target, repository, overlay))
  );
}

interface CheckedOut extends Past {
  readonly ref: string;
}

async function checkedOut(overlay: Overlay, repository: Repository): Promise<CheckedOut> {
  const head = overlay.head ?? (await repository.head());
  const ref = head.kind === 'branch' ? head.ref : 'HEAD';
  return { ref, oid: head.oid, made: overlay.made.on(ref) };
}

/** git-reflog(1): each commit and each move is an entry; git-reset(1), git-merge(1) and git-rebase(1) keep ORIG_HEAD. */
function recordPast(intent: Intent, before: CheckedOut, after: CheckedOut, overlay: Overlay): void {
  const { pasts } = overlay.made;
  const isReset = intent.kind === 'move-ref' && intent.ref === null;
  const isOperation = intent.kind === 'version' && intent.operation !== 'tag';
  if (isReset || isOperation) {
    pasts.original = before;
  }
  const isSame = before.ref === after.ref;
  const isCommit = intent.kind === 'commit' && intent.isLoose !== true;
  if (!isCommit && isSame && before.oid === after.oid && before.made === after.made) {
    return;
  }
  const added = isSame ? after.made.slice(before.made.length, -1) : [];
  const moments = [
    before,
    ...added.map((_, at) => ({ ...before, made: after.made.slice(0, before.made.length + at + 1) })),
  ];
  for (const moment of moments) {
    pasts.record('HEAD', moment);
    if (isSame && before.ref !== 'HEAD') {
      pasts.record(before.ref, moment);
    }
  }
}

async function change(intent: Intent, overlay: Overlay, repository: Repository, call: CallInLine): Promise<void> {
  await recordTakenOut(intent, overlay, repository, call);
  if (putsIndexBack(intent)) {
    overlay.uncached.clear();
  }
  await recordReindexed(intent, overlay, repository);
  switch (intent.kind) {
    case 'switch': {
      overlay.squashes = false;
      overlay.filesOf = intent.mayBeUnborn === true ? await filesNow(overlay, repository) : null;
      if (intent.forced === true) {
        overlay.endedMerge = true;
        stashAutostash('merge', overlay, repository);
      }
      return applyCheckOut(intent, overlay, repository, call);
    }
    case 'move-ref':
      return applyMovedRef(intent, overlay, repository);
    case 'patch':
      return applyPatch(call, overlay, repository);
    case 'take-back':
      overlay.opensRevert ||= intent.staysOpen;
      return;
    case 'call-off':
      overlay.endedMerge ||= intent.operation === 'merge';
      return applyCallOff(intent, overlay, repository);
    case 'go-on':
      return applyContinued(intent, overlay, repository);
    case 'delete-ref':
      return applyDeletion(intent, overlay, repository, call);
    case 'rename-ref':
      return applyRename(intent, overlay, repository);
    case 'fetch':
      await applyFetch(intent, overlay, repository);
      for (const move of await movesByFetch(intent, repository)) {
        await applyMovedRef(move, overlay, repository);
      }
      return;
    case 'import':
      overlay.shared.bringsRefs = true;
      return;
    case 'push':
      return applyPush(intent, overlay, repository);
    case 'configure':
      return applySetting(intent, overlay);
    case 'remote':
      return applyRemote(intent, overlay, repository);
    case 'track':
      return applyTrack(intent, overlay, repository);
    case 'stash':
      overlay.onlyStaged.clear();
      return applyStash(intent, overlay, repository, call);
    case 'discard':
      await putBackInRebase(intent, overlay, repository);
      await applyBesideIndex(intent, overlay, repository);
      return applyDiscard(intent, overlay, repository);
    case 'stage':
      return applyStage(intent, overlay, repository, call);
    case 'remove-worktree':
    case 'forget-worktrees':
      return applyGoneWorktrees(intent, overlay, repository);
    case 'change-files':
      await putBackInRebase(intent, overlay, repository);
      return applyStagedMove(intent, overlay, repository);
    case 'change-index':
      return applyUnstage(intent, overlay, repository);
    case 'commit':
      overlay.opensRevert = false;
      overlay.squashes = intent.isLoose === true ? overlay.squashes : false;
      overlay.filesOf = null;
      overlay.onlyStaged.clear();
      await applyCommit(intent, overlay, repository);
      return applyAutostash('merge', overlay, repository);
    case 'grow':
      return applyGrowth(intent, overlay, repository);
    case 'rewrite':
      return applyRebase(intent, overlay, repository);
    case 'version':
      return applyVersion(intent, overlay, repository);
    default:
  }
}

/** A switch, or a step of a bisection that may be one. */
async function applyCheckOut(
  intent: SwitchIntent,
  overlay: Overlay,
  repository: Repository,
  call: CallInLine,
): Promise<void> {
  const { bisects, ends } = intent;
  const step = bisects === undefined ? null : await stepOf(bisects, overlay, repository);
  if (bisects !== undefined && step !== null) {
    await applyStep(bisects, step, overlay, repository);
  }
  const leadsTo = bisects === undefined ? 'commit' : (step?.leadsTo ?? 'nowhere');
  if (leadsTo !== 'nowhere') {
    const back = { ...intent, to: null, detach: false, ends: 'bisect' } as const;
    await applySwitch(leadsTo === 'start' ? back : intent, overlay, repository, call);
  }
  if (ends === 'bisect') {
    await endBisection(overlay, repository);
  }
}

/** A ref moves; with what is checked out the index and the work tree do, unless the command touches neither. */
async function applyMovedRef(intent: MoveRefIntent, overlay: Overlay, repository: Repository): Promise<void> {
  const files = await filesNow(overlay, repository);
  const isReset = intent.ref === null && intent.movesAlone !== true;
  if (intent.ref === null || (await isCheckedOut(intent.ref, repository))) {
    overlay.filesOf = isReset && intent.keepsIndex !== true ? null : files;
  }
  overlay.endedMerge ||= isReset;
  overlay.opensRevert &&= !isReset;
  overlay.squashes = isReset ? false : overlay.squashes;
  if (intent.keepsWork === true) {
    const target = textOf(intent.to);
    if (target !== null && (await mayBeBrought(target, repository, overlay))) {
      return uncommitAll(intent.keepsIndex === true, overlay, repository);
    }
    return applyUncommit(intent, files, overlay, repository);
  }
  if (isReset) {
    stashAutostash('merge', overlay, repository);
  }
  return applyMove(intent, overlay, repository);
}

/** Is it the branch that is checked out? */
async function isCheckedOut({ namespace, name }: RefName, repository: Repository): Promise<boolean> {
  const head = await repository.head();
  return head.kind === 'branch' && `${namespace}${textOf(name)}` === head.ref;
}

/** The commit whose files the index has. */
async function filesNow({ filesOf }: Overlay, repository: Repository): Promise<string | null> {
  return filesOf ?? (await repository.head()).oid;
}

/** What a pull brings is not known here, but for what was published: the branch goes on from that. */
async function applyVersion(intent: VersionIntent, overlay: Overlay, repository: Repository): Promise<void> {
  overlay.squashes = intent.squashes === true ? true : overlay.squashes;
  if (intent.operation === 'pull') {
    overlay.shared.stood.delete(await currentRef(repository));
    const rebase = await configuredRebase(intent, repository);
    if (rebase !== null) {
      await applyConfiguredRebase(rebase, overlay, repository);
    }
  }
}

/** The same where it goes to a commit that the line brings: what nothing else has is in the work tree from now on. */
async function uncommitAll(isStaged: boolean, overlay: Overlay, repository: Repository): Promise<void> {
  const ref = await currentRef(repository);
  const { commits } = await commitsOnlyReachableFrom([{ ref, to: null }], repository);
  const oids = commits.map(({ oid }) => oid);
  const shown = ['show', '-m', '--first-parent', '--format=', '--name-only', '--no-renames', '-z', ...oids];
  const output = oids.length === 0 ? '' : (await repository.git.run(shown)).stdout.toString('utf8');
  for (const path of output.split('\0').filter(Boolean)) {
    overlay.written.add(path);
    if (isStaged) {
      overlay.index.set(path, 'work tree');
    }
  }
  await setAdrift(ref, overlay, repository);
}

/** `git reset HEAD~1`: what the commits held is uncommitted work from now on. @param files which the index had */
async function applyUncommit(
  intent: MoveRefIntent,
  files: string | null,
  overlay: Overlay,
  repository: Repository,
): Promise<void> {
  if (printedCommit(intent.to, repository) !== null) {
    return applyMove(intent, overlay, repository);
  }
  const target = textOf(intent.to);
  const oid = target === null ? null : await repository.resolve(`${target}^{commit}`);
  if (target !== null && oid === null) {
    // git-reset(1): a word that is no revision is a path.
    return applyUnstage(
      { kind: 'change-index', paths: [known(target)], change: 'reset', means: 'git reset' },
      overlay,
      repository,
    );
  }
  const head = await repository.head();
  const current = await currentRef(repository);
  const kept = target === null ? [] : await madeBelow(target, overlay.made, repository);
  if (oid !== null && kept.length < overlay.made.on(current).length) {
    const left = overlay.made.on(current).slice(kept.length);
    overlay.made.set(current, kept);
    overlay.saved = 'nothing';
    uncommit(overlay, intent.keepsIndex === true);
    await bringOutWork(left, intent.keepsIndex !== true, overlay, repository);
  }
  if (intent.keepsIndex !== true) {
    await unstageEverything(overlay, repository);
    if (oid !== null) {
      await trackUntracked({ from: files, to: oid }, overlay, repository);
    }
  }
  if (oid === null || head.oid === null || oid === head.oid) {
    return;
  }
  const changed = new Set((intent.keepsIndex === true ? await repository.status() : []).map(({ path }) => path));
  const output = await repository.git.run(['diff', '--no-renames', '--name-status', '-z', oid, head.oid]);
  const fields = output.stdout.toString('utf8').split('\0');
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const path = fields[at + 1] ?? '';
    const isUntracked = fields[at] === 'A' && intent.keepsIndex !== true;
    (isUntracked ? overlay.unversioned : overlay.written).add(path);
    if (isUntracked) {
      overlay.written.delete(path);
    }
    if (intent.keepsIndex === true && !changed.has(path)) {
      overlay.index.set(path, 'work tree');
    }
  }
  if (head.kind === 'branch') {
    recordStand(head.ref, head.oid, overlay);
    overlay.refs.set(head.ref, oid);
  }
  overlay.head = { ...head, oid };
}
