import { quoteCommand } from '../../shell/quote.ts';
import { type Finding, findings } from '../finding.ts';
import { count } from '../wording.ts';
import { branchOf, type Divergence, mayOverwrite, type PushFacts, remoteName } from './push-facts.ts';

/** The remote branch has commits that the local one lacks. Where the push overwrites them, that finding names them. */
export async function judgeDivergence(facts: PushFacts): Promise<readonly Finding[]> {
  const { policy, plan } = facts;
  if (policy.rules.diverged === 'off') {
    return [];
  }
  const overwritten = plan.updates.filter((update) => mayOverwrite(update, facts)).map(branchOf);
  const diverged = (await facts.divergences()).filter(({ branch }) => !overwritten.includes(branch));
  return diverged.flatMap((divergence) =>
    findings('diverged', policy, {
      message: describe(divergence),
      evidence: { commits: divergence.behind?.commits ?? [], refs: [divergence.upstream] },
      suggestion: quoteCommand(['git', 'pull', '--rebase', remoteName(facts), divergence.branch]),
    }),
  );
}

function describe({ branch, upstream, ahead, behind }: Divergence): string {
  if (behind === null) {
    return `${upstream} has commits that are not in this repository yet.`;
  }
  return ahead.total === 0
    ? `${branch} is ${count(behind.total, 'commit')} behind ${upstream}.`
    : `${branch} and ${upstream} have diverged: ${count(ahead.total, 'commit')} only here, ${count(behind.total, 'commit')} only there.`;
}
