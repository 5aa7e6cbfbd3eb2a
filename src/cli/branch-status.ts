import { openRepository } from '../git/open-repository.ts';
import type { Repository } from '../git/repository.ts';
import type { SessionStatus } from '../ui/tui/front.ts';

/** What the status line says of the branch. */
type BranchStatus = Pick<SessionStatus, 'branch' | 'ahead' | 'behind'>;

const unknown: BranchStatus = { branch: null, ahead: null, behind: null };

/** Where the branch stands now: facts are read anew, for the agent has worked in between. */
export async function branchStatus(before: Repository | null): Promise<BranchStatus> {
  if (before === null) {
    return unknown;
  }
  try {
    const repository = await openRepository({ cwd: before.cwd, env: process.env });
    const head = await repository?.head();
    if (repository === null || head === undefined) {
      return unknown;
    }
    if (head.kind === 'detached') {
      return { ...unknown, branch: `detached at ${head.oid.slice(0, 7)}` };
    }
    const upstream = head.oid === null ? null : await repository.resolve(`${head.branch}@{upstream}`);
    const divergence = upstream === null || head.oid === null ? null : await repository.divergence(head.oid, upstream);
    return {
      branch: head.branch,
      ahead: divergence?.left.total ?? null,
      behind: divergence?.right.total ?? null,
    };
  } catch {
    return unknown;
  }
}
