import { existsSync } from 'node:fs';
import { basename, join, relative, resolve } from 'node:path';
import { isDirectory } from '../../../git/files.ts';
import { isStopped, waitsForEdits } from '../../../git/history/stopped-operations.ts';
import type { Repository, StatusEntry } from '../../../git/repository.ts';
import { namesRevision, type Word } from '../../../shell/simple-command.ts';
import { isWithin } from '../../files/guarded-file.ts';
import { submodulesAt, submodulesOf } from '../../files/submodules.ts';
import type { Finding } from '../../finding.ts';
import { known, textOf, textsOf, type UnknownWord } from '../../git-command/words.ts';
import type { Discarded, DiscardIntent } from '../../intent.ts';
import type { Scene } from '../../scene.ts';
import { isStaged } from '../../simulation/files/indexed-entry.ts';
import { changesAt, isOnlyGone, pathsAt, pathsOf, stagedChanges, trackedChanges } from '../../work-at-stake.ts';
import { isUnmerged, ownChanges, resolvedPaths } from '../../work-in-conflict.ts';
import { unreadable } from '../unreadable-command.ts';
import { judgeClean } from './cleaned-files.ts';
import { judgeLeftOut, judgeSparseClean } from './cleaned-sparse-checkout.ts';
import { named, objection } from './discard-objection.ts';
import { judgeStash } from './discarded-stash.ts';
import { judgeWorktree } from './discarded-worktree.ts';
import { hiddenChanges, shownBefore } from './hidden-changes.ts';
import { judgeSubmoduleFiles } from './ignored-in-submodules.ts';
import { withoutLeft } from './left-in-overlay.ts';
import { judgeLeftSubmodules } from './left-submodules.ts';
import { mayBeMeant } from './open-pathspecs.ts';
import { untrackedInPlaceOf } from './overwritten-files.ts';
import { unlikeTarget } from './unlike-target.ts';
import { literally, namedStash, wayOut, wayToKeep } from './ways-to-keep.ts';

/** Uncommitted work that exists now and that the command would throw away; nothing at stake, nothing to say. */
export async function judgeDiscard(intent: DiscardIntent, scene: Scene): Promise<readonly Finding[]> {
  const found = await judgeByKind(intent, scene);
  return scene.taken.size === 0 || judgedWithFiles.has(intent.what.kind)
    ? found
    : [...found, ...(await judgeTaken(intent, scene))];
}

/** Of these, copies are told among the other files. */
const judgedWithFiles: ReadonlySet<Discarded['kind']> = new Set(['untracked', 'worktree']);

/** `git add f.bak && git checkout f && git reset --hard`: the only copy of changes that the line has taken back. */
async function judgeTaken({ means }: DiscardIntent, scene: Scene): Promise<readonly Finding[]> {
  const { workTree, cwd } = scene.repository;
  const top = workTree ?? cwd;
  const lost = scene.patches.needed(top).filter((path) => scene.taken.has(join(top, path)));
  const way = namedStash(
    lost.map((path) => relative(cwd, join(top, path))),
    false,
  );
  return objection(scene, means, lost, way, { loss: null });
}

async function judgeByKind({ what, means }: DiscardIntent, scene: Scene): Promise<readonly Finding[]> {
  switch (what.kind) {
    case 'stash':
      return judgeStash(what.entry, means, scene);
    case 'untracked':
      return judgeClean(what.arguments, scene);
    case 'outside-sparse':
      return judgeSparseClean(what.forced, scene);
    case 'left-out':
      return judgeLeftOut(what, means, scene);
    case 'paths':
    case 'branch-or-path':
      return [...(await judgePaths(what, means, scene)), ...(await judgeSubmodulesAt(what, means, scene))];
    case 'worktree':
      return judgeWorktree(what.path, means, scene);
    case 'tracked':
      return [...(await judgeFiles(what, means, scene)), ...(await judgeSubmodulesAt(what, means, scene))];
    case 'submodules':
      return what.recurses === undefined
        ? [...(await judgeFiles(what, means, scene)), ...(await judgeSubmoduleFiles(what, means, scene))]
        : judgeSubmodulesAt(what, means, scene);
    default:
      return judgeFiles(what, means, scene);
  }
}

