import type { CommitSummary } from '../../../git/history/commit.ts';
import { stoppedOperations } from '../../../git/history/stopped-operations.ts';
import { shortBranchName } from '../../../git/refs/refspec.ts';
import { quoteWord } from '../../../quote.ts';
import { type Finding, findings } from '../../finding.ts';
import { textOf } from '../../git-command/words.ts';
import type { MoveRefIntent, RenameRefIntent } from '../../intent.ts';
import { protectedTrackingRefs } from '../../protected-refs.ts';
import type { Scene } from '../../scene.ts';
import { printedCommit } from '../../simulation/answers/printed-commits.ts';
import type { MadeCommit } from '../../simulation/refs/made-commit.ts';
import { goneOnFrom, madeBelow } from '../../simulation/refs/made-commits.ts';
import { count } from '../../wording.ts';
import { refNamed } from './lose-commits.ts';

/** Where a branch stands. */
export interface Standing {
  /** A commit that was there before the line; null: none is below what the line has made. */
  readonly base: string | null;
  /** Commits of the line on top of that. */
  readonly made: readonly MadeCommit[];
  /** Other commits that those go on from. */
  readonly others?: readonly string[];
}

/** Commits that a branch has published and does not have any more; the list may be shorter than what is counted. */
interface Replaced {
  readonly commits: readonly CommitSummary[];
  readonly total: number;
}

/**
 * What a protected branch has had at some moment of the line, and a remote has as well, that it lacks where it stands
 * then. None where it just goes back: what comes after that may be a pull.
 *
 * @param before commits at which it has stood
 * @param published refs of the remotes
 */
export async function replacedCommits(
  before: readonly string[],
  { base, made, others = [] }: Standing,
  published: readonly string[],
  { repository }: Pick<Scene, 'repository'>,
): Promise<Replaced> {
  const isBelow = async (ref: string) => base !== null && (await repository.isAncestor(base, ref)) === 'yes';
  const isNew = made.length > 0 || others.length > 0;
  const goesBack = !isNew && (base === null || (await Promise.all(published.map(isBelow))).includes(true));
  if (goesBack || before.length === 0) {
    return { commits: [], total: 0 };
  }
  const kept = [...(base === null ? [] : [base]), ...others, ...goneOnFrom(made)];
  const gone = await repository.commits(before, kept);
  const unpublished = await repository.commits(before, [...kept, ...published]);
  const own = new Set(unpublished.commits.map(({ oid }) => oid));
  return { commits: gone.commits.filter(({ oid }) => !own.has(oid)), total: gone.total - unpublished.total };
}

/** Commits at which a branch has stood on this line, as far as nothing has come onto it since. @param ref by its full name */
export async function stoodAt(ref: string, { repository, overlay }: Scene): Promise<readonly string[]> {
  const now = await repository.ref(ref);
  return [...new Set([...(now === null ? [] : [now]), ...(overlay.shared.stood.get(ref) ?? [])])];
}

/**
 * `git checkout --orphan new && git commit … && git branch -M main`: a protected branch gets another history than it has
 * published. Going back to what it had, and going on from there, is none.
 */
export async function judgeReplacedHistory(
  intent: MoveRefIntent | RenameRefIntent,
  scene: Scene,
): Promise<readonly Finding[]> {
  const { repository, policy } = scene;
  const isMove = intent.kind === 'move-ref';
  const branch = await refNamed(isMove ? intent.ref : intent.to, scene);
  const published = (await protectedTrackingRefs(repository, policy)).filter(
    (tracking) => `refs/heads/${tracking.branch}` === branch,
  );
  const refs = published.map(({ ref }) => ref);
  const after = branch === null || refs.length === 0 ? null : await standingAfter(intent, scene);
  if (branch === null || after === null) {
    return [];
  }
  const isMaking = isMove ? intent.isNew === true : !intent.forced;
  const isRefused = isMaking && (await repository.ref(branch)) !== null;
  const before = isRefused ? [] : await stoodAt(branch, scene);
  const { commits, total } = await replacedCommits(before, after, refs, scene);
  return findings(
    'rewrite-published',
    policy,
    total <= 0
      ? null
      : {
          message: `${intent.means} would put another history in the place of ${count(total, 'commit')} that ${shortBranchName(branch)} has published.`,
          evidence: { commits, refs },
          suggestion: await insteadOfMove(intent, after, shortBranchName(branch), scene),
        },
  );
}

/** Null: it can't be known, or git refuses. */
async function standingAfter(intent: MoveRefIntent | RenameRefIntent, scene: Scene): Promise<Standing | null> {
  const { repository, overlay } = scene;
  const printed = intent.kind === 'move-ref' ? printedCommit(intent.to, repository) : null;
  if (printed !== null) {
    const oids = await Promise.all(printed.parents.map((name) => repository.resolve(`${name}^{commit}`)));
    const below = await Promise.all(printed.parents.map((name) => madeBelow(name, overlay.made, repository)));
    const [base = null, ...merged] = oids.flatMap((oid) => oid ?? []);
    return { base, made: [{ holdsWork: printed.holdsWork, merged, mergedMade: below.flat() }] };
  }
  const target = intent.kind === 'move-ref' ? textOf(intent.to) : await refNamed(intent.from, scene);
  const base = target === null ? null : await repository.resolve(`${target}^{commit}`);
  const made = target === null ? [] : await madeBelow(target, overlay.made, repository);
  return base === null && made.length === 0 ? null : { base, made };
}

async function insteadOfMove(
  intent: MoveRefIntent | RenameRefIntent,
  { base }: Standing,
  branch: string,
  scene: Scene,
): Promise<string> {
  const target = intent.kind === 'move-ref' ? textOf(intent.to) : await refNamed(intent.from, scene);
  if (target === null) {
    return 'git commit';
  }
  const [stopped] = stoppedOperations(scene.repository.gitDir);
  if (stopped !== undefined) {
    // git-switch(1) refuses until then.
    return `Bring the ${stopped} to its end first, then merge into ${branch}.`;
  }
  const option = base === null ? '--allow-unrelated-histories ' : '';
  return `git switch ${quoteWord(branch)} && git merge ${option}${quoteWord(fromThere(target))}`;
}

/** What HEAD is now is `@{-1}` once another branch is checked out. */
function fromThere(target: string): string {
  return shortBranchName(target).replace(/^(?:HEAD|@)(?=$|[~^])/, '@{-1}');
}
