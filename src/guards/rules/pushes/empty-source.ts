import { planFromRequest } from '../../../git/push/push-from-request.ts';
import type { RefUpdate } from '../../../git/push/push-plan.ts';
import type { PushRequest } from '../../../git/push/push-request.ts';
import type { Repository } from '../../../git/repository.ts';
import { quoteWord } from '../../../quote.ts';
import { programName } from '../../../shell/simple-command.ts';
import { type Finding, findings } from '../../finding.ts';
import { readInvocation } from '../../git-command/invocation.ts';
import { textsOf, type UnknownWord } from '../../git-command/words.ts';
import type { Scene } from '../../scene.ts';
import { refName } from '../../wording.ts';

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
          message: `This push deletes ${refName(ref)} on ${remote} where ${emptyWhere(word)}: a refspec without a source does.`,
          evidence: { refs: [ref] },
          suggestion:
            word.ownValueOf === undefined
              ? `git ls-remote ${quoteWord(remote)} ${quoteWord(ref)}`
              : `git push ${quoteWord(remote)} "\${${word.ownValueOf}:?}${word.suffix}"`,
        }),
      );
    }
  }
  return found;
}

function emptyWhere({ ownValueOf }: UnknownWord): string {
  return ownValueOf === undefined ? 'git finds no such commit' : `$${ownValueOf} is not set`;
}

/** git-rev-parse(1) "--quiet": nothing is printed where there is no commit of that name. */
function printsNothingElse({ printedBy }: UnknownWord): boolean {
  if (printedBy === undefined || programName(printedBy.argv[0]) !== 'git') {
    return false;
  }
  const { words } = readInvocation(printedBy.argv.slice(1), printedBy.cwd, () => null);
  const [subcommand, ...asked] = textsOf(words) ?? [];
  return (
    subcommand === 'rev-parse' &&
    asked.includes('--verify') &&
    asked.some((word) => word === '-q' || word === '--quiet')
  );
}

/** Where it goes with a variable alone before the colon; null: something surely stands there. */
function deletedIfEmpty(word: UnknownWord): string | null {
  const { prefix, suffix, ownValueOf, mayBe, oneOf } = word;
  const mayBeEmpty =
    printsNothingElse(word) || (ownValueOf !== undefined && mayBe === undefined && oneOf === undefined);
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
