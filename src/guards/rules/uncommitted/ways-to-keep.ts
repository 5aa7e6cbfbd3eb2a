import { join, relative } from 'node:path';
import { isDirectory, isSymbolicLink, isThere } from '../../../git/files.ts';
import { stoppedOperations } from '../../../git/history/stopped-operations.ts';
import type { Repository, StatusEntry } from '../../../git/repository.ts';
import { quoteWord } from '../../../quote.ts';
import { isWithin } from '../../files/guarded-file.ts';
import { submodulesOf } from '../../files/submodules.ts';
import { freePath } from '../../free-path.ts';
import { asOpened } from '../../simulation/replaced.ts';
import { pathsAt } from '../../work-at-stake.ts';
import { isUnmerged } from '../../work-in-conflict.ts';

/**
 * Files that are in conflict where somebody pastes what is proposed: before the line, which may end the conflict itself.
 */
export async function conflictsBefore(repository: Repository): Promise<readonly string[]> {
  return (await asOpened(repository).status()).filter(isUnmerged).map(({ path }) => path);
}

/** git can't stash what is in conflict: what brought the conflict is called off instead. Submodules have their own. */
export async function wayOut(repository: Repository, lost: readonly string[]): Promise<string> {
  const top = repository.workTree ?? repository.cwd;
  const below = new Set(submodulesOf(repository).map((path) => relative(top, path)));
  const [first] = lost;
  if (first !== undefined && lost.every((path) => below.has(path))) {
    const place = relative(repository.cwd, join(top, first));
    return lost.length === 1
      ? `git -C ${quoteWord(place)} stash --include-untracked`
      : "git submodule foreach 'git stash --include-untracked'";
  }
  if ((await conflictsBefore(repository)).length === 0) {
    return `${await adding(lost, repository)}git stash`;
  }
  const status = await asOpened(repository).status();
  // git-reset(1) "--merge": what is not staged stays. All the rest may be somebody's resolution.
  const isTaken = ({ index }: StatusEntry) => index !== '.' && index !== '?';
  const taken = status.filter(isTaken).map(({ path }) => path);
  const [operation] = stoppedOperations(repository.gitDir);
  // The line may have ended it by then.
  const isStill = operation !== 'rebase' && (await repository.status()).some(isUnmerged);
  const isLeft = isStill && !lost.some((path) => taken.includes(path));
  return operation !== undefined && isLeft ? `git ${operation} --abort` : inStash(lost, repository);
}

/** In a stash, where nothing else is in conflict; else git stashes nothing, and a copy keeps it. */
export async function inStash(lost: readonly string[], repository: Repository): Promise<string> {
  const inConflict = await conflictsBefore(repository);
  const named = (paths: readonly string[]) => paths.map((path) => quoteWord(`:/${path}`)).join(' ');
  const missing = await missingInIndex(lost, repository);
  const added = inConflict.length > 0 ? [...new Set([...lost, ...missing])] : missing;
  const add = added.length === 0 ? '' : `git add ${missing.length > 0 ? '--force ' : ''}${named(added)} && `;
  return inConflict.every((path) => lost.includes(path))
    ? `${add}git stash push -- ${named(lost)}`
    : wayToKeep(repository, lost);
}

/** What comes before a stash, so that git does not refuse it. @param lost tracked files, from the work tree's root */
export async function adding(lost: readonly string[], repository: Repository): Promise<string> {
  const missing = await missingInIndex(lost, repository);
  const named = missing.map((path) => quoteWord(literally(fromHere(path, repository))));
  return missing.length === 0 ? '' : `git add ${named.length > mostNamed ? '--all' : `--force ${named.join(' ')}`} && `;
}

/**
 * Files that git refuses to stash: of which the index has only the name (git-add(1) "--intent-to-add"; wherever they are,
 * nothing is stashed then), or no more even that (`git rm --cached`), and those that only the line adds, which may be ignored.
 */
async function missingInIndex(lost: readonly string[], repository: Repository): Promise<readonly string[]> {
  const isNamed = ({ index, worktree }: StatusEntry) => index === '.' && worktree === 'A';
  const added = (await repository.status()).filter((entry) => /[AD]/.test(entry.index) || isNamed(entry));
  const among = added.filter((entry) => isNamed(entry) || lost.includes(entry.path));
  if (among.length === 0) {
    return [];
  }
  const before = new Map((await asOpened(repository).status()).map((entry) => [entry.path, entry]));
  const isThere = (path: string) => {
    const entry = before.get(path);
    return lost.includes(path)
      ? entry !== undefined && !/[?D]/.test(entry.index) && !isNamed(entry)
      : entry === undefined || !isNamed(entry);
  };
  return among.map(({ path }) => path).filter((path) => !isThere(path));
}

/**
 * git stashes nothing while a file is in conflict: copies keep them all.
 *
 * @param lost tracked files, from the work tree's root
 * @param pathspecs by which they are named; none by default: by their names
 */
