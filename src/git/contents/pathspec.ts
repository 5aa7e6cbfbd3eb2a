import { resolve } from 'node:path';
import { realPath } from '../files.ts';
import type { Repository } from '../repository.ts';

const fromTop = ':(top,literal)';

/** A path as a pathspec. @param path relative to the work tree's root, whatever letters it has */
export function literalPathspec(path: string): string {
  return `${fromTop}${path}`;
}

/**
 * The absolute path that a pathspec names, if it has neither patterns nor magic: gitglossary(7) "pathspec". It means that
 * path and what is below it. Of other letters than ASCII's macOS has two spellings, between which git decides.
 *
 * @param pathspec as git reads it in the repository's `cwd`
 * @returns null where only git can tell
 */
export function plainPath(pathspec: string, { cwd, workTree, git }: Repository): string | null {
  if (!/^[ -~]+$/.test(pathspec) || git.context.env.GIT_ICASE_PATHSPECS !== undefined) {
    return null;
  }
  if (workTree !== null && pathspec.startsWith(fromTop)) {
    return resolve(workTree, pathspec.slice(fromTop.length));
  }
  return /^:|[*?[\\]/.test(pathspec) ? null : resolve(realPath(cwd) ?? cwd, pathspec);
}

/** Tells which paths match pathspecs, relative to the work tree's root; null where only git can tell. */
export function plainPathspecs(
  pathspecs: readonly string[],
  repository: Repository,
): ((path: string) => boolean) | null {
  const tests = pathspecs.map((pathspec) => plainPathspec(pathspec, repository));
  return tests.includes(null) ? null : (path) => tests.some((test) => test?.(path) === true);
}

function plainPathspec(pathspec: string, repository: Repository): ((path: string) => boolean) | null {
  const [path, top] = [plainPath(pathspec, repository), repository.workTree];
  if (path === null || top === null) {
    return null;
  }
  if (path === top) {
    return () => true;
  }
  const isDirectory = pathspec.endsWith('/');
  return path.startsWith(`${top}/`)
    ? (other) => `${top}/${other}`.startsWith(`${path}/`) || (`${top}/${other}` === path && !isDirectory)
    : null;
}
