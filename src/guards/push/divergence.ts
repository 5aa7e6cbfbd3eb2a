import { shortBranchName } from '../../git/refs/refspec.ts';
import { quoteCommand } from '../../quote.ts';
import { type Finding, findings } from '../finding.ts';
import { isProtected } from '../protection.ts';
import { count } from '../wording.ts';
import {
  autostash,
  branchOf,
  type Divergence,
  hasLeft,
  isProtectedUpdate,
  mayOverwrite,
  type PushFacts,
  remoteName,
  withLease,
} from './push-facts.ts';

/** The remote branch has commits that the local one lacks. Where the push overwrites them, that finding names them. */
export async function judgeDivergence(facts: PushFacts): Promise<readonly Finding[]> {
  const { policy, plan } = facts;
  if (policy.rules.diverged === 'off') {
    return [];
  }
  const overwritten = plan.updates.filter((update) => mayOverwrite(update, facts)).map(branchOf);
  const diverged = (await facts.divergences()).filter(({ branch }) => !overwritten.includes(branch));
  const noticed = diverged.map(async (divergence) =>
    findings('diverged', policy, {
      message: describe(divergence),
      evidence: { commits: divergence.behind?.commits ?? [], refs: [divergence.upstream] },
      suggestion: isReplaced(divergence, facts)
        ? commitsThere(divergence)
        : ((await lookingAt(divergence, facts)) ??
          (await replacing(divergence, facts)) ??
          (await catchingUp(divergence, facts))),
    }),
  );
  return (await Promise.all(noticed)).flat();
}

/** A lease is given to put other commits in their place: whoever pulls them gets them back. */
function isReplaced({ branch, behind }: Divergence, { plan }: PushFacts): boolean {
  return behind !== null && plan.updates.some((update) => branchOf(update) === branch && update.force === 'lease');
}

/**
 * After a rebase or an amendment the remote has the branch's own old commits, and a pull would bring them back; null: there
 * may be others' commits among them.
 */
async function replacing({ branch, ahead }: Divergence, facts: PushFacts): Promise<string | null> {
  const update = facts.plan.updates.find((one) => branchOf(one) === branch);
  if (update === undefined || ahead.total === 0 || isProtectedUpdate(update, facts)) {
    return null;
  }
  const alternative = await facts.alternative();
  return hasLeft(update, alternative) === true ? withLease(update, alternative, facts) : null;
}

function commitsThere({ source, upstream }: Divergence): string {
  return quoteCommand(['git', 'log', '--oneline', `${shortBranchName(source)}..${upstream}`]);
}

/**
 * What shows the commits that are there alone, where a branch is pushed to one that is another here: it is not put on that
 * one. A protected branch is no other one's copy; what brings a protected one's commits is what every branch is for.
 */
export async function lookingAt(divergence: Divergence, facts: PushFacts): Promise<string | null> {
  const { policy, defaultBranch } = facts;
  const { source, branch } = divergence;
  const { branches, current } = await facts.alternative();
  const name = source === 'HEAD' ? current : shortBranchName(source);
  const isOwn = (other: string) => isProtected(other, policy, defaultBranch);
  const isAnother = name !== branch && name !== null && branches.has(name);
  return isAnother && (isOwn(name) || (branches.has(branch) && !isOwn(branch))) ? looking(divergence, facts) : null;
}

function looking(divergence: Divergence, facts: PushFacts): string {
  return divergence.behind === null
    ? quoteCommand(['git', 'fetch', remoteName(facts), divergence.branch])
    : commitsThere(divergence);
}

/**
 * What brings the pushed branch the commits that it lacks: a rebase is of the one that is checked out. What is no branch
 * can't have them.
 */
export async function catchingUp(divergence: Divergence, facts: PushFacts): Promise<string> {
  const { source, branch, ahead, behind } = divergence;
  const remote = remoteName(facts);
  const { branches, current, placeOf } = await facts.alternative();
  const name = shortBranchName(source);
  if (name !== 'HEAD' && !branches.has(name)) {
    return looking(divergence, facts);
  }
  const isOther = name !== current && branches.has(name);
  const place = await placeOf(isOther ? name : null);
  if (isOther && !place.isElsewhere && behind !== null && ahead.total === 0) {
    return quoteCommand(['git', 'fetch', remote, `${branch}:${name}`]);
  }
  return place.command('pull', '--rebase', ...(await autostash(place, facts)), remote, branch);
}

function describe({ source, branch, upstream, ahead, behind }: Divergence): string {
  if (behind === null) {
    return `${upstream} has commits that are not in this repository yet.`;
  }
  const name = source.startsWith('refs/heads/') ? shortBranchName(source) : branch;
  return ahead.total === 0
    ? `${name} is ${count(behind.total, 'commit')} behind ${upstream}.`
    : `${name} and ${upstream} have diverged: ${count(ahead.total, 'commit')} only here, ${count(behind.total, 'commit')} only there.`;
}
