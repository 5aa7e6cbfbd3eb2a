import { planFromRequest } from '../../git/push-from-request.ts';
import type { RefUpdate } from '../../git/push-plan.ts';
import type { PushRequest } from '../../git/push-request.ts';
import type { Repository } from '../../git/repository.ts';
import { quoteWord } from '../../quote.ts';
import { type Finding, findings } from '../finding.ts';
import type { UnknownWord } from '../git-command/words.ts';
import type { Scene } from '../scene.ts';
import { refName } from '../wording.ts';

/**
 * `git push origin "$SHA:preview"`, where nothing is known to set the variable: git-push(1), a refspec without a source
 * deletes its destination. Asked about where that is there as far as is known here.
 */
export async function judgeEmptySource(
  words: readonly UnknownWord[],
  request: PushRequest,
  { repository, policy }: Scene,
): Promise<readonly Finding[]> {
  const remote = request.repository ?? 'origin';
  const found: Finding[] = [];
  for (const word of request.delete ? [] : words) {
    const destination = deletedIfEmpty(word);
    const ref = destination === null ? null : await deletedRef(destination, request, repository);
    if (ref !== null) {
      found.push(
        ...findings('remote-delete', policy, {
          message: `This push deletes ${refName(ref)} on ${remote} where $${word.ownValueOf} is not set: a refspec without a source does.`,
          evidence: { refs: [ref] },
          suggestion: `git push ${quoteWord(remote)} "\${${word.ownValueOf}:?}${word.suffix}"`,
        }),
      );
    }
  }
  return found;
}

/** Where it goes with a variable alone before the colon; null: something surely stands there. */
function deletedIfEmpty({ prefix, suffix, ownValueOf, mayBe, oneOf }: UnknownWord): string | null {
  const mayBeEmpty = ownValueOf !== undefined && mayBe === undefined && oneOf === undefined;
  return mayBeEmpty && /^\+?$/.test(prefix) ? (/^:([\w./-]+)$/.exec(suffix)?.[1] ?? null) : null;
}

/** Tracking refs tell which branches the remote has; tags are known by those that are here. */
async function deletedRef(destination: string, request: PushRequest, repository: Repository): Promise<string | null> {
  const { updates } = await planFromRequest({ ...request, refspecs: [`:${destination}`] }, repository);
  const isThere = async ({ kind, remoteRef, remoteOid }: RefUpdate) =>
    kind === 'delete' &&
    (remoteOid !== null || (remoteRef.startsWith('refs/tags/') && (await repository.ref(remoteRef)) !== null));
  for (const update of updates) {
    if (await isThere(update)) {
      return update.remoteRef;
    }
  }
  return null;
}
