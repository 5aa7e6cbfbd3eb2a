import { lstatSync, readlinkSync, realpathSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { fileFailure, isErrnoException } from './file-failure.ts';
import type { ToolContext } from './tool.ts';
import { failure, type ToolFailure } from './tool-result.ts';

/** Where a path of an input really leads. */
export interface Place {
  /** Absolute, as named: what results and versions speak of. */
  readonly path: string;
  /** Absolute, every symbolic link resolved: what is read and written. The file itself need not exist. */
  readonly target: string;
}

export type Placing =
  | { readonly ok: true; readonly place: Place }
  | { readonly ok: false; readonly failure: ToolFailure };

/**
 * Resolves a path that a model named. It has to lead into one of the roots, by its name and after its symbolic links.
 *
 * @param named absolute, or relative to the working directory
 */
export function locate(named: string, context: Pick<ToolContext, 'cwd' | 'roots'>): Placing {
  if (named === '' || named.includes('\0')) {
    return refuse(
      'invalid-path',
      `'${named.replaceAll('\0', '\\0')}' is no path.`,
      named,
      'Name a file, such as src/main.ts.',
    );
  }
  const path = isAbsolute(named) ? resolve(named) : resolve(context.cwd, named);
  let target: string;
  try {
    target = resolveLinks(path, 40);
  } catch (error) {
    return { ok: false, failure: fileFailure(error, path) };
  }
  const roots = realRoots(context.roots);
  if (roots.some((root) => contains(root, target))) {
    return { ok: true, place: { path, target } };
  }
  const first = context.roots[0] ?? context.cwd;
  if (context.roots.some((root) => contains(root, path)) || roots.some((root) => contains(root, path))) {
    return refuse(
      'symlink-out-of-tree',
      `'${path}' leads through a symbolic link to '${target}', outside of '${first}'.`,
      path,
      'Work on a file inside, or ask the person to add the directory of the target to the session.',
    );
  }
  return refuse(
    'outside-of-tree',
    `'${path}' is outside of '${first}', where this session may work.`,
    path,
    'Name a path inside, or ask the person to add that directory to the session.',
  );
}

/**
 * Like {@link locate}, for a file that is to be written. Files of git itself are refused: a hook or a setting written
 * there would run programs, unseen by the guard.
 */
export function locateForWriting(named: string, context: Pick<ToolContext, 'cwd' | 'roots'>): Placing {
  if (/[/\\]$/.test(named)) {
    return refuse('invalid-path', `'${named}' names a directory, not a file.`, named, 'Name a file in it.');
  }
  const placing = locate(named, context);
  if (!placing.ok || !placing.place.target.split(sep).some((part) => part.toLowerCase() === '.git')) {
    return placing;
  }
  return refuse(
    'inside-git-directory',
    `'${placing.place.path}' belongs to git itself; a change there could run programs or corrupt the repository.`,
    placing.place.path,
    'Use a git command, such as git config, instead.',
  );
}

/** What a path leads to, every symbolic link resolved; it need not exist. The path itself where that can't be known. */
export function targetOf(path: string): string {
  try {
    return resolveLinks(path, 40);
  } catch {
    return path;
  }
}

/** True when a path is a directory or something below it. Both absolute. */
export function contains(directory: string, path: string): boolean {
  const way = relative(directory, path);
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way));
}

const resolvedRoots = new WeakMap<readonly string[], readonly string[]>();

/** The roots of a session do not move while it runs. */
function realRoots(roots: readonly string[]): readonly string[] {
  const known = resolvedRoots.get(roots);
  if (known !== undefined) {
    return known;
  }
  const resolved = roots.map((root) => resolveLinks(root, 40));
  resolvedRoots.set(roots, resolved);
  return resolved;
}

/** `realpath` that also answers for what does not exist yet, and for links whose target does not. */
function resolveLinks(path: string, linksLeft: number): string {
  try {
    return realpathSync.native(path);
  } catch (error) {
    if (!isErrnoException(error) || error.code !== 'ENOENT') {
      throw error;
    }
  }
  const parent = dirname(path);
  if (parent === path || linksLeft === 0) {
    return path;
  }
  const link = linkTarget(path);
  return link === null
    ? join(resolveLinks(parent, linksLeft), basename(path))
    : resolveLinks(resolve(parent, link), linksLeft - 1);
}

function linkTarget(path: string): string | null {
  try {
    return lstatSync(path).isSymbolicLink() ? readlinkSync(path) : null;
  } catch {
    return null;
  }
}

function refuse(code: string, message: string, path: string, remedy: string): Placing {
  return { ok: false, failure: failure(code, message, { path, remedy }) };
}
