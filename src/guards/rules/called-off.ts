import { readCommitsByHand } from '../../git/commits-by-hand.ts';
import { readFastForwardedPicks } from '../../git/fast-forwarded-picks.ts';
import { commitsOnlyReachableFrom } from '../../git/reachability.ts';
import type { Repository, StatusEntry } from '../../git/repository.ts';
import { isStopped, rebasedBranch, waitsForEdits } from '../../git/stopped-operations.ts';
import { quoteWord } from '../../quote.ts';
import { type Finding, findings } from '../finding.ts';
import { freeName } from '../free-name.ts';
import type { CallOffIntent } from '../intent.ts';
import type { Scene } from '../scene.ts';
import { callsOffRevert } from '../simulation/called-off.ts';
import { isStaged } from '../simulation/indexed-entry.ts';
import { nameCommits } from '../wording.ts';
import { stagedChanges } from '../work-at-stake.ts';
import { isUnmerged, onlyInRebase, ownChanges, resolvedPaths } from '../work-in-conflict.ts';
import { objection } from './discard-objection.ts';
import { judgePutBackPicks, judgeSkippedPicks } from './left-out-picks.ts';
import { judgeLoss, shortName } from './lose-commits.ts';
import { inStash, wayOut } from './ways-to-keep.ts';

/** A list of what was picked that is longer is not looked through. */
const mostPicked = 1000;

/**
 * `git merge --abort` is `git reset --merge` by another name: a conflict that somebody has resolved goes with what the
 * merge has brought, which git can bring again.
 */
export async function judgeCallOff(intent: CallOffIntent, scene: Scene): Promise<readonly Finding[]> {
  const { operation, way } = intent;
  const { repository } = scene;
  if (callsOffRevert(intent, scene.overlay)) {
    return judgeOpenRevert(`git ${operation} --${way}`, scene);
  }
  const begun = operation === 'rebase' && way === 'skip' ? await judgeSkippedPicks('git rebase --skip', scene) : [];
  if (way === 'quit' || !isStopped(operation, repository.gitDir)) {
    return begun;
  }
  const means = `git ${operation} --${way}`;
  const left = (await repository.status()).filter(({ index }) => index !== '?');
  const lost = await scene.patches.without(await workLost(left, intent, scene), 'both', scene);
  return [
    ...begun,
    ...(await objection(scene, means, lost, await inStash(lost, left, repository))),
    ...(way === 'abort' ? await judgeCommitsByHand(intent, means, scene) : []),
    ...(operation === 'rebase' && way === 'skip' && left.length > 0 ? await judgeSkippedCommit(means, scene) : []),
  ];
}

/** `git revert --no-commit` takes what is staged along, and leaves what is not: what is called off is `git reset --merge`. */
async function judgeOpenRevert(means: string, scene: Scene): Promise<readonly Finding[]> {
  const lost = await scene.patches.without(await stagedChanges(scene.repository), 'staged', scene);
  return objection(scene, means, lost, await wayOut(scene.repository, lost));
}

/** Files that are not what git has written. git-reset(1) "--merge": what is not staged stays, but for a rebase. */
async function workLost(
  left: readonly StatusEntry[],
  { operation }: CallOffIntent,
  { repository, overlay }: Scene,
): Promise<readonly string[]> {
  const isStagedHere = (path: string) => isStaged(overlay.index.get(path));
  const taken = left.filter(({ index }) => index !== 'D' && (operation === 'rebase' || index !== '.'));
  const own = await ownChanges(taken, repository, isStagedHere);
  // An older git, and `git am`, do not remember what they have written themselves.
  const isForgotten =
    !(operation === 'rebase' && waitsForEdits(repository.gitDir)) && (await repository.resolve('AUTO_MERGE')) === null;
  const resolved = isForgotten ? await resolvedPaths(repository) : null;
  return own
    .filter((entry) => isUnmerged(entry) || isStagedHere(entry.path) || resolved?.includes(entry.path) !== false)
    .map(({ path }) => path);
}

