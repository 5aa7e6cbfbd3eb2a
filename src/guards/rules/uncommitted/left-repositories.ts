import { existsSync } from 'node:fs';
import { join, relative } from 'node:path';
import { mergeBase } from '../../../git/contents/incoming-files.ts';
import { literalPathspec } from '../../../git/contents/pathspec.ts';
import { trackedAt } from '../../../git/contents/tracked-files.ts';
import { filesInTree } from '../../../git/contents/tree-entries.ts';
import type { Scene } from '../../scene.ts';
import { isPlain, roots } from '../../simulation/files/meant-paths.ts';
import { isReindexed } from '../../simulation/files/recorded-index.ts';
import { asOpened } from '../../simulation/replaced.ts';

/** A repository in the work tree that the index named before the line. Paths from the root. */
export interface LeftRepository {
  readonly path: string;
  /** Where it lay before the line has moved it. */
  readonly from: string;
}

/**
 * Repositories, submodules or others, that the index names no more since the line has changed it or HEAD. git leaves them
 * where they are (git-checkout(1)), as repositories that nobody tracks.
 */
export async function leftRepositories(scene: Scene): Promise<readonly LeftRepository[]> {
  const { repository, overlay, moved, command } = scene;
  const { workTree } = repository;
  const isAsItWas = overlay.isEmpty && overlay.reindexed.length + overlay.ignoreChanges.length === 0;
  if (workTree === null || (isAsItWas && moved.into(workTree).length === 0)) {
    return [];
  }
  const all = await trackedAt(repository, [literalPathspec('')]);
  const named = all.filter((path) => existsSync(join(workTree, path, '.git')));
  const arrived = named.length === 0 ? [] : moved.entriesLeftIn(workTree, command.origin);
  const places = named.flatMap((from) => {
    const to = arrived.filter((entry) => entry.from === join(workTree, from));
    return to.length > 0
      ? to.map((entry) => ({ from, path: relative(workTree, entry.to) }))
      : moved.isAway(join(workTree, from), true)
        ? []
        : [{ from, path: from }];
  });
  const tracked = await trackedThen(places, scene);
  return places.filter(({ path }) => !tracked.has(path));
}

/** Which of them the index names when the commands so far have run. */
async function trackedThen(
  places: readonly LeftRepository[],
  { repository, overlay }: Scene,
): Promise<ReadonlySet<string>> {
  const head = await repository.head();
  const commit = overlay.filesOf ?? head.oid;
  const paths = places.map(({ path }) => path);
  const inHead = commit === null || paths.length === 0 ? null : await filesInTree(commit, paths, repository);
  const staged = await stagedThen(places, { repository, overlay });
  const tracked = new Set<string>();
  for (const { path, from } of places) {
    const isNamed = await isReindexed(path, overlay, repository);
    const isUntouched = path === from && (inHead === null || inHead.has(path) || staged.has(path));
    if (isNamed ?? (isUntouched && !(await isTakenBack(path, { repository, overlay })))) {
      tracked.add(path);
    }
  }
  return tracked;
}

/** What HEAD does not have, and is staged, or was until the line has committed it. */
async function stagedThen(
  places: readonly LeftRepository[],
  { repository, overlay }: Pick<Scene, 'repository' | 'overlay'>,
): Promise<ReadonlySet<string>> {
  const isPutAway = overlay.saved !== 'nothing' && overlay.leavesSubmodules;
  if (places.length === 0 || isPutAway) {
    return new Set();
  }
  const hasCommitted = overlay.committedIndex || !overlay.made.isEmpty;
  const entries = await (hasCommitted ? asOpened(repository) : repository).status();
  return new Set(entries.filter(({ index }) => index === 'A').map(({ path }) => path));
}

/** Has what the line has merged, picked or taken back removed it since? */
async function isTakenBack(
  path: string,
  { repository, overlay }: Pick<Scene, 'repository' | 'overlay'>,
): Promise<boolean> {
  const has = async (commit: string) => (await filesInTree(commit, [path], repository))?.has(path) === true;
  let isGone = false;
  for (const change of overlay.ignoreChanges) {
    switch (change.kind) {
      case 'checkout':
        isGone = change.to === null;
        break;
      case 'changes':
        isGone ||= (await has(change.from)) && !(await has(change.to));
        break;
      case 'merge':
        isGone ||=
          !(await has(change.commit)) && (await has((await mergeBase(change.head, change.commit, repository)) ?? ''));
        break;
      case 'checkout-paths':
        if (change.paths.every(isPlain) && roots(change.paths, repository)(path)) {
          isGone = change.removes && !(await has(change.to));
        }
        break;
      default:
    }
  }
  return isGone;
}
