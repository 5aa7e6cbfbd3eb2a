import type { CommitList } from '../../../git/history/commit.ts';
import { commitsOnlyReachableFrom } from '../../../git/history/reachability.ts';
import type { Repository } from '../../../git/repository.ts';
import { quoteWord } from '../../../quote.ts';
import { type Finding, findings } from '../../finding.ts';
import { freeName } from '../../free-name.ts';
import { isUnknown, textOf } from '../../git-command/words.ts';
import type { RewriteIntent } from '../../intent.ts';
import type { Scene } from '../../scene.ts';
import { madeBelow } from '../../simulation/refs/made-commits.ts';
import { count, keptBefore, shortName } from '../../wording.ts';
import { unreadable } from '../unreadable-command.ts';
import { judgeLoss, refNamed } from './lose-commits.ts';

/** Commits between `--onto` and the upstream that no `git rebase` picks again. */
export async function judgeLeftOutByOnto({ means, range }: RewriteIntent, scene: Scene): Promise<readonly Finding[]> {
  const { repository } = scene;
  if (range === 'head' || range.onto === null || range.start.kind !== 'after' || range.branch === 'containing') {
    return [];
  }
  const [onto, upstream] = [textOf(range.onto), textOf(range.start.commit)];
  // Of two that are not known, what lies between them may be all that the branch has.
  if (upstream === null && !isUnknown(range.onto)) {
    return [];
  }
  const named = textOf(range.branch);
  const ref = await refNamed(
    named === null ? null : { namespace: 'refs/heads/', name: { kind: 'known', value: named } },
    scene,
  );
  if (ref === null) {
    return [];
  }
  const dropped = await commitsLeftOut({ ref, onto, upstream }, repository);
  if (onto === null || upstream === null) {
    return isUnknown(range.onto) && dropped.total > 0
      ? unreadable(scene.policy, {
          source: range.onto.source,
          reason: range.onto.reason,
          could: `a commit that leaves ${count(dropped.total, 'commit')} of ${shortName(ref)} out`,
        })
      : [];
  }
  const { made } = scene.overlay;
  const [below, kept] = await Promise.all([upstream, onto].map((name) => madeBelow(name, made, repository)));
  const pickedAgain = made.on(ref).filter((commit) => below?.includes(commit) === false);
  const droppedHere = made.lostBy([{ ref, keeps: [...(kept ?? []), ...pickedAgain] }]).withWork;
  if (dropped.total <= 0 && droppedHere > 0) {
    return findings('lose-commits', scene.policy, {
      message: `${means} --onto would leave ${count(droppedHere, 'commit')} out that this command line makes.`,
      evidence: { refs: [ref] },
      suggestion: keptBefore(
        `${means} --onto`,
        `git branch ${await freeName('kept-work', repository)} ${quoteWord(shortName(ref))}`,
      ),
    });
  }
  return judgeLoss(dropped, {
    means: `${means} --onto`,
    refs: [ref],
    scene,
    suggestion: `git branch ${await freeName('kept-work', repository)} ${quoteWord(shortName(ref))}`,
  });
}

/**
 * What only a branch reaches, and is not picked again behind the upstream.
 *
 * @param onto null: it is not known; the same of the upstream
 */
export async function commitsLeftOut(
  { ref, onto, upstream }: { readonly ref: string; readonly onto: string | null; readonly upstream: string | null },
  repository: Repository,
): Promise<CommitList> {
  const all = await commitsOnlyReachableFrom([{ ref, to: onto }], repository);
  if (upstream === null) {
    return all;
  }
  const picked = await commitsOnlyReachableFrom(
    [
      { ref, to: onto },
      { ref, to: upstream },
    ],
    repository,
  );
  const again = new Set(picked.commits.map(({ oid }) => oid));
  return { commits: all.commits.filter(({ oid }) => !again.has(oid)), total: all.total - picked.total };
}
