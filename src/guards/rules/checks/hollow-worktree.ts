import { relative } from 'node:path';
import type { Policy } from '../../../config/policy.ts';
import { readIndexedPaths } from '../../../git/contents/index-file.ts';
import { quoteCommand } from '../../../quote.ts';
import type { Directory } from '../../../shell/simple-command.ts';
import { hooksDirectoryOf } from '../../files/hooks-directory.ts';
import { type Finding, findings } from '../../finding.ts';
import { namesHead } from '../../git-command/discards.ts';
import type { Intent } from '../../intent.ts';
import { putsBack } from '../../restored-files.ts';
import { asOpened } from '../../simulation/replaced.ts';
import { near } from '../../wording.ts';
import type { AddedTree } from '../../world.ts';

/** What may bring all files into a work tree. */
const filling = new Set([
  'checkout',
  'switch',
  'restore',
  'reset',
  'read-tree',
  'checkout-index',
  'stash',
  'merge',
  'pull',
  'rebase',
  'bisect',
]);

/** What may do so where it changes nothing else: `git checkout` without operands. */
const onlyFilling = new Set(['checkout', 'checkout-index']);

/** May a call without any other effect bring the files of a work tree that has none? */
export function mayOnlyFill(subcommand: string): boolean {
  return onlyFilling.has(subcommand);
}

/** By their hooks it is checked what leaves. */
const checked = new Set(['commit', 'push']);

/**
 * `git worktree add --no-checkout DIRECTORY && git -C DIRECTORY commit`: without files a work tree is also without hooks that
 * git tracks (git-config(1) "core.hooksPath", relative to its top).
 *
 * @param subcommand of the call there
 * @param intents what it does there
 * @param start where the line begins; absolute
 */
export async function judgeHollowWorktree(
  { subcommand, intents, from }: CallThere,
  added: AddedTree,
  policy: Policy,
  start: string,
): Promise<readonly Finding[]> {
  if (filling.has(subcommand)) {
    const hooks = await hooksDirectoryOf(added.repository);
    added.isHollow = intents.length > 0 ? !fills(intents, hooks, from) : !onlyFilling.has(subcommand);
    return [];
  }
  const hooks = checked.has(subcommand) ? await trackedHooks(added) : null;
  return hooks === null
    ? []
    : findings('skip-checks', policy, {
        message: `git worktree add --no-checkout has left out ${hooks}, where git's hooks are: none runs here.`,
        evidence: { files: [hooks] },
        suggestion: quoteCommand(['git', '-C', near(added.top, start), 'checkout']),
      });
}

/** A call in the work tree. */
interface CallThere {
  readonly subcommand: string;
  readonly intents: readonly Intent[];
  readonly from: Directory;
}

/** Does it bring the hooks? What leaves all files alone, or takes others, does not. */
function fills(intents: readonly Intent[], hooks: string, from: Directory): boolean {
  return intents.some((intent) => putsBack(intent, hooks, from)) || !intents.some(leavesFiles);
}

/** What changes the index alone, makes a branch of HEAD, or is about some files. */
function leavesFiles(intent: Intent): boolean {
  switch (intent.kind) {
    case 'change-index':
      return true;
    case 'move-ref':
      return intent.keepsWork === true;
    case 'switch':
      return intent.create && intent.resets !== true && intent.orphan !== true && namesHead(intent.start ?? undefined);
    case 'stash':
      return intent.partial;
    case 'discard':
      return intent.what.kind === 'paths' || (intent.what.kind === 'branch-or-path' && intent.what.words.length > 1);
    default:
      return false;
  }
}

/** Where hooks are that come with the files; from the top of the work tree. */
async function trackedHooks({ repository, top, from }: AddedTree): Promise<string | null> {
  const hooks = relative(top, await hooksDirectoryOf(repository));
  const tracked = hooks.startsWith('..') ? [] : ((await readIndexedPaths(asOpened(from))) ?? []);
  return tracked.some((path) => path.startsWith(`${hooks}/`)) ? hooks : null;
}
