import { type CommitList, noCommits } from '../../../git/history/commit.ts';
import { copiedRefs } from '../../../git/history/copied-commits.ts';
import { commitsOnlyReachableFrom, type RefMove } from '../../../git/history/reachability.ts';
import { withoutGrafts } from '../../../git/history/replaced-commits.ts';
import { readBranchesInUse } from '../../../git/refs/worktree-heads.ts';
import type { Repository } from '../../../git/repository.ts';
import { isTrackingRef } from '../../../git/settings/remote.ts';
import { type Finding, findings, type LostWork } from '../../finding.ts';
import { isUnknown, shown, textOf } from '../../git-command/words.ts';
import type { DeleteRefIntent, MoveRefIntent, RefName, RenameRefIntent } from '../../intent.ts';
import { mirrorHere } from '../../mirror-of.ts';
import type { Scene } from '../../scene.ts';
import { printedCommit } from '../../simulation/answers/printed-commits.ts';
import { branchNamed, isMerged } from '../../simulation/refs/branch-names.ts';
import { mayBeBrought, refsAdrift } from '../../simulation/refs/brought-refs.ts';
import type { MadeCommit } from '../../simulation/refs/made-commit.ts';
import { madeBelow, mergedRef } from '../../simulation/refs/made-commits.ts';
import { count, keptBefore, nameCommits, shortName } from '../../wording.ts';
import { unreadable } from '../unreadable-command.ts';
import { isTakenBack } from './coming-back.ts';
import { keepingRefs, type LeavingRef } from './kept-refs.ts';
import { reachedOnlyFrom, withoutLeftOut } from './left-out-commits.ts';
import { isReachedOtherwise, judgeOpenMove, mayLose } from './open-refs.ts';

/** Commits that nothing would reach any more once a branch or tag moves. */
export async function judgeMovedRef(intent: MoveRefIntent, scene: Scene): Promise<readonly Finding[]> {
  const { repository } = scene;
  const isBack = intent.ref === null && (await isResetTakenBack(intent, scene));
  const isSafe = intent.keepsWork === true || intent.isNew === true || isBack;
  const name = isSafe ? null : await refNamed(intent.ref, scene);
  if (name === null) {
    return isSafe ? [] : judgeOpenMove(intent, scene);
  }
  if (name.includes('*')) {
    return judgeMovedRefs(name, intent, scene);
  }
  if (scene.overlay.made.on(name).length === 0 && (await oidOf(name, repository)) === null) {
    return [];
  }
  const printed = printedCommit(intent.to, repository);
  if (printed !== null) {
    const parents = printed.parents.length === 0 ? [null] : printed.parents;
    return judgeMoves(
      parents.map((to) => ({ ref: name, to })),
      intent.means,
      scene,
    );
  }
  const named = textOf(intent.to);
  const isOfFetch = named !== null && /^(?:FETCH_HEAD|(?:HEAD|@)\^)/.test(named);
  const target = isOfFetch && (await mayBeBrought(named, repository, scene.overlay)) ? null : named;
  if (intent.to !== null && target === null) {
    const unpublished = await commitsOnlyReachableFrom([{ ref: name, to: null }], repository);
    const total = unpublished.total + scene.overlay.made.on(name).length;
    return total === 0
      ? []
      : unreadable(scene.policy, {
          source: shown(intent.to),
          reason: intent.to.kind === 'unknown' ? intent.to.reason : 'what the fetch before it brings is not known here',
          could: `a commit that leaves ${count(total, 'commit')} of ${shortName(name)} unreachable`,
        });
  }
  const isLeft = intent.leavesHead === true && (await repository.head()).kind === 'detached';
  const left = isLeft ? [{ ref: 'HEAD', to: target }] : [];
  return judgeMoves([{ ref: name, to: target }, ...left], intent.means, scene);
}

/** A reset to a commit that is there does not fail. */
async function isResetTakenBack(intent: MoveRefIntent, scene: Scene): Promise<boolean> {
  const to = textOf(intent.to);
  const ref = scene.comesBack === null ? null : await refNamed(null, scene);
  const leads = async () => to !== null && (await scene.repository.resolve(`${to}^{commit}`)) !== null;
  return ref !== null && isTakenBack({ ref, to }, leads, scene);
}

/** `fetch origin '+refs/heads/*:refs/heads/*'`: every branch may come to stand elsewhere. */
async function judgeMovedRefs(pattern: string, { means }: MoveRefIntent, scene: Scene): Promise<readonly Finding[]> {
  const [before = '', after = ''] = pattern.split('*');
  const refs = [...(await scene.repository.refs()).keys()];
  const moved = refs.filter((name) => name.startsWith(before) && name.endsWith(after));
  const local = moved.filter((name) => !name.startsWith('refs/remotes/'));
  return judgeLoss(
    await commitsOnlyReachableFrom(
      local.map((ref) => ({ ref, to: null })),
      scene.repository,
    ),
    {
      means,
      may: true,
      refs: local,
      scene,
      suggestion: 'git fetch',
    },
  );
}

