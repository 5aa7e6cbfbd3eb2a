import { findCommitlintConfiguration } from '../commit/commitlint-configuration.ts';
import { configuredConvention } from '../commit/configured-convention.ts';
import { conventionLinter, type Linter } from '../commit/linter.ts';
import { type Configuration, defaultConfiguration } from '../config/configuration.ts';
import type { Location } from '../git/discovery.ts';
import { ownDirectory } from '../git/own-directory.ts';
import type { JudgeMessage } from '../guards/push/outgoing-messages.ts';
import { hookConfiguration, importCli, loadCorrections } from './front.ts';
import { watchOver } from './watchdog.ts';

export interface HookLinterOptions {
  /** The repository's own, where it is known already. */
  readonly configuration?: Configuration;
  /** For who reads that the commitlint configuration loops: a line of its own. */
  readonly advice?: string;
}

/**
 * What judges messages in this repository: its own commitlint configuration, which has to be loaded, or its convention.
 *
 * @param repository null where there is none: then the default convention holds
 * @throws OxideError naming the file when either configuration is broken
 */
export async function hookLinter(
  repository: Location | null,
  { configuration, advice }: HookLinterOptions = {},
): Promise<Linter> {
  const root = repository === null || repository.workTree === null ? null : ownDirectory(repository);
  const file = root === null ? null : findCommitlintConfiguration(root, root);
  if (file !== null) {
    const { commitlintLinter } = (await importCli('commitlint')) as typeof import('../commit/commitlint.ts');
    const watch = watchOver(file, advice);
    const { convention, lint } = await watch.over(() => commitlintLinter(file));
    return { convention, lint: (message) => watch.over(async () => lint(message)) };
  }
  const settled = configuration ?? (repository === null ? defaultConfiguration : await hookConfiguration(repository));
  return conventionLinter(configuredConvention(settled.commit));
}

/** Judges the messages of commits that a push publishes; null where the policy does not want to know. */
export async function messageJudge(policy: Configuration, repository: Location): Promise<JudgeMessage | null> {
  if (policy.rules['outgoing-messages'] === 'off' && policy.rules['fixup-to-protected'] === 'off') {
    return null;
  }
  const linter = await hookLinter(repository, { configuration: policy });
  return async (message) => {
    if ((await linter.lint(message)).valid) {
      return { valid: true, correctedHeader: null };
    }
    const { report, suggestion } = await loadCorrections().lintWith(linter, message, { oid: null, file: null });
    return { valid: report.valid, correctedHeader: suggestion?.message.split('\n', 1)[0] ?? null };
  };
}
