import { relative } from 'node:path';
import type { Policy } from '../../../config/policy.ts';
import { readIndexedPaths } from '../../../git/contents/index-file.ts';
import { quoteCommand } from '../../../quote.ts';
import { hooksDirectoryOf } from '../../files/hooks-directory.ts';
import { type Finding, findings } from '../../finding.ts';
import type { AddedTree } from '../../place.ts';
import { asOpened } from '../../simulation/replaced.ts';
import { near } from '../../wording.ts';

/** By their hooks it is checked what leaves. */
const checked = new Set(['commit', 'push']);

/**
 * `git worktree add --no-checkout DIRECTORY && git -C DIRECTORY commit`: without files a work tree is also without hooks that
 * git tracks (git-config(1) "core.hooksPath", relative to its top).
 *
 * @param subcommand of the call there
 * @param start where the line begins; absolute
 */
export async function judgeHollowWorktree(
  subcommand: string,
  added: AddedTree,
  policy: Policy,
  start: string,
): Promise<readonly Finding[]> {
  const hooks = added.isHollow && checked.has(subcommand) ? await trackedHooks(added) : null;
  return hooks === null
    ? []
    : findings('skip-checks', policy, {
        message: `git worktree add --no-checkout has left out ${hooks}, where git's hooks are: none runs here.`,
        evidence: { files: [hooks] },
        suggestion: quoteCommand(['git', '-C', near(added.top, start), 'checkout']),
      });
}

/** Where hooks are that come with the files; from the top of the work tree. */
async function trackedHooks({ repository, top, from }: AddedTree): Promise<string | null> {
  const hooks = relative(top, await hooksDirectoryOf(repository));
  const tracked = hooks.startsWith('..') ? [] : ((await readIndexedPaths(asOpened(from))) ?? []);
  return tracked.some((path) => path.startsWith(`${hooks}/`)) ? hooks : null;
}
