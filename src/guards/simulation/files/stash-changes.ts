import { relative, resolve } from 'node:path';
import type { Repository, StatusEntry } from '../../../git/repository.ts';
import { withoutGenerated } from '../../generated-files.ts';
import { textOf, textsOf } from '../../git-command/words.ts';
import type { Discarded, DiscardIntent, StashIntent } from '../../intent.ts';
import { writesIgnores } from '../../rules/uncommitted/ignore-files.ts';
import { isOnlyGone, stashEntries, trackedChanges, untrackedAt } from '../../work-at-stake.ts';
import { isUnmerged } from '../../work-in-conflict.ts';
import { keepChanges, printedCommit } from '../answers/printed-commits.ts';
import type { Overlay } from '../overlay.ts';
import type { CallInLine } from '../refs/presumed-branch.ts';
import type { StashedFiles } from './line-stashes.ts';
import { isPlain, roots } from './meant-paths.ts';

/** Changes are put away, or come back: what was staged is not staged any more, new files are. */
export async function applyStash(
  intent: StashIntent,
  overlay: Overlay,
  repository: Repository,
  { decides, written }: Pick<CallInLine, 'decides' | 'written'>,
): Promise<void> {
  if (intent.isBeside === true) {
    return applyBeside(intent, overlay, repository);
  }
  if (intent.action === 'store') {
    return applyStored(intent, overlay, repository);
  }
  if (intent.action !== 'push') {
    return applyEntry(intent, overlay, repository);
  }
  // Only what does not ask for its success goes on.
  if (!decides && !(await mayStash(repository, intent))) {
    return;
  }
  const entries = await repository.status();
  overlay.shared.stashes.pushes += 1;
  overlay.shared.stashes.holdsUntracked ||= intent.untracked;
  // git-stash takes no notice of where submodules stand.
  const isTracked = entries.some(({ index, isSubmodule }) => index !== '?' && isSubmodule !== true);
  const isAny = isTracked || (intent.untracked && entries.length > 0);
  if (!isAny && !(intent.ignored === true && (await hasIgnoredWork(repository)))) {
    return;
  }
  overlay.keepsIndex ||= intent.keepsIndex === true;
  const stashable = entries.filter(({ index }) => intent.untracked || index !== '?');
  const isElsewhere = (entry: StatusEntry) =>
    overlay.inStash.has(entry.path) || (isOnlyGone(entry, repository.workTree) && !overlay.written.has(entry.path));
  const isSpare = intent.ignored !== true && stashable.every(isElsewhere);
  overlay.shared.stashes.push(isSpare, stashedFiles(intent, stashable, repository));
  overlay.inStash.clear();
  putIgnoredAway(intent, overlay, repository);
  applyStashedPaths(textsOf(intent.paths ?? []) ?? [], overlay, { entries: stashable, repository });
  if (!intent.partial) {
    if (intent.keepsIndex !== true) {
      putAddedAway(entries, overlay);
    }
    // What is ignored since stays, and is not ignored any more once the stash has the ignore file.
    putAway(intent.untracked && !(await writesIgnores(written, repository)), overlay);
  }
}

/** Null: which of the files somebody chooses. */
function stashedFiles(
  { partial, paths }: StashIntent,
  stashable: readonly StatusEntry[],
  repository: Repository,
): StashedFiles | null {
  const { workTree } = repository;
  const given = partial ? textsOf(paths ?? []) : ['.'];
  const isKnown = given !== null && given.length > 0 && given.every(isPlain);
  if (workTree === null || !isKnown) {
    return null;
  }
  const isMeant = partial ? roots(given, repository) : () => true;
  const held = stashable.filter(({ path, worktree, isSubmodule }) => isMeant(path) && worktree !== 'D' && !isSubmodule);
  const pathsOf = (entries: readonly StatusEntry[]) => entries.map(({ path }) => path);
  return {
    workTree,
    tracked: pathsOf(held.filter(({ index }) => index !== '?' && index !== 'D')),
    untracked: pathsOf(held.filter(({ index }) => index === '?')),
  };
}

