import { type CommitConvention, conventional, type Level } from './convention.ts';
import { isIgnored } from './ignores.ts';
import { type ParsedMessage, parseMessage } from './parse.ts';
import { catalogue } from './rules/catalogue.ts';
import type { Objection } from './rules/rule.ts';

export interface Problem extends Objection {
  readonly level: Level;
  /** commitlint's name of the rule; with a repository's own commitlint configuration it may be a plugin's. */
  readonly rule: string;
}

export interface Header {
  readonly type: string | null;
  readonly scope: string | null;
  readonly subject: string | null;
  readonly breaking: boolean;
}

export interface LintReport {
  /** No problem is an error. */
  readonly valid: boolean;
  /** The convention does not apply: a merge, a revert, `fixup!`, a bare version, an empty message. */
  readonly ignored: boolean;
  readonly header: Header;
  readonly problems: readonly Problem[];
}

/**
 * Judges a commit message. With the default convention the verdict and the rules named are those of `@commitlint/lint`
 * with `@commitlint/config-conventional`. An empty message passes, as there: git itself refuses it.
 *
 * @param message what git will keep, see `cleanMessage`
 */
export function lintMessage(message: string, convention: CommitConvention = conventional): LintReport {
  const parsed = parseMessage(message);
  const { type, scope, subject, breaking } = parsed;
  const ignored = isIgnored(message) || (parsed.header === null && parsed.body === null && parsed.footer === null);
  const problems = ignored ? [] : judge(parsed, convention);
  return {
    valid: problems.every(({ level }) => level !== 'error'),
    ignored,
    header: { type, scope, subject, breaking },
    problems,
  };
}

function judge(message: ParsedMessage, convention: CommitConvention): Problem[] {
  const problems: Problem[] = [];
  for (const rule of catalogue) {
    const level = convention.levels[rule.name];
    const objection = level === 'off' ? null : rule.check(message, convention);
    if (level !== 'off' && objection !== null) {
      problems.push({ level, rule: rule.name, ...objection });
    }
  }
  return problems;
}
