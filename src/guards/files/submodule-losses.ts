import { join } from 'node:path';
import { stashCommits } from '../../git/contents/stash-contents.ts';
import type { CommitList } from '../../git/history/commit.ts';
import { openRepository } from '../../git/open-repository.ts';
import type { Repository } from '../../git/repository.ts';
import { type Environment, withoutRepositoryVariables } from '../../git/runner.ts';
import type { OverlaidTree } from '../simulation/line-changes.ts';
import { isOnlyGone } from '../work-at-stake.ts';
import { historiesBelow } from './submodules.ts';

/** More submodules than this are judged by their first ones. */
const maximum = 50;

/** What goes with the repository that a linked work tree has of a submodule: a clone of its own. */
export interface SubmoduleLoss {
  readonly gitDir: string;
  /** Where it is checked out; null: nowhere any more. */
  readonly tree: OverlaidTree | null;
  /** Changes that are not committed, from the submodule's root. */
  readonly changes: readonly string[];
  /** Of its branches, tags, stashes and HEAD what no remote has. */
  readonly commits: CommitList;
}

/**
 * The repositories of submodules in the git directory of a linked work tree (git-worktree(1) "BUGS": each work tree has its
 * own), with what nothing else has. Told by looking into a directory where there are none.
 *
 * @param gitDir of the work tree
 * @param asLeft a checked out submodule, as the line may have left it by then. @param path absolute
 */
export async function lossesInSubmodules(
  gitDir: string,
  env: Environment,
  asLeft: (path: string) => Promise<readonly OverlaidTree[]>,
): Promise<readonly SubmoduleLoss[]> {
  const losses: SubmoduleLoss[] = [];
  for (const history of historiesBelow(join(gitDir, 'modules')).slice(0, maximum)) {
    const opened = await openHistory(history, withoutRepositoryVariables(env));
    if (opened === null) {
      continue;
    }
    const { workTree } = opened;
    const trees = workTree === null || workTree === history ? [] : await asLeft(workTree);
    for (const tree of trees.length > 0 ? trees : [null]) {
      losses.push(await lossOf(history, tree, tree?.repository ?? opened));
    }
  }
  return losses;
}

/** git(1) refuses to stand where a configured work tree is gone, unless it is told another one. */
function openHistory(gitDir: string, env: Environment): Promise<Repository | null> {
  const alone = { ...env, GIT_DIR: gitDir, GIT_WORK_TREE: gitDir };
  return openRepository({ cwd: gitDir, env }).catch(() => openRepository({ cwd: gitDir, env: alone }));
}

async function lossOf(gitDir: string, tree: OverlaidTree | null, repository: Repository): Promise<SubmoduleLoss> {
  const entries = tree === null ? [] : await repository.status();
  const changed = entries.filter((entry) => !isOnlyGone(entry, repository.workTree));
  const hidden = tree === null ? [] : await repository.hiddenChanges();
  const changes = [...changed, ...hidden].map(({ path }) => path);
  return { gitDir, tree, changes, commits: await unpublished(repository) };
}

async function unpublished(repository: Repository): Promise<CommitList> {
  const refs = [...(await repository.refs())];
  const { oid } = await repository.head();
  const isTheirs = (name: string) => name.startsWith('refs/remotes/');
  const tips = refs.filter(([name]) => !isTheirs(name)).map(([, value]) => value.oid);
  const theirs = refs.filter(([name]) => isTheirs(name)).map(([, value]) => value.oid);
  const stashes = refs.some(([name]) => name === 'refs/stash') ? await stashCommits(repository) : [];
  return repository.commits([...new Set([...tips, ...stashes, ...(oid === null ? [] : [oid])])], [...new Set(theirs)]);
}
