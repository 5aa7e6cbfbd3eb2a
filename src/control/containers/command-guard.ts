import { actionDigest } from '../../audit/approval.ts';
import { consumeApproval, requestApproval } from '../../audit/approvals.ts';
import { recordConfirmation } from '../../audit/confirmations.ts';
import { type AuditEntry, appendAudit } from '../../audit/log.ts';
import { userState } from '../../audit/user-state.ts';
import { OxideError } from '../../errors.ts';
import { openRepository } from '../../git/open-repository.ts';
import type { Repository } from '../../git/repository.ts';
import type { Environment } from '../../git/runner.ts';
import { judgeCommandLine } from '../../guards/evaluate.ts';
import { type Finding, strongest } from '../../guards/finding.ts';
import type { Convention } from '../../guards/scene.ts';
import { pasteable } from '../../own-command.ts';

export interface CommandGuardOptions {
  readonly env: Environment;
  /** A repository's configuration; null: where the repository can't be known. */
  readonly convention: (repository: Repository | null) => Promise<Convention>;
}

/** A command line was not let through. */
export class GuardRefusal extends OxideError {
  readonly findings: readonly Finding[];

  constructor(code: string, message: string, remedy: string | null, findings: readonly Finding[]) {
    super(code, message, remedy === null ? {} : { remedy });
    this.findings = findings;
  }
}

/**
 * Judges a command line for a container as the agent's are judged: the container works on the project's repository,
 * which no isolation protects. A denial is final; where a rule asks, a person approves in a terminal, and the same call
 * is made again.
 *
 * @throws GuardRefusal `denied-by-guard`, `approval-needed`
 */
export async function judgeForContainer(
  command: string,
  directory: string,
  { env, convention }: CommandGuardOptions,
): Promise<void> {
  const { findings } = await judgeCommandLine(command, { cwd: directory, env, convention });
  const objections = findings.filter(({ verdict }) => verdict !== 'allow');
  if (objections.length === 0) {
    return;
  }
  const verdict = strongest(objections);
  const rules = objections.map(({ rule }) => rule);
  const repository = await openRepository({ cwd: directory, env }).catch(() => null);
  const place = repository?.commonDir ?? userState(env);
  const action = { front: 'agent', directory, text: command, rules } as const;
  const record = (answer: AuditEntry['answer']) =>
    appendAudit(place, { front: 'agent', agent: 'container', directory, action: command, verdict, rules, answer });
  if (verdict === 'deny') {
    record('policy');
    throw new GuardRefusal('denied-by-guard', describe(objections, 'deny'), null, findings);
  }
  if (consumeApproval(place, actionDigest(action))) {
    recordConfirmation(place, { command, rules });
    record('approval');
    return;
  }
  const approval = requestApproval(place, action);
  record('nobody');
  const remedy =
    approval === null
      ? 'No approval can be recorded here: a person has to run the command.'
      : `A person can allow exactly this once, with \`${pasteable(`oxide-guard approve ${approval.id}`)}\` in ${directory}; then make the same call again.`;
  throw new GuardRefusal('approval-needed', describe(objections, 'ask'), remedy, findings);
}

function describe(findings: readonly Finding[], verdict: Finding['verdict']): string {
  return findings
    .filter((finding) => finding.verdict === verdict)
    .map(({ rule, message, suggestion }) =>
      suggestion === null ? `${message} [${rule}]` : `${message} [${rule}]\nInstead: ${suggestion}`,
    )
    .join('\n');
}
