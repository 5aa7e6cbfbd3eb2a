import { dirname, join, resolve } from 'node:path';
import { OxideError } from '../../errors.ts';
import { isDirectory } from '../../git/files.ts';
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
