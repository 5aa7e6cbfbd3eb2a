import { join } from 'node:path';
import { findCommitlintConfiguration } from '../commit/commitlint-configuration.ts';
import { configuredConvention } from '../commit/configured-convention.ts';
import { conventionLinter, type Linter } from '../commit/linter.ts';
import { type Configuration, defaultConfiguration } from '../config/configuration.ts';
import { type ConfigurationSource, loadConfiguration } from '../config/load.ts';
import type { Repository } from '../git/repository.ts';

/**
 * What judges commit messages here: the repository's commitlint configuration where it has one, else ours.
 *
 * @throws OxideError naming the file, when a configuration is broken
 */
export async function repositoryLinter(repository: Repository | null): Promise<Linter> {
  if (repository === null) {
    return conventionLinter(configuredConvention(defaultConfiguration.commit));
  }
  const root = repository.workTree ?? repository.gitDir;
  const own = repository.workTree === null ? null : findCommitlintConfiguration(repository.cwd, root);
  if (own !== null) {
    return (await import('../commit/commitlint.ts')).commitlintLinter(own);
  }
  const configuration = await loadConfiguration(root, join(repository.commonDir, 'oxide-guard'), validate);
  return conventionLinter(configuredConvention(configuration.commit));
}

/** zod takes half of the start-up time, and is needed only when a configuration has changed. */
async function validate(source: ConfigurationSource): Promise<Configuration> {
  return (await import('../config/validate.ts')).validateConfiguration(source);
}
