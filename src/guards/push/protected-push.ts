import type { RefUpdate } from '../../git/push/push-plan.ts';
import { type Finding, findings } from '../finding.ts';
import { isProtected } from '../protection.ts';
import { refName } from '../wording.ts';
import {
  isProtectedUpdate,
  lookingForRemote,
  mayOverwrite,
  type PushFacts,
  remoteName,
  sourceOf,
} from './push-facts.ts';

/** Updates of a protected branch that overwrite nothing, or only under a lease. Naming the branch is enough. */
export async function judgeProtectedPush(facts: PushFacts): Promise<readonly Finding[]> {
  const judged = facts.plan.updates
    .filter((update) => update.kind !== 'delete' && isProtectedUpdate(update, facts) && !mayOverwrite(update, facts))
    .filter((update) => !staysHere(update, facts))
    .map((update) => judgeUpdate(update, facts));
  return (await Promise.all(judged)).flat();
}

/** `git push . origin/main:main` forwards a branch of this repository, as `git fetch . origin/main:main` does. */
function staysHere({ force }: RefUpdate, { plan, direction }: PushFacts): boolean {
  return force === 'none' && direction === 'sent' && plan.remote === null && plan.url === '.';
}

async function judgeUpdate(update: RefUpdate, facts: PushFacts): Promise<readonly Finding[]> {
  const { policy, exact } = facts;
  const branch = refName(update.remoteRef);
  const target = `${branch} on ${remoteName(facts)}`;
  const suggestion = await pushElsewhere(update, facts);
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

/** The same commits on a branch of their own: that which has them, or a new one. */
export async function pushElsewhere(update: Pick<RefUpdate, 'localRef'>, facts: PushFacts): Promise<string> {
  const { branches, current, refspecOf, topic, switches, isUnborn, isRefused, command } = await facts.alternative();
  const missing = lookingForRemote(facts);
  if (missing !== null) {
    return missing;
  }
  const remote = remoteName(facts);
  const source = sourceOf(update);
  const isCheckedOut = source === 'HEAD' || source === '@' || source === current;
  const branch = isCheckedOut ? current : branches.has(source) ? source : null;
  const isOwn = branch !== null && !isProtected(branch, facts.policy, facts.defaultBranch);
  if (isOwn && !(await isRefused(branch))) {
    return command('-u', remote, refspecOf(branch));
  }
  if (isCheckedOut && isUnborn) {
    return `${command(remote, `HEAD:refs/heads/${topic}`)}   # behind the first commit`;
  }
  return isCheckedOut && !isOwn && switches
    ? `git switch -c ${topic} && ${command('-u', remote, refspecOf(topic))}`
    : command(remote, `${isCheckedOut ? 'HEAD' : source}:refs/heads/${topic}`);
}