async function judgeFiles(what: Discarded, means: string, scene: Scene): Promise<readonly Finding[]> {
  const lost = await onlyHere(await lostFiles(what, scene), scene);
  const part = what.kind === 'staged' ? 'staged' : 'both';
  const unkept = await scene.patches.without(lost, part, scene);
  return objection(scene, means, unkept, await shownBefore(unkept, await wayOut(scene.repository, unkept), scene));
}

/**
 * Without what a stash has, and files that are only gone: what the line itself has put there may have been somewhere
 * else before.
 */
async function onlyHere(paths: readonly string[], { repository, overlay }: Scene): Promise<readonly string[]> {
  const entries = paths.length === 0 ? [] : await repository.status();
  const gone = new Set(entries.filter((entry) => isOnlyGone(entry, repository.workTree)).map(({ path }) => path));
  return paths.filter((path) => !overlay.inStash.has(path) && (!gone.has(path) || overlay.written.has(path)));
}

async function lostFiles(what: Discarded, scene: Scene): Promise<readonly string[]> {
  const { repository } = scene;
  switch (what.kind) {
    case 'tracked':
      return [
        ...(await unlikeTarget(await ownAmong(await trackedChanges(repository), scene), what.to, scene)),
        ...(await hiddenChanges(false, scene)),
      ];
    case 'overwritten':
      return overwrittenFiles(what, scene);
    case 'staged':
      return (await refusesMerge(repository)) ? [] : ownAmong(await stagedChanges(repository), scene);
    case 'submodules': {
      const named = what.refusesChanges === true ? [] : submodulesAt(scene, textsOf(what.paths) ?? []);
      const changed = await Promise.all(named.map((path) => hasChanges(path, what.untracked, scene)));
      return named.filter((_, at) => changed[at]).map((path) => relative(repository.workTree ?? repository.cwd, path));
    }
    default:
      return [];
  }
}

/** git-reset(1) "--merge": what is staged of a file that has other changes besides stops all of it. */
async function refusesMerge(repository: Repository): Promise<boolean> {
  const entries = await repository.status();
  return entries.some((entry) => /[MADRT]/.test(entry.index) && entry.worktree === 'M' && !isUnmerged(entry));
}

/** Files with changes, untracked ones too, that have the names of those which come. Into a directory each keeps its name. */
async function overwrittenFiles(
  { sources, target }: Extract<Discarded, { kind: 'overwritten' }>,
  scene: Scene,
): Promise<readonly string[]> {
  const { repository, overlay } = scene;
  const { cwd, workTree } = repository;
  const to = resolve(cwd, textOf(target) ?? '.');
  const places = isDirectory(to) ? sources.map((source) => join(to, basename(textOf(source) ?? '.'))) : [to];
  const entries = await repository.status();
  const isOver = (path: string) =>
    places.some((place) => existsSync(place) && isWithin(place, resolve(workTree ?? cwd, path)));
  const changed = entries.filter(({ worktree }) => worktree !== 'D').map(({ path }) => path);
  // git-mv(1) looks at no index where it is forced.
  const hidden = (await repository.hiddenChanges()).map(({ path }) => path);
  const told = [...changed, ...hidden.filter((path) => !overlay.restored.has(path))].filter(isOver);
  // git-status(1) tells nothing of ignored files.
  const inPlace = places.map((place) => ({ path: relative(workTree ?? cwd, place), mode: '100644', oid: '' }));
  const ignored = (await untrackedInPlaceOf(inPlace, true, scene)).filter(({ isIgnored }) => isIgnored);
  return [...new Set([...told, ...ignored.map(({ path }) => path)])];
}

