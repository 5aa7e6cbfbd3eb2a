import { relative, resolve } from 'node:path';
import type { Repository, StatusEntry } from '../../git/repository.ts';
import { withoutGenerated } from '../generated-files.ts';
import { textOf, textsOf } from '../git-command/words.ts';
import { ignoredWork } from '../ignored-files.ts';
import type { ChangeIndexIntent, Discarded, DiscardIntent, StageIntent, StashIntent } from '../intent.ts';
import { writesIgnores } from '../rules/ignore-files.ts';
import { isOnlyGone, pathsAt, trackedChanges, untrackedAt } from '../work-at-stake.ts';
import { isUnmerged } from '../work-in-conflict.ts';
import { isNew } from './indexed-entry.ts';
import type { Overlay } from './overlay.ts';
import type { CallInLine } from './presumed-branch.ts';
import { keepChanges, printedCommit } from './printed-commits.ts';
import { listedWhole } from './whole-listings.ts';

/** Files join the index as they are; where somebody chooses what of them, nothing surely does. */
export async function applyStage(
  intent: StageIntent,
  overlay: Overlay,
  repository: Repository,
  { written }: Pick<CallInLine, 'written'>,
): Promise<void> {
  if (repository.workTree === null || intent.part === 'chosen') {
    return;
  }
  if (intent.ignored && intent.untracked && intent.part === 'content') {
    await stageIgnored(intent, overlay, repository, repository.workTree);
  }
  const isIntended = intent.part === 'intent';
  const entries = await repository.status();
  // What is ignored since is left out.
  const mayBeIgnored = await writesIgnores(written, repository);
  const taken = entries.filter((entry) =>
    entry.index === '?' ? intent.untracked : !isIntended && (entry.worktree !== '.' || isUnmerged(entry)),
  );
  const untracked = new Set(taken.flatMap(({ path, index }) => (index === '?' ? [path] : [])));
  const paths = intent.paths.flatMap((word) => textOf(word) ?? []);
  const listed = isIntended ? [] : listedWhole(intent.paths, taken, overlay, repository);
  const named = [...listed, ...(paths.length === 0 ? [] : await meant(paths, taken, repository))];
  const surely = named.filter((path) => !mayBeIgnored || !untracked.has(path));
  const arrived = isIntended || !intent.untracked || mayBeIgnored ? [] : newAmong(written, entries, repository);
  for (const path of paths.every(isPlain) ? arrived.filter(roots(paths, repository)) : []) {
    overlay.index.set(path, 'work tree');
  }
  for (const path of surely) {
    overlay.index.set(path, isIntended ? 'name' : 'work tree');
  }
  const isOpen = paths.length < intent.paths.length;
  for (const path of isIntended ? [] : isOpen ? untracked : named) {
    if (!overlay.index.has(path)) {
      overlay.index.set(path, 'perhaps');
    }
  }
}

/** `git add --force`: ignored files join the index as well; of a list that is not known, perhaps any of them. */
async function stageIgnored(
  { paths }: StageIntent,
  overlay: Overlay,
  repository: Repository,
  workTree: string,
): Promise<void> {
  const given = paths.flatMap((word) => textOf(word) ?? []);
  const isList = paths.some((word) => word.kind === 'unknown' && word.mayExpandToSeveral);
  if (given.length === 0 && !isList) {
    return;
  }
  const files = (await ignoredWork(repository, workTree)).filter((path) => !overlay.unversioned.has(path));
  const named = new Set(given.every(isPlain) ? files.filter(roots(given, repository)) : []);
  for (const path of isList ? files : named) {
    overlay.unversioned.add(path);
    overlay.forced.add(path);
    overlay.index.set(path, named.has(path) ? 'work tree' : 'perhaps');
  }
}

/** What the line has written and git-status(1) does not tell: from the work tree's root. */
function newAmong(
  written: readonly string[],
  entries: readonly StatusEntry[],
  { workTree, cwd }: Repository,
): readonly string[] {
  const top = workTree ?? cwd;
  const told = new Set(entries.map(({ path }) => path));
  return written
    .filter((path) => path.startsWith(`${top}/`))
    .flatMap((path) => {
      const place = relative(top, path);
      return told.has(place) ? [] : [place];
    });
}

