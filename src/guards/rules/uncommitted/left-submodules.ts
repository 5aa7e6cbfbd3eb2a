import { relative, resolve } from 'node:path';
import type { Repository } from '../../../git/repository.ts';
import { quoteWord } from '../../../quote.ts';
import { isWithin } from '../../files/guarded-file.ts';
import { submodulesOf } from '../../files/submodules.ts';
import type { Finding } from '../../finding.ts';
import { textsOf } from '../../git-command/words.ts';
import type { LeaveSubmodulesIntent } from '../../intent.ts';
import type { Scene } from '../../scene.ts';
import { hasLeft, recordedIn } from '../../simulation/refs/gitlinks.ts';
import { pullRebases } from '../commits/edits-todo.ts';
import { judgeMoves } from '../commits/lose-commits.ts';

/** git-submodule(1) "update": ways that leave HEAD where it is, or keep what it has. */
const keeping = /^(?:merge|rebase|none)$/;

/**
 * `git submodule update`: where a submodule stands on a commit of its own, with HEAD detached as git leaves it there, nothing
 * else has the commits that were made on it, before the line or by it.
 */
export async function judgeLeftSubmodules(intent: LeaveSubmodulesIntent, scene: Scene): Promise<readonly Finding[]> {
  const { repository } = scene;
  const { cwd, workTree } = repository;
  const places = await updatedSubmodules(intent, repository);
  // One that stands where the index says stays there.
  const entries = places.length === 0 || workTree === null ? [] : await repository.status();
  const moved = entries.filter(({ isSubmodule, worktree }) => isSubmodule === true && worktree === 'M');
  const found: Finding[] = [];
  for (const place of places) {
    const isMoved = moved.some(({ path }) => resolve(workTree ?? cwd, path) === place);
    for (const tree of await scene.treesBefore(place)) {
      const isLeft = await hasLeft(tree, isMoved);
      if (isLeft && (await tree.repository.head()).kind === 'detached') {
        const to = await recordedIn(place, repository);
        found.push(...(await judgeLeft(relative(cwd, place), to, intent.means, { ...scene, ...tree })));
      }
    }
  }
  return found;
}

/** @param name of the submodule, from where git stands @param to the commit that it goes to; null: it is not known */
async function judgeLeft(name: string, to: string | null, means: string, scene: Scene): Promise<readonly Finding[]> {
  const isThere = to !== null && (await scene.repository.resolve(`${to}^{commit}`)) !== null;
  const found = await judgeMoves([{ ref: 'HEAD', to: isThere ? to : null }], `${means}, in ${name},`, scene);
  return found.map((finding) => ({
    ...finding,
    evidence: { ...finding.evidence, refs: [name] },
    suggestion: `git -C ${quoteWord(name)} switch --create kept-work`,
  }));
}

/** Where the submodules are of which HEAD goes to what is recorded, if it is elsewhere: absolute paths. */
export async function updatedSubmodules(
  intent: LeaveSubmodulesIntent,
  repository: Repository,
): Promise<readonly string[]> {
  const { paths, always } = intent;
  const { cwd, workTree } = repository;
  const all = submodulesOf(repository);
  if (all.length === 0 || !(await entersSubmodules(intent, repository))) {
    return [];
  }
  const given = (textsOf(paths) ?? []).map((path) => resolve(cwd, path));
  const config = await repository.config();
  // Named by its path, unless somebody has chosen another name: gitmodules(5).
  const way = (place: string) => config.get(`submodule.${relative(workTree ?? cwd, place)}.update`);
  return all
    .filter((place) => always || !keeping.test(way(place) ?? ''))
    .filter((place) => given.length === 0 || given.some((path) => isWithin(place, path)));
}

async function entersSubmodules(
  { recurses, rebasesAsConfigured }: LeaveSubmodulesIntent,
  repository: Repository,
): Promise<boolean> {
  const config = recurses === undefined ? null : await repository.config();
  if (config === null || (recurses !== 'always' && !config.getBoolean('submodule.recurse', false))) {
    return recurses === undefined;
  }
  const head = await repository.head();
  const mode = pullRebases((key) => config.get(key), head.kind === 'branch' ? head.branch : null);
  return rebasesAsConfigured !== true || (mode ?? 'false') === 'false';
}
