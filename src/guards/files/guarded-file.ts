import { existsSync } from 'node:fs';
import { basename, delimiter, dirname, join, relative, resolve, sep } from 'node:path';
import { configurationFileNames } from '../../config/load.ts';
import { autostashFiles } from '../../git/history/stopped-operations.ts';
import type { Environment } from '../../git/runner.ts';
import { agentDirectories } from '../../shell/telling-paths.ts';
import { startsOwnHook } from './agent-hooks.ts';
import { gitDirectoryAround } from './git-directory.ts';
import { isHuskyHook } from './husky-hooks.ts';

/** What a file is to the guard. */
export type GuardedFile =
  | { readonly kind: 'hooks' }
  /** One that is not there yet counts where the guard would look for it; `inManifest`: a key of package.json. */
  | { readonly kind: 'guard-configuration'; readonly isThere: boolean; readonly inManifest?: true }
  | { readonly kind: 'agent-settings' }
  /** The guard's own program, or where it keeps what a person has approved. */
  | { readonly kind: 'guard'; readonly part: 'package' | 'state' }
  | { readonly kind: 'git-configuration' }
  /** git's settings for every repository of a person or machine. */
  | { readonly kind: 'user-configuration' }
  /** A file from which git's settings take others. */
  | { readonly kind: 'included-configuration' }
  /** A program called git, where shells look for programs. */
  | { readonly kind: 'git-program' }
  /** The git directory, or a part without which its history can't be read. */
  | { readonly kind: 'git-directory' }
  /** Remote-tracking refs; a remote has them as well. */
  | { readonly kind: 'tracking-refs' }
  /** The commits and commands that a rebase has still to go through. */
  | { readonly kind: 'rebase-list' }
  /** What `--autostash` has put away while this operation is stopped, or the directory that it is in. */
  | { readonly kind: 'autostash'; readonly operation: 'merge' | 'rebase' };

/** The guard as a package of a project; the messages that it has kept are for everybody. */
const ownPackage = /^(.*\/node_modules\/oxide-guard)(?:$|\/)/;
const ownState = /^oxide-guard(?:$|\/(?!rejected(?:$|\/)))/;
/** Parts of a git directory that nothing can make again. The index is no such part: see `judgeChangedGitFile`. */
const vitalParts = /^(?:HEAD|objects|refs|reftable|logs|packed-refs|worktrees|modules)(?:$|\/)/;

const guardedPath = new RegExp(
  String.raw`\.git(?:config|hub)?\b|git\/?config$|\/git$|hook|husky|oxide-guard|\/(?:HEAD|config|packed-refs|objects|refs|reftable|logs|worktrees)\b|\.(?:${agentDirectories})\b`,
  'i',
);

/** May this path be guarded? Decided by its text alone, so that everyday commands cost nothing. */
export function mayBeGuarded(path: string): boolean {
  return guardedPath.test(path);
}

/**
 * What an absolute path is to the guard; null: none of its business.
 *
 * @param hooksDirectory where git looks for hooks, absolute; null where that isn't known
 * @param env tells the user's configuration files
 */
export function guardedFile(path: string, hooksDirectory: string | null, env: Environment): GuardedFile | null {
  const name = basename(path);
  if (name.startsWith('oxide-guard.') && configurationFileNames.some((one) => one === name)) {
    const isThere = existsSync(path);
    return isThere || existsSync(join(dirname(path), '.git')) ? { kind: 'guard-configuration', isThere } : null;
  }
  if (isWithin(path, join(personalDirectory(env), 'oxide-guard'))) {
    return { kind: 'guard-configuration', isThere: existsSync(path) };
  }
  if (hooksDirectory !== null && (isWithin(path, hooksDirectory) || isHuskyHook(path, hooksDirectory))) {
    return { kind: 'hooks' };
  }
  if (startsOwnHook(path)) {
    return { kind: 'agent-settings' };
  }
  const part = ownPart(path, env);
  if (part !== null) {
    return { kind: 'guard', part };
  }
  if (name === 'git' && env.PATH?.split(delimiter).includes(dirname(path)) === true) {
    return { kind: 'git-program' };
  }
  return isUserConfiguration(path, env) ? { kind: 'user-configuration' } : inGitDirectory(path);
}

function ownPart(path: string, env: Environment): 'package' | 'state' | null {
  const installed = ownPackage.exec(path)?.[1];
  if (installed !== undefined && existsSync(join(installed, 'package.json'))) {
    return 'package';
  }
  // Where approvals are kept for commands outside of any repository.
  const state = join(env.XDG_STATE_HOME || join(env.HOME ?? '/', '.local', 'state'), 'oxide-guard');
  return isWithin(path, state) ? 'state' : null;
}

/** git-config(1) "FILES". */
function isUserConfiguration(path: string, env: Environment): boolean {
  const global = [join(env.HOME ?? '/', '.gitconfig'), join(personalDirectory(env), 'git', 'config')];
  return [...global, '/etc/gitconfig'].includes(path);
}

/** Where programs keep what a person has configured: XDG Base Directory Specification. */
function personalDirectory(env: Environment): string {
  return env.XDG_CONFIG_HOME || join(env.HOME ?? '/', '.config');
}

function inGitDirectory(path: string): GuardedFile | null {
  const around = gitDirectoryAround(path);
  if (around === null) {
    return null;
  }
  const { gitDirectory, inside } = around;
  if (inside === '' || inside === '*') {
    return { kind: 'git-directory' };
  }
  if (/^hooks(?:$|\/)/.test(inside)) {
    return { kind: 'hooks' };
  }
  if (inside === 'config' || inside === 'config.worktree') {
    return { kind: 'git-configuration' };
  }
  if (ownState.test(inside)) {
    return { kind: 'guard', part: 'state' };
  }
  const autostash = autostashFiles.find(({ path }) => existsSync(join(gitDirectory, path)) && isWithin(path, inside));
  if (autostash !== undefined) {
    return { kind: 'autostash', operation: autostash.operation };
  }
  if (/^rebase-(?:merge|apply)\/(?:git-rebase-todo|\d{4,})$/.test(inside) && existsSync(join(gitDirectory, inside))) {
    return { kind: 'rebase-list' };
  }
  if (/^refs\/remotes(?:$|\/)/.test(inside)) {
    return inside.endsWith('.lock') ? null : { kind: 'tracking-refs' };
  }
  // A ref or a log that is not there yet may be so when the command runs.
  const isVital =
    vitalParts.test(inside) &&
    (/^(?:refs\/|logs\/|packed-refs$)/.test(inside) || existsSync(join(gitDirectory, inside)));
  return isVital && !inside.endsWith('.lock') ? { kind: 'git-directory' } : null;
}

/** Would removing this directory take the repository's `.git` with it, whose work tree is `workTree`? */
export function containsRepository(path: string, workTree: string): boolean {
  return isWithin(workTree, path) && existsSync(join(workTree, '.git'));
}

/** The nearest directory above (or at) `start` that has a `.git`; found without a process. */
export function workTreeAbove(start: string): string | null {
  // Asked for every file that a line writes. Not `join`, which reads each path letter by letter.
  for (let directory = resolve(start); ; directory = dirname(directory)) {
    if (existsSync(`${directory}/.git`)) {
      return directory;
    }
    if (directory === dirname(directory)) {
      return null;
    }
  }
}

/** Is a path a directory or below it? Both absolute. */
export function isWithin(path: string, directory: string): boolean {
  const way = relative(directory, path);
  return way === '' || (!way.startsWith(`..${sep}`) && way !== '..' && !way.startsWith(sep));
}