/** Which of these entries pathspecs mean; git is asked only where they are more than paths. */
export async function meant(
  pathspecs: readonly string[],
  entries: readonly StatusEntry[],
  repository: Repository,
): Promise<readonly string[]> {
  const paths = entries.map(({ path }) => path);
  return pathspecs.every(isPlain) ? paths.filter(roots(pathspecs, repository)) : pathsAt(repository, pathspecs, paths);
}

/** What was staged is in the work tree alone: `git reset`, `git restore --staged`, `git rm --cached`. */
export async function applyUnstage(intent: ChangeIndexIntent, overlay: Overlay, repository: Repository): Promise<void> {
  const { change } = intent;
  overlay.looksAtSkipped ||= change === 'look';
  const paths = textsOf(intent.paths);
  if (change === 'write') {
    return applyIndexed(paths ?? [], overlay, repository);
  }
  if (change !== 'reset' && change !== 'remove') {
    return;
  }
  if (change === 'remove') {
    return unstage(paths ?? [':/'], 'nothing', { overlay, repository });
  }
  const [first = '', ...rest] = paths ?? [];
  if (intent.mayBeginWithCommit === true && (await repository.resolve(`${first}^{tree}`)) !== null) {
    return unstage(rest, { commit: first }, { overlay, repository });
  }
  const source = intent.from === undefined ? 'HEAD' : { commit: textOf(intent.from) };
  await unstage(paths ?? [':/'], source, { overlay, repository });
}

/** `git update-index --cacheinfo`: the index has something else of changed files than the work tree. */
async function applyIndexed(paths: readonly string[], overlay: Overlay, repository: Repository): Promise<void> {
  const isMeant = roots(paths, repository);
  for (const { path } of await repository.status()) {
    if (isMeant(path)) {
      overlay.index.set(path, 'other');
    }
  }
}

/** `git reset COMMIT` */
export function unstageEverything(overlay: Overlay, repository: Repository): Promise<void> {
  return unstage([':/'], 'HEAD', { overlay, repository });
}

/** What the index gets instead; of a commit null: it is not known which. */
type IndexSource = 'HEAD' | 'nothing' | { readonly commit: string | null };

async function unstage(
  pathspecs: readonly string[],
  source: IndexSource,
  { overlay, repository }: { readonly overlay: Overlay; readonly repository: Repository },
): Promise<void> {
  const entries = await repository.status();
  const isOther = typeof source !== 'string';
  const matter = entries.filter(({ index }) => index !== '?' || isOther);
  const paths = new Set(await meant(pathspecs, matter, repository));
  const told = new Set(entries.map(({ path }) => path));
  const isMeant = pathspecs.every(isPlain) ? roots(pathspecs, repository) : () => true;
  for (const path of [...overlay.index.keys()].filter((path) => !told.has(path) && isMeant(path))) {
    overlay.index.delete(path);
  }
  const reset = matter.filter(({ path }) => paths.has(path));
  const lacks = await lackedBy(source, reset, { overlay, repository });
  for (const entry of reset) {
    const { path, index } = entry;
    if (overlay.forced.delete(path)) {
      // Ignored again.
      overlay.unversioned.delete(path);
      overlay.index.delete(path);
    } else if (index === '?') {
      overlay.index.set(path, lacks(entry) ? 'nothing' : 'other');
    } else if (lacks(entry)) {
      overlay.unversioned.add(path);
      overlay.index.set(path, source === 'HEAD' ? 'HEAD' : 'nothing');
    } else if (index !== '.' || isOther) {
      overlay.index.set(path, isOther ? 'other' : 'HEAD');
    }
  }
}

/** Which of these entries are untracked once the index has the files of its source. */
async function lackedBy(
  source: IndexSource,
  entries: readonly StatusEntry[],
  { overlay, repository }: { readonly overlay: Overlay; readonly repository: Repository },
): Promise<(entry: StatusEntry) => boolean> {
  if (source === 'nothing') {
    return () => true;
  }
  const head = source === 'HEAD' ? await repository.head() : null;
  const isMade = head !== null && overlay.made.on(head.kind === 'branch' ? head.ref : 'HEAD').length > 0;
  if (head?.oid === null && !isMade) {
    return () => true;
  }
  const named = source === 'HEAD' ? (head?.oid ?? null) : source.commit;
  const tree = named === null || isMade || entries.length === 0 ? null : await repository.resolve(`${named}^{tree}`);
  if (tree === null) {
    return (entry) => entry.index === '?' || isNew(entry);
  }
  const paths = entries.length > 100 ? [] : entries.map(({ path }) => path);
  const output = await repository.git.run(['ls-tree', '-r', '-z', '--name-only', '--full-tree', tree, '--', ...paths]);
  const held = new Set(output.stdout.toString('utf8').split('\0'));
  return ({ path }) => !held.has(path);
}