/** The same for branches and tags that are deleted, all of them at once: each may keep what another one had. */
export async function judgeDeletedRefs(intent: DeleteRefIntent, scene: Scene): Promise<readonly Finding[]> {
  if (intent.sparesUnmerged === true) {
    return judgeSparingDeletion(intent, scene);
  }
  const open = intent.refs.filter(({ name }) => name.kind === 'unknown');
  const spares = intent.sparesCheckedOut === true;
  const endangering = await Promise.all(
    open.map(async (ref) =>
      (spares && (await isReachedOtherwise(ref.name, scene))) || !(await mayLose(ref, scene)) ? [] : [ref.name],
    ),
  );
  const unknown = endangering.flat().filter(isUnknown);
  const config = await scene.repository.config();
  const named = await Promise.all(intent.refs.map((ref) => refNamed(ref, scene)));
  const known = named.filter((name) => name !== null);
  // What tracking refs show the remote has.
  const names = known.every((name) => isTrackingRef(name, config)) ? [] : known;
  // git refuses, and deletes the others.
  const areKnown = intent.sparesCheckedOut === true && !scene.changesWorktrees;
  const inUse = areKnown ? await readBranchesInUse(scene.repository) : new Set<string>();
  const deleted = names.filter((name) => !inUse.has(name));
  const [only = ''] = deleted;
  return [
    ...unknown.flatMap(({ source, reason }) =>
      unreadable(scene.policy, { source, reason, could: 'a branch whose commits are nowhere else' }),
    ),
    ...(await judgeMoves(
      deleted.map((ref) => ({ ref, to: null })),
      deleted.length === 1 ? `${intent.means} ${shortName(only)}` : intent.means,
      scene,
    )),
  ];
}

/** `git branch -d` looks for the commits in the upstream: that may be a local branch, and be the one that goes. */
async function judgeSparingDeletion({ refs, means }: DeleteRefIntent, scene: Scene): Promise<readonly Finding[]> {
  const { repository, overlay } = scene;
  const named = await Promise.all(refs.map((ref) => refNamed(ref, scene)));
  const names = named.filter((name) => name !== null);
  const settings = names.length === 0 ? null : await repository.config();
  if (!names.some((name) => settings?.get(`branch.${shortName(name)}.remote`) === '.')) {
    return [];
  }
  const areMerged = await Promise.all(names.map((name) => isMerged(name, repository, overlay)));
  const deleted = names.filter((_, at) => areMerged[at]);
  return judgeMoves(
    deleted.map((ref) => ({ ref, to: null })),
    `${means} ${deleted.map(shortName).join(' ')}`,
    scene,
  );
}

/** `branch -M`: the branch that has the new name already is gone. */
export async function judgeRenamedRef(intent: RenameRefIntent, scene: Scene): Promise<readonly Finding[]> {
  const [from, to] = await Promise.all([refNamed(intent.from, scene), refNamed(intent.to, scene)]);
  return !intent.forced || from === null || to === null || from === to
    ? []
    : judgeMoves([{ ref: to, to: from }], `${intent.means} ${shortName(to)}`, scene);
}

/** Commits that nothing would reach any more once refs move or go. */
export async function judgeMoves(moves: readonly RefMove[], means: string, scene: Scene): Promise<readonly Finding[]> {
  const { repository, overlay } = scene;
  const leaving = (await Promise.all(moves.map((move) => leavingBy(move, scene)))).flatMap((move) => move ?? []);
  if (leaving.length === 0) {
    return [];
  }
  const refs = leaving.map(({ ref }) => ref);
  const { withWork: made, merged, copied } = overlay.made.lostBy(leaving);
  const alongside = merged.map((oid) => ({ ref: mergedRef(oid), to: null }));
  const reached = withoutThose(await reachedOnlyFrom([...leaving, ...alongside], scene), copied);
  const uncopied = alongside.length > 0 ? reached : await withoutCopied(reached, leaving, scene);
  const lost = await withoutGrafts(uncopied, refs, repository);
  if (lost.total <= 0 && made === 0) {
    return [];
  }
  const keeping = await keepingRefs(leaving, lost, scene);
  const suggestion = lost.total <= 0 ? keptBefore(means, keeping) : keeping;
  return judgeLoss(lost, { means, may: leaving.some(({ isOpen }) => isOpen), made, refs, scene, suggestion });
}

