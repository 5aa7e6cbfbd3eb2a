import type { CommitRuleName } from '../config/commit-rule.ts';

export type RuleName = CommitRuleName;

export type Level = 'error' | 'warning';

/**
 * What a repository expects of its commit messages. Plain data: it comes from the configuration file as it is.
 * Lengths are in UTF-16 code units, as commitlint counts them.
 */
export interface CommitConvention {
  readonly types: readonly string[];
  /** The scopes that are allowed; empty: any scope, or none. */
  readonly scopes: readonly string[];
  readonly headerMaxLength: number;
  readonly bodyMaxLineLength: number;
  readonly footerMaxLineLength: number;
  readonly levels: Readonly<Record<RuleName, Level | 'off'>>;
}

/** `@commitlint/config-conventional`; its twelve rules and `scope-enum`, which says nothing while no scopes are set. */
export const conventional: CommitConvention = {
  types: ['build', 'chore', 'ci', 'docs', 'feat', 'fix', 'perf', 'refactor', 'revert', 'style', 'test'],
  scopes: [],
  headerMaxLength: 100,
  bodyMaxLineLength: 100,
  footerMaxLineLength: 100,
  levels: {
    'header-trim': 'error',
    'type-empty': 'error',
    'type-case': 'error',
    'type-enum': 'error',
    'scope-enum': 'error',
    'subject-empty': 'error',
    'subject-case': 'error',
    'subject-full-stop': 'error',
    'header-max-length': 'error',
    'body-leading-blank': 'warning',
    'body-max-line-length': 'error',
    'footer-leading-blank': 'warning',
    'footer-max-line-length': 'error',
  },
};
