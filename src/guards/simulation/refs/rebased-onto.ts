import type { Repository } from '../../../git/repository.ts';
import { textOf } from '../../git-command/words.ts';
import type { Intent, RewriteIntent, RewriteRange } from '../../intent.ts';
import { overlaid } from '../overlaid-repository.ts';
import type { Overlay, ReachedCommit } from '../overlay.ts';

/** The rebase among these of the branch that is checked out then; null: there is none. */
export function rebaseAmong(intents: readonly Intent[]): RewriteIntent | null {
  const isRebase = intents.some((intent) => intent.kind === 'version' && intent.operation === 'rebase');
  return (isRebase ? intents.find((intent) => intent.kind === 'rewrite') : undefined) ?? null;
}

/** What a branch stands on once it was rebased; null: it is not known. */
export function baseOf({ onto, start }: RewriteRange): string | null {
  return start.kind === 'upstream' && onto === null
    ? '@{upstream}'
    : textOf(onto ?? (start.kind === 'after' ? start.commit : null));
}

/** `git rebase feature`: once it has succeeded, the branch has all that it stands on. */
export async function applyBase({ range }: RewriteIntent, overlay: Overlay, before: Repository): Promise<void> {
  const repository = overlaid(before, overlay);
  const onto = range === 'head' ? null : baseOf(range);
  const oid = onto === null ? null : await repository.resolve(`${onto}^{commit}`);
  const head = await repository.head();
  if (oid !== null && head.kind === 'branch') {
    overlay.shared.reached.push({ oid, by: head.ref, since: overlay.refs.get(head.ref) });
  }
}

/**
 * What a branch has by what the line knows, and no ref of its own tells: a rebase of it may leave that out, where it is told
 * from where to pick, or what.
 */
export async function leftBases(
  { range, editsList }: RewriteIntent,
  { refs, shared }: Overlay,
  repository: Repository,
): Promise<readonly ReachedCommit[]> {
  const leavesOut = range !== 'head' && (range.onto !== null || editsList === true);
  const head = leavesOut && shared.reached.length > 0 ? await repository.head() : null;
  return shared.reached.filter(({ by, since }) => head?.kind === 'branch' && by === head.ref && refs.get(by) === since);
}
