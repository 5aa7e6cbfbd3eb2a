import { type Action, actionDigest } from '../audit/approval.ts';
import { consumeApproval, requestApproval } from '../audit/approvals.ts';
import { isConfirmed } from '../audit/confirmations.ts';
import { type Answer, appendAudit } from '../audit/log.ts';
import { openRepository } from '../git/open-repository.ts';
import { planFromHookLines } from '../git/push/hook-lines.ts';
import { nothingPrepared } from '../git/push/prepared-answers.ts';
import { planFromRequest } from '../git/push/push-from-request.ts';
import type { PushPlan } from '../git/push/push-plan.ts';
import { plainPush } from '../git/push/push-request.ts';
import type { Repository } from '../git/repository.ts';
import type { PreparedAnswers } from '../git/runner.ts';
import { type Finding, strongest } from '../guards/finding.ts';
import { judgePush } from '../guards/push/judge-push.ts';
import { sentPushFacts } from '../guards/push/plan-facts.ts';
import { findingLines } from '../ui/findings.ts';
import { fittedLines } from '../ui/fitted-lines.ts';
import { askOnTerminal } from '../ui/terminal-question.ts';
import { failureLines, type HookExit, type HookProcess, hookConfiguration } from './front.ts';
import { messageJudge } from './hook-linter.ts';
import { ancestorCommands, pushingCommand } from './pushing-command.ts';
import { readPushRequest } from './pushing-request.ts';

/** What git gives to pre-push, its standard input read to the end before anything is asked: githooks(5). */
export interface PrePushInput {
  readonly remote: string;
  readonly url: string;
  readonly lines: string;
}

/**
 * What git's pre-push hook does.
 *
 * @param prepared what its script has asked git meanwhile
 * @returns the hook's exit code; a failure of the hook itself refuses the push
 */
export async function prePush(
  input: PrePushInput,
  hook: HookProcess,
  prepared: PreparedAnswers = nothingPrepared,
): Promise<HookExit> {
  try {
    const repository = await openRepository({ cwd: hook.cwd, env: hook.env, prepared, ownFilters: true });
    if (repository === null) {
      throw new Error('git started it outside of a repository');
    }
    const { plan, findings } = await judge(input, repository);
    if (findings.length > 0) {
      hook.say(fittedLines(findingLines(findings, hook.paint).join('\n'), hook.columns));
    }
    const answer = await decide(findings, input, repository, hook);
    record(plan, findings, answer, repository);
    return exits[answer];
  } catch (error) {
    for (const line of failureLines('pre-push', error)) {
      hook.say(line);
    }
    return 1;
  }
}

interface Judgement {
  readonly plan: PushPlan;
  readonly findings: readonly Finding[];
}

async function judge(input: PrePushInput, repository: Repository): Promise<Judgement> {
  if (input.lines !== '') {
    // Nearly every push wants to know: the slowest question runs beside the others. Whoever asks sees its failure.
    repository.status().catch(() => undefined);
  }
  const command = pushingCommand(ancestorCommands());
  const request = command === null ? null : readPushRequest(command);
  const [policy, plan] = await Promise.all([
    hookConfiguration(repository),
    planFromHookLines({ ...input, request }, repository),
  ]);
  const named = () => planFromRequest(request ?? plainPush, repository);
  const facts = await sentPushFacts({ plan, exact: true, named }, repository, policy);
  return { plan, findings: await judgePush(facts, await messageJudge(policy, repository)) };
}

/** `passed`: nothing to ask. `refused`: by the policy, or by the person who was asked. */
type Outcome = 'passed' | 'person' | 'approval' | 'refused' | 'nobody';

/** A denial stands; what asks is asked on the terminal, or waits for `oxide-guard approve`. */
async function decide(
  findings: readonly Finding[],
  input: PrePushInput,
  repository: Repository,
  hook: HookProcess,
): Promise<Outcome> {
  const verdict = strongest(findings);
  if (verdict === 'allow') {
    return 'passed';
  }
  const { paint, say } = hook;
  const action = actionOf(findings, input, repository);
  if (verdict === 'ask' && consumeApproval(repository.commonDir, actionDigest(action))) {
    say('Approved: the push goes on.');
    return 'approval';
  }
  if (verdict === 'ask' && isConfirmed(repository.commonDir, action.rules, ancestorCommands())) {
    return 'person';
  }
  const answer = verdict === 'ask' ? await askOnTerminal('Push anyway?') : 'no';
  if (answer === 'yes') {
    return 'person';
  }
  say(paint.bold('The push is refused; nothing was sent.'));
  if (answer === 'no') {
    return 'refused';
  }
  const approval = requestApproval(repository.commonDir, action);
  say(
    approval === null
      ? 'Nobody could be asked. Push from a terminal to answer.'
      : `Nobody could be asked. To approve this push once: ${paint.bold(`npx oxide-guard approve ${approval.id}`)}, then push again.`,
  );
  return 'nobody';
}

function actionOf(findings: readonly Finding[], input: PrePushInput, repository: Repository): Action {
  return {
    front: 'pre-push',
    directory: repository.workTree ?? repository.gitDir,
    text: `${input.remote} ${input.url}\n${input.lines}`,
    rules: findings.filter(({ verdict }) => verdict === 'ask').map(({ rule }) => rule),
  };
}

const exits: Record<Outcome, HookExit> = { passed: 0, person: 0, approval: 0, refused: 1, nobody: 3 };

const answers: Record<Outcome, Answer> = {
  passed: 'policy',
  person: 'person',
  approval: 'approval',
  refused: 'policy',
  nobody: 'nobody',
};

/** Pushes that the guard has nothing against leave no trace. */
function record(plan: PushPlan, findings: readonly Finding[], outcome: Outcome, repository: Repository): void {
  const verdict = strongest(findings);
  if (verdict !== 'allow') {
    appendAudit(repository.commonDir, {
      front: 'pre-push',
      directory: repository.workTree ?? repository.gitDir,
      action: [plan.remote ?? '', plan.url, ...plan.updates.map(({ remoteRef }) => remoteRef)].join(' ').trim(),
      verdict,
      rules: findings.map(({ rule }) => rule),
      answer: answers[outcome],
    });
  }
}