/**
 * Entries alone, where git works on other files than the work tree's. What these have, and the index has not, may have been
 * added by the line.
 */
async function applyBeside(intent: StashIntent, overlay: Overlay, repository: Repository): Promise<void> {
  const { action, entry } = intent;
  const { stashes } = overlay.shared;
  if (action === 'remove') {
    stashes.take(entryNumber(textOf(entry) ?? '0') ?? 0);
  } else if (action === 'push' && (await mayStash(repository, intent))) {
    const entries = await repository.status();
    stashes.pushes += 1;
    stashes.push(entries.every((one) => isOnlyGone(one, repository.workTree)));
  }
}

/**
 * git stashes nothing before the first commit, nor beside a conflict or a file of which the index has only the name (`git
 * add --intent-to-add`). With `--staged` and `--patch` it writes no tree of the index: names do not matter.
 */
export async function mayStash(
  repository: Repository,
  { partial, paths }: Pick<StashIntent, 'partial' | 'paths'>,
): Promise<boolean> {
  const isChosen = partial && paths === undefined;
  const isUnstashable = (entry: StatusEntry) =>
    isUnmerged(entry) || (!isChosen && entry.index === '.' && entry.worktree === 'A');
  return !(await repository.status()).some(isUnstashable) && (await repository.head()).oid !== null;
}

/** Are there ignored files that nobody can make again? */
async function hasIgnoredWork(repository: Repository): Promise<boolean> {
  const words = ['-d', '-X', '--'];
  return (await withoutGenerated(await untrackedAt(repository, words), words, repository)).length > 0;
}

/** `git stash push --all [-- PATH…]` */
function putIgnoredAway(
  { ignored, partial, paths = [] }: StashIntent,
  overlay: Overlay,
  { workTree, cwd }: Repository,
): void {
  const top = workTree ?? cwd;
  const given = partial ? (textsOf(paths) ?? []) : [top];
  for (const path of ignored === true && given.every(isPlain) ? given : []) {
    overlay.ignoredAway.add(path.startsWith(':/') ? path.slice(2) : relative(top, resolve(cwd, path)));
  }
}

/** Files that were untracked until the line has added them go along; of a repository only what is in the index. */
function putAddedAway(entries: readonly StatusEntry[], overlay: Overlay): void {
  const isAdded = ({ index, path }: StatusEntry) =>
    index === 'A' && overlay.index.get(path) === 'work tree' && !path.endsWith('/');
  for (const { path } of entries.filter(isAdded)) {
    overlay.addedAway.add(path);
    if (overlay.forced.has(path)) {
      overlay.unversioned.delete(path);
      overlay.ignoredAway.add(path);
    }
    overlay.stashed.add(path);
    overlay.restored.add(path);
  }
  const told = new Set(overlay.index.size === 0 ? [] : entries.map(({ path }) => path));
  for (const [path, entry] of overlay.index) {
    // A file that the line has made itself.
    if (entry === 'work tree' && !told.has(path)) {
      overlay.addedAway.add(path);
    }
  }
}

/** They are in the index again. */
function bringAddedBack(overlay: Overlay): void {
  for (const path of overlay.addedAway) {
    overlay.index.set(path, 'work tree');
    if (overlay.forced.has(path)) {
      overlay.unversioned.add(path);
    }
  }
  overlay.addedAway.clear();
}

/** All changes are in the newest stash. */
function putAway(withUntracked: boolean, overlay: Overlay): void {
  overlay.saved = withUntracked ? 'everything' : 'tracked';
  overlay.leavesSubmodules = true;
  for (const path of overlay.written) {
    overlay.writtenAway.add(path);
  }
  overlay.written.clear();
  overlay.index.clear();
  if (withUntracked) {
    overlay.unversioned.clear();
    // They may be ignored again when the stash still has them.
    for (const path of overlay.revealed) {
      overlay.ignoredAway.add(path);
    }
    overlay.revealed.clear();
  }
}

