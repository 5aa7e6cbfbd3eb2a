import { shortBranchName } from '../../git/refspec.ts';
import { quoteWord } from '../../quote.ts';
import { type Finding, findings } from '../finding.ts';
import { textOf } from '../git-command/words.ts';
import type { MoveRefIntent, RenameRefIntent } from '../intent.ts';
import { protectedTrackingRefs } from '../protected-refs.ts';
import type { Scene } from '../scene.ts';
import { madeBelow } from '../simulation/made-commits.ts';
import { refNamed } from './lose-commits.ts';

/**
 * `git checkout --orphan new && git commit … && git branch -M main`: a protected branch gets another history than it has
 * published. Going back to what it had, and going on from there, is none.
 */
export async function judgeReplacedHistory(
  intent: MoveRefIntent | RenameRefIntent,
  scene: Scene,
): Promise<readonly Finding[]> {
  const { repository, policy, overlay } = scene;
  const isMove = intent.kind === 'move-ref';
  const branch = await refNamed(isMove ? intent.ref : intent.to, scene);
  const published = (await protectedTrackingRefs(repository, policy)).filter(
    (tracking) => `refs/heads/${tracking.branch}` === branch,
  );
  const [first] = published;
  const target = isMove ? textOf(intent.to) : await refNamed(intent.from, scene);
  if (branch === null || first === undefined || target === null || (isMove && intent.keepsWork === true)) {
    return [];
  }
  const now = await repository.ref(branch);
  if (isMove && intent.isNew === true && now !== null) {
    // git refuses to make a branch that is there.
    return [];
  }
  const base = await repository.resolve(`${target}^{commit}`);
  const made = await madeBelow(target, overlay.made, repository);
  const isBelow = async (older: string, newer: string | null) =>
    newer !== null && (await repository.isAncestor(older, newer)) === 'yes';
  const reached = [base, ...made.flatMap(({ merged }) => merged)];
  const goesOn = (await Promise.all(reached.map((oid) => isBelow(first.ref, oid)))).includes(true);
  const goesBack = made.length === 0 && (base === null || (await isBelow(base, first.ref)));
  const hasLeft = now !== null && !(await isBelow(first.ref, now));
  return findings(
    'rewrite-published',
    policy,
    goesOn || goesBack || hasLeft
      ? null
      : {
          message: `${intent.means} would put another history in the place of the one that ${shortBranchName(branch)} has published.`,
          evidence: { refs: [first.ref] },
          suggestion: `git switch ${quoteWord(shortBranchName(branch))} && git merge ${quoteWord(fromThere(target))}`,
        },
  );
}

/** What HEAD is now is `@{-1}` once another branch is checked out. */
function fromThere(target: string): string {
  return shortBranchName(target).replace(/^(?:HEAD|@)(?=$|[~^])/, '@{-1}');
}
