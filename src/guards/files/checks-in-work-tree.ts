import { existsSync } from 'node:fs';
import { basename, dirname, join, relative, sep } from 'node:path';
import { configurationFileNames } from '../../config/load.ts';
import type { Repository } from '../../git/repository.ts';
import { agentSettingsIn } from './agent-hooks.ts';
import { hooksDirectoryOf } from './hooks-directory.ts';

/**
 * Files and directories by which the checks work, as far as they are there: the guard's configuration, agents' settings, and
 * where hooks are.
 *
 * @returns relative to the top of the work tree; none in a bare repository
 */
export async function checksIn(repository: Repository): Promise<readonly string[]> {
  const { workTree } = repository;
  return workTree === null
    ? []
    : [
        ...configurationsIn(workTree),
        ...agentSettingsIn(workTree).map((path) => relative(workTree, path)),
        ...(await hookDirectoriesIn(repository)),
      ];
}

/** The guard's configuration, as far as it is there. @returns names, of files at the top of the work tree */
export function configurationsIn(workTree: string): readonly string[] {
  return configurationFileNames.filter((name) => existsSync(join(workTree, name)));
}

/**
 * Where hooks are, relative to the top of the work tree, if commits can bring and take files there: where git looks for them,
 * and since husky's version 9 also the directory above, in which are those that it starts.
 */
async function hookDirectoriesIn(repository: Repository): Promise<readonly string[]> {
  const { workTree } = repository;
  const hooks = workTree === null ? '' : relative(workTree, await hooksDirectoryOf(repository));
  const isTracked = hooks !== '' && !hooks.startsWith('..') && !hooks.startsWith(`.git${sep}`);
  if (!isTracked || !existsSync(join(workTree ?? '', hooks))) {
    return [];
  }
  const above = dirname(hooks);
  return basename(hooks) === '_' && above !== '.' ? [hooks, above] : [hooks];
}
