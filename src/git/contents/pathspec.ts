import { resolve } from 'node:path';
import { realPath } from '../files.ts';
import type { Repository } from '../repository.ts';

const fromTop = ':(top,literal)';

/** A path as a pathspec. @param path relative to the work tree's root, whatever letters it has */
export function literalPathspec(path: string): string {
  return `${fromTop}${path}`;
}

/**
 * Pathspecs as git-checkout(1), git-restore(1), git-reset(1), git-add(1), git-commit(1) and git-stash(1) read them: where all
 * of them exclude, they mean the rest of the whole work tree. git-ls-files(1), git-rm(1) and git-clean(1) mean that of the
 * directory where they stand: gitglossary(7) "exclude".
 */
export function wholeTreeWithout(pathspecs: readonly string[]): readonly string[] {
  return excludeOnly(pathspecs) ? [':/', ...pathspecs] : pathspecs;
}

/** Is what pathspecs mean only told by what they leave out? */
export function excludeOnly(pathspecs: readonly string[]): boolean {
  return pathspecs.length > 0 && pathspecs.every((pathspec) => excluding.test(pathspec));
}

/** `:!x`, `:/^x`, `:(top,exclude)x` */
const excluding = /^:(?:[/!^]*[!^]|\((?:[^)]*,)?exclude[,)])/;

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
  if (pathspec === ':/') {
    return () => true;
  }
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
