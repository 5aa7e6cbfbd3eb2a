import { gitFailure } from '../git-failure.ts';
import { type CommitList, type CommitSummary, noCommits } from '../history/commit.ts';
import type { Divergence } from '../history/divergence.ts';
import type { Repository } from '../repository.ts';
import { readRemote, trackedRefOf, trackingRefOf } from '../settings/remote.ts';
import type { PushPlan, RefUpdate } from './push-plan.ts';

/**
 * The commits that the remote ref would no longer reach. For a deletion: those that no ref of the remote which this push
 * leaves there reaches, as far as they are known. Empty when nothing is lost, and when the remote's commits are not in
 * this repository.
 *
 * A forced update of one branch costs nothing beyond what telling its kind cost.
 */
export async function commitsDropped(plan: PushPlan, update: RefUpdate, repository: Repository): Promise<CommitList> {
  const { remoteOid, localOid, kind } = update;
  if (remoteOid === null) {
    return noCommits;
  }
  if (kind === 'delete') {
    return commitsDroppedByAll(plan, [update], repository);
  }
  const mayDrop = (kind === 'forced' || kind === 'unknown') && localOid !== null;
  return mayDrop ? ((await repository.divergence(remoteOid, localOid))?.left ?? noCommits) : noCommits;
}

/**
 * The same for updates of which there may be thousands, all of them deletions or none, in four processes at the most:
 * commits that what is pushed brings to another ref are not counted.
 */
export async function commitsDroppedByAll(
  plan: PushPlan,
  updates: readonly RefUpdate[],
  repository: Repository,
): Promise<CommitList> {
  const old = updates.flatMap(({ remoteOid }) => (remoteOid === null ? [] : [`${remoteOid}^{commit}`]));
  const found = await repository.resolveAll(old);
  const tips = old.flatMap((revision) => found.get(revision)?.oid ?? []);
  const brought = updates.flatMap(({ localOid }) => localOid ?? []);
  const left = brought.length > 0 ? brought : await refsLeftThere(plan, repository);
  return tips.length === 0 ? noCommits : repository.commits(tips, left);
}

/** On a server (and for a place that no remote names) the refs of this repository stand for the other branches there. */
async function refsLeftThere(plan: PushPlan, repository: Repository): Promise<readonly string[]> {
  const remote = plan.remote === null ? null : readRemote(await repository.config(), plan.remote);
  const deleted = new Set(
    plan.updates.flatMap(({ kind, remoteRef }) => {
      const ownName = remote === null ? remoteRef : trackingRefOf(remote, remoteRef);
      return kind === 'delete' && ownName !== null ? [ownName] : [];
    }),
  );
  const others = [...(await repository.refs())].filter(([name, { symref }]) => {
    const isOfRemote = remote === null || trackedRefOf(remote, name) !== null;
    return isOfRemote && !deleted.has(name) && (symref === null || !deleted.has(symref));
  });
  return [...new Set(others.map(([, { oid }]) => oid))];
}

/**
 * How the local and the remote side of an update have diverged: `left` is what only the remote has, `right` what only
 * the local one has. Null where there is nothing to compare, or the remote's commit is not in this repository.
 */
export async function divergenceOf(update: RefUpdate, repository: Repository): Promise<Divergence | null> {
  const { localOid, remoteOid } = update;
  return localOid === null || remoteOid === null ? null : repository.divergence(remoteOid, localOid);
}

/** A commit that a push would publish. */
export interface OutgoingCommit extends CommitSummary {
  /** Subject and body as they are, in UTF-8. */
  readonly message: string;
  readonly parents: readonly string[];
  readonly authorEmail: string;
  /** The remote refs (`refs/heads/main`) that would come to reach it. */
  readonly remoteRefs: readonly string[];
}

export interface OutgoingCommits {
  /** Newest first. */
  readonly commits: readonly OutgoingCommit[];
  readonly total: number;
}

/** What counts as published already: every remote's tracking refs, or (on a server) every ref of the repository. */
export type Published = '--remotes' | '--all';

/** Bounds what a first push of a long history reads. */
const defaultLimit = 1000;

const outgoingFormat = '%x00%H%x00%P%x00%an%x00%ae%x00%aI%x00%s%x00%B%x00';

/**
 * The commits that a push would publish: reachable from what it pushes, and neither from what its refs are on the
 * remote now nor from what is published. One process for all updates (two where there are more than `limit`).
 */