/** What was committed since the operation began goes with it; only what it has picked by itself is elsewhere as well. */
async function judgeCommitsByHand(
  { operation }: CallOffIntent,
  means: string,
  scene: Scene,
): Promise<readonly Finding[]> {
  const { repository, overlay } = scene;
  const head = await repository.head();
  const ref = head.kind === 'branch' ? head.ref : 'HEAD';
  const made = overlay.made.lostBy([{ ref, keeps: [] }]).withWork;
  // A branch that was made meanwhile stays, and "You seem to have moved HEAD" says what git leaves where it is.
  const stays = operation === 'rebase' ? head.kind === 'branch' : overlay.made.on(ref).length > 0;
  if (stays) {
    return [];
  }
  const byHand = await readCommitsByHand(operation, repository);
  const moves = byHand === null ? [] : [{ ref, to: byHand.begin }];
  const left = await commitsOnlyReachableFrom(moves, repository, { limit: mostPicked });
  const commits = left.commits.filter(({ oid }) => byHand?.oids.has(oid));
  if (commits.length === 0 && made === 0) {
    return [];
  }
  const moment = commits.length === 0 ? `   # before ${means}` : '';
  const suggestion = `git branch ${await freeName('kept-work', repository)}${moment}`;
  return judgeLoss({ commits, total: commits.length }, { means, made, refs: [ref], scene, suggestion });
}

/**
 * `git stash && git rebase --continue`: where what the stopped commit would change has been put away, and nothing is
 * committed in its place, git goes on without it, as with `--skip`.
 */
export async function judgeGoOn(scene: Scene): Promise<readonly Finding[]> {
  const { repository, overlay } = scene;
  if (overlay.begunRebase !== null) {
    return judgePutBackPicks(scene);
  }
  const { git, gitDir } = repository;
  if (!isStopped('rebase', gitDir) || (await isCommittedByHand(scene))) {
    return [];
  }
  const moved = await judgeMovedOff(scene);
  const isPutAway = !waitsForEdits(gitDir) && (await repository.status()).every(({ index }) => index === '?');
  if (!isPutAway) {
    return moved;
  }
  const isInIndex = (await git.run(['diff-index', '--cached', '--quiet', 'HEAD'])).exitCode === 1;
  const isLeftOut = isInIndex ? !overlay.keepsIndex : !(await isApplied(repository));
  return [...moved, ...(isLeftOut ? await judgeSkippedCommit('Going on with nothing to commit', scene) : [])];
}

/** Is what HEAD is now a commit that was made while the rebase had stopped, by the line or before? */
async function isCommittedByHand({ repository, overlay }: Scene): Promise<boolean> {
  if (overlay.made.on('HEAD').length > 0) {
    return true;
  }
  const [byHand, { oid }] = [await readCommitsByHand('rebase', repository), await repository.head()];
  return oid !== null && byHand?.oids.has(oid) === true;
}

/** Has HEAD the changes of the commit that a rebase has stopped at? The index is as HEAD is. */
async function isApplied({ git }: Repository): Promise<boolean> {
  const patch = await git.run(['diff-tree', '-p', '--binary', '--full-index', 'REBASE_HEAD^1', 'REBASE_HEAD']);
  const { stdout: input } = patch;
  return (
    patch.exitCode !== 0 ||
    input.length === 0 ||
    (await git.run(['apply', '--check', '--cached', '--reverse', '-'], { input })).exitCode === 0
  );
}

/**
 * `git rebase -x TEST HEAD~1`, and at a failure `git checkout main` and `git rebase --continue`: the branch is put to where
 * HEAD is then, off the commits that git had taken over as they were.
 */
async function judgeMovedOff(scene: Scene): Promise<readonly Finding[]> {
  const { repository } = scene;
  const branch = rebasedBranch(repository.gitDir);
  const taken = branch === null ? [] : await readFastForwardedPicks(repository);
  if (branch === null || taken.length === 0) {
    return [];
  }
  const { oid } = await repository.head();
  const left = await commitsOnlyReachableFrom([{ ref: branch, to: oid }], repository, { limit: mostPicked });
  const commits = left.commits.filter((commit) => taken.includes(commit.oid));
  const name = await freeName('kept-work', repository);
  const suggestion = `git branch ${name} ${quoteWord(shortName(branch))}`;
  const means = `Going on would put ${shortName(branch)} to where HEAD is. This`;
  return judgeLoss({ commits, total: commits.length }, { means, refs: [branch], scene, suggestion });
}

/** A commit that a rebase leaves out, although it would still change something. */
async function judgeSkippedCommit(means: string, { repository, policy }: Scene): Promise<readonly Finding[]> {
  const commits = await onlyInRebase(repository);
  return findings(
    'lose-commits',
    policy,
    commits.length === 0
      ? null
      : {
          message: `${means} would leave out 1 commit that no other branch or tag has: ${nameCommits({ commits, total: 1 })}.`,
          evidence: { commits },
          suggestion: `git branch ${await freeName('kept-work', repository)} REBASE_HEAD`,
        },
  );
}
