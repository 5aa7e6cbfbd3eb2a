import { appendAudit } from '../audit/log.ts';
import { openRepository } from '../git/open-repository.ts';
import { planFromReceivedLines } from '../git/push/hook-lines.ts';
import { strongest } from '../guards/finding.ts';
import { judgePush } from '../guards/push/judge-push.ts';
import { receivedPushFacts } from '../guards/push/plan-facts.ts';
import { findingLines } from '../ui/findings.ts';
import { failureLines, type HookProcess, hookConfiguration } from './front.ts';
import { messageJudge } from './hook-linter.ts';

/**
 * What git's pre-receive and update hooks do on a server: githooks(5). A server has nobody to ask: what asks is told to
 * the one who pushes and let through, what is denied stops the whole push.
 *
 * @param lines `<old> <new> <ref>` each
 * @param name which of the two
 * @returns the hook's exit code; a failure of the hook itself refuses the push
 */
export async function preReceive(lines: string, hook: HookProcess, name: 'pre-receive' | 'update'): Promise<0 | 1> {
  const { cwd, env, say } = hook;
  try {
    const repository = await openRepository({ cwd, env });
    if (repository === null) {
      throw new Error('git started it outside of a repository');
    }
    const [policy, plan] = await Promise.all([hookConfiguration(repository), planFromReceivedLines(lines, repository)]);
    const findings = await judgePush(
      await receivedPushFacts(plan, repository, policy),
      await messageJudge(policy, repository),
    );
    for (const line of findingLines(findings, hook.paint)) {
      say(line);
    }
    const verdict = strongest(findings);
    if (verdict !== 'deny') {
      return 0;
    }
    appendAudit(repository.commonDir, {
      front: 'pre-receive',
      directory: repository.gitDir,
      action: plan.updates.map(({ remoteRef }) => remoteRef).join(' '),
      verdict,
      rules: findings.map(({ rule }) => rule),
      answer: 'policy',
    });
    return 1;
  } catch (error) {
    for (const line of failureLines(name, error)) {
      say(line);
    }
    return 1;
  }
}
