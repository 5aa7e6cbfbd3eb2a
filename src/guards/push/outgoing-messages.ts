import { type Finding, findings } from '../finding.ts';
import { isProtected } from '../protection.ts';
import { count } from '../wording.ts';
import type { OutgoingCommit, PushFacts } from './push-facts.ts';

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
    ...findings('outgoing-messages', policy, broken.length === 0 ? null : describeBroken(broken, outgoing.length)),
    ...findings('fixup-to-protected', policy, fixups.length === 0 ? null : describeFixups(fixups)),
  ];
}

type Broken = MessageJudgement & { readonly commit: OutgoingCommit };

function describeBroken(broken: readonly Broken[], total: number) {
  const named = broken.slice(0, namedCommits).map(({ commit, correctedHeader }) => {
    const correction = correctedHeader === null ? '' : ` → ${correctedHeader}`;
    return `\n    ${commit.oid.slice(0, 7)} ${commit.subject}${correction}`;
  });
  const rest = broken.length > namedCommits ? `\n    and ${broken.length - namedCommits} more` : '';
  const oldest = broken.at(-1)?.commit.oid ?? 'HEAD';
  return {
    message: `${broken.length} of ${count(total, 'commit')} that this push publishes ${broken.length === 1 ? 'breaks' : 'break'} the commit message convention:${named.join('')}${rest}`,
    evidence: { commits: broken.map(({ commit }) => commit) },
    suggestion: broken.length === 1 && total === 1 ? 'git commit --amend' : `git rebase -i ${oldest.slice(0, 10)}~`,
  };
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

function describeFixups(fixups: readonly OutgoingCommit[]) {
  const oldest = fixups.at(-1)?.oid ?? 'HEAD';
  return {
    message: `${count(fixups.length, 'fixup commit')} would be published on a protected branch as ${fixups.length === 1 ? 'it is' : 'they are'}.`,
    evidence: { commits: fixups },
    suggestion: `git rebase -i --autosquash ${oldest.slice(0, 10)}~2`,
  };
}
