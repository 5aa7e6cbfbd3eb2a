import { basename, dirname, join, resolve } from 'node:path';
import { OxideError } from '../../errors.ts';
import { isDirectory, readText, realPath } from '../../git/files.ts';
import type { Repository } from '../../git/repository.ts';
import type { Environment } from '../../git/runner.ts';
import type { SimpleCommand, Step } from '../../shell/simple-command.ts';
import { type Invocation, parametersOf } from '../git-command/invocation.ts';
import { textOf } from '../git-command/words.ts';
import type { MovedPaths } from './files/moved-paths.ts';
import { gainsTrust } from './gained-trust.ts';
import { replaced } from './replaced.ts';
import type { Repositories } from './repositories.ts';

/**
 * Variables by which git finds a repository and its settings. Not GIT_INDEX_FILE: with another index, what is in the
 * work tree is at stake all the same.
 */
const deciding = /^(?:GIT_(?!INDEX_FILE$)|HOME$|XDG_CONFIG_HOME$)/;

/** git-config(1): nothing of the repository's own is run by looking at it. */
const trusted = 'safe.directory=*';

/** What a line has to do with the repositories that it finds. */
export interface OpeningLine {
  readonly repositories: Repositories;
  /** Of the whole line. */
  readonly steps: readonly Step[];
  readonly env: Environment;
  /** Links that it has made, and where each leads. */
  readonly links: ReadonlyMap<string, string>;
  readonly moved: MovedPaths;
}

/** The places that a call of git names, and where it stands. */
interface CalledFrom {
  readonly cwd: string;
  readonly gitDir?: string;
  readonly workTree?: string;
}

/**
 * The repository at a directory. What git refuses now it may trust once the line has come there: it is looked at as its
 * owner would.
 */
export async function openTrusted(
  { repositories, steps }: Pick<OpeningLine, 'repositories' | 'steps'>,
  ...[options, variables]: Parameters<Repositories['open']>
): Promise<Repository | null> {
  try {
    return await repositories.open(options, variables);
  } catch (error) {
    const isDistrusted = error instanceof OxideError && error.code === 'dubious-ownership';
    if (!isDistrusted || !gainsTrust(steps)) {
      throw error;
    }
    return repositories.open({ ...options, parameters: [...(options.parameters ?? []), trusted] }, variables);
  }
}

/** What a call works on, as it is before the line; null where nothing is. */
export async function openForCall(
  { settings, variables: exported }: Invocation,
  { env }: SimpleCommand,
  from: CalledFrom,
  line: OpeningLine,
): Promise<Repository | null> {
  const parameters = parametersOf(settings.filter(({ means }) => means.startsWith('-')));
  const options = { env: line.env, parameters, ...from };
  const variables = [...env, ...exported].flatMap(([name, word]): [string, string | undefined][] =>
    deciding.test(name) ? [[name, textOf(word) ?? undefined]] : [],
  );
  const opened = await openTrusted(line, options, variables);
  const put = opened === null && from.gitDir === undefined ? gitDirPutAt(from.cwd, line) : null;
  return put === null ? opened : openTrusted(line, { ...options, ...put }, variables);
}

/** A gitfile that the line makes, as a call finds it. */
export interface FoundGitfile {
  /** Where it is: the top of the work tree. */
  readonly top: string;
  readonly gitDir: string;
  /** What is there now is no part of that work tree, or nothing is. */
  readonly isFresh: boolean;
}

/** What a call works on behind a gitfile. */
export interface BehindGitfile {
  readonly repository: Repository;
  /** Whose files: those that are named or that the repository is set to, those around the gitfile, or copies there. */
  readonly files: 'its own' | 'there' | 'copies';
}

/**
 * What a call works on whose git directory is named by a gitfile that the line makes; null where none is there. Refs,
 * configuration and HEAD are those of the repository behind it.
 *
 * @param standing where git is told of other places
 */
export async function openBehindGitfile(
  invocation: Invocation,
  command: SimpleCommand,
  { top, gitDir, isFresh }: FoundGitfile,
  standing: string,
  line: OpeningLine,
): Promise<BehindGitfile | null> {
  if (!isDirectory(gitDir)) {
    return null;
  }
  const named = textOf(invocation.workTree);
  if (named !== null || !isFresh) {
    const cwd = isDirectory(standing) ? standing : gitDir;
    const workTree = named === null ? top : resolve(standing, named);
    const opened = await openForCall(invocation, command, { cwd, gitDir, workTree }, line);
    return opened === null
      ? null
      : { repository: withTreeThatIsThere(opened), files: named === null ? 'there' : 'its own' };
  }
  const owner = ownerOf(gitDir);
  const found = await openForCall(invocation, command, { cwd: owner }, line);
  const isFound = found !== null && found.gitDir === realPath(gitDir);
  const repository = isFound ? found : await openForCall(invocation, command, { cwd: gitDir, gitDir }, line);
  // One that says where its work tree is has it there from everywhere: git-config(1) "core.worktree".
  const isOwn = isFound && (owner === top || owner === gitDir);
  const facts = { cwd: standing, workTree: top, hiddenChanges: async () => [] };
  return repository === null || isOwn
    ? repository && { repository, files: 'its own' }
    : { repository: replaced(repository, facts), files: 'copies' };
}

/** The top of the work tree that a git directory is of; itself, where that is told nowhere else: gitrepository-layout(5). */
function ownerOf(gitDir: string): string {
  const linked = readText(join(gitDir, 'gitdir'))?.trim();
  const top = dirname(linked === undefined ? gitDir : resolve(gitDir, linked));
  return (linked !== undefined || basename(gitDir) === '.git') && isDirectory(top) ? top : gitDir;
}

/** `mv git.bak .git`: a git directory that the line puts at a directory or above it, as git is told of it. */
function gitDirPutAt(
  directory: string,
  { links, moved }: OpeningLine,
): { readonly gitDir: string; readonly workTree: string } | null {
  for (let top = directory; ; top = dirname(top)) {
    const name = join(top, '.git');
    const gitDir = links.get(name) ?? moved.before(name);
    if (gitDir !== name && isDirectory(gitDir)) {
      return { gitDir, workTree: top };
    }
    if (top === dirname(top)) {
      return null;
    }
  }
}

/** @param from a directory that is still to be made: from the one above, which is asked, they would lead elsewhere */
export function namedPlaces(
  gitDir: string | null,
  workTree: string | null,
  from: string | null,
): { readonly gitDir?: string; readonly workTree?: string } {
  const placed = (name: string) => (from === null ? name : resolve(from, name));
  return {
    ...(gitDir === null ? {} : { gitDir: placed(gitDir) }),
    ...(workTree === null ? {} : { workTree: placed(workTree) }),
  };
}

/** `--work-tree` of a directory that is not there: git does nothing then that needs one. */
export function withTreeThatIsThere(repository: Repository): Repository {
  const { workTree } = repository;
  return workTree === null || isDirectory(workTree)
    ? repository
    : replaced(repository, { workTree: null, status: async () => [], hiddenChanges: async () => [] });
}
