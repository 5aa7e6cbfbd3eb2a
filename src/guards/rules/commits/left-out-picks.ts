import type { CommitSummary } from '../../../git/history/commit.ts';
import { quoteWord } from '../../../quote.ts';
import { type Finding, findings } from '../../finding.ts';
import { freeName } from '../../free-name.ts';
import type { RewriteIntent } from '../../intent.ts';
import type { Scene } from '../../scene.ts';
import type { PickedRange } from '../../simulation/refs/begun-rebase.ts';
import { conflictingCommits, isMet, rebaseOf } from '../../simulation/refs/conflicting-picks.ts';
import { count, nameCommits, shortName } from '../../wording.ts';
import { onlyInRebase } from '../../work-in-conflict.ts';
import { refsLost } from './lose-commits.ts';

/** Commits that a rebase picks and that no branch would have any more. */
interface LeftOut {
  readonly commits: readonly CommitSummary[];
  /** How many more there are that the line itself makes. */
  readonly made: number;
}

/**
 * `git rebase main || git rebase --skip`: what conflicts is left out, and no branch has it any more.
 *
 * @param means `git rebase --skip`
 */
export async function judgeSkippedPicks(means: string, scene: Scene): Promise<readonly Finding[]> {
  const { begunRebase: begun } = scene.overlay;
  if (begun === null) {
    return [];
  }
  const { commits } = await conflictingCommits(begun, scene.repository);
  return objectionTo(`${means} may leave out`, begun, { commits, made: await madeMeeting(begun, scene) }, scene);
}

/**
 * `git rebase main || { git checkout --ours . && git add . && git rebase --continue; }`: once the line has put back all
 * that a commit changes, git goes on without it.
 */
export async function judgePutBackPicks(scene: Scene): Promise<readonly Finding[]> {
  const { begunRebase: begun, putBackPicks: isPutBack } = scene.overlay;
  if (begun === null || isPutBack === null) {
    return [];
  }
  const { commits, paths } = await conflictingCommits(begun, scene.repository);
  const isEmptied = ({ oid }: CommitSummary) => (paths.get(oid) ?? []).every((path) => isPutBack(path, 'in conflict'));
  const made = isPutBack('', 'in conflict') ? await madeMeeting(begun, scene) : 0;
  return objectionTo('git rebase --continue may leave out', begun, { commits: commits.filter(isEmptied), made }, scene);
}

/** `git rebase -X ours main`: "ours" is not the branch's own side, but what its commits are put on. */
export async function judgeGivenWay(
  { means, range, givesWay }: RewriteIntent,
  scene: Scene,
): Promise<readonly Finding[]> {
  if (givesWay !== true || range === 'head') {
    return [];
  }
  const picked = await rebaseOf(range, scene.repository);
  if (picked === null) {
    return [];
  }
  const { commits } = await conflictingCommits(picked, scene.repository);
  const made = await madeMeeting(picked, scene);
  return objectionTo(`${means} -X ours may leave out changes of`, picked, { commits, made }, scene);
}

/** Commits of the line on that branch, where the other side has anything that they could conflict with. */
async function madeMeeting(picked: PickedRange, { repository, overlay }: Scene): Promise<number> {
  const made = overlay.made.lostBy([{ ref: picked.ref, keeps: [] }]).withWork;
  return made > 0 && (await isMet(picked, repository)) ? made : 0;
}

async function objectionTo(
  does: string,
  { ref, tip }: PickedRange,
  { commits, made }: LeftOut,
  scene: Scene,
): Promise<readonly Finding[]> {
  const { repository, policy } = scene;
  if (commits.length === 0 && made === 0) {
    return [];
  }
  const there = `${count(commits.length, 'commit')} that no other branch or tag has: ${nameCommits({ commits, total: commits.length })}`;
  const here = `${count(made, 'commit')} that this command line makes`;
  const left = [...(commits.length === 0 ? [] : [there]), ...(made === 0 ? [] : [here])];
  const name = await freeName('kept-work', repository);
  const start = ref === 'HEAD' ? tip.slice(0, 12) : quoteWord(shortName(ref));
  return findings('lose-commits', policy, {
    message: `${does} ${left.join(', and ')}.`,
    evidence: { commits, refs: [ref] },
    suggestion: `git branch ${name} ${start}${made === 0 ? '' : '   # before git rebase'}`,
    loss: made > 0 ? undefined : refsLost([ref], scene),
  });
}

/** A commit that a rebase leaves out, although it would still change something. */
export async function judgeSkippedCommit(means: string, { repository, policy }: Scene): Promise<readonly Finding[]> {
  const commits = await onlyInRebase(repository);
  return findings(
    'lose-commits',
    policy,
    commits.length === 0
      ? null
      : {
          message: `${means} would leave out 1 commit that no other branch or tag has: ${nameCommits({ commits, total: 1 })}.`,
          evidence: { commits },
          suggestion: `git branch ${await freeName('kept-work', repository)} REBASE_HEAD`,
        },
  );
}
