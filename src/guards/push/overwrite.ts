import { type CommitList, noCommits } from '../../git/history/commit.ts';
import type { RefUpdate } from '../../git/push/push-plan.ts';
import { shortBranchName } from '../../git/refs/refspec.ts';
import { quoteCommand } from '../../quote.ts';
import { type Finding, findings } from '../finding.ts';
import { count, evidenceLimit, nameCommits, nameRefs, refName } from '../wording.ts';
import { catchingUp, lookingAt } from './divergence.ts';
import {
  type Alternative,
  askingRemote,
  branchOf,
  hasLeft,
  isProtectedUpdate,
  judgeUpdates,
  mayOverwrite,
  type PushFacts,
  remoteName,
  sourceOf,
  withLease,
} from './push-facts.ts';

/** Forced updates without a lease: of a protected branch, of another branch, of a tag. */
export async function judgeOverwrite(facts: PushFacts): Promise<readonly Finding[]> {
  const updates = facts.plan.updates.filter((update) => mayOverwrite(update, facts));
  const ofProtected = updates.filter((update) => isProtectedUpdate(update, facts));
  // Git itself refuses a plain push over commits that are not here; the divergence notice says what to do.
  const isRefused = ({ kind, force }: RefUpdate) => kind === 'unknown' && force === 'none';
  const ofOthers = updates.filter((update) => !isProtectedUpdate(update, facts) && !isRefused(update));
  const ofBranches = ofOthers.filter((update) => branchOf(update) !== null);
  const ofTags = ofOthers.filter((update) => branchOf(update) === null);
  const judge = (rule: OverwriteRule, of: readonly RefUpdate[]) =>
    judgeUpdates(
      of,
      (update) => judgeUpdate(rule, update, facts),
      (many) => judgeManyUpdates(rule, many, facts),
    );
  return [
    ...(await judge('protected-force-push', ofProtected)),
    ...(await judge('force-push', ofBranches)),
    ...(await judge('force-push', ofTags)),
  ];
}

type OverwriteRule = 'protected-force-push' | 'force-push';

async function judgeUpdate(rule: OverwriteRule, update: RefUpdate, facts: PushFacts): Promise<readonly Finding[]> {
  const dropped = await facts.dropped(update);
  return findings(rule, facts.policy, {
    message: describe(update, dropped, facts),
    evidence: { commits: dropped.commits, refs: [update.remoteRef] },
    suggestion: await suggest(update, dropped, facts),
  });
}

/** @param updates all of branches, or none */
async function judgeManyUpdates(
  rule: OverwriteRule,
  updates: readonly RefUpdate[],
  facts: PushFacts,
): Promise<readonly Finding[]> {
  const refs = updates.map(({ remoteRef }) => remoteRef);
  const dropped = await facts.droppedByAll(updates.filter(({ kind }) => kind === 'forced' || kind === 'unknown'));
  const [first] = updates;
  return findings(rule, facts.policy, {
    message: describeMany(updates, dropped, facts),
    evidence: { commits: dropped.commits, refs: refs.slice(0, evidenceLimit) },
    suggestion: first === undefined ? null : await suggest(first, noCommits, facts),
  });
}

function describeMany(updates: readonly RefUpdate[], dropped: CommitList, facts: PushFacts): string {
  const [first] = updates;
  const areTags = first !== undefined && branchOf(first) === null;
  const names = nameRefs(updates.map(({ remoteRef }) => remoteRef));
  const targets = `${updates.length} ${areTags ? 'refs' : 'branches'} on ${remoteName(facts)}, ${names}`;
  if (areTags) {
    const may = updates.some(({ kind }) => kind === 'unknown') ? ', where they are there already' : '';
    return `This push moves ${targets}${may}: whoever has fetched them keeps the old ones.`;
  }
  return dropped.total > 0
    ? `This push overwrites ${targets}: ${count(dropped.total, 'commit')} there would be lost, ${nameCommits(dropped)}.`
    : `This push may overwrite ${targets}: without a lease, commits that others push there in the meantime are lost.`;
}

