import { resolve } from 'node:path';
import { quoteWord } from '../../../quote.ts';
import { goneWorktrees } from '../../files/work-trees.ts';
import type { Finding } from '../../finding.ts';
import { textOf } from '../../git-command/words.ts';
import type { ForgetWorktreesIntent } from '../../intent.ts';
import type { Scene } from '../../scene.ts';
import { judgeMoves } from './lose-commits.ts';

/** `git worktree prune`: a HEAD that was detached may be the only name of the commits that were made on it. */
export function judgeForgottenWorktrees(
  { path, means }: ForgetWorktreesIntent,
  scene: Scene,
): Promise<readonly Finding[]> {
  const name = textOf(path);
  const place = name === null ? null : resolve(scene.repository.cwd, name);
  const gone = [...goneWorktrees(scene.repository)].filter(([directory]) => place === null || directory === place);
  return judgeMoves(
    gone.map(([, ref]) => ({ ref, to: null })),
    gone.length === 1 ? `${means} (${quoteWord(gone[0]?.[0] ?? '')})` : means,
    scene,
  );
}
