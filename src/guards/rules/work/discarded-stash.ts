import { isStashElsewhere } from '../../../git/contents/stash-contents.ts';
import { filesInTree } from '../../../git/contents/tree-entries.ts';
import { stoppedOperations } from '../../../git/history/stopped-operations.ts';
import { hasPseudoRef } from '../../../git/refs/pseudo-refs.ts';
import { quoteWord } from '../../../quote.ts';
import type { Word } from '../../../shell/simple-command.ts';
import { type Finding, findings, type LostWork } from '../../finding.ts';
import { freeName } from '../../free-name.ts';
import { textOf } from '../../git-command/words.ts';
import type { DeleteRefIntent } from '../../intent.ts';
import type { Scene } from '../../scene.ts';
import { entryNumber } from '../../simulation/files/stash-changes.ts';
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
  const objects = await repository.resolveAll(entries);
  return entries.every((entry) => kept.has(objects.get(entry)?.oid ?? ''));
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
  if (await areNamed(before, scene)) {
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

/**
 * git-stash(1) "branch" checks a branch out: not over changes, not over files that the entry has as well, and not in the
 * middle of something.
 *
 * @param entry as it is called
 */
async function mayBecomeBranch(entry: string, { repository }: Scene): Promise<boolean> {
  const status = await repository.status();
  if (status.some(({ index }) => index !== '?') || stoppedOperations(repository.gitDir).length > 0) {
    return false;
  }
  const untracked = status.map(({ path }) => path);
  const trees = untracked.length === 0 ? [] : [entry, `${entry}^3`];
  const there = await Promise.all(trees.map((tree) => filesInTree(tree, untracked, repository)));
  return there.every((paths) => (paths?.size ?? 0) === 0);
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
    suggestion: await insteadOfDropping(entry === 'all' && total > 1 ? 'all' : index, scene),
    loss: stashesLost(numbers, scene),
  });
}

/** @param index of the entry as the line counts them; all: of several */
async function insteadOfDropping(index: number | 'all', scene: Scene): Promise<string> {
  const { repository, overlay } = scene;
  if ((index === 'all' ? 0 : index) < overlay.shared.stashes.made) {
    // git can't stash while there is a conflict.
    return (await conflictsBefore(repository)).length > 0 ? 'git stash list' : 'git stash   # and keep it';
  }
  if (index === 'all') {
    return 'git stash list';
  }
  const name = `stash@{${index}}`;
  const branch = await freeName('kept-work', repository);
  if (!(await mayBecomeBranch(name, scene))) {
    return `git branch ${branch} ${quoteWord(name)}`;
  }
  return index === 0 ? `git stash branch ${branch}` : `git stash branch ${branch} ${quoteWord(name)}`;
}