/** Without what a stopped operation has changed by itself. */
export async function ownAmong(paths: readonly string[], { repository, overlay }: Scene): Promise<readonly string[]> {
  if (paths.length === 0 || (isStopped('rebase', repository.gitDir) && !(await canBePickedAgain(repository)))) {
    return paths;
  }
  const isStagedHere = (path: string) => isStaged(overlay.index.get(path));
  const isUnstagedHere = (path: string) => overlay.index.get(path) === 'HEAD' && !overlay.written.has(path);
  const own = await ownChanges(await repository.status(), repository, isStagedHere, isUnstagedHere);
  return paths.filter((path) => overlay.written.has(path) || own.some((entry) => entry.path === path));
}

/**
 * Has a rebase stopped at the conflict of a commit? The branch keeps that one until the rebase is over: what goes on
 * without it is judged then.
 */
async function canBePickedAgain(repository: Repository): Promise<boolean> {
  return !waitsForEdits(repository.gitDir) && (await repository.resolve('REBASE_HEAD^{commit}')) !== null;
}

async function hasChanges(directory: string, untracked: boolean, { treesBefore }: Scene): Promise<boolean> {
  const possible = await Promise.all((await treesBefore(directory)).map(({ repository }) => repository.status()));
  return possible.flat().some(({ index }) => untracked || index !== '?');
}

async function judgePaths(what: DiscardedPaths, means: string, scene: Scene): Promise<readonly Finding[]> {
  const hidden = await hiddenChanges(what.kind === 'paths' && what.takesSkipped === true, scene);
  const changed = [...(await trackedChanges(scene.repository)), ...hidden];
  const isChanged = (path: string) => changed.includes(path);
  if (changed.length === 0) {
    return [];
  }
  const remade = what.remakesConflicts === true ? (await resolved(scene)).filter(isChanged) : [];
  const given = await withListedFiles(what.kind === 'paths' ? what.paths : what.words, scene);
  const texts = textsOf(given);
  if (texts === null && what.kind === 'branch-or-path' && given.every(namesRevision)) {
    return [];
  }
  if (texts === null) {
    // git-rm(1) refuses the others without --force.
    const isInConflict = what.kind === 'paths' && what.from === 'conflicts';
    const taken = isInConflict ? await changesAt(scene.repository, [':/'], 'conflicts') : changed;
    const own = await onlyHere(await ownAmong(taken, scene), scene);
    const [word, possible] = possiblePaths(given, [...new Set([...own, ...hidden, ...remade])], scene.repository);
    return word === null
      ? []
      : unreadable(scene.policy, {
          source: word.source,
          reason: word.reason,
          could: `a path with uncommitted changes (${named(possible)})`,
          // git-checkout(1): what stands before the separator is no path, as what lists files prints.
          instead:
            what.kind === 'branch-or-path' && given.length === 1 && word.fits === undefined
              ? `git checkout ${word.source} --`
              : await wayToKeep(scene.repository, possible),
        });
  }
  const [pathspecs, from] =
    what.kind === 'paths' ? ([texts, what.from] as const) : await pathsOf(texts, scene.repository);
  const meant = [...pathspecs, ...pathsBefore(pathspecs, scene)];
  const to = what.kind === 'paths' ? what.to : from === 'commit' ? what.words[0] : undefined;
  const taken = await changesAt(scene.repository, meant, from);
  const isOverlay = what.overlays === true && from === 'commit';
  const own = await ownAmong(isOverlay ? await withoutLeft(taken, to, scene) : taken, scene);
  const changes = await unlikeTarget(await onlyHere(own, scene), to, scene);
  const unkept = await scene.patches.without(changes, from === 'index' ? 'unstaged' : 'both', scene);
  const lost = [...new Set([...unkept, ...(await pathsAt(scene.repository, meant, [...hidden, ...remade]))])];
  const way = await wayToKeep(scene.repository, lost, pathspecs);
  return objection(scene, means, lost, await shownBefore(lost, way, scene));
}

type DiscardedPaths = Extract<Discarded, { kind: 'paths' | 'branch-or-path' }>;

/** Files in conflict that were staged before the line, and those that the line stages as somebody has resolved them. */
async function resolved(scene: Scene): Promise<readonly string[]> {
  const stagedHere = (await scene.repository.status()).filter(({ wasUnmerged }) => wasUnmerged === true);
  const paths = stagedHere.map(({ path }) => path);
  return [...(await resolvedPaths(scene.repository)), ...(await ownAmong(paths, scene))];
}

