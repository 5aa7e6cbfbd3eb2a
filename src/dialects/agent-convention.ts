import type { Configuration } from '../config/configuration.ts';
import { defaultConfiguration } from '../config/configuration.ts';
import type { Repository } from '../git/repository.ts';
import { hookConfiguration } from '../githooks/front.ts';
import { conventionOf } from '../guards/convention.ts';
import type { Convention } from '../guards/scene.ts';
import { leaveOut, mayRunPrograms } from './foreign-programs.ts';

const known = new WeakMap<Repository, Promise<Configuration>>();

/**
 * The configuration of a repository that a command reaches; read once for a repository that stays open.
 *
 * @param here a directory whose repository is trusted, see {@link mayRunPrograms}; null: none
 */
export function agentConfiguration(repository: Repository, here: string | null): Promise<Configuration> {
  const configuration =
    known.get(repository) ??
    hookConfiguration(repository, ({ path }) => mayRunPrograms(repository, here) || leaveOut(path));
  known.set(repository, configuration);
  return configuration;
}

/** How strict a repository is, and how it judges messages; the defaults where no repository is known. */
export async function agentConvention(repository: Repository | null, here: string | null): Promise<Convention> {
  return conventionOf(repository === null ? defaultConfiguration : await agentConfiguration(repository, here));
}
