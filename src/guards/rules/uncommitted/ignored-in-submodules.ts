import { join, relative } from 'node:path';
import { submodulesAt } from '../../files/submodules.ts';
import type { Finding } from '../../finding.ts';
import { textsOf } from '../../git-command/words.ts';
import { ignoredFiles, onlyCopies } from '../../ignored-files.ts';
import type { Discarded } from '../../intent.ts';
import type { Scene } from '../../scene.ts';
import type { OverlaidTree } from '../../simulation/line-changes.ts';
import { objection } from './discard-objection.ts';
import { stashThere } from './ways-to-keep.ts';

/**
 * git-submodule(1) "deinit", git-rm(1): the working tree of a submodule goes. Without force git looks for changes there, but not
 * for files that are ignored.
 */
export async function judgeSubmoduleFiles(
  { paths, untracked, refusesChanges }: Extract<Discarded, { kind: 'submodules' }>,
  means: string,
  scene: Scene,
): Promise<readonly Finding[]> {
  const { cwd } = scene.repository;
  const given = untracked ? textsOf(paths) : null;
  const found: Finding[] = [];
  for (const place of given === null ? [] : submodulesAt(scene, given)) {
    const trees = await scene.treesBefore(place);
    const lost = new Set(
      (await Promise.all(trees.map((tree) => ignoredIn(tree, refusesChanges === true, scene)))).flat(),
    );
    const here = relative(cwd, place);
    const named = [...lost].map((path) => join(here, path));
    found.push(...(await objection(scene, means, named, stashThere(here, [...lost]), { noun: 'ignored file' })));
  }
  return found;
}

async function ignoredIn(tree: OverlaidTree, refusesChanges: boolean, scene: Scene): Promise<readonly string[]> {
  const lost = await onlyCopies(await ignoredFiles(tree, scene), tree, [], scene);
  const isRefused = refusesChanges && lost.length > 0 && (await tree.repository.status()).length > 0;
  return isRefused ? [] : lost;
}
