import { existsSync } from 'node:fs';
import type { HiddenChange } from '../../../git/repository.ts';
import { quoteWord } from '../../../quote.ts';
import type { Finding } from '../../finding.ts';
import type { StashIntent } from '../../intent.ts';
import type { Scene } from '../../scene.ts';
import { objection } from './discard-objection.ts';
import { wayOut } from './ways-to-keep.ts';

/**
 * Changes that `git status` does not show, and that are overwritten all the same.
 *
 * @param takesSkipped of files with `--skip-worktree`, too: others are left alone
 * @returns paths from the work tree's root
 */
export async function hiddenChanges(takesSkipped: boolean, { repository, overlay }: Scene): Promise<readonly string[]> {
  const changes = await repository.hiddenChanges();
  return changes
    .filter(({ kind, path }) => (kind === 'assumed' || takesSkipped) && !overlay.restored.has(path))
    .map(({ path }) => path);
}

/**
 * `git stash`: once it has put away what git sees, it resets the work tree by `git reset --hard`, and what git has been
 * told not to look at goes without being in the stash.
 */
export async function judgeStashedOver(
  { action, partial, untracked, ignored }: StashIntent,
  scene: Scene,
): Promise<readonly Finding[]> {
  const { repository, patches } = scene;
  const { workTree } = repository;
  if (action !== 'push' || partial || workTree === null) {
    return [];
  }
  const isAny =
    ignored === true ||
    (await repository.status()).some(({ index }) => untracked || index !== '?') ||
    // What is not there yet will be untracked.
    patches.writtenIn(workTree).some((path) => untracked || existsSync(path));
  const lost = isAny ? await patches.without(await hiddenChanges(false, scene), 'both', scene) : [];
  return objection(scene, 'git stash', lost, await shownBefore(lost, await wayOut(repository, lost), scene));
}

const options: Readonly<Record<HiddenChange['kind'], string>> = {
  assumed: '--no-assume-unchanged',
  skipped: '--no-skip-worktree',
};

/**
 * git stashes nothing of what it does not look at, and a stash of everything throws away what is assumed to be unchanged.
 *
 * @param lost from the work tree's root
 * @param way a proposal by which git keeps them
 */
export async function shownBefore(lost: readonly string[], way: string, { repository }: Scene): Promise<string> {
  const takesAll = /\bgit stash$/.test(way);
  const hidden = (lost.length === 0 ? [] : await repository.hiddenChanges()).filter(
    ({ path, kind }) => lost.includes(path) || (takesAll && kind === 'assumed'),
  );
  const { cwd, workTree } = repository;
  const top = cwd === workTree || workTree === null ? '' : `-C ${quoteWord(workTree)} `;
  const shown = (['assumed', 'skipped'] as const).flatMap((kind) => {
    const paths = hidden.filter((change) => change.kind === kind).map(({ path }) => quoteWord(path));
    return paths.length === 0 ? [] : [`git ${top}update-index ${options[kind]} -- ${paths.join(' ')}`];
  });
  return [...shown, way].join(' && ');
}
