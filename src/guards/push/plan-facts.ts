import { join } from 'node:path';
import type { Policy } from '../../config/policy.ts';
import { readText } from '../../git/files.ts';
import { stoppedOperations } from '../../git/history/stopped-operations.ts';
import { mapTypedRefspec } from '../../git/push/push-defaults.ts';
import {
  commitsDropped,
  commitsDroppedByAll,
  divergenceOf,
  outgoingCommits,
  type Published,
} from '../../git/push/push-history.ts';
import type { PushPlan, RefUpdate } from '../../git/push/push-plan.ts';
import { matchingRefs, shortBranchName } from '../../git/refs/refspec.ts';
import type { Repository } from '../../git/repository.ts';
import { readRemote, trackingRefOf } from '../../git/settings/remote.ts';
import { quoteCommand } from '../../quote.ts';
import { freeName } from '../free-name.ts';
import { asOpened } from '../simulation/replaced.ts';
import { holderOf, placeOfBranch } from './branch-command.ts';
import { type Alternative, branchOf, type Divergence, judgedOneByOne, type PushFacts } from './push-facts.ts';

const topic = 'my-change';

interface SentPush {
  readonly plan: PushPlan;
  /** Does the plan tell the remote's present state? See {@link PushFacts.exact}. */
  readonly exact: boolean;
  /**
   * The plan whose branches are compared with the remote's: the plan itself, or, where git lists none because it is
   * going to refuse the push, what the command names.
   */
  readonly named?: () => Promise<PushPlan>;
  /** How many commits a revision has that are still to be made, by what comes before on a command line. */
  readonly made?: (revision: string) => Promise<number>;
}

/** A push that this repository makes. */
export async function sentPushFacts(
  { plan, exact, named, made }: SentPush,
  repository: Repository,
  policy: Policy,
): Promise<PushFacts> {
  const { dropped, droppedByAll, outgoing } = commitFacts(plan, repository, '--remotes');
  const defaultBranch = await knownDefaultBranch(plan.remote, repository);
  return {
    plan,
    policy,
    dropped,
    droppedByAll,
    outgoing,
    direction: 'sent',
    exact,
    defaultBranch,
    divergences: async () =>
      divergencesOf(plan.updates.length === 0 && named ? await named() : plan, repository, made ?? noneMade),
    uncommitted: () => repository.status(),
    alternative: () => alternativeTo(plan, repository),
  };
}

/** The remote's default branch; of a remote that is new here, or of a URL, what another remote has is what is known. */
async function knownDefaultBranch(remote: string | null, repository: Repository): Promise<string | null> {
  const own = remote === null ? null : await repository.remoteDefaultBranch(remote);
  const remotes = own === null ? (await repository.config()).subsections('remote') : [];
  const others = await Promise.all(remotes.map((name) => repository.remoteDefaultBranch(name)));
  return own ?? others.find((branch) => branch !== null) ?? null;
}

/** A push that this repository receives. */
export async function receivedPushFacts(plan: PushPlan, repository: Repository, policy: Policy): Promise<PushFacts> {
  const head = await repository.head();
  return {
    ...commitFacts(plan, repository, '--all'),
    plan,
    policy,
    direction: 'received',
    exact: true,
    defaultBranch: head.kind === 'branch' ? head.branch : null,
    divergences: () => Promise.resolve([]),
    uncommitted: () => Promise.resolve([]),
    alternative: () =>
      Promise.resolve({
        branches: new Set(),
        current: null,
        hasStoodAt: () => null,
        refspecOf: (branch) => branch,
        topic,
        switches: true,
        isUnborn: false,
        isRefused: () => Promise.resolve(false),
        holderOf: () => Promise.resolve('HEAD'),
        placeOf: () => Promise.resolve({ isElsewhere: false, command: (...args) => quoteCommand(['git', ...args]) }),
        command: (...args) => quoteCommand(['git', 'push', ...args]),
      }),
  };
}

/** One by itself: what is pushed by the name of a symbolic branch goes to the branch that this stands for. */
function isBranch(ref: string, symref: string | null): boolean {
  return symref === null && ref.startsWith('refs/heads/');
}

