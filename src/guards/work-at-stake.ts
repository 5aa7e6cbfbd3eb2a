import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { plainPath, plainPathspecs, wholeTreeWithout } from '../git/contents/pathspec.ts';
import { isDirectory, isThere } from '../git/files.ts';
import { unquotedPath } from '../git/quoted-path.ts';
import type { Repository, StatusEntry } from '../git/repository.ts';
import type { PathSource } from './intent.ts';
import { isUnmerged, resolvedByHand } from './work-in-conflict.ts';

/** Tracked files with changes, staged or not. */
export async function trackedChanges(repository: Repository): Promise<readonly string[]> {
  return (await repository.status()).filter(isAtStake).map(({ path }) => path);
}

/** Files whose staged state differs from HEAD. */
export async function stagedChanges(repository: Repository): Promise<readonly string[]> {
  return (await repository.status()).filter((entry) => isTracked(entry) && entry.index !== '.').map(({ path }) => path);
}

/** A file that is gone, and of which the index has nothing: what lies in its place is not tracked. */
export function isOnlyGone(entry: StatusEntry, workTree: string | null): boolean {
  const { index, worktree, path } = entry;
  return (
    workTree !== null && /^[.D]$/.test(index) && /^[.D]$/.test(worktree) && !isUnmerged(entry) && isFree(path, workTree)
  );
}

/** Is no file at a path? */
function isFree(path: string, workTree: string): boolean {
  const place = join(workTree, path);
  return !isThere(place) || isDirectory(place);
}

function isTracked({ index }: StatusEntry): boolean {
  return index !== '?' && index !== '!';
}

/** Where a submodule stands is its own matter, until it is staged: without `--recurse-submodules` git leaves it there. */
function isAtStake(entry: StatusEntry): boolean {
  return isTracked(entry) && (entry.isSubmodule !== true || entry.index !== '.');
}

/**
 * Tracked files with changes that would be overwritten at these pathspecs, or removed.
 *
 * @param pathspecs as git reads them in the repository's `cwd` (gitglossary(7))
 * @param from `index`: only changes that are not staged are lost; `conflicts`: only conflicts that are resolved by hand
 */
export async function changesAt(
  repository: Repository,
  pathspecs: readonly string[],
  from: PathSource,
): Promise<readonly string[]> {
  const entries = await repository.status();
  const changed = entries.filter(
    (entry) =>
      isAtStake(entry) &&
      !isUnmerged(entry) &&
      from !== 'conflicts' &&
      (from === 'commit' || (entry.worktree !== '.' && entry.isSubmodule !== true)),
  );
  // A file that is gone from the work tree has nothing left to lose there.
  const there = changed.filter(({ index, worktree }) => worktree !== 'D' || (from === 'commit' && index !== '.'));
  const present = [...there, ...(await resolvedByHand(entries.filter(isUnmerged), repository))];
  return pathsAt(
    repository,
    pathspecs,
    present.map(({ path }) => path),
  );
}

/** git-checkout(1): the first word is a branch or commit where it resolves to one, else all of them are paths. */
export async function pathsOf(
  words: readonly string[],
  repository: Repository,
): Promise<readonly [readonly string[], 'index' | 'commit']> {
  const [first = '', ...rest] = words;
  const isRevision = first === '-' || (await repository.resolve(first === '@' ? 'HEAD' : first)) !== null;
  return isRevision ? [rest, 'commit'] : [words, 'index'];
}

/** Those of the paths that pathspecs match. */
export async function pathsAt(
  repository: Repository,
  pathspecs: readonly string[],
  paths: readonly string[],
): Promise<readonly string[]> {
  if (paths.length === 0 || pathspecs.length === 0) {
    return [];
  }
  const matched = await matching(repository, pathspecs);
  // The line may have put into the index what git takes for ignored as yet: `git reset COMMIT`.
  const isMeant = plainPathspecs(pathspecs, repository);
  const top = repository.workTree ?? repository.cwd;
  return paths.filter((path) => matched.has(path) || (isMeant?.(path) === true && isThere(join(top, path))));
}

/**
 * Which paths match, as git itself reads pathspecs: relative to the work tree's root. Untracked ones too, which the
 * command line may have added before.
 */
async function matching(repository: Repository, pathspecs: readonly string[]): Promise<ReadonlySet<string>> {
  const output = await repository.git.run([
    ...['ls-files', '-z', '--full-name', '--cached', '--others', '--exclude-standard', '--'],
    ...wholeTreeWithout(pathspecs),
  ]);
  return new Set(output.stdout.toString('utf8').split('\0').filter(Boolean));
}

/**
 * Untracked files that `git clean` with these arguments would remove: asked of git itself, dry, unless nothing is there.
 */
export async function untrackedAt(repository: Repository, args: readonly string[]): Promise<readonly string[]> {
  const pathspecs = args.slice(args.indexOf('--') + 1);
  if (pathspecs.length > 0 && pathspecs.every((pathspec) => isAbsent(pathspec, repository))) {
    return [];
  }
  const output = await repository.git.run(['clean', '--dry-run', ...args]);
  return output.stdout
    .toString('utf8')
    .split('\n')
    .flatMap((line) => /^Would remove (.*)$/.exec(line)?.[1] ?? [])
    .map((path) => unquotedPath(path).replace(/^\.\//, ''))
    .filter((path) => !path.endsWith('/') || !isHollow(join(repository.cwd, path)));
}

/** Is a pathspec the path of something that is not there? */
function isAbsent(pathspec: string, repository: Repository): boolean {
  const path = plainPath(pathspec, repository);
  return path !== null && !isThere(path);
}

/** A directory without a single file in it, at whatever depth. */
function isHollow(directory: string): boolean {
  try {
    const entries = readdirSync(directory, { withFileTypes: true });
    return entries.every((entry) => entry.isDirectory() && isHollow(join(directory, entry.name)));
  } catch {
    return false;
  }
}

/** How many stash entries there are. */
export async function stashEntries(repository: Repository): Promise<readonly string[]> {
  if ((await repository.ref('refs/stash')) === null) {
    return [];
  }
  const output = await repository.git.run(['stash', 'list', '--format=%gd: %gs']);
  return output.stdout.toString('utf8').split('\n').filter(Boolean);
}