export async function wayToKeep(
  repository: Repository,
  lost: readonly string[],
  pathspecs: readonly string[] = [],
): Promise<string> {
  if ((await conflictsBefore(repository)).length > 0) {
    return copying(lost, repository);
  }
  const matching = isReadOtherwise(repository) ? [] : await matchingAny(pathspecs, lost, repository);
  const named = (matching.length > 0 ? matching : namesOf(lost, repository)).map(quoteWord).join(' ');
  return `${await adding(lost, repository)}git stash push -- ${named}`;
}

/** Copies beside them; of many, one of the whole work tree. @param paths as in {@link wayToStash} */
async function copying(paths: readonly string[], repository: Repository): Promise<string> {
  const { cwd, workTree } = repository;
  const top = workTree ?? cwd;
  const here = (path: string) => quoteWord(relative(cwd, path).replace(/^(?=-)/, './') || '.');
  const copied = (path: string) =>
    `cp ${isDirectory(path) || isSymbolicLink(path) ? '-R ' : ''}${here(path)} ${here(freePath(`${path}.kept`))}`;
  const isOnlyStaged = ({ index, worktree }: StatusEntry) => /[MA]/.test(index) && worktree === 'D';
  const staged = (await asOpened(repository).status()).filter(isOnlyStaged).map(({ path }) => path);
  // What the line itself makes is not there yet where somebody pastes this.
  const named = paths.filter((path) => staged.includes(path) || isThere(join(top, path)));
  if (named.length === 0 || named.length > mostNamed) {
    return copied(top);
  }
  const copies = named.map((path) => {
    const place = join(top, path.replace(/\/$/, ''));
    return staged.includes(path)
      ? `git show ${quoteWord(`:${path}`)} > ${here(freePath(`${place}.kept`))}`
      : copied(place);
  });
  return copies.join(' && ');
}

/** git(1) `--icase-pathspecs` and its like, which what is proposed is not given. */
function isReadOtherwise({ git }: Repository): boolean {
  return Object.keys(git.context.env).some((name) => /^GIT_(?:ICASE|GLOB|NOGLOB|LITERAL)_PATHSPECS$/.test(name));
}

/**
 * `git stash push` refuses a pathspec that matches nothing in the index: after `git rm` and `git mv`, or before the line has
 * moved a file.
 */
async function matchingAny(
  pathspecs: readonly string[],
  lost: readonly string[],
  repository: Repository,
): Promise<readonly string[]> {
  // `git checkout --patch HEAD`: what stands beside the whole work tree may be a commit.
  if (pathspecs.includes(':/')) {
    return [':/'];
  }
  if (pathspecs.length > mostNamed) {
    return [];
  }
  const matched = await Promise.all(
    pathspecs.map((pathspec) => (pathspec.startsWith(':') ? lost : pathsAt(repository, [pathspec], lost))),
  );
  return pathspecs.filter((_, at) => (matched[at] ?? []).length > 0);
}

/** Files as pathspecs from where git stands; of many, all there is. @param paths from the work tree's root */
function namesOf(paths: readonly string[], repository: Repository): readonly string[] {
  return paths.length > mostNamed ? [':/'] : paths.map((path) => literally(fromHere(path, repository)));
}

/** A path as git reads it: from outside of the work tree (git(1) "--work-tree") it begins at the top. @param path from there */
function fromHere(path: string, { cwd, workTree }: Repository): string {
  const top = workTree ?? cwd;
  return isWithin(cwd, top) ? relative(cwd, join(top, path)) : path;
}

/** Words; a command with more of them is no longer read. */
const mostNamed = 8;

/**
 * Files that git does not track go into a stash: by their names and nothing else, because `--all` alone would take
 * installed packages along. During a conflict they are copied, and a repository of its own is moved.
 *
 * @param paths of files and directories, from the work tree's root
 */
export async function wayToStash(repository: Repository, paths: readonly string[], ignored: boolean): Promise<string> {
  const { cwd, workTree } = repository;
  if ((await conflictsBefore(repository)).length > 0) {
    return wayToKeep(repository, paths);
  }
  const nested = paths.find((path) => path.endsWith('/'))?.slice(0, -1);
  if (nested !== undefined) {
    const place = quoteWord(relative(cwd, join(workTree ?? cwd, nested)));
    return `mv ${place} ${place}.kept`;
  }
  const here = paths.map((path) => relative(cwd, join(workTree ?? cwd, path)));
  return `${await adding([], repository)}${namedStash(here, ignored)}`;
}

/** @param paths as git names them here; of many, everything is put away */
export function namedStash(paths: readonly string[], ignored: boolean): string {
  const named = paths.length > mostNamed ? [] : paths.map((path) => quoteWord(literally(path)));
  const stash = ignored ? 'git stash push --all' : 'git stash push --include-untracked';
  return named.length === 0 ? stash : `${stash} -- ${named.join(' ')}`;
}

/** The same for ignored files of another work tree. @param paths from its root, which is the directory */
export function stashThere(directory: string, paths: readonly string[]): string {
  return namedStash(paths, true).replace(/^git/, `git -C ${quoteWord(directory)}`);
}

/** A path as a pathspec of itself alone: gitglossary(7) "pathspec". */
export function literally(path: string): string {
  return /[*?[\\]|^:/.test(path) ? `:(literal)${path}` : path;
}
