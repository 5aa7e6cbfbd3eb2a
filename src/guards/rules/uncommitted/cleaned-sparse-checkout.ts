import { dirname, relative, resolve } from 'node:path';
import { chosenDirectories, isChosen, leavingCheckout } from '../../../git/contents/sparse-checkout.ts';
import { quoteWord } from '../../../quote.ts';
import { mainWorkTree } from '../../files/work-trees.ts';
import type { Finding } from '../../finding.ts';
import { withoutGenerated } from '../../generated-files.ts';
import { textsOf } from '../../git-command/words.ts';
import { ignoredFiles, onlyCopies } from '../../ignored-files.ts';
import type { Discarded } from '../../intent.ts';
import type { Scene } from '../../scene.ts';
import { untrackedAt } from '../../work-at-stake.ts';
import { objection } from './discard-objection.ts';
import { wayToStash } from './ways-to-keep.ts';

/** git-sparse-checkout(1) "clean", since git 2.52: directories that are left out go with every file that is in them still. */
export async function judgeSparseClean(forced: boolean, scene: Scene): Promise<readonly Finding[]> {
  const { repository } = scene;
  const config = await repository.config();
  if (!forced && config.getBoolean('clean.requireforce', true)) {
    return [];
  }
  const all = ['-x', '-d', '-f', '--', ':/'];
  const listed = await untrackedAt(repository, all);
  // None where the line itself has to make the checkout sparse: any directory may be left out then.
  const chosen = listed.length === 0 ? [] : await chosenDirectories(repository);
  // A directory without a tracked file is none that git would look into.
  const left = listed.filter((path) => {
    const directory = dirname(relative(repository.workTree ?? '/', resolve(repository.cwd, path)));
    return !isChosen(directory, chosen);
  });
  const lost = await withoutGenerated(left, all, repository);
  return objection(scene, 'git sparse-checkout clean', lost, 'git sparse-checkout clean --dry-run', {
    noun: 'untracked file',
    loss: null,
  });
}

/**
 * git-sparse-checkout(1) "set": a directory that is left out from now on goes with the ignored files in it, unless something
 * untracked is there as well. Where patterns are chosen, and not directories, what is not tracked stays.
 */
export async function judgeLeftOut(
  { chosen, earlier, byPatterns }: Extract<Discarded, { kind: 'left-out' }>,
  means: string,
  scene: Scene,
): Promise<readonly Finding[]> {
  const { repository } = scene;
  const { cwd, workTree } = repository;
  const config = await repository.config();
  const isSparse = config.getBoolean('core.sparsecheckout', false);
  const isByPatterns = byPatterns ?? (isSparse && !config.getBoolean('core.sparsecheckoutcone', true));
  const given = textsOf(chosen);
  const isRefused = (earlier === 'needed' && !isSparse) || given?.some((word) => refused.test(word)) === true;
  if (workTree === null || given === null || isByPatterns || isRefused) {
    return [];
  }
  const ignored = await ignoredFiles(scene, scene);
  const hidden = isSparse ? [] : await skippedChanges(scene);
  const isNothing = ignored.length + hidden.length === 0;
  const before = isNothing || earlier === 'dropped' ? [] : await chosenDirectories(repository);
  const now = given.map((word) => relative(workTree, resolve(cwd, word)));
  const goes = isNothing ? () => false : await leavingCheckout([...before, ...now], repository);
  const changed = hidden.filter(goes);
  const main = mainWorkTree(repository);
  const others = main === null || main === workTree ? [] : [main];
  const lost = await onlyCopies(ignored.filter(goes), scene, others, scene);
  const way = changed.length === 0 ? '' : `git update-index --no-skip-worktree -- ${changed.map(quoteWord).join(' ')}`;
  return [
    ...(await objection(scene, means, lost, await wayToStash(repository, lost, true), { noun: 'ignored file' })),
    ...(await objection(scene, means, changed, way)),
  ];
}

/** git takes what it was told to skip for what is not checked out, and removes it without a look. */
async function skippedChanges({ repository, overlay }: Scene): Promise<readonly string[]> {
  const hidden = await repository.hiddenChanges();
  return hidden.filter(({ kind, path }) => kind === 'skipped' && !overlay.restored.has(path)).map(({ path }) => path);
}

/** "specify directories rather than patterns" */
const refused = /^[/!]|[*?[\]]/;
