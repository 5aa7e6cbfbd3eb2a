import { existsSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { readIndexedPaths } from '../../../git/contents/index-file.ts';
import { literalPathspec } from '../../../git/contents/pathspec.ts';
import { trackedAt } from '../../../git/contents/tracked-files.ts';
import { isDirectory } from '../../../git/files.ts';
import { isStopped } from '../../../git/history/stopped-operations.ts';
import type { Repository } from '../../../git/repository.ts';
import { quoteWord } from '../../../quote.ts';
import type { Word } from '../../../shell/simple-command.ts';
import { isWithin, workTreeAbove } from '../../files/guarded-file.ts';
import { hooksDirectoryOf } from '../../files/hooks-directory.ts';
import { repositoriesBelow } from '../../files/repositories-below.ts';
import { type Finding, findings } from '../../finding.ts';
import { isGenerated, withoutGenerated } from '../../generated-files.ts';
import { known, textOf, textsOf } from '../../git-command/words.ts';
import { type Revealed, revealedFiles } from '../../revealed-files.ts';
import type { Scene } from '../../scene.ts';
import { isInIndex } from '../../simulation/files/indexed-entry.ts';
import type { Overlay } from '../../simulation/overlay.ts';
import { untrackedAt } from '../../work-at-stake.ts';
import { ownChanges } from '../../work-in-conflict.ts';
import { judgeCleanedChecks } from '../checks/indexed-files.ts';
import { unreadable } from '../unreadable-command.ts';
import { objection } from './discard-objection.ts';
import { type LeftRepository, leftRepositories } from './left-repositories.ts';
import { type Cleaning, isExcluded, stillUntracked } from './still-untracked.ts';
import { adding, conflictsBefore, namedStash } from './ways-to-keep.ts';
import { cleanArguments, ignoredAmong } from './written-ignores.ts';

/** Whatever a word that is not known says, no more goes than by these. */
const everywhere = ['-f', '-f', '-d', '-x', '--', ':/'];

/** Untracked files that `git clean` would remove, and that nobody can make again. */
export async function judgeClean(args: readonly Word[], scene: Scene): Promise<readonly Finding[]> {
  const isForced = args.some((word) => textOf(word) === '-f');
  if (!isForced && (await scene.repository.config()).getBoolean('clean.requireforce', true)) {
    return [];
  }
  const texts = textsOf(args);
  if (texts === null) {
    const word = args.find(({ kind }) => kind === 'unknown') as Extract<Word, { kind: 'unknown' }>;
    const widest = await judgeClean(everywhere.map(known), scene);
    return widest.length === 0
      ? []
      : unreadable(scene.policy, { source: word.source, reason: word.reason, could: 'any untracked file' });
  }
  const { workTree, cwd } = scene.repository;
  const top = workTree ?? cwd;
  const { saved, isAdded } = scene.overlay;
  const takesIgnored = texts.includes('-x') || texts.includes('-X');
  const isStashed = !isAdded && saved === 'everything' && !takesIgnored;
  const pathspecs = texts.slice(texts.indexOf('--') + 1);
  const places = pathspecs.length === 0 ? ['.'] : pathspecs;
  const isMeant = (path: string) =>
    places.some((place) => !isPlain(place) || `${join(top, path)}/`.startsWith(`${resolve(cwd, place)}/`));
  const undone = [...(await undoneFiles(scene)), ...(await unstashedHere(scene))].filter(isMeant);
  const takesRepositories = texts.filter((text) => text === '-f').length > 1;
  const asked = await cleanArguments(texts, scene);
  const isNeedless = isAdded || (isStashed && !takesRepositories);
  const named = isNeedless ? [] : await namedByGit(asked, saved === 'everything', scene.repository);
  const cleaning = { texts, takesIgnored };
  const takesDirectories = texts.includes('-d') || pathspecs.length > 0;
  const revealed = await revealedHere(texts, { takesDirectories, takesRepositories }, isMeant, scene);
  const listed = [...(isStashed ? [] : await stillUntracked(named, cleaning, scene)), ...revealed.files];
  const patches = scene.patches.needed(top).filter((path) => scene.taken.has(join(top, path)));
  const movedIn = isStashed ? [] : await workMovedInto(places, takesDirectories, texts, scene);
  const others = [...undone, ...patches, ...movedIn].map((path) => relative(cwd, join(top, path)));
  const removed = [...(await withoutGenerated(listed, asked, scene.repository)), ...others];
  const lost = isStashed ? revealed.files : [...new Set(removed)];
  const left = takesRepositories && takesDirectories ? await leftHere(cleaning, scene) : [];
  const hooks = lost.length === 0 ? null : await huskysOwn(scene.repository);
  const work = lost.filter((path) => hooks === null || !isWithin(resolve(cwd, path), hooks));
  // Without `-d` it leaves directories in which nothing is tracked.
  const isUncached = (path: string) =>
    isMeant(path) && !isExcluded(path, cleaning) && (takesDirectories || !path.includes('/'));
  return [
    ...(texts.includes('-X') ? [] : await judgeCleanedChecks(isUncached, scene)),
    ...(await judgeCleaned(work, { listed, mayBeIgnored: takesIgnored || revealed.files.length > 0 }, scene)),
    ...(work.length === lost.length ? [] : hooksCleaned(relative(top, hooks ?? top), work, texts, scene)),
    ...(takesRepositories
      ? await judgeNested(
          [
            ...named,
            ...revealed.repositories,
            ...left.filter(({ path }) => isMeant(path)).map(({ from }) => `${relative(cwd, join(top, from))}/`),
          ],
          scene,
        )
      : []),
  ];
}

/** @param listed by git, from where it stands */
async function judgeCleaned(
  work: readonly string[],
  { listed, mayBeIgnored }: { readonly listed: readonly string[]; readonly mayBeIgnored: boolean },
  scene: Scene,
): Promise<readonly Finding[]> {
  const { cwd, workTree } = scene.repository;
  const top = workTree ?? cwd;
  const isListed = work.every((path) => listed.includes(path));
  const named = isListed ? work : await namesBefore(work, listed, scene);
  const suggestion = work.length === 0 ? '' : await wayOut(mayBeIgnored, named, scene);
  // git-clean(1) names files from where it stands; what the line itself brings is not there yet.
  const loss = isListed ? { workTree: top, files: work.map((path) => fromTop(path, cwd, top)) } : null;
  return objection(scene, 'git clean', work, suggestion, { noun: 'untracked file', loss });
}

/** Where it lies before the line what the line moves; none where git has something of it, from where it comes. */
async function namesBefore(
  work: readonly string[],
  listed: readonly string[],
  { repository, moved }: Scene,
): Promise<readonly string[]> {
  const { cwd, workTree } = repository;
  const top = workTree ?? cwd;
  const others = work.filter((path) => !listed.includes(path));
  const brought = others.map((path) => moved.before(join(top, fromTop(path, cwd, top))));
  const pathspecs = brought.map((path) => literalPathspec(relative(top, path)));
  const areThere = brought.every((path) => isWithin(path, top) && existsSync(path));
  return areThere && (await trackedAt(repository, pathspecs)).length === 0
    ? [...work.filter((path) => listed.includes(path)), ...brought.map((path) => relative(cwd, path))]
    : [];
}

/**
 * What git would clean. Where all that is not ignored is put away, only ignored files are left for `-x`: those that git names
 * for `-X` as well. There `-e` tells what to clean, not what to leave, so it is asked without.
 */
async function namedByGit(
  args: readonly string[],
  isPutAway: boolean,
  repository: Repository,
): Promise<readonly string[]> {
  const separator = args.indexOf('--');
  const options = args.slice(0, separator);
  if (!isPutAway || !options.includes('-x')) {
    return untrackedAt(repository, args);
  }
  const isPattern = (at: number) => options[at] === '-e' || options[at - 1] === '-e';
  const alone = options.filter((_, at) => !isPattern(at)).map((text) => (text === '-x' ? '-X' : text));
  const ignored = await untrackedAt(repository, [...alone, ...args.slice(separator)]);
  if (alone.length === options.length || ignored.length === 0) {
    return ignored;
  }
  const cleaned = await untrackedAt(repository, args);
  return ignored.flatMap((path) =>
    cleaned.some((other) => isBelow(path, other)) ? [path] : cleaned.filter((other) => isBelow(other, path)),
  );
}

/** Is it that directory, or in there? Paths as git-clean(1) names them: a directory's with a slash at the end. */
function isBelow(path: string, place: string): boolean {
  return path === place || (place.endsWith('/') && path.startsWith(place));
}

/** What else than files at hand `git clean` takes. */
interface Reach {
  /** `-d`, or places are named. */
  readonly takesDirectories: boolean;
  /** A second `-f`. */
  readonly takesRepositories: boolean;
}

/**
 * What is not ignored any more, as git-clean(1) would name it. Without `-d` it leaves directories of nothing else.
 *
 * @param isMeant by its path from the work tree's root
 */
async function revealedHere(
  texts: readonly string[],
  { takesDirectories, takesRepositories }: Reach,
  isMeant: (path: string) => boolean,
  scene: Scene,
): Promise<Revealed> {
  const { repository, overlay } = scene;
  const { cwd, workTree } = repository;
  const options = texts.slice(0, texts.indexOf('--'));
  const excluded = options.filter((_, at) => options[at - 1] === '-e');
  const isByRules = !options.includes('-x') && !options.includes('-X');
  const { files, repositories } = isByRules ? await revealedFiles(scene, excluded) : { files: [], repositories: [] };
  const indexed = files.length === 0 || takesDirectories ? null : await readIndexedPaths(repository);
  const isReached = (path: string) => {
    const directory = `${dirname(path)}/`;
    return indexed === null || directory === './' || indexed.some((other) => other.startsWith(directory));
  };
  const meant = files.filter((path) => isMeant(path) && isReached(path) && !overlay.unversioned.has(path));
  const nested = takesRepositories && takesDirectories ? repositories.filter(isMeant) : [];
  const left = (paths: readonly string[], slash: string) =>
    stillUntracked(
      paths.map((path) => `${relative(cwd, join(workTree ?? cwd, path))}${slash}`),
      { texts, takesIgnored: false },
      scene,
    );
  return { files: await left(meant, ''), repositories: await left(nested, '/') };
}

/** Repositories that were in the index before the line and are not any more, if they are not ignored, or are to go as well. */
async function leftHere(cleaning: Cleaning, scene: Scene): Promise<readonly LeftRepository[]> {
  const left = (await leftRepositories(scene)).filter(({ path }) => !isExcluded(path, cleaning));
  const { texts } = cleaning;
  if (left.length === 0 || texts.includes('-x')) {
    return left;
  }
  const ignored = await ignoredAmong(
    left.map(({ from }) => from),
    true,
    scene,
  );
  return left.filter(({ from }) => ignored.has(from) === texts.includes('-X'));
}

/** Untracked files that a stash of the line has carried from another work tree into one that it adds. */
async function unstashedHere({ repository, overlay }: Scene): Promise<readonly string[]> {
  const isCarried = overlay.isAdded && overlay.saved === 'nothing' && overlay.shared.stashes.holdsUntracked;
  const entries = isCarried ? await repository.status() : [];
  return entries.filter(({ path, index }) => index === '?' && !overlay.unversioned.has(path)).map(({ path }) => path);
}

/** What a commit had, the index or a stash, that the line has undone; but neither what that stash nor a merge still has. */
async function undoneFiles({ repository, overlay }: Scene): Promise<readonly string[]> {
  const { unversioned, index, inStash, written } = overlay;
  const undone = [...unversioned].filter((path) => index.get(path) !== 'work tree' && !inStash.has(path));
  if (undone.length === 0 || isStopped('rebase', repository.gitDir)) {
    return undone;
  }
  const isUnstagedHere = (path: string) => index.get(path) === 'HEAD' && !written.has(path);
  const own = await ownChanges(await repository.status(), repository, () => false, isUnstagedHere);
  return undone.filter((path) => own.some((entry) => entry.path === path));
}

/** The slash that a directory ends with stays. */
function fromTop(path: string, cwd: string, top: string): string {
  return `${relative(top, resolve(cwd, path))}${path.endsWith('/') ? '/' : ''}`;
}

/** git-clean(1): with a second `-f`, repositories go with the directories in which they are, as by `rm -rf`. */
async function judgeNested(removed: readonly string[], scene: Scene): Promise<readonly Finding[]> {
  const { command, repository, judgeSteps } = scene;
  const nested = removed
    .filter((path) => path.endsWith('/'))
    .flatMap((path) => repositoriesBelow(join(repository.cwd, path)))
    .map((path) => known(relative(repository.cwd, path)));
  const cwd = { kind: 'known', path: repository.cwd } as const;
  const argv = [...['rm', '-rf', '--'].map(known), ...nested];
  return nested.length === 0 ? [] : judgeSteps([{ ...command, argv, cwd }]);
}

/** The directory in which husky makes the hooks that git starts, absolute; null where git looks elsewhere. */
async function huskysOwn(repository: Repository): Promise<string | null> {
  const directory = await hooksDirectoryOf(repository);
  return /\/\.husky\/_$/.test(directory) ? directory : null;
}

/** A command with more patterns is no longer read. */
const mostSpared = 8;

/**
 * They are nobody's work, but without them nothing is checked. git-clean(1): to `-X`, `--exclude` tells what is cleaned;
 * what is ignored by a file in the directory itself is taken back apart from the directory.
 */
function hooksCleaned(
  hooks: string,
  work: readonly string[],
  texts: readonly string[],
  { policy }: Scene,
): readonly Finding[] {
  const separator = texts.indexOf('--');
  // Files that are somebody's work have an objection of their own, which this way out must not raise again.
  const spared = work.length > mostSpared || !work.every(isPlain) ? [] : work;
  const kept = texts.includes('-X')
    ? [hooks, `${hooks}/*`, ...spared].map((pattern) => `!${pattern}`)
    : [hooks, ...spared];
  const words = [...texts.slice(0, separator), ...kept.flatMap((pattern) => ['-e', pattern])];
  const pathspecs = texts.slice(separator + 1);
  return findings('discard-changes', policy, {
    message: `git clean would remove ${hooks}: no hook would run until husky has made it again.`,
    evidence: { files: [hooks] },
    suggestion: `git clean ${[...words, ...(pathspecs.length === 0 ? [] : ['--', ...pathspecs])].map(quoteWord).join(' ')}`,
  });
}

/**
 * By their names what is to stay goes into a stash and nothing else: `--all` alone would take installed packages along.
 * git can't stash while there is a conflict: the files are listed instead, to be moved away.
 *
 * @param paths as git names them here; none where the line brings some of them
 */
async function wayOut(takesIgnored: boolean, paths: readonly string[], { repository }: Scene): Promise<string> {
  if ((await conflictsBefore(repository)).length > 0) {
    return `git clean --dry-run -d${takesIgnored ? ' -x' : ''}   # and move away what is needed`;
  }
  // A stash takes no repository along.
  const nested = paths.find((path) => path.endsWith('/') && repositoriesBelow(join(repository.cwd, path)).length > 0);
  if (nested !== undefined) {
    const place = quoteWord(nested.slice(0, -1));
    return `mv ${place} ../`;
  }
  return `${await adding([], repository)}${namedStash(paths, takesIgnored)}`;
}

const isPlain = (path: string) => !/[*?[\\]|^:/.test(path);

/** `mv notes.md build.md && git clean -f`: what the line has brought to where it is cleaned, as it is called now. */
async function workMovedInto(
  places: readonly string[],
  intoNew: boolean,
  texts: readonly string[],
  scene: Scene,
): Promise<readonly string[]> {
  const { repository, moved, command, overlay } = scene;
  const { cwd, workTree } = repository;
  const top = workTree ?? cwd;
  const takesIgnored = texts.includes('-x') || texts.includes('-X');
  const arrived = places
    .flatMap((place) => moved.entriesLeftIn(resolve(cwd, place), command.origin))
    .filter(({ to }) => intoNew || existsSync(dirname(to)))
    .filter(({ to }) => takesIgnored || !isTakenUp(relative(top, to), overlay));
  const own = arrived.filter(({ from }) => isWithin(from, top));
  const changed = own.length === 0 ? [] : (await repository.status()).map(({ path }) => join(top, path));
  const ignored = await Promise.all(own.map(({ from }) => isIgnoredWork(from, repository)));
  const work = arrived.filter((entry) =>
    own.includes(entry)
      ? changed.some((path) => isWithin(path, entry.from)) || ignored[own.indexOf(entry)] === true
      : workTreeAbove(entry.from) !== null,
  );
  return (await reachedBy(texts, work, scene)).map(({ to }) => relative(top, to));
}

type Moved = ReturnType<Scene['moved']['entriesIn']>[number];

/** `-X` takes ignored files alone, `-x` both, else those that are not ignored. In a directory there may be both. */
async function reachedBy(texts: readonly string[], moved: readonly Moved[], scene: Scene): Promise<readonly Moved[]> {
  const { cwd, workTree } = scene.repository;
  const placeOf = ({ to }: Moved) => relative(workTree ?? cwd, to);
  const files = texts.includes('-x') ? [] : moved.filter(({ from }) => !isDirectory(from));
  const ignored = await ignoredAmong(files.map(placeOf), false, scene);
  return moved.filter((one) => !files.includes(one) || ignored.has(placeOf(one)) === texts.includes('-X'));
}

/** Is something there that git neither tracks nor tells, and that no tool makes again? @param path absolute */
async function isIgnoredWork(path: string, repository: Repository): Promise<boolean> {
  const place = relative(repository.workTree ?? repository.cwd, path);
  const isThere = existsSync(path) && !isGenerated(place) && !isGenerated(`${place}/`);
  return isThere && (await trackedAt(repository, [literalPathspec(place)])).length === 0;
}

/** Has the line added it to the index, or committed it? */
function isTakenUp(path: string, { index, committed }: Overlay): boolean {
  const indexed = index.get(path);
  return committed.has(path) || (indexed !== undefined && isInIndex(indexed));
}
