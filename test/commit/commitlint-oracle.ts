import configuration from '@commitlint/config-conventional';
import lint from '@commitlint/lint';
// @ts-expect-error -- the preset ships no types
import createPreset from 'conventional-changelog-conventionalcommits';
import type { LintReport } from '../../src/commit/lint.ts';

export interface Verdict {
  readonly valid: boolean;
  readonly errors: readonly string[];
  readonly warnings: readonly string[];
}

/** What the installed `@commitlint/lint` with `@commitlint/config-conventional`, and rules that change it, says. */
export async function commitlint(message: string, rules: Readonly<Record<string, unknown>> = {}): Promise<Verdict> {
  const { parser } = await createPreset();
  const outcome = await lint(message, { ...configuration.rules, ...rules } as never, { parserOpts: parser });
  return {
    valid: outcome.valid,
    errors: outcome.errors.map(({ name }) => name).sort(),
    warnings: outcome.warnings.map(({ name }) => name).sort(),
  };
}

/** Our report in the same terms. */
export function verdictOf(report: LintReport): Verdict {
  const names = (level: string): string[] =>
    report.problems
      .filter((problem) => problem.level === level)
      .map(({ rule }) => rule)
      .sort();
  return { valid: report.valid, errors: names('error'), warnings: names('warning') };
}
