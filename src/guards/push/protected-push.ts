import type { RefUpdate } from '../../git/push-plan.ts';
import { type Finding, findings } from '../finding.ts';
import { refName } from '../wording.ts';
import { isProtectedUpdate, mayOverwrite, type PushFacts, remoteName } from './push-facts.ts';

/** Updates of a protected branch that overwrite nothing, or only under a lease. Naming the branch is enough. */
export function judgeProtectedPush(facts: PushFacts): readonly Finding[] {
  return facts.plan.updates
    .filter((update) => update.kind !== 'delete' && isProtectedUpdate(update, facts) && !mayOverwrite(update, facts))
    .flatMap((update) => judgeUpdate(update, facts));
}

function judgeUpdate(update: RefUpdate, facts: PushFacts): readonly Finding[] {
  const { plan, policy, exact } = facts;
  const branch = refName(update.remoteRef);
  const target = `${branch} on ${remoteName(facts)}`;
  const topic = `my-change`;
  const suggestion = `git switch -c ${topic} && git push -u ${plan.remote ?? 'origin'} ${topic}`;
  const evidence = { refs: [update.remoteRef] };
  const rewrites = update.force === 'lease' && (update.kind === 'forced' || !exact);
  if (rewrites) {
    const message = `This push may rewrite ${target}, a protected branch, as far as its lease holds.`;
    return findings('protected-lease-push', policy, { message, evidence, suggestion });
  }
  const what = update.kind === 'create' ? 'creates' : 'updates';
  const message = `This push ${what} ${target}, a protected branch.`;
  return findings('protected-push', policy, { message, evidence, suggestion });
}
