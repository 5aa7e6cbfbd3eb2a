import { type Finding, findings } from '../finding.ts';
import { pushElsewhere } from './protected-push.ts';
import { type PushFacts, remoteName } from './push-facts.ts';

/** `--mirror`, or a remote configured as a mirror: git-push(1), "--mirror". */
export async function judgeMirror(facts: PushFacts): Promise<readonly Finding[]> {
  const { plan, policy } = facts;
  if (!plan.mirror) {
    return [];
  }
  const remote = remoteName(facts);
  return findings('mirror-push', policy, {
    message: `This push makes ${remote} a mirror: every branch and tag there that does not exist here is deleted, every other one is overwritten.`,
    suggestion: await pushElsewhere({ localRef: 'HEAD' }, facts),
  });
}