/** Neither a pattern nor magic but `:/`: gitglossary(7) "pathspec". */
function isPlain(path: string): boolean {
  return !/[*?[\\]|^:(?!\/)/.test(path);
}

/** Which paths are one of these files or below one of these directories. */
export function roots(paths: readonly string[], { workTree, cwd }: Repository): (path: string) => boolean {
  const given = paths.map((path) =>
    path.startsWith(':/') ? path.slice(2) : relative(workTree ?? cwd, resolve(cwd, path)),
  );
  return (path) => given.some((root) => root === '' || path === root || path.startsWith(`${root}/`));
}

/** Changes are put away, or come back: what was staged is not staged any more, new files are. */
export async function applyStash(
  intent: StashIntent,
  overlay: Overlay,
  repository: Repository,
  { decides, written }: Pick<CallInLine, 'decides' | 'written'>,
): Promise<void> {
  if (intent.action === 'store') {
    return applyStored(intent, overlay, repository);
  }
  if (intent.action !== 'push') {
    return applyEntry(intent, overlay, repository);
  }
  const entries = await repository.status();
  // git can't stash these, nor before the first commit: only what does not ask for its success goes on.
  if (!decides && (entries.some(isUnstashable) || (await repository.head()).oid === null)) {
    return;
  }
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
  overlay.shared.stashes.push(intent.ignored !== true && stashable.every(isElsewhere));
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

/** A conflict, or a file of which the index has only the name (`git add --intent-to-add`): git stashes nothing then. */
function isUnstashable(entry: StatusEntry): boolean {
  return isUnmerged(entry) || (entry.index === '.' && entry.worktree === 'A');
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
  if (printedCommit(entry, repository)?.holdsChanges !== true || (await trackedChanges(repository)).length === 0) {
    return;
  }
  overlay.shared.stashes.pushes += 1;
  overlay.shared.stashes.push();
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
  const name = textOf(intent.entry) ?? '0';
  const number = entryNumber(name);
  const before = number === null ? null : stashes.before(number);
  const changed = new Set((await repository.status()).map(({ path }) => path));
  if (intent.action === 'apply') {
    stashes.applied = number;
  } else {
    stashes.take(number ?? 0);
  }
  if (number !== null && before === null) {
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
    if (intent.restoresIndex !== true) {
      await unstageModified(overlay, repository);
    }
    // Of several entries it is not known which of them holds what.
    const came = intent.action === 'apply' && stashes.made === 1 ? await heldBy(held, repository) : [];
    addCopies(came, changed, overlay);
  } else if ((await repository.ref('refs/stash')) !== null) {
    const brought = await bringBack(before === null ? name : `stash@{${before}}`, overlay, repository);
    addCopies(intent.action === 'apply' ? brought : [], changed, overlay);
  }
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
  for (const path of listed(changed)) {
    overlay.written.add(path);
    overlay.brought.set(path, 'tracked');
  }
  for (const path of listed(untracked)) {
    overlay.unversioned.add(path);
    overlay.brought.set(path, 'untracked');
  }
  return [...listed(changed), ...listed(untracked)];
}

/** What was applied of a stash goes again, so that only the stash has it; or the stash itself goes. */
export function applyDiscard({ what }: DiscardIntent, overlay: Overlay, repository: Repository): void {
  const { stashes } = overlay.shared;
  if (what.kind === 'stash') {
    stashes.forgetEntries();
  } else if (takesApplied(what, overlay, repository)) {
    stashes.forgetCopies();
  }
}

function takesApplied(what: Discarded, { inStash, unversioned }: Overlay, repository: Repository): boolean {
  switch (what.kind) {
    case 'paths':
    case 'branch-or-path': {
      const paths = textsOf(what.kind === 'paths' ? what.paths : what.words);
      return [...inStash].some(paths?.every(isPlain) === true ? roots(paths, repository) : () => true);
    }
    case 'untracked':
      return unversioned.size > 0;
    case 'worktree':
    case 'submodules':
      return false;
    default:
      return inStash.size > 0;
  }
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