async function alternativeTo({ remote, url }: PushPlan, repository: Repository): Promise<Alternative> {
  const head = await repository.head();
  const config = await repository.config();
  const heads = 'refs/heads/';
  const refs = await repository.refs();
  const destination = readRemote(config, remote ?? url);
  // `-c` may have said otherwise for the push that is judged: what is proposed runs without it.
  const mirrors = config.getAll(`remote.${remote}.mirror`).some((value) => !/^(?:false|no|off|0)$/i.test(value));
  const unmirrored = mirrors ? ['-c', `remote.${remote}.mirror=false`] : [];
  return {
    branches: new Set([...refs].flatMap(([ref, { symref }]) => (isBranch(ref, symref) ? [shortBranchName(ref)] : []))),
    current: head.kind === 'branch' ? head.branch : null,
    hasStoodAt: (branch, oid) => {
      const log = readText(join(repository.commonDir, 'logs', heads, branch));
      return log === null ? null : log.includes(oid);
    },
    refspecOf: (branch) => {
      const known = { has: (name: string) => refs.has(name) || name === heads + branch };
      if (matchingRefs(branch, known).length > 1) {
        return `${heads}${branch}:${heads}${branch}`;
      }
      const isMapped = mapTypedRefspec(config, branch, destination, known) !== branch;
      return isMapped ? `${branch}:${heads}${branch}` : branch;
    },
    topic: await freeName(topic, repository, remote),
    switches: stoppedOperations(repository.gitDir).length === 0,
    isUnborn: (await asOpened(repository).head()).oid === null,
    isRefused: async (branch) => {
      const ref = trackingRefOf(destination, `${heads}${branch}`);
      const tracking = ref === null ? null : await repository.ref(ref);
      return tracking !== null && (await repository.isAncestor(tracking, `${heads}${branch}`)) === 'no';
    },
    placeOf: (branch) => placeOfBranch(branch, repository),
    holderOf: (oid) => holderOf(oid, repository),
    command: (...args) => quoteCommand(['git', ...unmirrored, 'push', ...args]),
  };
}

function commitFacts(plan: PushPlan, repository: Repository, published: Published) {
  return {
    dropped: (update: RefUpdate) => commitsDropped(plan, update, repository),
    droppedByAll: (updates: readonly RefUpdate[]) => commitsDroppedByAll(plan, updates, repository),
    outgoing: async () => (await outgoingCommits(plan, repository, { published })).commits,
  };
}

/** Where the remote has commits that the pushed branch lacks; of many branches, what the first ones show. */
async function divergencesOf(
  plan: PushPlan,
  repository: Repository,
  made: NonNullable<SentPush['made']>,
): Promise<readonly Divergence[]> {
  const comparable = plan.updates.filter(isComparable).slice(0, judgedOneByOne);
  const found = await Promise.all(comparable.map((update) => divergenceOfBranch(plan, update, repository)));
  return Promise.all(
    found.flat().map(async (divergence) => {
      const { ahead, source } = divergence;
      return { ...divergence, ahead: { ...ahead, total: ahead.total + (await made(source)) } };
    }),
  );
}

function noneMade(): Promise<number> {
  return Promise.resolve(0);
}

function isComparable(update: RefUpdate): boolean {
  return branchOf(update) !== null && update.remoteOid !== null && /^(?:forced|unknown)$/.test(update.kind);
}

async function divergenceOfBranch(
  plan: PushPlan,
  update: RefUpdate,
  repository: Repository,
): Promise<readonly Divergence[]> {
  const branch = branchOf(update) ?? update.remoteRef;
  const divergence = await divergenceOf(update, repository);
  const remote = plan.remote ?? plan.url;
  // What is pushed to this very repository is a branch of its own.
  const upstream = remote === '.' ? branch : `${remote}/${branch}`;
  const source = update.localRef ?? 'HEAD';
  if (divergence === null) {
    return [{ branch, upstream, source, ahead: { commits: [], total: 0 }, behind: null }];
  }
  const { left: behind, right: ahead } = divergence;
  return behind.total === 0 ? [] : [{ branch, upstream, source, ahead, behind }];
}
