import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { Directory, Word } from '../shell/simple-command.ts';
import type { FileChange } from './files/file-programs.ts';
import { isDirectory } from './files/git-directory.ts';
import { guardedFile, mayBeGuarded, workTreeAbove } from './files/guarded-file.ts';
import { guardedPathsNear } from './files/guarded-paths.ts';
import { hooksDirectoryOf } from './files/hooks-directory.ts';
import { truePath } from './files/true-path.ts';
import type { Finding } from './finding.ts';
import { shown, textOf } from './git-command/words.ts';
import { judgeGuardedFile } from './rules/guarded-files.ts';
import { judgeRemovedDirectory } from './rules/removed-directory.ts';
import { unreadable } from './rules/unreadable-command.ts';
import type { World } from './world.ts';

/** Changes of files by one command. */
export interface FileChanges {
  readonly changes: readonly FileChange[];
  /** What the paths are relative to. */
  readonly cwd: Directory;
  /** What is removed is gone with everything in it; otherwise it is elsewhere, or git keeps its repository. */
  readonly destroys: boolean;
}

/** Files that a command changes: the guard's own, git's, and repositories that go with their directory. */
export async function judgeFileChanges(
  { changes, cwd, destroys }: FileChanges,
  world: World,
): Promise<readonly Finding[]> {
  const found: Finding[] = [];
  for (const change of changes) {
    const { path, kind } = change;
    if (path.kind === 'unknown' && mayNameGitsFiles(path.source)) {
      const { policy } = await world.conventionAt(cwd);
      const { source, reason } = path;
      found.push(...unreadable(policy, { source, reason, could: 'a hook, or the git directory' }));
      continue;
    }
    for (const absolute of await pathsOf(change, cwd, world)) {
      if (kind === 'write') {
        world.written.push(absolute);
      }
      if (destroys && kind === 'remove') {
        found.push(...(await judgeRemovedDirectory(absolute, shown(path), cwd, world)));
      }
      if (mayBeGuarded(absolute)) {
        found.push(...(await judgeChange(absolute, path, kind, world)));
      }
    }
  }
  return found;
}

/** The absolute paths that a change is about, as written and where links lead; of a pattern, those that matter and fit. */
async function pathsOf(
  { path, kind, isShallow }: FileChange,
  cwd: Directory,
  world: World,
): Promise<readonly string[]> {
  if (path.kind === 'unknown' && textOf(path) === null) {
    return fittingPaths(path, cwd, world).filter((fitting) => isShallow !== true || !isDirectory(fitting));
  }
  const absolute = absolutePath(path, cwd);
  return absolute === null ? [] : [...new Set([absolute, truePath(absolute, kind !== 'remove', world.links)])];
}

/** What the guard watches and a word could name, of which only beginning and end are known. */
function fittingPaths(path: Extract<Word, { kind: 'unknown' }>, cwd: Directory, world: World): readonly string[] {
  const directory = path.prefix.slice(0, path.prefix.lastIndexOf('/') + 1);
  const top = directory === '' ? null : absolutePath({ kind: 'known', value: directory }, cwd);
  if (top === null) {
    return [];
  }
  const root = truePath(top, true, world.links);
  return guardedPathsNear(root).filter((guarded) => {
    const below = guarded.startsWith(`${root}/`) ? guarded.slice(root.length + 1) : null;
    const text = `${directory}${below ?? ''}`;
    return below !== null && text.startsWith(path.prefix) && text.endsWith(path.suffix) && path.fits?.(text) !== false;
  });
}

/** `"$DIRECTORY/.git"`, `"$(git rev-parse --git-path hooks)/pre-push"` */
function mayNameGitsFiles(source: string): boolean {
  return /\.git(?:["'/]|$)|--git-(?:path|dir|common-dir)|\/hooks\//.test(source) && !/\.lock["']?$/.test(source);
}

/** Null where the path or the directory is not known. */
export function absolutePath(path: Word, cwd: Directory): string | null {
  const text = textOf(path);
  if (text === null || text === '' || (cwd.kind === 'unknown' && !text.startsWith('/'))) {
    return null;
  }
  return resolve(cwd.kind === 'known' ? cwd.path : '/', text);
}

async function judgeChange(
  absolute: string,
  path: Word,
  kind: FileChange['kind'],
  world: World,
): Promise<readonly Finding[]> {
  const top = workTreeAbove(absolute);
  const isScratch =
    world.scratch.madeAt(absolute, true) !== null ||
    (top !== null && world.scratch.isTemporary(top) && (await isKept(top, world)));
  if (isScratch) {
    return [];
  }
  const hooks = /hook|husky/i.test(absolute) ? await hooksDirectory(top ?? nearestDirectory(absolute), world) : null;
  const file = guardedFile(absolute, hooks, world.env);
  if (file === null) {
    return [];
  }
  const { policy } = await world.conventionAt({ kind: 'known', path: top ?? '/' });
  return judgeGuardedFile(file, shown(path), kind, policy);
}

async function isKept(directory: string, world: World): Promise<boolean> {
  const repository = await world.open(directory).catch(() => null);
  return repository !== null && (await world.keptScratch(repository)) !== null;
}

async function hooksDirectory(directory: string, world: World): Promise<string | null> {
  const repository = await world.open(directory).catch(() => null);
  return repository === null ? null : hooksDirectoryOf(repository);
}

/** The nearest directory above a path that exists: a bare repository may be there. */
function nearestDirectory(path: string): string {
  const above = dirname(path);
  return existsSync(above) || above === path ? above : nearestDirectory(above);
}