/** `git stash store "$(git stash create)"` */
async function applyStored({ entry }: StashIntent, overlay: Overlay, repository: Repository): Promise<void> {
  const isCreated = printedCommit(entry, repository)?.holdsChanges === true;
  if (isCreated && (await trackedChanges(repository)).length === 0) {
    return;
  }
  overlay.shared.stashes.pushes += 1;
  overlay.shared.stashes.push();
  if (!isCreated) {
    return;
  }
  await keepChanges(overlay, repository);
}

/** `git stash push -- PATH`: their changes are in the stash, whatever becomes of the files. */
function applyStashedPaths(
  paths: readonly string[],
  overlay: Overlay,
  { entries, repository }: { readonly entries: readonly StatusEntry[]; readonly repository: Repository },
): void {
  if (!paths.every(isPlain)) {
    return;
  }
  const isMeant = roots(paths, repository);
  const isPutAway = ({ isSubmodule, path }: StatusEntry) => isSubmodule !== true && isMeant(path);
  for (const { path } of entries.filter(isPutAway)) {
    overlay.stashed.add(path);
    overlay.restored.add(path);
    overlay.written.delete(path);
    overlay.index.delete(path);
  }
}

/** `git stash pop`: what the stash held is uncommitted work again, and nowhere else. */
async function applyEntry(intent: StashIntent, overlay: Overlay, repository: Repository): Promise<void> {
  const { stashes } = overlay.shared;
  const number = entryNumber(textOf(intent.entry) ?? '0');
  const before = number === null ? null : stashes.before(number);
  const changed = new Set((await repository.status()).map(({ path }) => path));
  const files = number === null || overlay.isAdded ? null : stashes.filesOf(number);
  const isApplied = intent.action === 'apply';
  if (isApplied) {
    stashes.applied = number;
  } else {
    stashes.take(number ?? 0);
  }
  if (files !== null && files.workTree !== repository.workTree) {
    const brought = recordBrought(files, overlay);
    addCopies(isApplied ? brought : [], changed, overlay);
  } else if (number !== null && before === null) {
    const came = await bringOwnBack(intent, overlay, repository);
    // Of several entries it is not known which of them holds what.
    addCopies(isApplied && stashes.made === 1 ? came : [], changed, overlay);
  } else if ((await repository.ref('refs/stash')) !== null) {
    const name = before === null ? (textOf(intent.entry) ?? '0') : `stash@{${before}}`;
    const brought = await bringBack(name, overlay, repository);
    addCopies(isApplied ? brought : [], changed, overlay);
  }
}

/** What an entry holds that the line has made in this work tree. @returns changed files of which it has all that they have */
async function bringOwnBack(
  { restoresIndex }: StashIntent,
  overlay: Overlay,
  repository: Repository,
): Promise<readonly string[]> {
  const held = { all: overlay.saved, some: [...overlay.stashed] };
  overlay.saved = 'nothing';
  for (const path of overlay.stashed) {
    overlay.restored.delete(path);
  }
  overlay.stashed.clear();
  bringAddedBack(overlay);
  overlay.ignoredAway.clear();
  for (const path of overlay.writtenAway) {
    overlay.written.add(path);
  }
  overlay.writtenAway.clear();
  for (const path of overlay.untracked) {
    overlay.unversioned.add(path);
  }
  if (restoresIndex !== true) {
    await unstageModified(overlay, repository);
  }
  return heldBy(held, repository);
}

/** What an entry has as well, unless it was applied over something else. */
function addCopies(brought: readonly string[], changed: ReadonlySet<string>, overlay: Overlay): void {
  for (const path of brought.filter((one) => !changed.has(one))) {
    overlay.inStash.add(path);
  }
}

/** Changed files of which an entry of the line has all that they have. */
async function heldBy(
  { all, some }: { readonly all: Overlay['saved']; readonly some: readonly string[] },
  repository: Repository,
): Promise<readonly string[]> {
  const isHeld = ({ index }: StatusEntry) => all === 'everything' || (all === 'tracked' && index !== '?');
  return [...some, ...(await repository.status()).filter(isHeld).map(({ path }) => path)];
}

