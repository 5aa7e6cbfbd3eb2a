import { join, relative } from 'node:path';
import { filesInTree } from '../../../git/contents/tree-entries.ts';
import type { Repository, StatusEntry } from '../../../git/repository.ts';
import { textOf, textsOf } from '../../git-command/words.ts';
import { ignoredWork } from '../../ignored-files.ts';
import type { ChangeIndexIntent, StageIntent } from '../../intent.ts';
import { writesIgnores } from '../../rules/uncommitted/ignore-files.ts';
import { isUnmerged } from '../../work-in-conflict.ts';
import { listedWhole } from '../answers/whole-listings.ts';
import type { Overlay } from '../overlay.ts';
import type { CallInLine } from '../refs/presumed-branch.ts';
import { trackUntracked } from './filled-index.ts';
import { isNew } from './indexed-entry.ts';
import { isPlain, meant, roots } from './meant-paths.ts';
import { recordUncached } from './uncached-checks.ts';

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
  // What is ignored since is left out, unless it is forced.
  const mayBeIgnored = !intent.ignored && (await writesIgnores(written, repository));
  const taken = entries.filter((entry) =>
    entry.index === '?' ? intent.untracked : !isIntended && (entry.worktree !== '.' || isUnmerged(entry)),
  );
  const untracked = new Set(taken.flatMap(({ path, index }) => (index === '?' ? [path] : [])));
  const paths = intent.paths.flatMap((word) => textOf(word) ?? []);
  await recordUncached(paths.every(isPlain) ? roots(paths, repository) : () => true, 'HEAD', { overlay, repository });
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

/** What was staged is in the work tree alone: `git reset`, `git restore --staged`, `git rm --cached`. */
export async function applyUnstage(intent: ChangeIndexIntent, overlay: Overlay, repository: Repository): Promise<void> {
  const { change } = intent;
  const paths = textsOf(intent.paths);
  if (change === 'hide') {
    return applyHidden(paths ?? [], intent.hidden, overlay, repository);
  }
  if (change === 'show') {
    return applyShown(paths, intent.hidden, overlay, repository);
  }
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
  const { oid } = await repository.head();
  if (source === 'HEAD' && overlay.filesOf !== null && oid !== null) {
    const isMeant = paths?.every(isPlain) === true ? roots(paths, repository) : () => true;
    await trackUntracked({ from: overlay.filesOf, to: oid, isMeant }, overlay, repository);
  }
}

/** `git update-index --skip-worktree`: what is changed there is neither committed nor stashed. */
async function applyHidden(
  paths: readonly string[],
  hidden: ChangeIndexIntent['hidden'],
  overlay: Overlay,
  repository: Repository,
): Promise<void> {
  const isMeant = roots(paths, repository);
  const changed = (await repository.status()).filter(({ index, worktree }) => index !== '?' && worktree !== '.');
  for (const { path } of hidden === undefined ? [] : changed.filter((entry) => isMeant(entry.path))) {
    overlay.hidden.set(path, hidden ?? 'assumed');
  }
}

/** `git update-index --no-skip-worktree`: git-status(1) shows what was changed there. @param paths null: not known */
async function applyShown(
  paths: readonly string[] | null,
  hidden: ChangeIndexIntent['hidden'],
  overlay: Overlay,
  repository: Repository,
): Promise<void> {
  const isMeant = paths === null ? () => true : roots(paths, repository);
  const changes = (await repository.hiddenChanges()).filter(({ path, kind }) => kind === hidden && isMeant(path));
  const ofLine = changes.filter(({ path }) => overlay.hidden.delete(path));
  for (const { path } of changes.filter((change) => !ofLine.includes(change))) {
    overlay.shown.add(path);
  }
  const seen = new Set((ofLine.length === 0 ? [] : await repository.status()).map(({ path }) => path));
  for (const { path } of ofLine.filter((change) => !seen.has(change.path))) {
    // No commit and no stash in between has taken it along.
    overlay.restored.delete(path);
    overlay.written.add(path);
  }
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

/** `git diff HEAD > p && git reset --hard && git apply p`: what was staged is in the work tree alone. */
export async function applyPatch(
  { bringsBack }: Pick<CallInLine, 'bringsBack'>,
  overlay: Overlay,
  repository: Repository,
): Promise<void> {
  const { workTree } = repository;
  const staged = workTree === null ? [] : (await repository.status()).filter(({ index }) => /^[MADT]$/.test(index));
  for (const { path } of staged.filter(
    (entry) => entry.worktree === '.' && bringsBack(join(workTree ?? '', entry.path)),
  )) {
    overlay.index.set(path, 'HEAD');
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
  await recordUncached(isMeant, source, { overlay, repository });
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
  const asTold = (entry: StatusEntry) => entry.index === '?' || isNew(entry);
  if (source === 'HEAD' && overlay.head === null && overlay.refs.size === 0 && overlay.made.isEmpty) {
    return asTold;
  }
  const head = source === 'HEAD' ? await repository.head() : null;
  const isMade = head !== null && overlay.made.on(head.kind === 'branch' ? head.ref : 'HEAD').length > 0;
  if (head?.oid === null && !isMade) {
    return () => true;
  }
  const named = source === 'HEAD' ? (head?.oid ?? null) : source.commit;
  const tree = named === null || isMade || entries.length === 0 ? null : await repository.resolve(`${named}^{tree}`);
  if (tree === null) {
    return asTold;
  }
  const held = await filesInTree(tree, entries.length > 100 ? [] : entries.map(({ path }) => path), repository);
  return held === null ? asTold : ({ path }) => !held.has(path);
}
