import { quoteWord } from '../../../quote.ts';
import type { Finding } from '../../finding.ts';
import { freeName } from '../../free-name.ts';
import { textOf } from '../../git-command/words.ts';
import type { RewriteIntent } from '../../intent.ts';
import type { Scene } from '../../scene.ts';
import { forkedFrom, forkingRebase } from '../../simulation/refs/fork-point.ts';
import { shortName } from '../../wording.ts';
import { commitsLeftOut } from './left-out-by-onto.ts';
import { judgeLoss, refNamed } from './lose-commits.ts';

/**
 * Commits that a rebase takes for the upstream's, because its reflog says that it has had them once, and leaves out: after
 * a forced push nothing else may have them. git-merge-base(1) "DISCUSSION ON FORK-POINT MODE".
 */
export async function judgeForkedCommits({ means, range }: RewriteIntent, scene: Scene): Promise<readonly Finding[]> {
  const { repository } = scene;
  const forking = range === 'head' ? null : await forkingRebase(range, repository);
  if (range === 'head' || range.branch === 'containing' || forking === null) {
    return [];
  }
  const named = range.branch === null ? null : ({ namespace: 'refs/heads/', name: range.branch } as const);
  const ref = await refNamed(named, scene);
  const from = ref === null ? null : ref === 'HEAD' ? (await repository.head()).oid : await repository.ref(ref);
  const forked = from === null || from === forking.tip ? null : await forkedFrom(forking, from, repository);
  if (ref === null || forked === null) {
    return [];
  }
  const { fork, rewritten } = forked;
  const dropped = await commitsLeftOut({ ref, onto: textOf(range.onto) ?? forking.tip, upstream: fork }, repository);
  const commits = dropped.commits.filter(({ oid }) => !rewritten.has(oid));
  return judgeLoss(
    { commits, total: dropped.total - (dropped.commits.length - commits.length) },
    {
      means,
      refs: [ref],
      scene,
      suggestion: `git branch ${await freeName('kept-work', repository)} ${quoteWord(shortName(ref))}`,
    },
  );
}
