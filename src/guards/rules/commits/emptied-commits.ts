import type { Finding } from '../../finding.ts';
import { textOf } from '../../git-command/words.ts';
import type { RewriteIntent } from '../../intent.ts';
import type { Scene } from '../../scene.ts';
import { judgeMoves, refNamed } from './lose-commits.ts';

/**
 * `git rebase -s ours` takes nothing of the commits that it picks, and drops them for being empty: the branch ends
 * where it is put. git-rebase(1): "the 'ours' strategy simply empties all patches from the branch".
 */
export async function judgeEmptiedCommits(
  { means, range, empties }: RewriteIntent,
  scene: Scene,
): Promise<readonly Finding[]> {
  if (empties !== true || range === 'head' || range.start.kind === 'root' || range.branch === 'containing') {
    return [];
  }
  const { repository } = scene;
  const named = range.branch === null ? null : ({ namespace: 'refs/heads/', name: range.branch } as const);
  const ref = await refNamed(named, scene);
  const to = range.start.kind === 'upstream' ? '@{upstream}' : textOf(range.start.commit);
  const onto = range.onto === null ? to : textOf(range.onto);
  if (ref === null || onto === null) {
    return [];
  }
  const isUpToDate = range.onto === null && !range.anew && (await repository.isAncestor(onto, ref)) === 'yes';
  return isUpToDate ? [] : judgeMoves([{ ref, to: onto }], `${means} -s ours`, scene);
}
