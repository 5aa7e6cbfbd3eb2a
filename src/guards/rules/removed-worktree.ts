import { existsSync } from 'node:fs';
import { openRepository } from '../../git/open-repository.ts';
import { quoteWord } from '../../quote.ts';
import { linkedWorktree, worktreesOf } from '../files/work-trees.ts';
import type { Finding } from '../finding.ts';
import { known } from '../git-command/words.ts';
import type { RemoveWorktreeIntent } from '../intent.ts';
import type { Scene } from '../scene.ts';
import { judgeMoves } from './lose-commits.ts';
import { unreadable } from './unreadable-command.ts';

/** `git worktree remove`: a HEAD that is detached there is the only name of the commits that were made on it. */
export async function judgeRemovedWorktree(
  { kind, path, forced }: RemoveWorktreeIntent,
  scene: Scene,
): Promise<readonly Finding[]> {
  if (path.kind === 'unknown') {
    const linked = (await worktreesOf(scene.repository)).slice(1).map(known);
    const losses = await Promise.all(linked.map((one) => judgeRemovedWorktree({ kind, path: one, forced }, scene)));
    const { source, reason } = path;
    return losses.flat().length === 0
      ? []
      : unreadable(scene.policy, { source, reason, could: 'a work tree whose detached HEAD alone has commits' });
  }
  const directory = await linkedWorktree(path.value, scene);
  const added = scene.addedWorktree(directory);
  const linked = added ?? (await worktreeAt(directory, scene));
  const isDetached = linked !== null && (await linked.repository.head()).kind === 'detached';
  if (!isDetached || (!forced && (await linked.repository.status()).length > 0)) {
    return [];
  }
  const to = added === null || scene.repository.workTree === directory ? null : await detachedHead(scene);
  const found = await judgeMoves([{ ref: 'HEAD', to }], 'git worktree remove', { ...scene, ...linked });
  // What is not there yet has its HEAD in its own place.
  const there = `git -C ${quoteWord(path.value)} branch`;
  return added === null
    ? found
    : found.map((one) => ({ ...one, suggestion: one.suggestion?.replace(/^git branch/, there) ?? null }));
}

/** What a work tree that the line adds shares with the one it is added from: that one's HEAD keeps its commits. */
async function detachedHead({ repository }: Scene): Promise<string | null> {
  const head = await repository.head();
  return head.kind === 'detached' ? head.oid : null;
}

async function worktreeAt(
  directory: string,
  { repository, overlay }: Scene,
): Promise<Pick<Scene, 'repository' | 'overlay'> | null> {
  const there = existsSync(directory)
    ? await openRepository({ cwd: directory, env: repository.git.context.env })
    : null;
  return there === null ? null : { repository: there, overlay };
}