/** A longer list than is shown stays as it is. */
function withoutThose({ commits, total }: CommitList, oids: ReadonlySet<string>): CommitList {
  const left = oids.size === 0 || total > commits.length ? commits : commits.filter(({ oid }) => !oids.has(oid));
  return { commits: left, total: total - (commits.length - left.length) };
}

/**
 * Without commits that were picked or rebased onto what stays. That is asked only of what the refs themselves reach.
 *
 * @param lost by all of the refs
 */
async function withoutCopied(lost: CommitList, leaving: readonly LeavingRef[], scene: Scene): Promise<CommitList> {
  const { repository, overlay } = scene;
  if (lost.total <= 0 || overlay.shared.rebasedOnto.size > 0 || (await refsAdrift(overlay, repository)).length > 0) {
    return lost;
  }
  const copied = await copiedRefs(leaving, repository);
  const left = leaving.filter(({ ref }) => !copied.includes(ref));
  // What the others have is kept, as if they stayed.
  return copied.length === 0 ? lost : left.length === 0 ? noCommits : reachedOnlyFrom(left, scene);
}

interface Leaving extends LeavingRef {
  /** What the line has made that is reached from where it goes. */
  readonly keeps: readonly MadeCommit[];
  /** It goes to a commit that the line brings: what it has counts as not reached from there. */
  readonly isOpen: boolean;
}

/** A ref as it leaves what it has; null: it is not there, or git refuses. */
async function leavingBy({ ref, to }: RefMove, { repository, overlay }: Scene): Promise<Leaving | null> {
  const tip = await oidOf(ref, repository);
  // A new root, and what stands on it, has no commit below that was there.
  if (tip === null && overlay.made.on(ref).length === 0) {
    return null;
  }
  if (to === null) {
    return { ref, to, tip, keeps: [], isOpen: false };
  }
  if (await mayBeBrought(to, repository, overlay)) {
    return { ref, to: null, tip, keeps: [], isOpen: true };
  }
  const keeps = await madeBelow(to, overlay.made, repository);
  const leads = keeps.length > 0 || (await repository.resolve(`${to}^{commit}`)) !== null;
  return leads ? { ref, to: await withoutLeftOut(to, { repository, overlay }), tip, keeps, isOpen: false } : null;
}

interface Loss {
  readonly means: string;
  /** It depends on what the remote has. */
  readonly may?: boolean;
  /** Commits that the line makes itself and that would be lost as well. */
  readonly made?: number;
  readonly refs: readonly string[];
  readonly scene: Scene;
  readonly suggestion: string;
}

/** The objection to commits that would be lost; none where there are none. */
export function judgeLoss(
  lost: CommitList,
  { means, may, made = 0, refs, scene, suggestion }: Loss,
): readonly Finding[] {
  if (lost.total <= 0 && made > 0) {
    return findings('lose-commits', scene.policy, {
      message: `${means} would leave ${count(made, 'commit')} unreachable that this command line makes.`,
      evidence: { refs },
      suggestion,
    });
  }
  return findings(
    'lose-commits',
    scene.policy,
    lost.total <= 0
      ? null
      : {
          message: `${means} ${may === true ? 'may' : 'would'} leave ${count(lost.total, 'commit')} unreachable that no other branch or tag has: ${nameCommits(lost)}${made > 0 ? `, and ${made} that this command line makes` : ''}.`,
          evidence: { commits: lost.commits, refs },
          suggestion,
          isForTop: suggestion === mirrorHere,
          loss: made > 0 ? undefined : refsLost(refs, scene),
        },
  );
}

/** What refs stand on before the line reaches all that they lose by it. */
export function refsLost(refs: readonly string[], { repository }: Pick<Scene, 'repository'>): LostWork | undefined {
  return repository.workTree === null ? undefined : { workTree: repository.workTree, refs };
}

/** A ref's full name; null: none is meant that is known. `null` stands for the branch that is checked out. */
export async function refNamed(ref: RefName | null, { repository, overlay }: Scene): Promise<string | null> {
  const name = ref === null ? 'HEAD' : textOf(ref.name);
  if (name === null) {
    return null;
  }
  if (name === 'HEAD' && (ref === null || ref.namespace === '')) {
    const head = await repository.head();
    return head.kind === 'branch' ? head.ref : 'HEAD';
  }
  const previous = ref?.namespace === 'refs/heads/' ? await branchNamed(name, repository, overlay) : null;
  return previous ?? (ref?.namespace ?? '') + name;
}

function oidOf(name: string, repository: Repository): Promise<string | null> {
  return name === 'HEAD' ? repository.resolve('HEAD') : repository.ref(name);
}
