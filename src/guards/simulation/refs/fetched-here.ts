import type { Repository } from '../../../git/repository.ts';
import { known, textOf, textsOf } from '../../git-command/words.ts';
import type { FetchIntent, MoveRefIntent } from '../../intent.ts';

/**
 * What a fetch from the repository itself does to its branches: `git fetch . X:Y`. git only goes on with them, unless it is
 * forced, and leaves the one that is checked out: git-fetch(1) "--update-head-ok".
 */
export async function movesByFetch(intent: FetchIntent, repository: Repository): Promise<readonly MoveRefIntent[]> {
  if (intent.prunesOnly || textOf(intent.remote) !== '.') {
    return [];
  }
  const found = (textsOf(intent.refspecs) ?? []).map((refspec) => moveBy(refspec, intent, repository));
  return (await Promise.all(found)).flatMap((move) => move ?? []);
}

async function moveBy(refspec: string, intent: FetchIntent, repository: Repository): Promise<MoveRefIntent | null> {
  const [source = '', target = ''] = refspec.replace(/^\+/, '').split(':');
  const ref = target.startsWith('refs/') ? target : `refs/heads/${target}`;
  const head = await repository.head();
  const isLeft = head.kind === 'branch' && head.ref === ref && intent.updatesHead !== true;
  if (target === '' || refspec.includes('*') || isLeft) {
    return null;
  }
  const [oid, tip] = [await repository.resolve(source), await repository.ref(ref)];
  const isForced = intent.force || refspec.startsWith('+');
  const goesOn = oid !== null && (isForced || tip === null || (await repository.isAncestor(tip, oid)) === 'yes');
  const move = { kind: 'move-ref', ref: { namespace: '', name: known(ref) }, to: known(source) } as const;
  return goesOn ? { ...move, means: intent.means } : null;
}
