import type { Policy } from '../../config/policy.ts';
import type { CommitList, CommitSummary } from '../../git/history/commit.ts';
import type { PushPlan, RefUpdate } from '../../git/push/push-plan.ts';
import { shortBranchName } from '../../git/refs/refspec.ts';
import type { StatusEntry } from '../../git/repository.ts';
import { quoteCommand } from '../../quote.ts';
import type { Finding } from '../finding.ts';
import { isProtected } from '../protection.ts';
import type { BranchPlace } from './branch-command.ts';

/** Commits that one side of a branch has and the other lacks. */
export interface Divergence {
  /** The branch's short name on the remote. */
  readonly branch: string;
  /** The branch on the remote, as people name it: `origin/main`. */
  readonly upstream: string;
  /** What is pushed to it, as it was typed or given. */
  readonly source: string;
  readonly ahead: CommitList;
  /** Null: the remote's commits are not in this repository, so they can't be counted. */
  readonly behind: CommitList | null;
}

/** A commit that the push would publish: new to every branch of the remote. */
export interface OutgoingCommit extends CommitSummary {
  readonly message: string;
  readonly parents: readonly string[];
  /** The remote refs (`refs/heads/main`) that would come to reach it. */
  readonly remoteRefs: readonly string[];
}

/** Where a push starts from, and where it could go. */
export interface Alternative {
  /** The short names of the local branches, without symbolic ones. */
  readonly branches: ReadonlySet<string>;
  /** The one that is checked out; null: none. */
  readonly current: string | null;
  /** Has a local branch ever stood at a commit? What it has left there was left on purpose. Null: it has no reflog. */
  readonly hasStoodAt: (branch: string, oid: string) => boolean | null;
  /** What pushes a branch to the one of its own name, whatever is configured. */
  readonly refspecOf: (branch: string) => string;
  /** A branch's name that is free, here and there. */
  readonly topic: string;
  /** May another branch be checked out? git refuses in the middle of something: git-switch(1). */
  readonly switches: boolean;
  /** Nothing is committed before the line: what is checked out can't be pushed yet, and a switch would leave no branch. */
  readonly isUnborn: boolean;
  /** Has a branch's counterpart commits that it lacks, so that git refuses the push? */
  isRefused(branch: string): Promise<boolean>;
  /** Where a branch can be worked on; of null, what is checked out. */
  placeOf(branch: string | null): Promise<BranchPlace>;
  /** `HEAD`, or a local branch, that reaches a commit; null: none does. */
  holderOf(oid: string): Promise<string | null>;
  /** `git push` with these arguments, written so that the remote is no mirror for once. */
  readonly command: (...args: readonly string[]) => string;
}

/** What is known about one push and the repository that it starts from. Facts are read when a rule asks for them. */
export interface PushFacts {
  readonly plan: PushPlan;
  readonly policy: Policy;
  /** Does this repository send the push, or receive it? One who is refused by a server is told in a client's terms. */
  readonly direction: 'sent' | 'received';
  /**
   * True where git itself has told the remote's present state (the lines of pre-push); false where it is what the
   * last fetch left, which can be stale.
   */
  readonly exact: boolean;
  /** The remote's default branch, where it is known. */
  readonly defaultBranch: string | null;
  /** The commits that the remote ref would no longer reach. */
  dropped(update: RefUpdate): Promise<CommitList>;
  /** The same for many updates at once, all of them deletions or none. */
  droppedByAll(updates: readonly RefUpdate[]): Promise<CommitList>;
  /** Branches of the push (or, when git lists none, the current branch) whose remote has commits they lack. */
  divergences(): Promise<readonly Divergence[]>;
  uncommitted(): Promise<readonly StatusEntry[]>;
  /** What could be pushed instead. */
  alternative(): Promise<Alternative>;
  outgoing(): Promise<readonly OutgoingCommit[]>;
}

/**
 * Updates that a rule judges one by one, with a walk over the history for each. Of more than these it says in one finding
 * what they do together: nobody reads thousands, and git would be started for each.
 */
export const judgedOneByOne = 8;

/** Judges updates one by one, or more of them than {@link judgedOneByOne} all together. */
export async function judgeUpdates(
  updates: readonly RefUpdate[],
  judgeOne: (update: RefUpdate) => Promise<readonly Finding[]>,
  judgeAll: (updates: readonly RefUpdate[]) => Promise<readonly Finding[]>,
): Promise<readonly Finding[]> {
  return updates.length > judgedOneByOne ? judgeAll(updates) : (await Promise.all(updates.map(judgeOne))).flat();
}