function describe(update: RefUpdate, dropped: CommitList, facts: PushFacts): string {
  const target = `${refName(update.remoteRef)} on ${remoteName(facts)}`;
  if (branchOf(update) === null) {
    return update.kind === 'unknown'
      ? `This push moves ${target} if it is there already: whoever has fetched it keeps the old one.`
      : `This push moves ${target}: whoever has fetched it keeps the old one.`;
  }
  if (dropped.total > 0) {
    return `This push overwrites ${target}: ${count(dropped.total, 'commit')} there would be lost, ${nameCommits(dropped)}.`;
  }
  if (update.kind === 'unknown' && update.remoteOid === null) {
    return `This push may overwrite ${target}; what it has there is not known in this repository.`;
  }
  if (update.kind === 'unknown') {
    return `${target} has commits that are not in this repository, so what this push would overwrite can't be told.`;
  }
  return `This push may overwrite ${target}: without a lease, commits that others push there in the meantime are lost.`;
}

async function suggest(update: RefUpdate, dropped: CommitList, facts: PushFacts): Promise<string> {
  const remote = remoteName(facts);
  if (facts.direction === 'received') {
    // A server can't see a lease: what is refused there gets in by another branch and a review.
    return quoteCommand(['git', 'push', remote, 'HEAD:refs/heads/my-change']);
  }
  if (facts.plan.mirror) {
    // Other branches may have what nobody wanted to push; of all of them git tells what it would do.
    return quoteCommand(['git', 'push', '--dry-run', '--mirror', remote]);
  }
  const isBranch = branchOf(update) !== null;
  if (update.kind === 'unknown' && isBranch) {
    return askingRemote(facts, 'fetch');
  }
  const alternative = await facts.alternative();
  if (!isBranch) {
    // Without force git makes the tag where there is none, and refuses to move one.
    return update.kind === 'unknown' && update.localRef !== null
      ? alternative.command(remote, `${update.localRef}:${update.remoteRef}`)
      : askingRemote(facts, 'ls-remote', update.remoteRef);
  }
  const target = branchOf(update);
  if (await isCheckedOutHere(target, alternative, facts)) {
    return quoteCommand(['git', 'log', '--oneline', betweenHere(update, dropped)]);
  }
  const leased = withLease(update, alternative, facts);
  const divergence =
    dropped.total > 0 ? (await facts.divergences()).find(({ branch }) => branch === target) : undefined;
  if (divergence === undefined) {
    return leased;
  }
  const look = await lookingAt(divergence, facts);
  if (look !== null) {
    return look;
  }
  if (divergence.ahead.total === 0) {
    return (await fastForwarded(update, facts)) ?? leased;
  }
  // The remote has what the branch never had here. A lease would not keep it: after a fetch it holds for commits that
  // nobody has looked at (git-push(1) "--force-if-includes").
  return hasLeft(update, alternative) === false ? `${await catchingUp(divergence, facts)} && ${leased}` : leased;
}

/** git refuses to push to a branch that is checked out in the repository: git-config(1) "receive.denyCurrentBranch". */
async function isCheckedOutHere(
  target: string | null,
  { current, placeOf }: Alternative,
  { plan }: PushFacts,
): Promise<boolean> {
  const isHere = target !== null && plan.remote === null && plan.url === '.';
  return isHere && (target === current || (await placeOf(target)).isElsewhere);
}

/** The commits that the branch would lose; where there are none, those that it would get. */
function betweenHere(update: RefUpdate, { total }: CommitList): string {
  const [source, target] = [sourceOf(update), branchOf(update) ?? ''];
  return total > 0 ? `${source}..${target}` : `${target}..${source}`;
}

/** What brings a branch the commits that it lacks, where it has none of its own. */
async function fastForwarded(update: RefUpdate, facts: PushFacts): Promise<string | null> {
  const target = branchOf(update);
  if (target === null) {
    return null;
  }
  const { current, branches, placeOf } = await facts.alternative();
  const source = shortBranchName(update.localRef ?? 'HEAD');
  const isCheckedOut = current !== null && (source === 'HEAD' || source === current);
  if (!isCheckedOut && !branches.has(source)) {
    return null;
  }
  const place = await placeOf(isCheckedOut ? null : source);
  return isCheckedOut || place.isElsewhere
    ? place.command('pull', '--ff-only', remoteName(facts), target)
    : quoteCommand(['git', 'fetch', remoteName(facts), `${target}:${source}`]);
}
