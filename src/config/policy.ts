import type { RuleId, Verdict } from './rules.ts';

/** What the guards need of the configuration to decide. */
export interface Policy {
  /**
   * Globs over branch names (`main`, `release/*`), besides the remote's default branch. Read in order, the last match
   * decides: `!master` takes a branch out again, the remote's default branch included.
   */
  readonly protectedBranches: readonly string[];
  /** Every rule's verdict; `off`: the rule says nothing. */
  readonly rules: Readonly<Record<RuleId, Verdict | 'off'>>;
}
