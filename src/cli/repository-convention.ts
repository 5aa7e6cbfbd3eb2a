import { findCommitlintConfiguration } from '../commit/commitlint-configuration.ts';
import { readCommitlintData } from '../commit/commitlint-data.ts';
import { configuredConvention } from '../commit/configured-convention.ts';
import { conventionLinter } from '../commit/linter.ts';
import { defaultConfiguration } from '../config/configuration.ts';
import { leaveOut, mayRunPrograms } from '../dialects/foreign-programs.ts';
import { ownDirectory } from '../git/own-directory.ts';
import type { Repository } from '../git/repository.ts';
import { conventionOf, leftToItsHook } from '../guards/convention.ts';
import type { Convention } from '../guards/scene.ts';
import { asOpened } from '../guards/simulation/replaced.ts';
import { repositoryConfiguration } from './repository-configuration.ts';
import { repositoryLinter } from './repository-linter.ts';

const known = new WeakMap<Repository, Promise<Convention>>();
let everywhere: Convention | undefined;

/**
 * How strict a repository is, and how it judges messages; the defaults where no repository is known. Read once for a
 * repository that stays open. Programs among its configurations are run as {@link mayRunPrograms} says.
 *
 * @param here the directory in which a person has asked
 * @throws OxideError naming file and key, when a configuration is broken
 */
export function repositoryConvention(repository: Repository | null, here = process.cwd()): Promise<Convention> {
  if (repository === null) {
    everywhere ??= conventionOf(defaultConfiguration);
    return Promise.resolve(everywhere);
  }
  const opened = asOpened(repository);
  const convention = known.get(opened) ?? read(opened, mayRunPrograms(opened, here));
  known.set(opened, convention);
  return convention;
}

async function read(repository: Repository, mayRun: boolean): Promise<Convention> {
  if (mayRun) {
    const configuration = await repositoryConfiguration(repository);
    return conventionOf(configuration, await repositoryLinter(repository));
  }
  const { workTree, cwd } = repository;
  const commitlint = workTree === null ? null : findCommitlintConfiguration(cwd, ownDirectory(repository));
  const data = commitlint === null ? null : readCommitlintData(commitlint);
  const configuration = await repositoryConfiguration(repository, ({ path }) => leaveOut(path));
  const convention = conventionOf(configuration, conventionLinter(data ?? configuredConvention(configuration.commit)));
  if (commitlint === null || data !== null) {
    return convention;
  }
  // Also one in JSON may name packages and files that it loads; without it, nobody knows what a message should be.
  leaveOut(commitlint, 'of messages there nothing is said');
  return { ...convention, judgeMessage: () => leftToItsHook };
}
