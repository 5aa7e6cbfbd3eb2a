import { join } from 'node:path';
import { filesInTheWay } from '../../git/files-in-the-way.ts';
import type { Repository, StatusEntry } from '../../git/repository.ts';
import { quoteWord } from '../../quote.ts';
import type { Word } from '../../shell/simple-command.ts';
import type { Finding } from '../finding.ts';
import { textOf, textsOf } from '../git-command/words.ts';
import type { ChangeFilesIntent } from '../intent.ts';
import type { Scene } from '../scene.ts';
import { branchNamed, tracked } from '../simulation/branch-names.ts';
import { pathsAt } from '../work-at-stake.ts';
import { isUnmerged } from '../work-in-conflict.ts';
import { objection } from './discard-objection.ts';
import { wayToKeep } from './ways-to-keep.ts';

/** Untracked files in whose place another commit's would be put: git does so where it is forced. */
export async function judgeOverwritten(tree: Word, means: string, scene: Scene): Promise<readonly Finding[]> {
  const { repository } = scene;
  const lost = await untrackedUnlike(tree, scene);
  const inConflict = lost.length > 0 && (await repository.status()).some(isUnmerged);
  const way = inConflict ? await wayToKeep(repository, lost, []) : 'git stash --include-untracked';
  return objection(scene, means, lost, way, 'untracked file');
}

/** The same for the paths that a commit is checked out at: `git checkout COMMIT -- PATH…`, `git restore --source`. */
export async function judgeOverwrittenPaths(
  { paths, to, means }: ChangeFilesIntent,
  scene: Scene,
): Promise<readonly Finding[]> {
  const pathspecs = textsOf(paths);
  if (typeof to === 'string' || pathspecs === null) {
    return [];
  }
  const { repository } = scene;
  const lost = await pathsAt(repository, pathspecs, await untrackedUnlike(to.commit, scene));
  return objection(scene, means, lost, await wayToStash(repository, lost, pathspecs), 'untracked file');
}

async function wayToStash(
  repository: Repository,
  lost: readonly string[],
  pathspecs: readonly string[],
): Promise<string> {
  const inConflict = lost.length > 0 && (await repository.status()).some(isUnmerged);
  return inConflict
    ? wayToKeep(repository, lost, pathspecs)
    : `git stash push --include-untracked -- ${pathspecs.map(quoteWord).join(' ')}`;
}

/** Asked only where something is untracked, and another commit than HEAD is named that is known here. */
async function untrackedUnlike(tree: Word, scene: Scene): Promise<readonly string[]> {
  const { repository, overlay, patches } = scene;
  const top = repository.workTree ?? repository.cwd;
  const name = textOf(tree);
  const entries = name === null || overlay.isAdded ? [] : await repository.status();
  // What ends in a slash is another repository: git leaves it where it is.
  const isLeft = ({ index, path }: StatusEntry) =>
    index === '?' && !path.endsWith('/') && !patches.isRemoved(join(top, path));
  const untracked = entries.filter(isLeft).map(({ path }) => path);
  if (name === null || untracked.length === 0) {
    return [];
  }
  const branch = (await branchNamed(name, repository, overlay)) ?? name;
  const oid = (await repository.resolve(branch)) ?? (await tracked(branch, repository));
  if (oid === null || oid === (await repository.head()).oid) {
    return [];
  }
  return patches.without(await filesInTheWay(untracked, oid, repository), 'both', scene);
}
