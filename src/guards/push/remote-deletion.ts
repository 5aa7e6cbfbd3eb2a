import type { RefUpdate } from '../../git/push-plan.ts';
import { quoteCommand } from '../../shell/quote.ts';
import { type Finding, findings } from '../finding.ts';
import { count, nameCommits, refName } from '../wording.ts';
import { isProtectedUpdate, type PushFacts, remoteName } from './push-facts.ts';

/** Deletions on the remote: of a protected branch, of any other ref. */
export async function judgeRemoteDeletion(facts: PushFacts): Promise<readonly Finding[]> {
  const deletions = facts.plan.updates.filter(({ kind }) => kind === 'delete');
  return (await Promise.all(deletions.map((update) => judgeDeletion(update, facts)))).flat();
}

async function judgeDeletion(update: RefUpdate, facts: PushFacts): Promise<readonly Finding[]> {
  const { policy } = facts;
  const remote = remoteName(facts);
  const dropped = await facts.dropped(update);
  const isProtected = isProtectedUpdate(update, facts);
  const target = `${refName(update.remoteRef)} on ${remote}${isProtected ? ', a protected branch' : ''}`;
  const loss =
    dropped.total > 0 ? `: ${count(dropped.total, 'commit')} would be on no branch there, ${nameCommits(dropped)}` : '';
  return findings(isProtected ? 'protected-delete' : 'remote-delete', policy, {
    message: `This push deletes ${target}${loss}.`,
    evidence: { commits: dropped.commits, refs: [update.remoteRef] },
    suggestion: quoteCommand(['git', 'ls-remote', remote, update.remoteRef]),
  });
}
