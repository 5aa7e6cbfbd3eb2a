import { type Finding, findings } from '../finding.ts';
import { type PushFacts, remoteName } from './push-facts.ts';

/** `--mirror`, or a remote configured as a mirror: git-push(1), "--mirror". */
export async function judgeMirror(facts: PushFacts): Promise<readonly Finding[]> {
  const { plan, policy } = facts;
  if (!plan.mirror) {
    return [];
  }
  const remote = remoteName(facts);
  const { command } = await facts.alternative();
  return findings('mirror-push', policy, {
    message: `This push makes ${remote} a mirror: every branch and tag there that does not exist here is deleted, every other one is overwritten.`,
    // git refuses to push one branch to a remote that is configured as a mirror.
    suggestion: command(remote, 'HEAD'),
  });
}
