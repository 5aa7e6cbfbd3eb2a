import { existsSync, lstatSync, mkdirSync, readdirSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { configurationFileNames } from '../../config/load.ts';
import { discoverRepository, type Location } from '../../git/discovery.ts';
import { kindOf, readText, realPath } from '../../git/files.ts';
import type { Environment } from '../../git/runner.ts';
import { gitAtTop, hookPathOfGit } from '../../githooks/hooks-directory.ts';
import { agentHookPlaces } from '../../guards/files/agent-hooks.ts';
import { contains } from '../../tools/place.ts';

/** What a sandbox has to leave open and to close for git to work, and to run nothing that a command has planted. */
export interface RepositoryPaths {
  /** Null in a bare repository. */
  readonly workTree: string | null;
  readonly writable: readonly string[];
  readonly protected: readonly string[];
  /** Files that do not exist and must not come to be: git would read its settings through them. */
  readonly forbidden: readonly string[];
}

/** Deeper than any submodule of a submodule that a person has made. */
const moduleDepth = 6;

/** Agents' settings in a work tree: they name programs that run outside of the sandbox. */
export const agentSettings: readonly string[] = [
  '.oxide-guard',
  '.mcp.json',
  ...agentHookPlaces,
  '.cursor/mcp.json',
  '.vscode/tasks.json',
  '.vscode/settings.json',
];

/**
 * The paths of the repository that a directory belongs to; null outside of one. gitrepository-layout(5) says what each
 * file is for.
 *
 * @throws what `discoverRepository` throws
 */
export async function repositoryPaths(directory: string, env: Environment): Promise<RepositoryPaths | null> {
  const location = await discoverRepository({ cwd: directory, env });
  if (location === null) {
    return null;
  }
  const { gitDir, commonDir, workTree } = location;
  makeMissing(location);
  const hooks = await hooksDirectories(location, env);
  const submodules = submodulePaths(join(commonDir, 'modules'), moduleDepth);
  const inWorkTree =
    workTree === null ? [] : [...configurationFileNames, ...agentSettings].map((name) => join(workTree, name));
  const dotGit = workTree === null ? [] : [join(workTree, '.git')].filter((path) => kindOf(path) === 'file');
  const common = ['hooks', 'config', 'config.worktree', 'oxide-guard', 'worktrees'].map((name) =>
    join(commonDir, name),
  );
  const own = ['commondir', 'gitdir', 'config.worktree', 'oxide-guard'].map((name) => join(gitDir, name));
  const closed = [...common, ...own, ...dotGit, ...hooks, ...submodules, ...inWorkTree];
  return {
    workTree,
    writable: [commonDir, gitDir],
    protected: existing(closed).filter((path) => path !== workTree && path !== commonDir && path !== gitDir),
    forbidden: [join(commonDir, 'commondir'), join(gitDir, 'config.worktree')].filter((path) => !isThere(path)),
  };
}

/**
 * Moves away what was planted while a command ran, and says so. Moved, not deleted: it may have been a person who made
 * it meanwhile.
 */
export function moveForbidden(paths: readonly string[]): readonly string[] {
  // A directory that is a symbolic link now is another one: what it leads to is none of the command's.
  const own = paths.filter((path) => isThere(path) && realPath(dirname(path)) === dirname(path));
  return own.map((path) => {
    const away = `${path}.moved-${Date.now()}`;
    renameSync(path, away);
    return `'${path}' appeared while the command ran: git would read other settings through it. It was moved to '${away}'.`;
  });
}

/** Also a symbolic link that leads nowhere: one day it may lead somewhere. */
function isThere(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}

/** What does not exist can't be protected: the guard's state and the hooks directory are made, as git init makes them. */
function makeMissing({ commonDir, gitDir }: Location): void {
  for (const path of [join(commonDir, 'hooks'), join(commonDir, 'oxide-guard'), join(gitDir, 'oxide-guard')]) {
    try {
      mkdirSync(path, { recursive: true });
    } catch {
      // A repository that this user may not write is not written from a sandbox either.
    }
  }
  if (/worktreeconfig/i.test(readText(join(commonDir, 'config')) ?? '')) {
    try {
      writeFileSync(join(gitDir, 'config.worktree'), '', { flag: 'wx' });
    } catch {
      // It is there, or can't be made.
    }
  }
}

const knownHooks = new Map<string, readonly string[]>();

/**
 * core.hooksPath, where it lies in the work tree. Asked from git once for each state of the repository's settings.
 * husky names `.husky/_` and runs the scripts beside it.
 */
export async function hooksDirectories(location: Location, env: Environment): Promise<readonly string[]> {
  const { commonDir, workTree } = location;
  const stats = statSync(join(commonDir, 'config'), { throwIfNoEntry: false });
  const key = `${commonDir}\0${workTree}\0${stats?.mtimeMs}\0${stats?.size}\0${env.GIT_CONFIG_PARAMETERS ?? ''}`;
  const known = knownHooks.get(key);
  if (known !== undefined) {
    return known;
  }
  const path = dirname(await hookPathOfGit(gitAtTop(location, env), 'pre-commit'));
  const shown = basename(path) === '_' && basename(dirname(path)) === '.husky' ? dirname(path) : path;
  const real = realPath(shown) ?? shown;
  const found = workTree !== null && real !== workTree && contains(workTree, real) ? [real] : [];
  knownHooks.set(key, found);
  return found;
}

/** `git status` of the outer repository starts git in each submodule, with the submodule's own settings. */
function submodulePaths(directory: string, depth: number): readonly string[] {
  if (depth === 0 || kindOf(directory) !== 'directory') {
    return [];
  }
  if (kindOf(join(directory, 'HEAD')) !== 'file') {
    return readdirSync(directory, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .flatMap(({ name }) => submodulePaths(join(directory, name), depth - 1));
  }
  const workTree = /^\s*worktree\s*=\s*(.+?)\s*$/m.exec(readText(join(directory, 'config')) ?? '')?.[1];
  return [
    ...['config', 'config.worktree', 'hooks', 'commondir'].map((name) => join(directory, name)),
    ...(workTree === undefined ? [] : [join(resolve(directory, workTree), '.git')]),
    ...submodulePaths(join(directory, 'modules'), depth - 1),
  ];
}

/**
 * Those paths that exist, symbolic links resolved: a mount stands on the file itself. Most do not exist, and asking
 * first is what makes that cheap.
 */
export function existing(paths: readonly string[]): readonly string[] {
  return [...new Set(paths)].flatMap((path) => (existsSync(path) ? (realPath(path) ?? []) : []));
}
