import type { Configuration } from '../config/configuration.ts';
import { planFromRequest } from '../git/push-from-request.ts';
import { commitsDropped, divergenceOf, outgoingCommits, type Published } from '../git/push-history.ts';
import type { PushPlan, RefUpdate } from '../git/push-plan.ts';
import { type PushRequest, plainPush } from '../git/push-request.ts';
import type { Repository } from '../git/repository.ts';
import { branchOf, type Divergence, type PushFacts } from '../guards/push/push-facts.ts';

/** A push that this repository is about to make. */
export async function localPushFacts(
  plan: PushPlan,
  request: PushRequest | null,
  repository: Repository,
  policy: Configuration,
): Promise<PushFacts> {
  const remote = plan.remote;
  return {
    ...sharedFacts(plan, repository, policy, '--remotes'),
    defaultBranch: remote === null ? null : await repository.remoteDefaultBranch(remote),
    divergences: () => divergences(plan, request, repository),
    uncommitted: () => repository.status(),
  };
}

/** A push that this repository receives from somewhere else. */
export async function receivedPushFacts(
  plan: PushPlan,
  repository: Repository,
  policy: Configuration,
): Promise<PushFacts> {
  const head = await repository.head();
  return {
    ...sharedFacts(plan, repository, policy, '--all'),
    defaultBranch: head.kind === 'branch' ? head.branch : null,
    divergences: () => Promise.resolve([]),
    uncommitted: () => Promise.resolve([]),
  };
}

function sharedFacts(plan: PushPlan, repository: Repository, policy: Configuration, published: Published) {
  return {
    plan,
    policy,
    exact: true,
    dropped: (update: RefUpdate) => commitsDropped(plan, update, repository),
    outgoing: async () => (await outgoingCommits(plan, repository, { published })).commits,
  };
}

/**
 * Where the remote has commits that the pushed branch lacks. When git gives the hook no lines because it is going to
 * refuse the push itself, the branches are those that the command names, compared with the last fetch.
 */
async function divergences(
  plan: PushPlan,
  request: PushRequest | null,
  repository: Repository,
): Promise<readonly Divergence[]> {
  const asked = plan.updates.length > 0 ? plan : await planFromRequest(request ?? plainPush, repository);
  const found = await Promise.all(asked.updates.map((update) => divergenceNotice(asked, update, repository)));
  return found.flat();
}

async function divergenceNotice(
  plan: PushPlan,
  update: RefUpdate,
  repository: Repository,
): Promise<readonly Divergence[]> {
  const branch = branchOf(update);
  if (branch === null || (update.kind !== 'forced' && update.kind !== 'unknown')) {
    return [];
  }
  const divergence = await divergenceOf(update, repository);
  const upstream = `${plan.remote ?? plan.url}/${branch}`;
  if (divergence === null) {
    return [{ branch, upstream, ahead: { commits: [], total: 0 }, behind: null }];
  }
  const { left: behind, right: ahead } = divergence;
  return behind.total === 0 ? [] : [{ branch, upstream, ahead, behind }];
}
