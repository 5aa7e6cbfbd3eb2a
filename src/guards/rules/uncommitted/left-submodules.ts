import { relative, resolve } from 'node:path';
import { commitsOnlyReachableFrom } from '../../../git/history/reachability.ts';
import type { Repository } from '../../../git/repository.ts';
import { quoteWord } from '../../../quote.ts';
import { isWithin } from '../../files/guarded-file.ts';
import { repositoryThere } from '../../files/repository-there.ts';
import { submodulesOf } from '../../files/submodules.ts';
import { type Finding, findings } from '../../finding.ts';
import { textsOf } from '../../git-command/words.ts';
import type { LeaveSubmodulesIntent } from '../../intent.ts';
import type { Scene } from '../../scene.ts';
import { nameCommits } from '../../wording.ts';
import { pullRebases } from '../commits/edits-todo.ts';

/** git-submodule(1) "update": ways that leave HEAD where it is, or keep what it has. */
const keeping = /^(?:merge|rebase|none)$/;

/**
 * `git submodule update`: where a submodule stands on a commit of its own, with HEAD detached as git leaves it there, nothing
 * else has the commits that were made on it.
 */
export async function judgeLeftSubmodules(
  intent: LeaveSubmodulesIntent,
  { repository, policy }: Scene,
): Promise<readonly Finding[]> {
  const { paths, always, means } = intent;
  const { cwd, workTree, git } = repository;
  const all = submodulesOf(repository);
  const places = all.length > 0 && (await entersSubmodules(intent, repository)) ? all : [];
  // One that stands where the index says stays there.
  const entries = places.length === 0 || workTree === null ? [] : await repository.status();
  const moved = entries.filter(({ isSubmodule, worktree }) => isSubmodule === true && worktree === 'M');
  const given = (textsOf(paths) ?? []).map((path) => resolve(cwd, path));
  const config = await repository.config();
  // Named by its path, unless somebody has chosen another name: gitmodules(5).
  const way = (place: string) => config.get(`submodule.${relative(workTree ?? cwd, place)}.update`);
  const left = places
    .filter((place) => always || !keeping.test(way(place) ?? ''))
    .filter((place) => moved.some(({ path }) => resolve(workTree ?? cwd, path) === place))
    .filter((place) => given.length === 0 || given.some((path) => isWithin(place, path)));
  const found: Finding[] = [];
  for (const place of left) {
    const submodule = await repositoryThere(place, git.context.env);
    const isDetached = submodule !== null && (await submodule.head()).kind === 'detached';
    const lost = isDetached ? await commitsOnlyReachableFrom([{ ref: 'HEAD', to: null }], submodule) : null;
    const name = relative(cwd, place);
    found.push(
      ...findings(
        'lose-commits',
        policy,
        lost === null || lost.total === 0
          ? null
          : {
              message: `${means} would leave ${nameCommits(lost)} of ${name} unreachable: no branch there has them.`,
              evidence: { commits: lost.commits, refs: [name] },
              suggestion: `git -C ${quoteWord(name)} switch --create kept-work`,
            },
      ),
    );
  }
  return found;
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
