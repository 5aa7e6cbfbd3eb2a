import { isStopped } from '../../../git/history/stopped-operations.ts';
import type { Repository } from '../../../git/repository.ts';
import { textOf, textsOf } from '../../git-command/words.ts';
import type { ChangeFilesIntent, DiscardIntent } from '../../intent.ts';
import { isPlain, roots } from '../files/meant-paths.ts';
import type { Overlay } from '../overlay.ts';
import type { Difference } from './begun-rebase.ts';

/** What the line takes of the side that the commits are put on, or throws away, before a stopped rebase goes on. */
export async function putBackInRebase(
  intent: DiscardIntent | ChangeFilesIntent,
  overlay: Overlay,
  repository: Repository,
): Promise<void> {
  const { begunRebase, putBackPicks: before } = overlay;
  if (begunRebase === null && !isStopped('rebase', repository.gitDir)) {
    return;
  }
  const pathspecs = await pathsPutBack(intent, begunRebase?.tip ?? 'REBASE_HEAD', repository);
  if (pathspecs === null) {
    return;
  }
  const isBelow = pathspecs.every(isPlain) ? roots(pathspecs, repository) : () => true;
  overlay.putBackPicks = (path, difference) =>
    before?.(path, difference) === true || (isBelow(path) && putsBack(intent, difference));
}

/** Is a file put back that differs so? git-checkout(1): a side is there of conflicts alone, and new files stay "in overlay mode". */
function putsBack(intent: DiscardIntent | ChangeFilesIntent, difference: Difference): boolean {
  const { side, overlays } = intent.kind === 'discard' && intent.what.kind === 'paths' ? intent.what : {};
  return difference === 'in conflict' || (side === undefined && !(overlays === true && difference === 'new'));
}

/** Pathspecs; null: nothing is put back. @param tip a commit that is picked */
async function pathsPutBack(
  intent: DiscardIntent | ChangeFilesIntent,
  tip: string,
  repository: Repository,
): Promise<readonly string[] | null> {
  if (intent.kind === 'discard') {
    const { what } = intent;
    const isTaken =
      what.kind === 'paths' && (what.side === 'ours' || (what.from === 'commit' && what.to === undefined));
    return what.kind === 'tracked' ? [':/'] : isTaken ? textsOf(what.paths) : null;
  }
  const name = typeof intent.to === 'object' ? textOf(intent.to.commit) : null;
  const from =
    name === null || /^(?:REBASE|ORIG)_HEAD$/.test(name) ? null : await repository.resolve(`${name}^{commit}`);
  return from === null || (await repository.isAncestor(from, tip)) === 'yes' ? null : textsOf(intent.paths);
}
