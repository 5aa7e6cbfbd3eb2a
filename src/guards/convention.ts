import { configuredConvention } from '../commit/configured-convention.ts';
import { lintMessage } from '../commit/lint.ts';
import { suggestMessage } from '../commit/suggest.ts';
import type { Configuration } from '../config/configuration.ts';
import type { Convention } from './scene.ts';

/** The rules of a repository whose configuration is known, and that has no commitlint configuration of its own. */
export function conventionOf(configuration: Configuration): Convention {
  const convention = configuredConvention(configuration.commit);
  return {
    policy: configuration,
    judgeMessage: (message) => {
      const report = lintMessage(message, convention);
      const errors = report.problems.filter(({ level }) => level === 'error');
      return {
        valid: report.valid,
        problems: errors.map((problem) => problem.message),
        corrected: report.valid ? null : (suggestMessage(message, convention, report)?.message ?? null),
      };
    },
  };
}
