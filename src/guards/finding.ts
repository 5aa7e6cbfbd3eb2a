import type { Policy } from '../config/policy.ts';
import type { RuleId, Verdict } from '../config/rules.ts';
import { commandWithoutCredentials, withoutCredentials } from '../credentials.ts';
import type { CommitSummary } from '../git/history/commit.ts';
import { pasteable } from '../own-command.ts';
import { evidenceLimit } from './wording.ts';

/** What is at stake, by name. Lists are cut to what a person can read; the message carries the counts. */
export interface Evidence {
  readonly commits: readonly CommitSummary[];
  readonly files: readonly string[];
  readonly refs: readonly string[];
}

/** What would be gone, all of it and by exact names: for who keeps it before the command runs. */
export interface LostWork {
  /** The files are of this work tree, the refs of its repository. Absolute. */
  readonly workTree: string;
  /** From its top; a directory ends with a slash. */
  readonly files?: readonly string[];
  /** Full names, and `stash@{N}`: what they stand on now reaches every commit that would be lost. */
  readonly refs?: readonly string[];
  /** The work tree itself goes. */
  readonly takesWorkTree?: boolean;
}

/** Of a header that breaks the convention: what stands in the command, and what could stand there. */
export interface Correction {
  readonly given: string;
  readonly better: string;
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
  /** The suggestion is for the work tree's top, wherever the command stands. */
  readonly isForTop?: true;
  /** Missing where it is not known so exactly. */
  readonly loss?: LostWork;
  /** What the suggestion says in another way. */
  readonly correction?: Correction;
  /** The variable that is objected to: without it the command may run. */
  readonly variable?: string;
}

/** What a rule says when it applies; the policy adds the verdict. */
export interface Objection {
  readonly message: string;
  readonly evidence?: Partial<Evidence>;
  readonly suggestion?: string | null;
  readonly isForTop?: boolean;
  readonly loss?: LostWork | undefined;
  readonly correction?: Correction;
  readonly variable?: string;
}

/** The objection as a finding with the policy's verdict for the rule; none where the rule is off. */
export function findings(rule: RuleId, policy: Policy, objection: Objection | null): readonly Finding[] {
  const verdict = policy.rules[rule];
  if (objection === null || verdict === 'off') {
    return [];
  }
  const { commits = [], files = [], refs = [] } = objection.evidence ?? {};
  const evidence = {
    commits: commits.slice(0, evidenceLimit),
    files: files.slice(0, evidenceLimit),
    refs: refs.slice(0, evidenceLimit),
  };
  // What was typed is repeated here, and an agent keeps what it is told.
  const suggestion = objection.suggestion ? commandWithoutCredentials(pasteable(objection.suggestion)) : null;
  const message = withoutCredentials(objection.message);
  const { loss, isForTop = false, correction, variable } = objection;
  const further = {
    ...(isForTop ? ({ isForTop } as const) : {}),
    ...(loss === undefined ? {} : { loss }),
    ...(correction === undefined ? {} : { correction }),
    ...(variable === undefined ? {} : { variable }),
  };
  return [{ rule, verdict, message, evidence, suggestion, ...further }];
}

/** May the evidence have had more than it lists? */
export function isCut({ commits, files, refs }: Evidence): boolean {
  return [commits, files, refs].some((list) => list.length >= evidenceLimit);
}

const strength: Record<Verdict, number> = { allow: 0, ask: 1, deny: 2 };

export function isStronger(a: Verdict, b: Verdict): boolean {
  return strength[a] > strength[b];
}

/** As it is printed for scripts. */
export function withoutLoss({ loss: _, isForTop: __, correction: ___, ...finding }: Finding): Finding {
  return finding;
}

/** The strongest verdict of some findings; `allow` for none. */
export function strongest(judged: readonly Pick<Finding, 'verdict'>[]): Verdict {
  return judged.reduce<Verdict>((worst, { verdict }) => (isStronger(verdict, worst) ? verdict : worst), 'allow');
}

/** Strongest first; findings of equal strength stay in their order. */
export function byStrength(judged: readonly Finding[]): readonly Finding[] {
  return [...judged].sort((a, b) => strength[b.verdict] - strength[a.verdict]);
}
