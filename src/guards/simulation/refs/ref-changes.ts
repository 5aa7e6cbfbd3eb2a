import { plannedReplacement } from '../../../git/history/replaced-commits.ts';
import { shortBranchName } from '../../../git/refs/refspec.ts';
import { readBranchesInUse } from '../../../git/refs/worktree-heads.ts';
import type { Head, Repository } from '../../../git/repository.ts';
import { namesCommit } from '../../../shell/simple-command.ts';
import { isUnknown, known, textOf, textsOf } from '../../git-command/words.ts';
import type {
  DeleteRefIntent,
  FetchIntent,
  MoveRefIntent,
  RefName,
  RenameRefIntent,
  SwitchIntent,
} from '../../intent.ts';
import { applyPrintedCommit, type PrintedCommit, printedCommit } from '../answers/printed-commits.ts';
import type { Overlay } from '../overlay.ts';
import { startOf } from './bisection.ts';
import { branchNamed, guessed, isMerged } from './branch-names.ts';
import { mayBeBrought, setAdrift } from './brought-refs.ts';
import type { MadeCommit } from './made-commit.ts';
import { madeBelow } from './made-commits.ts';
import { canBeMade, madeUpRef, placeholderOf } from './new-refs.ts';
import { setUpUpstream } from './new-upstreams.ts';
import { forgottenBy } from './open-names.ts';
import { type CallInLine, presumedBranch } from './presumed-branch.ts';

/** Another branch is checked out. */
export async function applySwitch(
  intent: SwitchIntent,
  overlay: Overlay,
  repository: Repository,
  call: CallInLine,
): Promise<void> {
  const given = await nameGiven(intent, overlay, repository);
  if (given === null) {
    return applyUnknownSwitch(intent, overlay, repository, call);
  }
  const before = await repository.head();
  const named = await branchNamed(given, repository, overlay);
  const name = named === null ? given : shortBranchName(named);
  const ref = `refs/heads/${name}`;
  const after = await headAfter(intent, { name, ref, before }, overlay, repository);
  overlay.switched = after ?? 'refused';
  overlay.presumed = after === null ? await presumedBranch(intent, call, overlay, repository) : null;
  overlay.headIsOpen = mayStandElsewhere(intent, after, overlay);
  if (after === null) {
    return;
  }
  const start = intent.create ? (textOf(intent.start ?? null) ?? 'HEAD') : name;
  const returns = after.kind === 'detached' && goesBack(intent, given);
  const reached =
    intent.orphan === true ? [] : returns ? overlay.previouslyMade : await madeBelow(start, overlay.made, repository);
  if (intent.create) {
    await setUpUpstream({ branch: name, start: intent.start ?? null, tracking: intent.tracking }, overlay, repository);
  }
  overlay.switchOpenly(goesBack(intent, given) ? overlay.previousOpenSwitch : null);
  overlay.head = after;
  overlay.previousHead = before;
  if (after.kind === 'branch' && after.oid !== null && (await repository.ref(ref)) !== after.oid) {
    overlay.refs.set(ref, after.oid);
  }
  overlay.previouslyMade = before.kind === 'detached' ? overlay.made.on('HEAD') : [];
  if (before.kind === 'detached') {
    overlay.made.set('HEAD', []);
  }
  if (after.kind === 'detached' || intent.create) {
    overlay.made.set(after.kind === 'branch' ? ref : 'HEAD', reached);
  }
}

/** The name of what is checked out, or of a branch that is made; null: it is not known. */
async function nameGiven(intent: SwitchIntent, overlay: Overlay, repository: Repository): Promise<string | null> {
  return intent.to === null && intent.ends !== undefined
    ? startOf(intent.ends, overlay, repository)
    : (textOf(intent.to) ?? (await madeUpBranch(intent, repository)) ?? (await defaultBranch(intent, repository)));
}

/** What git does not find here may be what the line has fetched. @param after null: git refuses the switch */
function mayStandElsewhere({ create }: SwitchIntent, after: Head | null, overlay: Overlay): boolean {
  return after === null && (overlay.headIsOpen || (!create && overlay.shared.bringsRefs));
}

