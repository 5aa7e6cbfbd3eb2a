import type { CommitList } from '../../git/history/commit.ts';
import type { RefUpdate } from '../../git/push/push-plan.ts';
import { type Finding, findings } from '../finding.ts';
import { count, evidenceLimit, nameCommits, nameRefs, refName } from '../wording.ts';
import { askingRemote, branchOf, isProtectedUpdate, judgeUpdates, type PushFacts, remoteName } from './push-facts.ts';

/** Deletions on the remote: of a protected branch, of any other ref. */
export async function judgeRemoteDeletion(facts: PushFacts): Promise<readonly Finding[]> {
  const deletions = facts.plan.updates.filter(({ kind }) => kind === 'delete');
  const ofProtected = deletions.filter((update) => isProtectedUpdate(update, facts));
  const ofOthers = deletions.filter((update) => !isProtectedUpdate(update, facts));
  const judge = (rule: DeletionRule, of: readonly RefUpdate[]) =>
    judgeUpdates(
      of,
      (update) => judgeDeletion(rule, update, facts),
      (many) => judgeManyDeletions(rule, many, facts),
    );
  return [...(await judge('protected-delete', ofProtected)), ...(await judge('remote-delete', ofOthers))];
}

type DeletionRule = 'protected-delete' | 'remote-delete';

async function judgeDeletion(rule: DeletionRule, update: RefUpdate, facts: PushFacts): Promise<readonly Finding[]> {
  const remote = remoteName(facts);
  const dropped = await facts.dropped(update);
  const isProtected = rule === 'protected-delete';
  const target = `${refName(update.remoteRef)} on ${remote}${isProtected ? ', a protected branch' : ''}`;
  return findings(rule, facts.policy, {
    message: `This push deletes ${target}${lossOf(dropped)}.`,
    evidence: { commits: dropped.commits, refs: [update.remoteRef] },
    // A name may turn out to be a tag there.
    suggestion: askingRemote(facts, 'ls-remote', branchOf(update) ?? update.remoteRef),
  });
}

async function judgeManyDeletions(
  rule: DeletionRule,
  deletions: readonly RefUpdate[],
  facts: PushFacts,
): Promise<readonly Finding[]> {
  const remote = remoteName(facts);
  const refs = deletions.map(({ remoteRef }) => remoteRef);
  const dropped = await facts.droppedByAll(deletions);
  const what = rule === 'protected-delete' ? 'protected branches' : 'refs';
  return findings(rule, facts.policy, {
    message: `This push deletes ${refs.length} ${what} on ${remote}, ${nameRefs(refs)}${lossOf(dropped)}.`,
    evidence: { commits: dropped.commits, refs: refs.slice(0, evidenceLimit) },
    suggestion: askingRemote(facts, 'ls-remote'),
  });
}

function lossOf(dropped: CommitList): string {
  return dropped.total > 0
    ? `: ${count(dropped.total, 'commit')} would be on no branch there, ${nameCommits(dropped)}`
    : '';
}
