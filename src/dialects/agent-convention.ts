import { findCommitlintConfiguration } from '../commit/commitlint-configuration.ts';
import { readCommitlintData } from '../commit/commitlint-data.ts';
import { conventionLinter } from '../commit/linter.ts';
import type { Configuration } from '../config/configuration.ts';
import { defaultConfiguration } from '../config/configuration.ts';
import { ownDirectory } from '../git/own-directory.ts';
import type { Repository } from '../git/repository.ts';
import { hookConfiguration } from '../githooks/front.ts';
import { conventionOf, leftToItsHook } from '../guards/convention.ts';
import type { Convention, MessageVerdict } from '../guards/scene.ts';
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

/**
 * How strict a repository is, and how it judges messages; the defaults where no repository is known. A commitlint
 * configuration of its own counts as far as it is data; of any other one nothing is said here: its commit-msg hook will.
 */
export async function agentConvention(repository: Repository | null, here: string | null): Promise<Convention> {
  if (repository === null) {
    return conventionOf(defaultConfiguration);
  }
  const convention = conventionOf(await agentConfiguration(repository, here));
  return { ...convention, judgeMessage: (message) => judgeAsCommitlint(message, repository, convention) };
}

/** Looked for only where there is a message to judge. */
async function judgeAsCommitlint(
  message: string,
  repository: Repository,
  convention: Convention,
): Promise<MessageVerdict> {
  const { workTree, cwd } = repository;
  const path = workTree === null ? null : findCommitlintConfiguration(cwd, ownDirectory(repository));
  if (path === null) {
    return convention.judgeMessage(message);
  }
  const own = readCommitlintData(path);
  return own === null ? leftToItsHook : conventionOf(defaultConfiguration, conventionLinter(own)).judgeMessage(message);
}
