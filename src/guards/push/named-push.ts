import type { Policy } from '../../config/policy.ts';
import type { PushRequest } from '../../git/push/push-request.ts';
import { parsePushRefspec, shortBranchName } from '../../git/refs/refspec.ts';
import { quoteCommand, quoteWord } from '../../quote.ts';
import { type Finding, findings } from '../finding.ts';
import { isProtected } from '../protection.ts';

/** What is known of where a push goes, besides its words. */
interface NamedPlace {
  /** The remote's, where it is known. */
  readonly defaultBranch: string | null;
  /** The line makes the repository: nobody stands in it to push from there. */
  readonly isNew: boolean;
}

/**
 * What the words of a push alone say, where the repository can't be known: a protected branch that is named is
 * protected wherever the push goes.
 *
 * @param where nothing of it is known by default
 */
export function judgeNamedPush(
  request: PushRequest,
  policy: Policy,
  where: NamedPlace = { defaultBranch: null, isNew: false },
): readonly Finding[] {
  if (request.dryRun) {
    return [];
  }
  if (request.mirror) {
    return findings('mirror-push', policy, {
      message: 'This push makes the remote a mirror of a repository that can’t be known here.',
      suggestion: `git push ${quoteWord(request.repository ?? 'origin')} HEAD`,
    });
  }
  const everyBranch = request.branches && request.force ? ['+refs/heads/*:refs/heads/*'] : [];
  return [...request.refspecs, ...everyBranch].flatMap((text) => judgeRefspec(text, request, policy, where));
}

/** A wildcard names these as well: nearly every repository has one of them. */
const usualBranches = ['main', 'master'];

function judgeRefspec(
  text: string,
  request: PushRequest,
  policy: Policy,
  { defaultBranch, isNew }: NamedPlace,
): readonly Finding[] {
  const isForced = request.force || text.startsWith('+');
  const target = shortBranchName(text.replace(/^\+/, '').split(':').at(-1) ?? '');
  const named = target.includes('*') ? usualBranches.filter((name) => isCovered(name, target)) : [target];
  const branch = named.find((name) => isProtected(name, policy, defaultBranch));
  if (parsePushRefspec(text) === null || branch === undefined) {
    return [];
  }
  const isDeletion = request.delete || /^\+?:/.test(text);
  const remote = request.repository ?? 'the remote';
  // A person has to name one.
  const destination = quoteWord(request.repository ?? 'origin');
  const evidence = { refs: [`refs/heads/${branch}`] };
  if (isDeletion) {
    return findings('protected-delete', policy, {
      message: `This push deletes ${branch} on ${remote}, a protected branch.`,
      evidence,
    });
  }
  if (isForced) {
    return findings('protected-force-push', policy, {
      message: `This push may overwrite ${branch} on ${remote}: without a lease, commits that others push there are lost.`,
      evidence,
      suggestion: instead([branch], [text], request.repository, isNew),
    });
  }
  return request.leases.length > 0
    ? findings('protected-lease-push', policy, {
        message: `This push may rewrite ${branch} on ${remote}, a protected branch, as far as its lease holds.`,
        evidence,
      })
    : findings('protected-push', policy, {
        message: `This push updates ${branch} on ${remote}, a protected branch.`,
        evidence,
        suggestion: `git switch -c my-change && git push -u ${destination} my-change`,
      });
}

/**
 * What to do instead of a forced push. Of a URL no tracking ref tells git what a lease should find there (git-push(1)
 * "--force-with-lease"), and a push from a repository that is not there yet would bring other commits if it is pasted here: a
 * person has to look.
 *
 * @param branches short names
 * @param isNew see {@link NamedPlace}
 */
export function instead(
  branches: readonly string[],
  refspecs: readonly string[],
  repository: string | null,
  isNew: boolean,
): string {
  const isTracked = !isNew && (repository === null || /^\w[\w.-]*$/.test(repository));
  const remote = repository ?? 'origin';
  return isTracked
    ? quoteCommand(['git', 'push', '--force-with-lease', remote, ...refspecs.map((text) => text.replace(/^\+/, ''))])
    : quoteCommand(['git', 'ls-remote', remote, ...branches.map((branch) => `refs/heads/${branch}`)]);
}

function isCovered(name: string, pattern: string): boolean {
  const [before = '', after = ''] = pattern.split('*');
  return name.length >= before.length + after.length && name.startsWith(before) && name.endsWith(after);
}
