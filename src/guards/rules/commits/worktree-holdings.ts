import { stashCommits } from '../../../git/contents/stash-contents.ts';
import { perWorktree } from '../../../git/refs/ref-files.ts';
import { readWorktreeHoldings, type WorktreeHoldings } from '../../../git/refs/worktree-holdings.ts';
import type { Repository } from '../../../git/repository.ts';
import { type Finding, findings } from '../../finding.ts';
import type { Scene } from '../../scene.ts';
import type { Overlay } from '../../simulation/overlay.ts';
import { replaced } from '../../simulation/replaced.ts';

/**
 * What only the git directory of a linked work tree names, as the line leaves it.
 *
 * @param overlay what the line has done there; null: nothing
 */
export function holdingsOf(
  directories: Pick<Repository, 'gitDir' | 'commonDir'>,
  overlay: Overlay | null,
): WorktreeHoldings {
  const { refs, autostash } = readWorktreeHoldings(directories);
  const isOver = (name: string) => overlay?.bisection === null && /\/(?:refs\/bisect\/.*|BISECT_START)$/.test(name);
  return {
    refs: new Map([...refs].filter(([name]) => !isOver(name))),
    autostash: overlay?.endedAutostash === true ? null : autostash,
  };
}

/** A repository in which they have their names. @param gitDir of the work tree that has them */
export function withHoldings(repository: Repository, gitDir: string, { refs }: WorktreeHoldings): Repository {
  const isOwn = (name: string) =>
    repository.gitDir === gitDir && perWorktree.some((hierarchy) => name.startsWith(`${hierarchy}/`));
  return refs.size === 0
    ? repository
    : replaced(repository, {
        refs: async () =>
          new Map([
            ...[...(await repository.refs())].filter(([name]) => !isOwn(name)),
            ...[...refs].map(([name, oid]) => [name, { oid, symref: null }] as const),
          ]),
        ref: async (name) => refs.get(name) ?? repository.ref(name),
      });
}

/** Is what `--autostash` has put away nowhere else? `git stash store` makes a stash of it. */
export async function keepsAutostash({ autostash }: WorktreeHoldings, repository: Repository): Promise<boolean> {
  return autostash !== null && !(await stashCommits(repository)).includes(autostash);
}

/** With a linked work tree goes what `--autostash` has put away there. */
export async function judgeAutostashOf(
  holdings: WorktreeHoldings,
  means: string,
  { repository, policy }: Pick<Scene, 'repository' | 'policy'>,
): Promise<readonly Finding[]> {
  return (await keepsAutostash(holdings, repository))
    ? findings('discard-changes', policy, {
        message: `${means} would discard the uncommitted changes that --autostash has put away in that work tree.`,
        evidence: {},
        suggestion: `git stash store -m autostash ${holdings.autostash?.slice(0, 12) ?? ''}`,
      })
    : [];
}
