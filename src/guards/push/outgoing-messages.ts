import { shortBranchName } from '../../git/refs/refspec.ts';
import { quoteCommand } from '../../quote.ts';
import { type Finding, findings } from '../finding.ts';
import { isProtected } from '../protection.ts';
import { count } from '../wording.ts';
import type { BranchPlace } from './branch-command.ts';
import { autostash, type OutgoingCommit, type PushFacts } from './push-facts.ts';

/** What the linter says of one message. */
export interface MessageJudgement {
  readonly valid: boolean;
  /** A header that would pass; null when none can be made without guessing at the meaning. */
  readonly correctedHeader: string | null;
}

export type JudgeMessage = (message: string) => MessageJudgement | Promise<MessageJudgement>;

/** How many commits a message names with their corrected headers. */
const namedCommits = 5;

/** Commits made by cherry-pick, rebase or `am` never saw commit-msg: what leaves is judged when it leaves. */
export async function judgeOutgoingMessages(facts: PushFacts, judge: JudgeMessage): Promise<readonly Finding[]> {
  const { policy } = facts;
  const outgoing = await facts.outgoing();
  const judged = await Promise.all(outgoing.map(async (commit) => ({ commit, ...(await judge(commit.message)) })));
  const broken = judged.filter(({ valid }) => !valid);
  const fixups = outgoing.filter((commit) => isFixup(commit) && isBoundForProtected(commit, facts));
  return [
    ...findings(
      'outgoing-messages',
      policy,
      broken.length === 0 ? null : await describeBroken(broken, outgoing.length, facts),
    ),
    ...findings(
      'fixup-to-protected',
      policy,
      fixups.length === 0 ? null : await describeFixups(fixups, outgoing, facts),
    ),
  ];
}

type Broken = MessageJudgement & { readonly commit: OutgoingCommit };

async function describeBroken(broken: readonly Broken[], total: number, facts: PushFacts) {
  const named = broken.slice(0, namedCommits).map(({ commit, correctedHeader }) => {
    const correction = correctedHeader === null ? '' : ` → ${correctedHeader}`;
    return `\n    ${commit.oid.slice(0, 7)} ${commit.subject}${correction}`;
  });
  const rest = broken.length > namedCommits ? `\n    and ${broken.length - namedCommits} more` : '';
  const oldest = broken.at(-1)?.commit;
  return {
    message: `${broken.length} of ${count(total, 'commit')} that this push publishes ${broken.length === 1 ? 'breaks' : 'break'} the commit message convention:${named.join('')}${rest}`,
    evidence: { commits: broken.map(({ commit }) => commit) },
    suggestion: oldest === undefined ? null : await rewording(oldest, total === 1, facts),
  };
}

/** @param isOnly no other commit is on top of it */
async function rewording(oldest: OutgoingCommit, isOnly: boolean, facts: PushFacts): Promise<string> {
  const found = await placeOfCommit(oldest, facts);
  if (found === null || !(isOnly && found.isTip)) {
    return rebasing(oldest, found?.place, [], facts);
  }
  const { place } = found;
  // git-commit(1) "--only": without paths it leaves what is staged for another commit.
  const isStaged = place.isElsewhere || (await facts.uncommitted()).some(({ index }) => /[^.?]/.test(index));
  return place.command('commit', '--amend', ...(isStaged ? ['--only'] : []));
}

/**
 * Where a commit that is pushed can be written anew: on the branch that brings it, which may not be checked out, or on another
 * one that has it; null: there is none.
 */
async function placeOfCommit(
  { oid, remoteRefs }: OutgoingCommit,
  facts: PushFacts,
): Promise<{ readonly place: BranchPlace; readonly isTip: boolean } | null> {
  const { branches, current, placeOf, holderOf } = await facts.alternative();
  const refs = facts.plan.updates
    .filter(({ remoteRef }) => remoteRefs.includes(remoteRef))
    .map(({ localRef }) => localRef ?? 'HEAD');
  const pushed = refs.filter((ref) => branches.has(shortBranchName(ref))).map(shortBranchName);
  const isHere = refs.includes('HEAD') || (current !== null && pushed.includes(current));
  const [holder = await holderOf(oid)] = isHere ? ['HEAD'] : pushed;
  return holder === null
    ? null
    : {
        place: await placeOf(holder === 'HEAD' ? null : holder),
        isTip: facts.direction === 'received' || isHere || pushed.length > 0,
      };
}

/** A rebase from a commit on; where no branch has that, a person has to look. */
async function rebasing(
  { oid, parents: [parent] }: OutgoingCommit,
  place: BranchPlace | undefined,
  options: readonly string[],
  facts: PushFacts,
): Promise<string> {
  const below = parent === undefined ? '--root' : parent.slice(0, 10);
  return place === undefined
    ? quoteCommand(['git', 'show', oid.slice(0, 10)])
    : place.command('rebase', '-i', ...options, ...(await autostash(place, facts)), below);
}

/** `git rebase --autosquash` was made to take these up before they are published: git-rebase(1). */
function isFixup({ subject }: OutgoingCommit): boolean {
  return /^(fixup|squash|amend)! /.test(subject);
}

function isBoundForProtected({ remoteRefs }: OutgoingCommit, { policy, defaultBranch }: PushFacts): boolean {
  return remoteRefs.some(
    (ref) => ref.startsWith('refs/heads/') && isProtected(ref.slice('refs/heads/'.length), policy, defaultBranch),
  );
}

async function describeFixups(
  fixups: readonly OutgoingCommit[],
  outgoing: readonly OutgoingCommit[],
  facts: PushFacts,
) {
  return {
    message: `${count(fixups.length, 'fixup commit')} would be published on a protected branch as ${fixups.length === 1 ? 'it is' : 'they are'}.`,
    evidence: { commits: fixups },
    suggestion: await squashing(fixups, outgoing, facts),
  };
}

/** Over all that the push publishes beside the oldest one: what a fixup is of stands below it, published commits stay. */
async function squashing(
  fixups: readonly OutgoingCommit[],
  outgoing: readonly OutgoingCommit[],
  facts: PushFacts,
): Promise<string | null> {
  const fixup = fixups.at(-1);
  const beside = outgoing.filter(({ remoteRefs }) => fixup?.remoteRefs.some((ref) => remoteRefs.includes(ref)));
  const oldest = beside.at(-1);
  if (oldest === undefined) {
    return null;
  }
  const found = await placeOfCommit(oldest, facts);
  return rebasing(oldest, found?.place, ['--autosquash'], facts);
}
