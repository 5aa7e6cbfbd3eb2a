import type { RuleId, Verdict } from '../config/rules.ts';
import type { CommitSummary } from '../git/commit.ts';

/** What is at stake, by name. Lists are cut to what a person can read; the message carries the counts. */
export interface Evidence {
  readonly commits: readonly CommitSummary[];
  readonly files: readonly string[];
  readonly refs: readonly string[];
}

/** One objection or notice (`allow`) of one rule. */
export interface Finding {
  readonly rule: RuleId;
  readonly verdict: Verdict;
  /** One sentence that names the fact: the branch, the files, the commits that would be lost, with counts. */
  readonly message: string;
  readonly evidence: Evidence;
  /** A command that reaches the same end safely and can be pasted. */
  readonly suggestion: string | null;
}

export const noEvidence: Evidence = { commits: [], files: [], refs: [] };

const strength: Record<Verdict, number> = { allow: 0, ask: 1, deny: 2 };

/** The strongest verdict of some findings; `allow` for none. */
export function strongest(findings: readonly Pick<Finding, 'verdict'>[]): Verdict {
  return findings.reduce<Verdict>(
    (worst, { verdict }) => (strength[verdict] > strength[worst] ? verdict : worst),
    'allow',
  );
}