/**
 * What an entry holds that was there before the line: changed files, and untracked ones in a commit of their own.
 *
 * @returns all of them
 */
async function bringBack(stash: string, overlay: Overlay, repository: Repository): Promise<readonly string[]> {
  const [changed, untracked] = await Promise.all([
    repository.git.run(['diff', '--name-only', '-z', `${stash}^1`, stash]),
    repository.git.run(['ls-tree', '-r', '-z', '--name-only', '--full-tree', `${stash}^3`]),
  ]);
  const listed = ({ stdout }: typeof changed) => stdout.toString('utf8').split('\0').filter(Boolean);
  return recordBrought({ tracked: listed(changed), untracked: listed(untracked) }, overlay);
}

/** Files that were in another work tree, or in an entry from before the line, are changed here. @returns all of them */
function recordBrought(
  { tracked, untracked }: Pick<StashedFiles, 'tracked' | 'untracked'>,
  overlay: Overlay,
): readonly string[] {
  for (const path of tracked) {
    overlay.written.add(path);
    overlay.brought.set(path, 'tracked');
  }
  for (const path of untracked) {
    overlay.unversioned.add(path);
    overlay.brought.set(path, 'untracked');
  }
  return [...tracked, ...untracked];
}

/** What was applied of a stash goes again, so that only the stash has it; or the stash itself goes. */
export async function applyDiscard({ what }: DiscardIntent, overlay: Overlay, repository: Repository): Promise<void> {
  const { stashes } = overlay.shared;
  if (what.kind === 'left-out' && what.earlier !== 'needed') {
    // git-sparse-checkout(1) sets it.
    overlay.replaceSetting('core.sparsecheckout', 'true');
  }
  if (what.kind === 'stash') {
    await dropEntries(what.entry, overlay, repository);
  } else if (await takesApplied(what, overlay, repository)) {
    stashes.forgetCopies();
  }
}

/** The entries behind it move up. */
async function dropEntries(
  entry: Extract<Discarded, { kind: 'stash' }>['entry'],
  { shared: { stashes } }: Overlay,
  repository: Repository,
): Promise<void> {
  const existing = await stashEntries(repository);
  if (entry === 'all') {
    return stashes.clear(existing.length);
  }
  const number = entryNumber(entry === null ? '0' : (textOf(entry) ?? ''));
  if (number !== null && number < stashes.count(existing.length)) {
    stashes.take(number);
  } else {
    stashes.forgetEntries();
  }
}

async function takesApplied(
  what: Discarded,
  { inStash, unversioned }: Overlay,
  repository: Repository,
): Promise<boolean> {
  switch (what.kind) {
    case 'paths':
    case 'branch-or-path': {
      const paths = textsOf(what.kind === 'paths' ? what.paths : what.words);
      return [...inStash].some(paths?.every(isPlain) === true ? roots(paths, repository) : () => true);
    }
    case 'untracked':
      return unversioned.size > 0 || (inStash.size > 0 && (await areUntrackedAmong(inStash, repository)));
    case 'worktree':
    case 'submodules':
      return false;
    default:
      return inStash.size > 0;
  }
}

async function areUntrackedAmong(paths: ReadonlySet<string>, repository: Repository): Promise<boolean> {
  return (await repository.status()).some(({ index, path }) => index === '?' && paths.has(path));
}

/** The number of a stash entry: of `2`, `stash@{2}`; null: it is named otherwise. */
export function entryNumber(name: string): number | null {
  const number = /^(?:(?:refs\/)?stash@\{)?(\d+)\}?$/.exec(name)?.[1];
  return number === undefined ? null : Number(number);
}

async function unstageModified(overlay: Overlay, repository: Repository): Promise<void> {
  for (const { path, index } of await repository.status()) {
    if (index !== '?' && index !== '.' && index !== 'A') {
      overlay.index.set(path, 'HEAD');
    }
  }
}
