import type { Finding } from '../../finding.ts';
import { freeName } from '../../free-name.ts';
import { isGenerated } from '../../generated-files.ts';
import { textOf } from '../../git-command/words.ts';
import type { CommitIntent, MoveRefIntent } from '../../intent.ts';
import type { Scene } from '../../scene.ts';
import type { TakenOut } from '../../simulation/files/taken-out.ts';
import { removedSince } from '../../simulation/files/taken-out-changes.ts';
import { lackedBy } from '../../simulation/files/taken-up.ts';
import { currentRef } from '../../simulation/refs/current-ref.ts';
import { type MadeCommit, workKept, workReached } from '../../simulation/refs/made-commit.ts';
import { madeBelow } from '../../simulation/refs/made-commits.ts';
import { keptBefore } from '../../wording.ts';
import { objection } from './discard-objection.ts';

/**
 * `git add -A && git commit && git rm FILE && git commit --amend`: work that a commit of the line has taken up, and the line
 * has taken out again, is gone with that commit.
 */
export async function judgeTakenOut(intent: CommitIntent | MoveRefIntent, scene: Scene): Promise<readonly Finding[]> {
  const { overlay, repository, patches } = scene;
  const isOf = intent.kind !== 'commit' || intent.amend;
  if (!isOf || overlay.made.isEmpty || (overlay.takenOut.size === 0 && patches.removesNothing)) {
    return [];
  }
  const removed = await removedSince(overlay, repository, (path) => patches.removalsOf(path));
  const takenOut = new Map([...overlay.takenOut, ...[...removed].map(([path, { place }]) => [path, place] as const)]);
  if (takenOut.size === 0) {
    return [];
  }
  const leaving =
    intent.kind === 'commit' ? await byAmending(intent, takenOut, scene) : await byGoingBack(intent, takenOut, scene);
  if (leaving === null) {
    return [];
  }
  const { left, staying, stillHas, means } = leaving;
  const went = await workReached(left);
  const kept = await workKept([...staying, ...overlay.made.beside(await currentRef(repository))]);
  const gone = [...takenOut.keys()].filter(
    (path) => went.has(path) && !kept.has(path) && !stillHas(path) && !isGenerated(path),
  );
  const lost = await scene.patches.without(gone, 'both', scene);
  const keeping = `git branch ${await freeName('kept-work', repository)}`;
  return objection(scene, means, lost, keptBefore(means, keeping));
}

interface Leaving {
  /** Commits of the line that the branch does not have any more, and those that it has. */
  readonly left: readonly MadeCommit[];
  readonly staying: readonly MadeCommit[];
  /** Is the work in the new commit, in the index or in the work tree? */
  readonly stillHas: (path: string) => boolean;
  readonly means: string;
}

async function byAmending(
  intent: CommitIntent,
  takenOut: ReadonlyMap<string, TakenOut>,
  { overlay, repository }: Scene,
): Promise<Leaving> {
  const commits = overlay.made.on(await currentRef(repository));
  const lacks = await lackedBy(intent, takenOut, repository);
  return {
    left: commits.slice(-1),
    staying: commits.slice(0, -1),
    stillHas: (path) => !lacks.has(path) || takenOut.get(path)?.inTree === true,
    means: 'git commit --amend',
  };
}

/** `git reset --soft HEAD~2`; null: it does not keep the work tree, or goes to no commit that is known. */
async function byGoingBack(
  intent: MoveRefIntent,
  takenOut: ReadonlyMap<string, TakenOut>,
  { overlay, repository }: Scene,
): Promise<Leaving | null> {
  const target = textOf(intent.to);
  const isKeeping = intent.keepsWork === true && intent.ref === null;
  // git-reset(1): a word that is no revision is a path.
  if (!isKeeping || target === null || (await repository.resolve(`${target}^{commit}`)) === null) {
    return null;
  }
  const staying = await madeBelow(target, overlay.made, repository);
  const stillHas = (path: string) => {
    const place = takenOut.get(path);
    return place?.inTree === true || (intent.keepsIndex === true && place?.index === 'held');
  };
  const left = overlay.made.on(await currentRef(repository)).filter((commit) => !staying.includes(commit));
  return { left, staying, stillHas, means: intent.means };
}
