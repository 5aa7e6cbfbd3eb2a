import type { RuleId, Verdict } from './rules.ts';

/** The configuration, resolved: what the guards need to decide. */
export interface Policy {
  /** Globs over branch names (`main`, `release/*`), besides the remote's default branch. */
  readonly protectedBranches: readonly string[];
  /** Every rule's verdict; `off`: the rule says nothing. */
  readonly rules: Readonly<Record<RuleId, Verdict | 'off'>>;
}
