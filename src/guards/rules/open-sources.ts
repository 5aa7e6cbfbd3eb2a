import { relative, resolve } from 'node:path';
import { plainPathspecs } from '../../git/pathspec.ts';
import type { Repository } from '../../git/repository.ts';
import { readTreeEntries, type TreeEntry } from '../../git/tree-entries.ts';
import type { Word } from '../../shell/simple-command.ts';
import { beginningOf, textOf, type UnknownWord } from '../git-command/words.ts';
import { ignoredWork } from '../ignored-files.ts';
import type { BringFilesIntent } from '../intent.ts';
import type { Scene } from '../scene.ts';

/** Of more files that are not tracked, nothing is looked up. */
const maximumFiles = 200;

/** The word that keeps it open what comes: a commit's, else a path's; null: all is known. */
export function openWord({ source }: BringFilesIntent): UnknownWord | null {
  const words =
    source.kind === 'commit'
      ? [source.commit, ...(source.paths ?? [])]
      : source.kind === 'stash'
        ? [source.entry]
        : source.commits;
  return words.find((word) => word?.kind === 'unknown') ?? null;
}

/**
 * What a commit that can't be known may have in the place of files that are not tracked: with paths any that some commit
 * has had there, without them mostly a branch is named, and what branches and tags have now counts.
 */
export async function inOpenCommits(
  { source, forced }: BringFilesIntent,
  { repository }: Scene,
): Promise<readonly TreeEntry[]> {
  const paths = source.kind === 'commit' ? source.paths : undefined;
  const lying = await untrackedWork(forced, repository);
  const meant = lying.filter(paths === undefined ? () => true : mayBeMeant(paths, repository));
  if (meant.length === 0 || meant.length > maximumFiles) {
    return [];
  }
  switch (source.kind) {
    case 'merge':
      return inHistory(meant, ['--not', 'HEAD'], repository);
    case 'changes':
      return inHistory(meant, source.takenBack ? [] : ['--not', 'HEAD'], repository);
    case 'commit':
      return paths !== undefined || namesAnyCommit(source.commit)
        ? inHistory(meant, [], repository)
        : atTips(meant, repository);
    case 'stash':
      return [];
  }
}

/** Also one that no branch and no tag stands on. */
function namesAnyCommit(word: Word): boolean {
  return word.kind === 'unknown' && word.names === 'commits';
}

async function untrackedWork(forced: boolean, repository: Repository): Promise<readonly string[]> {
  const { workTree } = repository;
  const ignored = workTree === null ? [] : await ignoredWork(repository, workTree);
  const untracked = forced ? (await repository.status()).filter(({ index }) => index === '?') : [];
  return [...ignored, ...untracked.map(({ path }) => path)].filter((path) => !path.endsWith('/'));
}

/** The versions that commits of branches, tags and stashes have of files. Checkpoints, which hold what is untracked, do not count. */
async function inHistory(
  paths: readonly string[],
  except: readonly string[],
  repository: Repository,
): Promise<readonly TreeEntry[]> {
  const { git, workTree } = repository;
  const stash = (await repository.ref('refs/stash')) === null ? [] : ['refs/stash'];
  const tips = ['HEAD', '--branches', '--tags', '--remotes', ...stash];
  const shown = ['--format=', '--raw', '-z', '--no-abbrev', '--no-renames', '--diff-filter=AM', '--full-history'];
  const list = ['--literal-pathspecs', 'log', ...shown, ...tips, ...except, '--', ...paths];
  return readTreeEntries((await git.run(['-C', workTree ?? '.', ...list])).stdout);
}

async function atTips(paths: readonly string[], repository: Repository): Promise<readonly TreeEntry[]> {
  const refs = [...(await repository.refs()).keys()].filter((ref) => /^refs\/(?:heads|remotes|tags)\//.test(ref));
  const named = refs.flatMap((ref) => paths.map((path) => [`${ref}:${path}`, path] as const));
  const objects = await repository.resolveAll(named.map(([revision]) => revision));
  return named.flatMap(([revision, path]) => {
    const object = objects.get(revision) ?? null;
    return object === null ? [] : [{ path, mode: '100644', oid: object.oid }];
  });
}

/** Which files words may mean as pathspecs. @returns a test of paths from the work tree's root */
export function mayBeMeant(words: readonly Word[], repository: Repository): (path: string) => boolean {
  const { cwd, workTree } = repository;
  const known = words.flatMap((word) => textOf(word) ?? []);
  const isKnown = plainPathspecs(known, repository) ?? (() => true);
  return (path) => {
    const absolute = resolve(workTree ?? cwd, path);
    const here = relative(cwd, absolute);
    const mayName = (word: Word) =>
      word.kind === 'unknown' &&
      (word.fits === undefined
        ? !isPlainPath(beginningOf(word)) || here.startsWith(beginningOf(word))
        : mayBeAmong(word, [path, here, `./${here}`, absolute]));
    return isKnown(path) || words.some(mayName);
  };
}

/** What means every file, should a listing name it. */
const wholeTree = ['.', './', '..', '../', '*', '/', ':/'];

/** May a listing have a file in it, by one of the names that it goes by, or a directory above it? */
function mayBeAmong({ prefix, fits }: UnknownWord, names: readonly string[]): boolean {
  const directories = names.flatMap((name) =>
    name.split('/').flatMap((_, at, parts) => {
      const above = parts.slice(0, at + 1).join('/');
      return [above, `${above}/`];
    }),
  );
  return [...wholeTree, ...directories].some((value) => value.startsWith(prefix) && fits?.(value) !== false);
}

/** Neither magic nor a pattern, and nothing that leads up: gitglossary(7) "pathspec". */
function isPlainPath(beginning: string): boolean {
  return /^[\w@%+,][\w@%+,/.-]*$/.test(beginning) && !beginning.includes('..');
}
