import { relative, resolve } from 'node:path';
import type { Repository, StatusEntry } from '../../../git/repository.ts';
import { pathsAt } from '../../work-at-stake.ts';

/** Which of these entries pathspecs mean; git is asked only where they are more than paths. */
export async function meant(
  pathspecs: readonly string[],
  entries: readonly StatusEntry[],
  repository: Repository,
): Promise<readonly string[]> {
  const paths = entries.map(({ path }) => path);
  return pathspecs.every(isPlain) ? paths.filter(roots(pathspecs, repository)) : pathsAt(repository, pathspecs, paths);
}

/** Neither a pattern nor magic but `:/`: gitglossary(7) "pathspec". */
export function isPlain(path: string): boolean {
  return !/[*?[\\]|^:(?!\/)/.test(path);
}

/** Which paths are one of these files or below one of these directories. */
export function roots(paths: readonly string[], { workTree, cwd }: Repository): (path: string) => boolean {
  const given = paths.map((path) =>
    path.startsWith(':/') ? path.slice(2) : relative(workTree ?? cwd, resolve(cwd, path)),
  );
  return (path) => given.some((root) => root === '' || path === root || path.startsWith(`${root}/`));
}
