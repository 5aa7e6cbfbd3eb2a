import { existsSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { isDirectory, readText } from '../git/files.ts';
import { anyPath } from '../shell/outputs/listed-files.ts';
import type { Directory, Word } from '../shell/simple-command.ts';
import { absolutePath } from './files/absolute-path.ts';
import type { FileChange } from './files/file-change.ts';
import { isBareRepository } from './files/git-directory.ts';
import { workTreeAbove } from './files/guarded-file.ts';
import { guardedPathsNear, holdersNear } from './files/guarded-paths.ts';
import { otherNames } from './files/hard-links.ts';
import { truePath } from './files/true-path.ts';
import { known, textOf, type UnknownWord } from './git-command/words.ts';
import type { World } from './world.ts';

/** The absolute paths that a change is about, as written and where links lead; of a pattern, those that matter and fit. */
export function pathsOf(
  { path, kind, isShallow, leaves, spares = [] }: FileChange,
  cwd: Directory,
  world: World,
): readonly string[] {
  if (path.kind === 'unknown' && textOf(path) === null) {
    const takesAll = kind === 'remove' && isShallow !== true;
    const fitting = [
      ...fittingPaths(path, takesAll, cwd, world),
      ...(kind === 'remove' ? fittingPatches(path, cwd, world) : []),
    ];
    const top = directoryOf(path, cwd) ?? '/';
    const sparing = spares.flatMap((word) => absolutePath(word, cwd) ?? []);
    const isSpared = (file: string) => sparing.some((directory) => existsSync(join(directory, relative(top, file))));
    const isLeft = (file: string) => {
      const written = world.writtenTexts.get(file);
      const text = leaves === undefined ? null : written === undefined ? readText(file) : written;
      return text !== null && leaves?.(text) === true;
    };
    return fitting.filter((one) => (isShallow !== true || !isDirectory(one)) && !isLeft(one) && !isSpared(one));
  }
  const absolute = absolutePath(path, cwd);
  if (absolute === null) {
    return [];
  }
  const before = [world.moved.before(absolute), ...(kind === 'remove' ? world.moved.into(absolute) : [])];
  const linked = kind === 'remove' ? [] : otherNames(absolute, () => guardedAround(absolute, world));
  // `rm -rf LINK/` empties what the link leads to.
  const isInside = isShallow !== true && (textOf(path) ?? '').endsWith('/');
  const leading = truePath(absolute, kind !== 'remove' || isInside, linksFor(kind, world));
  return [...new Set([absolute, leading, ...before, ...linked])];
}

/** Links of the line that a change follows: to remove a file of a copy leaves what it is linked to. */
function linksFor(kind: FileChange['kind'], { links, linkedCopies }: World): ReadonlyMap<string, string> {
  return kind === 'remove' || linkedCopies.size === 0 ? links : new Map([...links, ...linkedCopies]);
}

/** Guarded files of the repositories in which a path is, and in which the line starts. */
function guardedAround(path: string, world: World): readonly string[] {
  const places = new Set([path, world.start].map((place) => workTreeAbove(place)).filter((top) => top !== null));
  return [...places].flatMap((top) => guardedPathsNear(top, (workTree) => world.configuredHooks(workTree)));
}

/**
 * What the guard watches and a word could name, of which only beginning and end are known.
 *
 * @param takesAll what is in a directory goes with it: one that a listing names may hold repositories
 */
function fittingPaths(
  path: Extract<Word, { kind: 'unknown' }>,
  takesAll: boolean,
  cwd: Directory,
  world: World,
): readonly string[] {
  const directory = path.prefix.slice(0, path.prefix.lastIndexOf('/') + 1);
  const top = directoryOf(path, cwd);
  if (top === null) {
    return [];
  }
  const root = truePath(top, true, world.links);
  const near = guardedPathsNear(root, (workTree) => world.configuredHooks(workTree));
  // A value that is put together could be anything. Only where it leads is evidence.
  const leadsThere =
    near.some((guarded) => dirname(guarded) === root && !isTop(guarded) && !isBareRepository(guarded)) && !isTop(root);
  if (isBareValue(path) && !leadsThere) {
    return [];
  }
  const matter = takesAll && !isBareValue(path) ? [...holdersNear(root), ...near] : near;
  return matter.filter(
    (guarded) => guarded.startsWith(`${root}/`) && fits(directory + guarded.slice(root.length + 1), path),
  );
}

/** `find . -name '*.patch' -delete`: what holds the only copy of changes, where a listing or a pattern could name it. */
function fittingPatches(path: UnknownWord, cwd: Directory, world: World): readonly string[] {
  const directory = path.prefix.slice(0, path.prefix.lastIndexOf('/') + 1);
  const top = directoryOf(path, cwd);
  return top === null || path.fits === undefined
    ? []
    : world.patches
        .needed(top)
        .filter((below) => fits(directory + below, path))
        .map((below) => join(top, below));
}

/** Could a word have this value? */
function fits(text: string, { prefix, suffix, fits }: UnknownWord): boolean {
  return text.startsWith(prefix) && text.endsWith(suffix) && fits?.(text) !== false;
}

function isTop(directory: string): boolean {
  return existsSync(join(directory, '.git'));
}

/** Nothing tells what it is but its beginning and its end: no listing, no pattern. */
export function isBareValue(path: Word): path is UnknownWord {
  return path.kind === 'unknown' && path.fits === undefined && path.names === undefined && textOf(path) === null;
}

/** `rm -rf "$PWD/$NAME"`: without a name, all of it goes. `"$PWD/try.$NAME"` is neither that nor `.git`. */
export function couldBeTheTop(path: UnknownWord, cwd: Directory): boolean {
  const top = directoryOf(path, cwd);
  const name = path.prefix.slice(path.prefix.lastIndexOf('/') + 1);
  return top !== null && '.git'.startsWith(name) && path.suffix === '' && existsSync(join(top, '.git'));
}

/** The directory in which it surely is; null where neither its beginning nor a listing tells. */
function directoryOf({ prefix, fits }: UnknownWord, cwd: Directory): string | null {
  const directory = prefix.slice(0, prefix.lastIndexOf('/') + 1);
  const isListed = fits !== undefined && fits !== anyPath;
  return directory === '' && !isListed ? null : absolutePath(known(directory || '.'), cwd);
}

/** `"$DIRECTORY/.git"`, `"$(git rev-parse --git-path hooks)/pre-push"`, `"$HOOKS"/pre-push` */
export function mayNameGitsFiles({ source, suffix }: UnknownWord): boolean {
  const isNamed = /\.git(?:["'/]|$)|--git-(?:path|dir|common-dir)|\/hooks\//.test(source);
  return (isNamed && !/\.lock["']?$/.test(source)) || hookFile.test(suffix);
}

/** githooks(5): hooks that may refuse what is done. */
const hookFile =
  /^\/(?:pre-(?:commit|push|merge-commit|rebase|receive|applypatch)|(?:prepare-)?commit-msg|applypatch-msg)$/;
