import { hasPseudoRef } from '../../git/pseudo-refs.ts';
import { isStashElsewhere } from '../../git/stash-contents.ts';
import { stoppedOperations } from '../../git/stopped-operations.ts';
import { quoteWord } from '../../quote.ts';
import type { Word } from '../../shell/simple-command.ts';
import { type Finding, findings, type LostWork } from '../finding.ts';
import { freeName } from '../free-name.ts';
import { textOf } from '../git-command/words.ts';
import type { DeleteRefIntent } from '../intent.ts';
import type { Scene } from '../scene.ts';
import { entryNumber } from '../simulation/stash-changes.ts';
import { count } from '../wording.ts';
import { stashEntries } from '../work-at-stake.ts';
import { isUnmerged } from '../work-in-conflict.ts';
import { judgeGuardedFile } from './guarded-files.ts';

/** `git update-ref -d MERGE_AUTOSTASH`: what a stopped merge would put back. */
export function judgeDeletedAutostash(
  { refs, means }: DeleteRefIntent,
  { repository, policy }: Scene,
): readonly Finding[] {
  const name = 'MERGE_AUTOSTASH';
  const isMeant = refs.some((ref) => ref.namespace === '' && textOf(ref.name) === name);
  return isMeant && hasPseudoRef(repository.gitDir, name)
    ? judgeGuardedFile({ kind: 'autostash', operation: 'merge' }, name, 'remove', policy, means)
    : [];
}

/** More of them are not looked into. */
const maximumStashes = 5;

/** `git branch kept stash@{0}`: does a branch or a tag keep each of them? */
async function areNamed(numbers: readonly number[], { repository }: Scene): Promise<boolean> {
  const refs = numbers.length === 0 ? [] : [...(await repository.refs())];
  const kept = new Set(refs.flatMap(([name, { oid }]) => (/^refs\/(?:heads|tags)\//.test(name) ? [oid] : [])));
  const oids = await Promise.all(numbers.map((number) => repository.resolve(`stash@{${number}}^{commit}`)));
  return numbers.length > 0 && oids.every((oid) => oid !== null && kept.has(oid));
}

/**
 * Has a branch what goes, or has an earlier call applied it, so that the work tree has it? That only as long as the line
 * leaves it as it is.
 *
 * @param index null: all of them
 */
async function areElsewhere(index: number | null, existing: readonly string[], scene: Scene): Promise<boolean> {
  const { repository, overlay, patches } = scene;
  const { stashes } = overlay.shared;
  const before = index === null ? null : stashes.before(index);
  const numbers = index === null ? [...existing.keys()] : before === null ? [] : [before];
  if (await areNamed(numbers, scene)) {
    return true;
  }
  const gone = [...overlay.restored].filter((path) => !overlay.committed.has(path)).length;
  const changed = gone + overlay.written.size + overlay.unversioned.size + stashes.made;
  const isAsBefore = changed === 0 && patches.leavesFiles;
  if (!isAsBefore || numbers.length === 0 || numbers.length > maximumStashes) {
    return false;
  }
  const found = await Promise.all(numbers.map((number) => isStashElsewhere(`stash@{${number}}`, repository)));
  return found.every(Boolean);
}

/** @param numbers of entries before the line; null: one that the line makes */
function stashesLost(numbers: readonly (number | null)[], { repository, overlay }: Scene): LostWork | undefined {
  const { workTree } = repository;
  return workTree === null || overlay.shared.stashes.made > 0 || numbers.includes(null)
    ? undefined
    : { workTree, refs: numbers.map((number) => `stash@{${number}}`) };
}

/** git-stash(1) "drop", "clear": what nothing else keeps. */
export async function judgeStash(entry: 'all' | Word | null, means: string, scene: Scene): Promise<readonly Finding[]> {
  const existing = await stashEntries(scene.repository);
  const { stashes } = scene.overlay.shared;
  const total = stashes.count(existing.length);
  const index = entry === 'all' ? 0 : (entryNumber(textOf(entry) ?? '0') ?? 0);
  const isSpare = stashes.isSpare && index === 0;
  const isApplied = entry !== 'all' && (stashes.applied === index || isSpare);
  // What the line writes before it makes another entry is not known here.
  const isBeyond = index >= total + Math.max(0, stashes.pushes - stashes.made);
  if (total === 0 || isBeyond || isApplied || (await areElsewhere(entry === 'all' ? null : index, existing, scene))) {
    return [];
  }
  const lost =
    entry === 'all'
      ? existing
      : [
          stashes.made > 0
            ? 'the stash that this command line makes'
            : (existing[stashes.before(index) ?? 0] ?? existing[0] ?? ''),
        ];
  const name = `stash@{${index}}`;
  const what =
    entry === 'all' ? count(total, 'stash', 'stashes') : `${name} (${lost[0]?.replace(/^stash@\{\d+\}: /, '') ?? ''})`;
  const isMade = index < stashes.made;
  const branch = await freeName('kept-work', scene.repository);
  const status = await scene.repository.status();
  // git can't stash while there is a conflict.
  const isInConflict = isMade && status.some(isUnmerged);
  // git-stash(1) "branch" checks a branch out: not over changes, and not in the middle of something.
  const isFree = status.every(({ index }) => index === '!') && stoppedOperations(scene.repository.gitDir).length === 0;
  const suggestion = () => {
    if (isMade) {
      return isInConflict ? 'git stash list' : 'git stash   # and keep it';
    }
    if (entry === 'all' && total > 1) {
      return 'git stash list';
    }
    if (!isFree) {
      return `git branch ${branch} ${quoteWord(name)}`;
    }
    return index === 0 ? `git stash branch ${branch}` : `git stash branch ${branch} ${quoteWord(name)}`;
  };
  return findings('discard-changes', scene.policy, {
    message: `${means} would discard ${what}: work that is kept nowhere else.`,
    evidence: { refs: lost },
    suggestion: suggestion(),
    loss: stashesLost(entry === 'all' ? [...existing.keys()] : [stashes.before(index)], scene),
  });
}
