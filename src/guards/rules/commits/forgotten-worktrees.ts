import { dirname, join, resolve } from 'node:path';
import type { RefMove } from '../../../git/history/reachability.ts';
import { quoteWord } from '../../../quote.ts';
import { goneWorktrees } from '../../files/work-trees.ts';
import type { Finding } from '../../finding.ts';
import { textOf } from '../../git-command/words.ts';
import type { ForgetWorktreesIntent } from '../../intent.ts';
import type { Scene } from '../../scene.ts';
import { judgeSubmodulesOf } from '../uncommitted/submodules-of-worktree.ts';
import { judgeMoves } from './lose-commits.ts';
import { holdingsOf, judgeAutostashOf, withHoldings } from './worktree-holdings.ts';

/** `git worktree prune`: a HEAD that was detached may be the only name of the commits that were made on it. */
export async function judgeForgottenWorktrees(
  { path, means }: ForgetWorktreesIntent,
  scene: Scene,
): Promise<readonly Finding[]> {
  const name = textOf(path);
  const place = name === null ? null : resolve(scene.repository.cwd, name);
  const gone = [...goneWorktrees(scene.repository)].filter(([directory]) => place === null || directory === place);
  const told = gone.length === 1 ? `${means} (${quoteWord(gone[0]?.[0] ?? '')})` : means;
  const found: Finding[] = [];
  const moves: RefMove[] = [];
  let seen = scene.repository;
  for (const [, ref] of gone) {
    const gitDir = join(scene.repository.commonDir, dirname(ref));
    const holdings = holdingsOf({ gitDir, commonDir: scene.repository.commonDir }, null);
    seen = withHoldings(seen, gitDir, holdings);
    moves.push(...[ref, ...holdings.refs.keys()].map((name) => ({ ref: name, to: null })));
    found.push(
      ...(await judgeAutostashOf(holdings, told, scene)),
      ...(await judgeSubmodulesOf({ gitDir, workTree: null, staying: [] }, told, scene)),
    );
  }
  return [...(await judgeMoves(moves, told, { ...scene, repository: seen })), ...found];
}