/** git-checkout(1), git-reset(1) "--recurse-submodules": submodules there come to be as the index has them. */
async function judgeSubmodulesAt(
  what: DiscardedPaths | Extract<Discarded, { kind: 'tracked' | 'submodules' }>,
  means: string,
  scene: Scene,
): Promise<readonly Finding[]> {
  const { repository } = scene;
  if (what.recurses === undefined || submodulesOf(repository).length === 0) {
    return [];
  }
  const asked = what.recurses === 'always' || (await repository.config()).getBoolean('submodule.recurse', false);
  const pathspecs = asked ? await pathspecsOf(what, repository) : [];
  if (pathspecs?.length === 0) {
    return [];
  }
  const isEach = pathspecs === null || pathspecs.some((pathspec) => /[:*?[]/.test(pathspec));
  const paths = isEach ? [] : pathspecs.map(known);
  return [
    ...(await judgeDiscard({ kind: 'discard', what: { kind: 'submodules', paths, untracked: false }, means }, scene)),
    ...(await judgeLeftSubmodules({ kind: 'leave-submodules', paths, always: true, means }, scene)),
  ];
}

/** Null: they are not known, or it is about everything. */
async function pathspecsOf(
  what: DiscardedPaths | Extract<Discarded, { kind: 'tracked' | 'submodules' }>,
  repository: Repository,
): Promise<readonly string[] | null> {
  switch (what.kind) {
    case 'tracked':
    case 'submodules':
      return null;
    case 'paths':
      return textsOf(what.paths);
    case 'branch-or-path': {
      const words = textsOf(what.words);
      return words === null ? null : (await pathsOf(words, repository))[0];
    }
  }
}

/**
 * Files that git itself has listed, in the place of the word that stands for them. git-diff(1) names them from the root
 * of the work tree, wherever it stands; a pathspec begins where git stands.
 */
export async function withListedFiles(words: readonly Word[], scene: Scene): Promise<readonly Word[]> {
  if (!words.some((word) => listedBy(word, scene) !== null)) {
    return words;
  }
  const entries = await scene.repository.status();
  return words.flatMap((word) => {
    const isNamed = listedBy(word, scene);
    return isNamed === null ? [word] : entries.filter(isNamed).map(({ path }) => known(literally(path)));
  });
}

/** Which files such a word names; null where that is not known, or it is no listing of git's. */
function listedBy(word: Word, { repository, overlay }: Scene): ((entry: StatusEntry) => boolean) | null {
  if (word.kind !== 'unknown' || word.prefix !== '' || word.suffix !== '') {
    return null;
  }
  switch (word.names) {
    case 'conflicts':
      return isUnmerged;
    case 'deletions':
      return ({ worktree }) => worktree === 'D';
    case 'changes':
      // git-ls-files(1) names them from where it stands. What the line has taken out of the index differs from it now.
      return repository.cwd === repository.workTree
        ? ({ index, worktree }) => index !== '?' && index !== '!' && (worktree !== '.' || overlay.index.size > 0)
        : null;
    default:
      return null;
  }
}

/** `git mv a.ts b.ts && git rm -f b.ts`: the file as it was called. */
function pathsBefore(pathspecs: readonly string[], { repository, moved }: Scene): readonly string[] {
  const { cwd, workTree } = repository;
  return pathspecs.flatMap((pathspec) => {
    const path = resolve(cwd, pathspec);
    const before = moved.before(path);
    const isElsewhere = before === path || !isWithin(before, workTree ?? cwd);
    return pathspec.startsWith(':') || isElsewhere ? [] : [relative(cwd, before)];
  });
}

/** The first word that can't be known, and the changed files that one of the words could name. */
function possiblePaths(
  words: readonly Word[],
  changed: readonly string[],
  repository: Repository,
): readonly [UnknownWord | null, readonly string[]] {
  const unknown = words.find((word) => word.kind === 'unknown') ?? null;
  const possible = changed.filter(mayBeMeant(words, repository));
  return [possible.length === 0 ? null : unknown, possible];
}
