import { dirname, relative, resolve } from 'node:path';
import { chosenDirectories, isChosen } from '../../git/sparse-checkout.ts';
import type { Finding } from '../finding.ts';
import { withoutGenerated } from '../generated-files.ts';
import type { Scene } from '../scene.ts';
import { untrackedAt } from '../work-at-stake.ts';
import { objection } from './discard-objection.ts';

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
  return objection(scene, 'git sparse-checkout clean', lost, 'git sparse-checkout clean --dry-run', 'untracked file');
}