/** Detached at a commit that is not known: what is committed from here on has no branch, and that is what counts. */
async function applyUnknownSwitch(
  intent: SwitchIntent,
  overlay: Overlay,
  repository: Repository,
  call: CallInLine,
): Promise<void> {
  overlay.switched = 'unknown';
  const staysThere = intent.create && intent.orphan !== true && (intent.start ?? null) === null;
  overlay.headIsOpen ||= !staysThere;
  overlay.presumed = await presumedBranch(intent, call, overlay, repository);
  const before = await repository.head();
  const detaches = intent.detach || (!intent.create && intent.strict !== true && namesCommit(intent.to));
  if (detaches && before.oid !== null) {
    overlay.head = { kind: 'detached', oid: before.oid };
    overlay.previousHead = before;
    overlay.previouslyMade = before.kind === 'detached' ? overlay.made.on('HEAD') : [];
    overlay.made.set('HEAD', []);
  }
  if (isUnknown(intent.to)) {
    overlay.switchOpenly(detaches || intent.create ? null : intent.to);
    overlay.previousHead = before;
  }
}

async function madeUpBranch({ to, create, resets }: SwitchIntent, repository: Repository): Promise<string | null> {
  const ref =
    create && resets !== true && to?.kind === 'unknown' ? await madeUpRef('refs/heads/', to, repository) : null;
  return ref === null ? null : shortBranchName(ref);
}

/** What git or gh has named as the default branch: as it is remembered here. */
async function defaultBranch({ to }: SwitchIntent, repository: Repository): Promise<string | null> {
  const isNamed = to?.kind === 'unknown' && to.names === 'default branch' && `${to.prefix}${to.suffix}`.trim() === '';
  return isNamed ? repository.remoteDefaultBranch('origin') : null;
}

/** Where HEAD stood before; a branch has its name already: see {@link branchNamed}. */
const previous = '@{-1}';

function goesBack({ create }: SwitchIntent, name: string): boolean {
  return !create && name === previous;
}

interface Switched {
  readonly name: string;
  readonly ref: string;
  readonly before: Head;
}

/** Where HEAD stands after a switch; null: git refuses. */
async function headAfter(
  { create, detach, start, orphan, resets, mayBeUnborn, strict }: SwitchIntent,
  { name, ref, before }: Switched,
  overlay: Overlay,
  repository: Repository,
): Promise<Head | null> {
  const branch = (oid: string | null): Head => ({ kind: 'branch', ref, branch: name, oid });
  if (repository.workTree === null && mayBeUnborn !== true) {
    return null;
  }
  if (create && !(await canBeMade(ref, resets === true, repository))) {
    return null;
  }
  if (orphan === true) {
    return branch(null);
  }
  if (create) {
    const from = textOf(start ?? null);
    const oid = from === null || from === 'HEAD' ? before.oid : await repository.resolve(`${from}^{commit}`);
    return branch(overlay.refs.get(ref) ?? oid);
  }
  const detached = (oid: string | null): Head | null =>
    oid === null || (strict === true && !detach) ? null : { kind: 'detached', oid };
  if (name === previous) {
    const oid = overlay.previousHead?.oid ?? (await repository.resolve(`${previous}^{commit}`));
    return detached(oid);
  }
  const local = detach ? null : await repository.ref(ref);
  if (local !== null || (!detach && (await isThere(ref, overlay, repository)))) {
    return branch(local);
  }
  const guess = mayBeUnborn === true ? null : await guessed(name, repository);
  if (guess !== null) {
    overlay.replaceSetting(`branch.${name}.remote`, guess.remote);
    overlay.replaceSetting(`branch.${name}.merge`, ref);
    return branch(guess.oid);
  }
  if (mayBeUnborn === true) {
    return branch(null);
  }
  return detached(await repository.resolve(`${name}^{commit}`));
}

