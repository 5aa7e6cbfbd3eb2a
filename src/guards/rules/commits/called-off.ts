import { readCommitsByHand } from '../../../git/history/commits-by-hand.ts';
import { commitsOnlyReachableFrom } from '../../../git/history/reachability.ts';
import { isStopped, mostPicked, waitsForEdits } from '../../../git/history/stopped-operations.ts';
import type { StatusEntry } from '../../../git/repository.ts';
import type { Finding } from '../../finding.ts';
import { freeName } from '../../free-name.ts';
import type { CallOffIntent } from '../../intent.ts';
import type { Scene } from '../../scene.ts';
import { isStaged } from '../../simulation/files/indexed-entry.ts';
import { callsOffRevert } from '../../simulation/refs/called-off.ts';
import { mergedRef } from '../../simulation/refs/made-commits.ts';
import { stagedChanges } from '../../work-at-stake.ts';
import { isUnmerged, ownChanges, resolvedPaths } from '../../work-in-conflict.ts';
import { objection } from '../uncommitted/discard-objection.ts';
import { inStash, wayOut } from '../uncommitted/ways-to-keep.ts';
import { judgeSkippedCommit, judgeSkippedPicks } from './left-out-picks.ts';
import { judgeLoss } from './lose-commits.ts';

/**
 * `git merge --abort` is `git reset --merge` by another name: a conflict that somebody has resolved goes with what the
 * merge has brought, which git can bring again.
 */
export async function judgeCallOff(intent: CallOffIntent, scene: Scene): Promise<readonly Finding[]> {
  const { operation, way } = intent;
  const { repository } = scene;
  if (callsOffRevert(intent, scene.overlay)) {
    return judgeOpenRevert(`git ${operation} --${way}`, scene);
  }
  const begun = operation === 'rebase' && way === 'skip' ? await judgeSkippedPicks('git rebase --skip', scene) : [];
  if (way === 'quit' || !isStopped(operation, repository.gitDir)) {
    return begun;
  }
  const means = `git ${operation} --${way}`;
  const left = (await repository.status()).filter(({ index }) => index !== '?');
  const lost = await scene.patches.without(await workLost(left, intent, scene), 'both', scene);
  return [
    ...begun,
    ...(await objection(scene, means, lost, await inStash(lost, repository))),
    ...(way === 'abort' ? await judgeCommitsByHand(intent, means, scene) : []),
    ...(operation === 'rebase' && way === 'skip' && left.length > 0 ? await judgeSkippedCommit(means, scene) : []),
  ];
}

/** `git revert --no-commit` takes what is staged along, and leaves what is not: what is called off is `git reset --merge`. */
async function judgeOpenRevert(means: string, scene: Scene): Promise<readonly Finding[]> {
  const lost = await scene.patches.without(await stagedChanges(scene.repository), 'staged', scene);
  return objection(scene, means, lost, await wayOut(scene.repository, lost));
}

/** Files that are not what git has written. git-reset(1) "--merge": what is not staged stays, but for a rebase. */
async function workLost(
  left: readonly StatusEntry[],
  { operation }: CallOffIntent,
  { repository, overlay }: Scene,
): Promise<readonly string[]> {
  const isStagedHere = (path: string) => isStaged(overlay.index.get(path));
  const taken = left.filter(({ index }) => index !== 'D' && (operation === 'rebase' || index !== '.'));
  const own = await ownChanges(taken, repository, isStagedHere);
  // An older git, and `git am`, do not remember what they have written themselves.
  const isForgotten =
    !(operation === 'rebase' && waitsForEdits(repository.gitDir)) && (await repository.resolve('AUTO_MERGE')) === null;
  const resolved = isForgotten ? await resolvedPaths(repository) : null;
  // A switch makes git forget both, and these stop at conflicts alone.
  const isAllForgotten = /^(?:rebase|am)$/.test(operation) && resolved?.length === 0 && !left.some(isUnmerged);
  return own
    .filter(
      (entry) =>
        isUnmerged(entry) || isStagedHere(entry.path) || resolved?.includes(entry.path) !== false || isAllForgotten,
    )
    .map(({ path }) => path);
}

/** What was committed since the operation began goes with it; only what it has picked by itself is elsewhere as well. */
async function judgeCommitsByHand(
  { operation }: CallOffIntent,
  means: string,
  scene: Scene,
): Promise<readonly Finding[]> {
  const { repository, overlay } = scene;
  const head = await repository.head();
  const ref = head.kind === 'branch' ? head.ref : 'HEAD';
  const { withWork: made, merged } = overlay.made.lostBy([{ ref, keeps: [] }]);
  // A branch that was made meanwhile stays, and "You seem to have moved HEAD" says what git leaves where it is.
  const stays = operation === 'rebase' ? head.kind === 'branch' : overlay.made.on(ref).length > 0;
  if (stays) {
    return [];
  }
  const byHand = await readCommitsByHand(operation, repository);
  // What the line has amended goes with what took its place.
  const alongside = merged.map((oid) => ({ ref: mergedRef(oid), to: null }));
  const moves = byHand === null ? [] : [{ ref, to: byHand.begin }, ...alongside];
  const left = await commitsOnlyReachableFrom(moves, repository, { limit: mostPicked });
  const commits = left.commits.filter(({ oid }) => byHand?.oids.has(oid));
  if (commits.length === 0 && made === 0) {
    return [];
  }
  const moment = commits.length === 0 ? `   # before ${means}` : '';
  const suggestion = `git branch ${await freeName('kept-work', repository)}${moment}`;
  return judgeLoss({ commits, total: commits.length }, { means, made, refs: [ref], scene, suggestion });
}
