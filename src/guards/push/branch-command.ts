import { commitsOnlyReachableFrom } from '../../git/history/reachability.ts';
import { shortBranchName } from '../../git/refs/refspec.ts';
import { worktreeOf } from '../../git/refs/worktree-heads.ts';
import type { Repository } from '../../git/repository.ts';
import { quoteCommand } from '../../quote.ts';
import { freeName } from '../free-name.ts';

/** Where commands run that work on the branch that is checked out, as `git pull` and `git rebase` do. */
export interface BranchPlace {
  /** Another work tree has the branch: nobody knows here what is changed there. */
  readonly isElsewhere: boolean;
  /** `git` with these arguments, and what comes before. */
  readonly command: (...args: readonly string[]) => string;
}

/**
 * git refuses to check a branch out that another work tree has, and what only a detached HEAD has would be left to the reflog.
 *
 * @param branch a short name; null: what is checked out here
 */
export async function placeOfBranch(branch: string | null, repository: Repository): Promise<BranchPlace> {
  const head = await repository.head();
  const other = branch === null || (head.kind === 'branch' && head.branch === branch) ? null : branch;
  const directory = other === null ? null : await worktreeOf(other, repository);
  if (directory !== null) {
    return { isElsewhere: true, command: (...args) => quoteCommand(['git', '-C', directory, ...args]) };
  }
  const before = other === null ? [] : [...(await keepingHead(repository)), ['git', 'switch', other]];
  return {
    isElsewhere: false,
    command: (...args) => [...before, ['git', ...args]].map(quoteCommand).join(' && '),
  };
}

/** By what a commit is reached: HEAD, else the short name of a branch; null: none reaches it. */
export async function holderOf(oid: string, repository: Repository): Promise<string | null> {
  if ((await repository.isAncestor(oid, 'HEAD')) === 'yes') {
    return 'HEAD';
  }
  const holders = ['for-each-ref', '--count=1', '--format=%(refname)', '--contains', oid, 'refs/heads/'];
  const ref = (await repository.git.text(holders)).trim();
  return ref === '' ? null : shortBranchName(ref);
}

async function keepingHead(repository: Repository): Promise<readonly (readonly string[])[]> {
  const { total } = await commitsOnlyReachableFrom([{ ref: 'HEAD', to: null }], repository);
  return total === 0 ? [] : [['git', 'branch', await freeName('kept-work', repository)]];
}
