import type { Directory } from '../shell/simple-command.ts';
import { hooksDirectoryOf } from './files/hooks-directory.ts';
import { namesHead } from './git-command/discards.ts';
import type { Intent } from './intent.ts';
import type { AddedTree } from './place.ts';
import { putsBack } from './restored-files.ts';

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

/**
 * A work tree that was added without files, as a call there leaves it: has it its hooks now?
 *
 * @param subcommand of the call
 * @param intents what it does
 * @param from where git is told of paths
 */
export async function followFilling(
  subcommand: string,
  intents: readonly Intent[],
  from: Directory,
  added: AddedTree,
): Promise<void> {
  if (added.isHollow && filling.has(subcommand)) {
    const hooks = await hooksDirectoryOf(added.repository);
    added.isHollow = intents.length > 0 ? !fills(intents, hooks, from) : !onlyFilling.has(subcommand);
  }
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