/** The branch that a remote ref is; null for a tag or any other ref. */
export function branchOf(update: RefUpdate): string | null {
  const prefix = 'refs/heads/';
  return update.remoteRef.startsWith(prefix) ? update.remoteRef.slice(prefix.length) : null;
}

export function isProtectedUpdate(update: RefUpdate, facts: PushFacts): boolean {
  const branch = branchOf(update);
  return branch !== null && isProtected(branch, facts.policy, facts.defaultBranch);
}

/**
 * May this update throw away what the remote has? Where the remote's state is exact, only if it does; else already
 * when the command would not stop at commits it doesn't know.
 */
export function mayOverwrite(update: RefUpdate, facts: PushFacts): boolean {
  switch (update.kind) {
    case 'delete':
      return false;
    case 'forced':
      // Without force git refuses it, unless git's own list shows that it was forced after all.
      return (
        update.force === 'unconditional' || update.force === 'undetermined' || (facts.exact && update.force === 'none')
      );
    case 'unknown':
      return update.force !== 'lease' && (facts.exact || update.force === 'unconditional');
    case 'create':
    case 'fast-forward':
    case 'up-to-date':
      return update.force === 'unconditional' && !facts.exact;
  }
}

/** The remote as a command names it. A server is what its clients call origin, and its own path is not theirs to know. */
export function remoteName({ plan, direction }: Pick<PushFacts, 'plan' | 'direction'>): string {
  return direction === 'received' ? 'origin' : (plan.remote ?? plan.url);
}

/**
 * A command that asks the remote; where git knows none of the name that was given, what shows those that there are.
 *
 * @param verb `fetch`, `ls-remote`
 */
export function askingRemote(facts: Pick<PushFacts, 'plan' | 'direction'>, verb: string, ...refs: string[]): string {
  return lookingForRemote(facts) ?? quoteCommand(['git', verb, remoteName(facts), ...refs]);
}

/** What shows the remotes that there are, where git knows none of the name that was given; null: it knows it. */
export function lookingForRemote({ plan, direction }: Pick<PushFacts, 'plan' | 'direction'>): string | null {
  const isMissing = direction === 'sent' && plan.remote === null && /^\w[\w.-]*$/.test(plan.url);
  return isMissing ? 'git remote --verbose' : null;
}

/** What is pushed, as a refspec names it that goes to a branch: no tag can be one, but the commit that it stands for. */
export function sourceOf({ localRef }: Pick<RefUpdate, 'localRef'>): string {
  const ref = localRef ?? 'HEAD';
  return ref.startsWith('refs/tags/') ? `${ref}^{}` : shortBranchName(ref);
}

/**
 * As short as a person would write it: `main` for `refs/heads/main:refs/heads/main`. git makes a branch of a short name only
 * where a branch is pushed to it.
 */
function refspecOf(update: RefUpdate, alternative: Alternative): string {
  const source = sourceOf(update);
  const target = shortBranchName(update.remoteRef);
  const isBranch = update.localRef?.startsWith('refs/heads/') === true;
  return source === target ? alternative.refspecOf(target) : `${source}:${isBranch ? target : update.remoteRef}`;
}

/** The same update with a lease. What should be there is told by a tracking ref, which only a remote has: git-push(1). */
export function withLease(update: RefUpdate, alternative: Alternative, facts: PushFacts): string {
  const { remoteRef, remoteOid } = update;
  const isTracked = facts.plan.remote !== null || remoteOid === null;
  const expected = isTracked ? '' : `=${shortBranchName(remoteRef)}:${remoteOid.slice(0, 12)}`;
  return alternative.command(`--force-with-lease${expected}`, remoteName(facts), refspecOf(update, alternative));
}

/** What lets a rebase run over uncommitted changes, which git refuses otherwise. */
export async function autostash({ isElsewhere }: Pick<BranchPlace, 'isElsewhere'>, facts: PushFacts) {
  const isDirty = isElsewhere || (await facts.uncommitted()).some(({ index }) => index !== '?');
  return isDirty ? ['--autostash'] : [];
}

/** Has the branch that is pushed ever stood at what the remote has? Null: that is not known. */
export function hasLeft(
  { localRef, remoteOid }: RefUpdate,
  { branches, current, hasStoodAt }: Alternative,
): boolean | null {
  const source = localRef === null || localRef === 'HEAD' ? current : shortBranchName(localRef);
  return source !== null && branches.has(source) && remoteOid !== null ? hasStoodAt(source, remoteOid) : null;
}