/** `git branch -m`: the ref goes, and HEAD with it where it stands on it. */
export async function applyRename(intent: RenameRefIntent, overlay: Overlay, repository: Repository): Promise<void> {
  const head = await repository.head();
  const current = head.kind === 'branch' ? head.ref : null;
  const [oldName, newName] = [intent.from === null ? current : fullName(intent.from), fullName(intent.to)];
  const oid = oldName === null ? null : await repository.ref(oldName);
  const isNamed = oldName !== null && newName !== null && (await isThere(oldName, overlay, repository));
  if (!isNamed || oldName === newName || !(await canBeMade(newName, intent.forced, repository))) {
    return;
  }
  await leave(newName, overlay, repository);
  if (oid !== null) {
    recordStand(oldName, oid, overlay);
  }
  overlay.refs.set(oldName, null);
  overlay.refs.set(newName, oid);
  overlay.made.set(newName, overlay.made.on(oldName));
  overlay.made.set(oldName, []);
  if (current === oldName) {
    overlay.head = { kind: 'branch', ref: newName, branch: shortBranchName(newName), oid };
  }
  const before = `branch.${shortBranchName(oldName)}.`;
  const moved = (await repository.config()).entries.filter(({ key }) => key.startsWith(before));
  for (const { key, value } of moved) {
    // git-branch(1): its upstream goes along.
    if (value !== null) {
      overlay.replaceSetting(`branch.${shortBranchName(newName)}.${key.slice(before.length)}`, value);
    }
  }
}

function fullName({ namespace, name }: RefName): string | null {
  const text = textOf(name);
  return text === null ? null : namespace + text;
}

/** The same, with a placeholder for `git branch backup-$(date +%s)`. */
function nameOf({ namespace, name }: RefName): string {
  return name.kind === 'known' ? namespace + name.value : placeholderOf(namespace, name);
}

/** Refs that are gone. */
export async function applyDeletion(
  { refs, sparesUnmerged, sparesCheckedOut }: DeleteRefIntent,
  overlay: Overlay,
  repository: Repository,
  { changesWorktrees }: CallInLine,
): Promise<void> {
  const inUse = new Set(sparesCheckedOut === true && !changesWorktrees ? await readBranchesInUse(repository) : []);
  const head = await repository.head();
  if (sparesCheckedOut === true && head.kind === 'branch' && repository.workTree !== null && !overlay.headIsOpen) {
    inUse.add(head.ref);
  }
  for (const ref of await forgottenBy(refs, repository)) {
    overlay.refs.set(ref, null);
  }
  for (const ref of refs.flatMap(eachAmong)) {
    const named = fullName(ref);
    const name = named === 'HEAD' && head.kind === 'branch' ? head.ref : named;
    const previous =
      ref.namespace === 'refs/heads/' && name !== null ? await branchNamed(name.slice(11), repository, overlay) : null;
    const deleted = previous ?? name;
    if (deleted === null || inUse.has(deleted)) {
      continue;
    }
    if (sparesUnmerged !== true || (await isMerged(deleted, repository, overlay))) {
      await leave(deleted, overlay, repository);
      overlay.refs.set(deleted, null);
      overlay.shared.symbolicRefs.delete(deleted);
      overlay.made.set(deleted, []);
      if (head.kind === 'branch' && head.ref === deleted) {
        overlay.head = { ...head, oid: null };
      }
    }
  }
}

/** Those of which one is that a list has named: any of them may be gone, and keeps nothing from then on. */
function eachAmong(ref: RefName): readonly RefName[] {
  const among = ref.name.kind === 'unknown' && ref.name.prefix === '' ? ref.name.among : undefined;
  return among === undefined ? [ref] : among.map((name) => ({ ...ref, name: known(name) }));
}

/** What a ref had is to be had by others from now on. */
async function leave(name: string, overlay: Overlay, repository: Repository): Promise<void> {
  const oid = name.startsWith('refs/remotes/') ? null : await repository.ref(name);
  if (oid !== null) {
    overlay.shared.left.add(oid);
    recordStand(name, oid, overlay);
  }
}

/** What comes onto the branch from now on may take the place of what it had there. @param ref by its full name */
export function recordStand(ref: string, oid: string, { shared: { stood } }: Overlay): void {
  stood.set(ref, new Set([...(stood.get(ref) ?? []), oid]));
}

/** Is a ref there: since before the line, or by commits that the line has made? A new root has nothing below them. */
async function isThere(ref: string, { made }: Overlay, repository: Repository): Promise<boolean> {
  return made.on(ref).length > 0 || (await repository.ref(ref)) !== null;
}

