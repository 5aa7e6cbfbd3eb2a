import { byStrength, type Finding, strongest } from '../finding.ts';
import { judgeDivergence } from './divergence.ts';
import { judgeMirror } from './mirror-push.ts';
import { type JudgeMessage, judgeOutgoingMessages } from './outgoing-messages.ts';
import { judgeOverwrite } from './overwrite.ts';
import { judgeProtectedPush } from './protected-push.ts';
import type { PushFacts } from './push-facts.ts';
import { judgeRemoteDeletion } from './remote-deletion.ts';
import { judgeUncommittedChanges } from './uncommitted-changes.ts';

/**
 * Judges one push by what it would do to the remote.
 *
 * @param judgeMessage the commit message linter; null where messages are none of this front's business (an agent's
 *   command: the repository's own hook sees them when it runs)
 * @returns findings, the strongest first; none for a push that the guard has nothing to say of
 */
export async function judgePush(facts: PushFacts, judgeMessage: JudgeMessage | null): Promise<readonly Finding[]> {
  if (facts.plan.dryRun) {
    return [];
  }
  const judged = await Promise.all([
    judgeUpdates(facts),
    judgeMessage === null ? [] : judgeOutgoingMessages(facts, judgeMessage),
  ]);
  return byStrength(judged.flat());
}

/** Beside a denial a notice about the work tree or the remote's commits tells nothing that helps, and costs git runs. */
async function judgeUpdates(facts: PushFacts): Promise<readonly Finding[]> {
  const mirror = await judgeMirror(facts);
  const found = await Promise.all([judgeOverwrite(facts), judgeRemoteDeletion(facts), judgeProtectedPush(facts)]);
  // That a mirror overwrites every ref has been said: what it loses is left to say.
  const effects = [...mirror, ...found.flat().filter((finding) => mirror.length === 0 || losesCommits(finding))];
  const isDenied = strongest(effects) === 'deny';
  const notices = isDenied ? [] : await Promise.all([judgeDivergence(facts), judgeUncommittedChanges(facts)]);
  return [...effects, ...notices.flat()];
}

function losesCommits({ rule, evidence }: Finding): boolean {
  return rule !== 'force-push' || evidence.commits.length > 0;
}
