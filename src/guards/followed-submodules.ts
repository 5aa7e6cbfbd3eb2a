import type { Repository } from '../git/repository.ts';
import { submodulesAt } from './files/submodules.ts';
import type { GitCall } from './git-call.ts';
import { textsOf } from './git-command/words.ts';
import type { Intent } from './intent.ts';
import { updatedSubmodules } from './rules/uncommitted/left-submodules.ts';
import type { OverlaidTree } from './simulation/line-changes.ts';
import { hasLeft, recordedIn, standOf } from './simulation/refs/gitlinks.ts';

/** What may bring back into the index what it had of submodules before the line. */
const puttingBack: ReadonlySet<Intent['kind']> = new Set([
  'switch',
  'move-ref',
  'discard',
  'bring-files',
  'stash',
  'change-index',
]);

/** Follows what a call in a superproject does to its submodules: it records where they stand, or makes them stand there. */
export async function followSubmodules(
  intents: readonly Intent[],
  repository: Repository,
  { command, world }: GitCall,
): Promise<void> {
  for (const intent of intents) {
    const change = await changeBy(intent, repository, world);
    for (const place of change?.places ?? []) {
      await world.trees.changeThere(place, command.origin, async (tree) => change?.apply(tree, place));
    }
  }
}

interface SubmoduleChange {
  readonly places: readonly string[];
  readonly apply: (tree: OverlaidTree, place: string) => Promise<void>;
}

async function changeBy(
  intent: Intent,
  repository: Repository,
  { moved }: Pick<GitCall['world'], 'moved'>,
): Promise<SubmoduleChange | null> {
  const at = (paths: readonly string[]) => submodulesAt({ repository, moved }, paths);
  const isCommit = intent.kind === 'commit' && (intent.all || intent.paths.length > 0);
  if (isCommit || intent.kind === 'stage') {
    const paths = textsOf(intent.paths) ?? [];
    return isCommit || paths.length > 0 ? { places: at(paths), apply: recordStand } : null;
  }
  if (puttingBack.has(intent.kind)) {
    return { places: at([]), apply: forgetStand };
  }
  if (intent.kind === 'leave-submodules') {
    const places = await updatedSubmodules(intent, repository);
    return { places, apply: (tree, place) => checkOut(tree, place, repository) };
  }
  return null;
}

async function recordStand(tree: OverlaidTree): Promise<void> {
  tree.overlay.gitlink = await standOf(tree);
}

async function forgetStand({ overlay }: OverlaidTree): Promise<void> {
  overlay.gitlink = null;
}

/** git-submodule(1) "update": HEAD is detached at what the superproject records, where it stands elsewhere. */
async function checkOut(tree: OverlaidTree, place: string, superproject: Repository): Promise<void> {
  const { repository, overlay } = tree;
  const oid = overlay.gitlink?.oid ?? (await recordedIn(place, superproject));
  const now = await standOf(tree);
  const isThere = oid !== null && (await repository.resolve(`${oid}^{commit}`)) !== null;
  if (isThere && (now.oid !== oid || (await hasLeft(tree, false)))) {
    overlay.made.set('HEAD', overlay.gitlink?.made ?? []);
    overlay.head = { kind: 'detached', oid };
  }
}
