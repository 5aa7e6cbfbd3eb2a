import { findCommitlintConfiguration } from '../commit/commitlint-configuration.ts';
import { configuredConvention } from '../commit/configured-convention.ts';
import { conventionLinter, type Linter } from '../commit/linter.ts';
import { defaultConfiguration } from '../config/configuration.ts';
import { ownDirectory } from '../git/own-directory.ts';
import type { Repository } from '../git/repository.ts';
import { repositoryConfiguration } from './repository-configuration.ts';

/**
 * What judges commit messages here: the repository's commitlint configuration where it has one, else ours.
 *
 * @throws OxideError naming the file, when a configuration is broken
 */
export async function repositoryLinter(repository: Repository | null): Promise<Linter> {
  if (repository === null) {
    return conventionLinter(configuredConvention(defaultConfiguration.commit));
  }
  const { workTree, cwd } = repository;
  const own = workTree === null ? null : findCommitlintConfiguration(cwd, ownDirectory(repository));
  if (own !== null) {
    return (await import('../commit/commitlint.ts')).commitlintLinter(own);
  }
  const configuration = await repositoryConfiguration(repository);
  return conventionLinter(configuredConvention(configuration.commit));
}
