import { readCommitsByHand } from '../../../git/history/commits-by-hand.ts';
import { readFastForwardedPicks } from '../../../git/history/fast-forwarded-picks.ts';
import { commitsOnlyReachableFrom } from '../../../git/history/reachability.ts';
import { isStopped, mostPicked, rebasedBranch, waitsForEdits } from '../../../git/history/stopped-operations.ts';
import type { Repository, StatusEntry } from '../../../git/repository.ts';
import { quoteWord } from '../../../quote.ts';
import type { Finding } from '../../finding.ts';
import { freeName } from '../../free-name.ts';
import type { Scene } from '../../scene.ts';
import { isNew } from '../../simulation/files/indexed-entry.ts';
import type { Overlay } from '../../simulation/overlay.ts';
import { shortName } from '../../wording.ts';
import { wasInConflict } from '../../work-in-conflict.ts';
import { judgePutBackPicks, judgeSkippedCommit } from './left-out-picks.ts';
import { judgeLoss } from './lose-commits.ts';

/**
 * `git stash && git rebase --continue`: where what the stopped commit would change has been put away, and nothing is
 * committed in its place, git goes on without it, as with `--skip`.
 */
export async function judgeGoOn(scene: Scene): Promise<readonly Finding[]> {
  const { repository, overlay } = scene;
  if (overlay.begunRebase !== null) {
    return judgePutBackPicks(scene);
  }
  const { gitDir } = repository;
  if (!isStopped('rebase', gitDir) || (await isCommittedByHand(scene))) {
    return [];
  }
  const moved = await judgeMovedOff(scene);
  const isLeftOut = !waitsForEdits(gitDir) && (await hasNothingToCommit(scene));
  return [...moved, ...(isLeftOut ? await judgeSkippedCommit('Going on with nothing to commit', scene) : [])];
}

/** Has git nothing to commit, though HEAD lacks what the commit changes that a rebase has stopped at? */
async function hasNothingToCommit({ repository, overlay }: Scene): Promise<boolean> {
  const changed = (await repository.status()).filter(({ index }) => index !== '?');
  if (changed.length > 0) {
    return areOnlyPutBack(changed, overlay);
  }
  const isInIndex = (await repository.git.run(['diff-index', '--cached', '--quiet', 'HEAD'])).exitCode === 1;
  return isInIndex ? !overlay.keepsIndex : !(await isApplied(repository));
}

/** `git checkout --ours FILE && git add FILE`: has the line put back all that is changed? */
function areOnlyPutBack(changed: readonly StatusEntry[], { putBackPicks: isPutBack, written }: Overlay): boolean {
  const differenceOf = (entry: StatusEntry) =>
    wasInConflict(entry) ? 'in conflict' : isNew(entry) ? 'new' : 'changed';
  return (
    isPutBack !== null &&
    changed.every((entry) => isPutBack(entry.path, differenceOf(entry)) && !written.has(entry.path))
  );
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
