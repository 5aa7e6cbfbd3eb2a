import { configuredConvention } from '../commit/configured-convention.ts';
import { lintWith } from '../commit/linted-message.ts';
import { conventionLinter, type Linter } from '../commit/linter.ts';
import type { Configuration } from '../config/configuration.ts';
import type { Convention, MessageVerdict } from './scene.ts';

/** What is said of a message that only the repository's own commit-msg hook can judge: nothing. */
export const leftToItsHook: MessageVerdict = { valid: true, problems: [], corrected: null };

/**
 * The rules of a repository whose configuration is known.
 *
 * @param linter what judges messages, where the repository has a commitlint configuration of its own
 */
export function conventionOf(
  configuration: Configuration,
  linter: Linter = conventionLinter(configuredConvention(configuration.commit)),
): Convention {
  return {
    policy: configuration,
    judgeMessage: async (message) => {
      const { report, suggestion } = await lintWith(linter, message, { oid: null, file: null });
      const errors = report.problems.filter(({ level }) => level === 'error');
      const hasNoType = ['type-empty', 'subject-empty'].every((name) => errors.some(({ rule }) => rule === name));
      // Two rules say that one thing: without a type, all of the header is read as nothing.
      const told = hasNoType ? errors.filter(({ rule }) => rule !== 'type-empty' && rule !== 'subject-empty') : errors;
      return {
        valid: report.valid,
        problems: [
          ...(hasNoType ? ["the header does not begin with a type, as in 'fix: what it does'"] : []),
          ...told.map((problem) => problem.message),
        ],
        corrected: report.valid ? null : (suggestion?.message ?? null),
      };
    },
  };
}
