import { defaultConfiguration } from '../config/configuration.ts';
import type { Repository } from '../git/repository.ts';
import { conventionOf } from '../guards/convention.ts';
import type { Convention } from '../guards/scene.ts';
import { repositoryConfiguration } from './repository-configuration.ts';
import { repositoryLinter } from './repository-linter.ts';

const known = new WeakMap<Repository, Promise<Convention>>();
let everywhere: Convention | undefined;

/**
 * How strict a repository is, and how it judges messages; the defaults where no repository is known. Read once for a
 * repository that stays open.
 *
 * @throws OxideError naming file and key, when a configuration is broken
 */
export function repositoryConvention(repository: Repository | null): Promise<Convention> {
  if (repository === null) {
    everywhere ??= conventionOf(defaultConfiguration);
    return Promise.resolve(everywhere);
  }
  const convention = known.get(repository) ?? read(repository);
  known.set(repository, convention);
  return convention;
}

async function read(repository: Repository): Promise<Convention> {
  const configuration = await repositoryConfiguration(repository);
  return conventionOf(configuration, await repositoryLinter(repository));
}
