import type { Configuration } from '../config/configuration.ts';
import { defaultConfiguration } from '../config/configuration.ts';
import type { Repository } from '../git/repository.ts';
import { hookConfiguration } from '../githooks/front.ts';
import { conventionOf } from '../guards/convention.ts';
import type { Convention } from '../guards/scene.ts';

const known = new WeakMap<Repository, Promise<Configuration>>();

/** The configuration of a repository that a command reaches; read once for a repository that stays open. */
export function agentConfiguration(repository: Repository): Promise<Configuration> {
  const configuration = known.get(repository) ?? hookConfiguration(repository);
  known.set(repository, configuration);
  return configuration;
}

/** How strict a repository is, and how it judges messages; the defaults where no repository is known. */
export async function agentConvention(repository: Repository | null): Promise<Convention> {
  return conventionOf(repository === null ? defaultConfiguration : await agentConfiguration(repository));
}
