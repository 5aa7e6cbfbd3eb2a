import { existsSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { namesIn } from '../../git/files.ts';
import { namesByPath } from '../../git/refs/worktree-heads.ts';
import type { Repository } from '../../git/repository.ts';
import type { MovedPaths } from '../simulation/files/moved-paths.ts';
import { truePath } from './true-path.ts';

/** The main work tree of a repository, which git never removes; null: it is bare, or elsewhere. */
export function mainWorkTree({ commonDir }: Repository): string | null {
  return basename(commonDir) === '.git' ? dirname(commonDir) : null;
}

/** Every work tree of a repository, by its path; the main one first. */
export async function worktreesOf(repository: Repository): Promise<readonly string[]> {
  const { workTree, commonDir } = repository;
  // gitrepository-layout(5) `worktrees`: without any there is the main one alone.
  const isAlone = namesIn(join(commonDir, 'worktrees')).length === 0;
  if (isAlone && workTree !== null && commonDir === join(workTree, '.git')) {
    return [workTree];
  }
  const output = await repository.git.run(['worktree', 'list', '--porcelain']);
  return Array.from(output.stdout.toString('utf8').matchAll(/^worktree (.*)$/gm), ([, place = '']) => place);
}

/**
 * Linked work trees whose directory is not there any more and that are not locked, by where they were, with the names
 * that their HEADs have among refs: git-worktree(1) "prune".
 */
export function goneWorktrees({ commonDir }: Repository): ReadonlyMap<string, string> {
  const linked = [...namesByPath(commonDir)];
  const gone = linked.filter(
    ([place, name]) => !existsSync(join(place, '.git')) && !existsSync(join(commonDir, name, 'locked')),
  );
  return new Map(gone.map(([place, name]) => [place, `${name}/HEAD`]));
}

/** Where a work tree is named. */
interface Naming {
  readonly repository: Repository;
  /** See {@link truePath}. */
  readonly links: ReadonlyMap<string, string>;
  readonly moved: MovedPaths;
}

/**
 * Where a linked work tree is, by its path, or by the end of it where only one has that end: git-worktree(1). git knows
 * it by where links lead. Of one that the line has moved: where it lies before.
 */
export async function linkedWorktree(name: string, { repository, links, moved }: Naming): Promise<string> {
  const path = truePath(resolve(repository.cwd, name), true, links);
  if (existsSync(path)) {
    return path;
  }
  const before = moved.before(path);
  // Into a directory that the line has made, it keeps its name.
  const inside = moved.before(dirname(path));
  const isInside = inside !== dirname(path) && basename(inside) === basename(path);
  const found = [before, ...(isInside ? [inside] : [])].find(existsSync);
  return found ?? (await worktreesOf(repository)).find((place) => place.endsWith(`/${name}`)) ?? before;
}
