import { isStashElsewhere } from '../../../git/contents/stash-contents.ts';
import { hasPseudoRef } from '../../../git/refs/pseudo-refs.ts';
import { quoteCommand } from '../../../quote.ts';
import type { Word } from '../../../shell/simple-command.ts';
import { type Finding, findings, type LostWork } from '../../finding.ts';
import { freeName } from '../../free-name.ts';
import { textOf } from '../../git-command/words.ts';
import type { DeleteRefIntent } from '../../intent.ts';
import type { Scene } from '../../scene.ts';
import { changesOutput } from '../../simulation/files/shown-differences.ts';
import { entryNumber } from '../../simulation/files/stash-changes.ts';
import { asOpened } from '../../simulation/replaced.ts';
import { count } from '../../wording.ts';
import { stashEntries } from '../../work-at-stake.ts';
import { judgeGuardedFile } from '../checks/guarded-files.ts';
import { conflictsBefore } from './ways-to-keep.ts';

/** `git update-ref -d MERGE_AUTOSTASH`: what a stopped merge would put back. */
export function judgeDeletedAutostash(
  { refs, means }: DeleteRefIntent,
  { repository, policy }: Scene,
): readonly Finding[] {
  const name = 'MERGE_AUTOSTASH';
  const isMeant = refs.some((ref) => ref.namespace === '' && textOf(ref.name) === name);
  return isMeant && hasPseudoRef(repository.gitDir, name)
    ? judgeGuardedFile({ kind: 'autostash', operation: 'merge' }, name, 'remove', policy, { means })
    : [];
}

/** More of them are not looked into. */
const maximumStashes = 5;

/** `git branch kept stash@{0}`: does a branch or a tag keep each of them? */
async function areNamed(numbers: readonly number[], { repository }: Scene): Promise<boolean> {
  const refs = [...(await repository.refs())];
  const kept = new Set(refs.flatMap(([name, { oid }]) => (/^refs\/(?:heads|tags)\//.test(name) ? [oid] : [])));
  const entries = numbers.map((number) => `stash@{${number}}^{commit}`);
  const objects = await asOpened(repository).resolveAll(entries);
  return entries.every((entry) => kept.has(objects.get(entry)?.oid ?? ''));
}

/** `git stash show -p > FILE`: has the line written each of them to a file that is still there? */
async function areInPatches(numbers: readonly number[], scene: Scene): Promise<boolean> {
  const { repository, overlay, patches } = scene;
  // Otherwise an entry may have had another number then.
  if (patches.isEmpty || !overlay.shared.stashes.areAsBefore || (await changesOutput(repository))) {
    return false;
  }
  for (const number of numbers) {
    if (!(await patches.keepsStash(number, scene))) {
      return false;
    }
  }
  return true;
}

/**
 * Has a branch what goes, or has an earlier call applied it, so that the work tree has it? That only as long as the line
 * leaves it as it is. What the line has put away itself is nowhere else.
 *
 * @param numbers of the entries, as they were before the line; null: one that the line makes
 */
async function areElsewhere(numbers: readonly (number | null)[], scene: Scene): Promise<boolean> {
  const { repository, overlay, patches } = scene;
  const before = numbers.filter((number) => number !== null);
  if (before.length === 0 || before.length < numbers.length) {
    return false;
  }
  if ((await areNamed(before, scene)) || (await areInPatches(before, scene))) {
    return true;
  }
  const gone = [...overlay.restored].filter((path) => !overlay.committed.has(path)).length;
  const changed = gone + overlay.written.size + overlay.unversioned.size + overlay.shared.stashes.made;
  const isAsBefore = changed === 0 && patches.leavesFiles;
  if (!isAsBefore || before.length > maximumStashes) {
    return false;
  }
  const found = await Promise.all(before.map((number) => isStashElsewhere(`stash@{${number}}`, repository)));
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
  const own = Array.from({ length: stashes.made }, () => null);
  const numbers = entry === 'all' ? [...own, ...existing.keys()] : [stashes.before(index)];
  if (total === 0 || isBeyond || isApplied || (await areElsewhere(numbers, scene))) {
    return [];
  }
  const [number = null] = numbers;
  const one = number === null ? 'the stash that this command line makes' : (existing[number] ?? existing[0] ?? '');
  const lost = entry === 'all' ? existing : [one];
  const name = `stash@{${index}}`;
  const what =
    entry === 'all' ? count(total, 'stash', 'stashes') : `${name} (${lost[0]?.replace(/^stash@\{\d+\}: /, '') ?? ''})`;
  return findings('discard-changes', scene.policy, {
    message: `${means} would discard ${what}: work that is kept nowhere else.`,
    evidence: { refs: lost },
    suggestion: await insteadOfDropping(numbers, scene),
    loss: stashesLost(numbers, scene),
  });
}

/**
 * A branch of its own keeps an entry, whatever is checked out or changed, and leaves the numbers of the others as they are.
 *
 * @param numbers of the entries, as they were before the line; null: one that the line makes
 */
async function insteadOfDropping(numbers: readonly (number | null)[], { repository }: Scene): Promise<string> {
  const before = numbers.filter((number) => number !== null);
  if (before.length < numbers.length) {
    // git can't stash while there is a conflict.
    return (await conflictsBefore(repository)).length > 0 ? 'git stash list' : 'git stash   # and keep it';
  }
  if (before.length > mostNamed) {
    return 'git stash list';
  }
  const kept = before.map(async (number) => {
    const branch = await freeName(`kept-stash-${number}`, repository);
    return quoteCommand(['git', 'branch', branch, `stash@{${number}}`]);
  });
  return (await Promise.all(kept)).join(' && ');
}

/** Entries; a command with more of them is no longer read. */
const mostNamed = 8;