export async function outgoingCommits(
  plan: PushPlan,
  repository: Repository,
  options: { readonly published?: Published; readonly limit?: number } = {},
): Promise<OutgoingCommits> {
  const { published = '--remotes', limit = defaultLimit } = options;
  const updates = plan.updates.filter(({ localOid, kind }) => localOid !== null && kind !== 'up-to-date');
  if (updates.length === 0) {
    return { commits: [], total: 0 };
  }
  const { range, input } = rangeOf(updates, published);
  const args = outgoingArguments(range, limit);
  const output = await repository.git.run(args, { ...input });
  if (output.exitCode !== 0) {
    throw gitFailure(args, output);
  }
  const found = parseOutgoing(output.stdout.toString('utf8'));
  const total =
    found.length <= limit
      ? found.length
      : Number(await repository.git.text(['rev-list', '--count', ...range], { ...input }));
  const reached = remoteRefsByCommit(found, await tipsOf(updates, repository));
  const commits = found.slice(0, limit).map((commit) => ({ ...commit, remoteRefs: reached.get(commit.oid) ?? [] }));
  return { commits, total };
}

/** The revisions that {@link outgoingCommits} walks for one update; `remoteOid` is null for a new ref. */
export function outgoingRange(
  localOid: string,
  remoteOid: string | null,
  published: Published = '--remotes',
): readonly string[] {
  return [...unpublished(published), localOid, ...(remoteOid === null ? [] : [`^${remoteOid}`]), '--'];
}

/** The question that {@link outgoingCommits} asks. */
export function outgoingArguments(range: readonly string[], limit = defaultLimit): readonly string[] {
  return ['rev-list', `--max-count=${limit + 1}`, `--format=${outgoingFormat}`, ...range];
}

/** --ignore-missing: the remote's commits may not be here. */
const unpublished = (published: Published): readonly string[] => ['--ignore-missing', '--not', published, '--not'];

/** There may be thousands of updates, too many for a command line. */
function rangeOf(
  updates: readonly RefUpdate[],
  published: Published,
): { readonly range: readonly string[]; readonly input?: { readonly input: string } } {
  const [only, ...more] = updates;
  if (only?.localOid && more.length === 0) {
    return { range: outgoingRange(only.localOid, only.remoteOid, published) };
  }
  const lines = [
    ...updates.map(({ localOid }) => localOid),
    ...updates.flatMap(({ remoteOid }) => (remoteOid === null ? [] : `^${remoteOid}`)),
    '',
  ];
  return { range: [...unpublished(published), '--stdin'], input: { input: lines.join('\n') } };
}

type ParsedCommit = Omit<OutgoingCommit, 'remoteRefs'>;

/** No field can contain a NUL; `rev-list` puts `commit <oid>` and newlines between the records. */
function parseOutgoing(text: string): readonly ParsedCommit[] {
  const parts = text.split('\0');
  const commits: ParsedCommit[] = [];
  for (let start = 1; start + 6 < parts.length; start += 8) {
    const [oid = '', parents = '', author = '', authorEmail = '', date = '', subject = '', message = ''] = parts.slice(
      start,
      start + 7,
    );
    commits.push({ oid, parents: parents.split(' ').filter(Boolean), author, authorEmail, date, subject, message });
  }
  return commits;
}

interface Tip {
  readonly oid: string;
  readonly remoteRef: string;
}

/** The commits that the updates bring; annotated tags stand for what they point to. */
async function tipsOf(updates: readonly RefUpdate[], repository: Repository): Promise<readonly Tip[]> {
  const tips = updates.flatMap(({ localOid, remoteRef }) => (localOid === null ? [] : [{ oid: localOid, remoteRef }]));
  const peelings = tips.filter(({ remoteRef }) => !remoteRef.startsWith('refs/heads/')).map(({ oid }) => `${oid}^{}`);
  const peeled = peelings.length === 0 ? null : await repository.resolveAll(peelings);
  return tips.map(({ oid, remoteRef }) => ({ oid: peeled?.get(`${oid}^{}`)?.oid ?? oid, remoteRef }));
}

/** One walk for each pushed commit, however many refs it is pushed to. */
function remoteRefsByCommit(
  commits: readonly ParsedCommit[],
  tips: readonly Tip[],
): ReadonlyMap<string, readonly string[]> {
  const byOid = new Map(commits.map((commit) => [commit.oid, commit]));
  const reached = new Map<string, string[]>(commits.map(({ oid }) => [oid, []]));
  for (const [tip, refs] of refsByTip(tips)) {
    const seen = new Set<string>();
    const pending = [tip];
    for (let oid = pending.pop(); oid !== undefined; oid = pending.pop()) {
      const commit = byOid.get(oid);
      if (commit !== undefined && !seen.has(oid)) {
        seen.add(oid);
        reached.get(oid)?.push(...refs);
        pending.push(...commit.parents);
      }
    }
  }
  return reached;
}

function refsByTip(tips: readonly Tip[]): ReadonlyMap<string, readonly string[]> {
  const grouped = new Map<string, string[]>();
  for (const { oid, remoteRef } of tips) {
    const refs = grouped.get(oid) ?? [];
    refs.push(remoteRef);
    grouped.set(oid, refs);
  }
  return grouped;
}
