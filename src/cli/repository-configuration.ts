import { join } from 'node:path';
import { type Configuration, defaultConfiguration } from '../config/configuration.ts';
import { type ConfigurationSource, loadConfiguration, type MayRun } from '../config/load.ts';
import { ownDirectory } from '../git/own-directory.ts';
import type { Repository } from '../git/repository.ts';

/**
 * The configuration in force in a repository; the defaults where there is none.
 *
 * @param mayRun decides on configurations that are programs; absent: all are run
 * @throws OxideError naming file and key, when it is broken
 */
export async function repositoryConfiguration(repository: Repository | null, mayRun?: MayRun): Promise<Configuration> {
  return repository === null
    ? defaultConfiguration
    : loadConfiguration(rootOf(repository), join(repository.commonDir, 'oxide-guard'), validate, mayRun);
}

/** Where a repository's configuration files are looked for. */
export function rootOf(repository: Repository): string {
  return ownDirectory(repository);
}

/** zod takes half of the start-up time, and is needed only when a configuration has changed. */
async function validate(source: ConfigurationSource): Promise<Configuration> {
  return (await import('../config/validate.ts')).validateConfiguration(source);
}
