import type { CommitConvention } from './convention.ts';
import { type LintReport, lintMessage } from './lint.ts';

/** What judges messages in one repository: its convention, or its own commitlint configuration. */
export interface Linter {
  /** For explanations; an approximation where commitlint judges. */
  readonly convention: CommitConvention;
  lint(message: string): LintReport | Promise<LintReport>;
}

/** The linter for a plain convention. */
export function conventionLinter(convention: CommitConvention): Linter {
  return { convention, lint: (message) => lintMessage(message, convention) };
}