/** A ref, or what is checked out, leads elsewhere. */
export async function applyMove(intent: MoveRefIntent, overlay: Overlay, repository: Repository): Promise<void> {
  const head = await repository.head();
  const current = head.kind === 'branch' ? head.ref : null;
  if (intent.ref?.namespace === 'refs/tags/' && intent.ref.name.kind === 'unknown') {
    overlay.addTag(intent.ref.name);
  }
  const name = intent.ref === null ? current : nameOf(intent.ref);
  const isNamed = intent.ref !== null && name?.startsWith('refs/') === true;
  if (isNamed && !(await canBeMade(name, intent.isNew !== true, repository))) {
    return;
  }
  if (isNamed && intent.tracking !== undefined) {
    const branch = shortBranchName(name);
    await setUpUpstream({ branch, start: intent.to, tracking: intent.tracking }, overlay, repository);
  }
  const printed = newCommit(intent, repository);
  if (printed !== null && name !== null) {
    await leave(name, overlay, repository);
    return applyPrintedCommit(printed, name, overlay, repository);
  }
  return applyNamedMove(intent, name, overlay, repository);
}

/** @param name of the ref; null: HEAD is detached */
async function applyNamedMove(
  intent: MoveRefIntent,
  name: string | null,
  overlay: Overlay,
  repository: Repository,
): Promise<void> {
  const target = textOf(intent.to);
  if (intent.symbolic !== true && (target === null || (await mayBeBrought(target, repository, overlay)))) {
    return setAdrift(name ?? 'HEAD', overlay, repository);
  }
  const oid = target === null ? null : await repository.resolve(target);
  const made = target === null ? [] : await madeBelow(target, overlay.made, repository);
  if (oid === null && (made.length === 0 || name === null)) {
    return;
  }
  overlay.shared.adrift.delete(name ?? 'HEAD');
  overlay.made.set(name ?? 'HEAD', keptAt(name, made));
  if (name !== null) {
    await leave(name, overlay, repository);
    overlay.refs.set(name, oid);
    overlay.shared.symbolicRefs.delete(name);
  }
  if (intent.symbolic === true && name !== null && target !== null) {
    overlay.shared.symbolicRefs.set(name, target);
  }
  const head = await repository.head();
  if (intent.ref === null || name === (head.kind === 'branch' ? head.ref : null)) {
    overlay.head = head.kind === 'branch' ? { ...head, oid } : { ...head, oid: oid ?? head.oid };
  }
}

/** That something is going to be replaced keeps nothing of it. */
function keptAt(name: string | null, made: readonly MadeCommit[]): readonly MadeCommit[] {
  return name === plannedReplacement ? [] : made;
}

/** A commit that is made for it, and not called by its name; null: one that is there. */
function newCommit({ to, parents }: MoveRefIntent, repository: Repository): PrintedCommit | null {
  const names = parents === undefined ? null : textsOf(parents);
  return names === null ? printedCommit(to, repository) : { parents: names, holdsChanges: false, holdsWork: false };
}

/** FETCH_HEAD, as far as the remote-tracking refs tell what the remote has: git-fetch(1) "CONFIGURED REMOTE-TRACKING BRANCHES". */
export async function applyFetch(intent: FetchIntent, overlay: Overlay, repository: Repository): Promise<void> {
  if (intent.prunesOnly) {
    return;
  }
  const config = await repository.config();
  const head = await repository.head();
  const setting = (key: string) => (head.kind === 'branch' ? config.get(`branch.${head.branch}.${key}`) : null);
  const given = intent.remote === null ? (setting('remote') ?? 'origin') : textOf(intent.remote);
  const named = config
    .subsections('remote')
    .find((name) => name === given || config.get(`remote.${name}.url`) === given);
  const ofUpstream = given === setting('remote') ? setting('merge') : 'HEAD';
  const source = intent.refspecs.length > 0 ? textOf(intent.refspecs[0]) : ofUpstream;
  const [fetchedRef = null] = source?.replace(/^\+/, '').split(':') ?? [];
  const name = fetchedRef === null ? null : shortBranchName(fetchedRef);
  const tracking = named === undefined ? [] : [`refs/remotes/${named}/${name}`];
  const places = given === '.' ? [`refs/heads/${name}`] : tracking;
  const oids =
    name === null ? [] : await Promise.all([...places, `refs/tags/${name}`].map((ref) => repository.ref(ref)));
  overlay.shared.bringsRefs = true;
  overlay.fetchHead = oids.find((oid) => oid !== null) ?? null;
}
