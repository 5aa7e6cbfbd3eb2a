import { quoteCommand } from '../../shell/quote.ts';
import { type Finding, findings } from '../finding.ts';
import { type PushFacts, remoteName } from './push-facts.ts';

/** `--mirror`, or a remote configured as a mirror: git-push(1), "--mirror". */
export function judgeMirror(facts: PushFacts): readonly Finding[] {
  const { plan, policy } = facts;
  const remote = remoteName(facts);
  return findings(
    'mirror-push',
    policy,
    plan.mirror
      ? {
          message: `This push makes ${remote} a mirror: every branch and tag there that does not exist here is deleted, every other one is overwritten.`,
          suggestion: quoteCommand(['git', 'push', remote, 'HEAD']),
        }
      : null,
  );
}
