import { existsSync } from 'node:fs';
import { basename, dirname, join, relative, sep } from 'node:path';
import type { Repository } from '../../git/repository.ts';
import { hooksDirectoryOf } from './hooks-directory.ts';

const configurations = ['json', 'js', 'mjs', 'ts'].map((ending) => `oxide-guard.config.${ending}`);

/** The guard's configuration, relative to the top of the work tree, as far as it is there. */
export function configurationsIn(workTree: string): readonly string[] {
  return configurations.filter((path) => existsSync(join(workTree, path)));
}

/**
 * Where hooks are, relative to the top of the work tree, if commits can bring and take files there: where git looks for them,
 * and since husky's version 9 also the directory above, in which are those that it starts.
 */
export async function hookDirectoriesIn(repository: Repository): Promise<readonly string[]> {
  const { workTree } = repository;
  const hooks = workTree === null ? '' : relative(workTree, await hooksDirectoryOf(repository));
  const isTracked = hooks !== '' && !hooks.startsWith('..') && !hooks.startsWith(`.git${sep}`);
  if (!isTracked || !existsSync(join(workTree ?? '', hooks))) {
    return [];
  }
  const above = dirname(hooks);
  return basename(hooks) === '_' && above !== '.' ? [hooks, above] : [hooks];
}
