import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readText } from '../files.ts';
import { hasPseudoRef } from '../refs/pseudo-refs.ts';

/** More commits than these, of what an operation picks, are not told apart one by one. */
export const mostPicked = 1000;

/** What git does in several steps, and stops at a conflict. */
export type StoppedOperation = 'merge' | 'rebase' | 'cherry-pick' | 'revert' | 'am';

/** What git keeps in its directory at the step that it has stopped at: git-status(1). */
const marks: readonly (readonly [StoppedOperation, string])[] = [
  ['merge', 'MERGE_HEAD'],
  ['rebase', 'rebase-merge'],
  ['rebase', 'rebase-apply/rebasing'],
  ['am', 'rebase-apply/applying'],
  ['cherry-pick', 'CHERRY_PICK_HEAD'],
  ['revert', 'REVERT_HEAD'],
];

/** What makes `--abort` and its like go to work, besides these. */
const lists: Readonly<Partial<Record<StoppedOperation, string>>> = {
  rebase: 'rebase-apply',
  am: 'rebase-apply',
  'cherry-pick': 'sequencer',
  revert: 'sequencer',
};

/** Where the commit is named that `--autostash` has made of the changes that were there: git-merge(1), git-rebase(1). */
export const autostashFiles: readonly { readonly operation: 'merge' | 'rebase'; readonly path: string }[] = [
  { operation: 'merge', path: 'MERGE_AUTOSTASH' },
  { operation: 'rebase', path: 'rebase-merge/autostash' },
  { operation: 'rebase', path: 'rebase-apply/autostash' },
];

/** The operations that have stopped. A rebase may have stopped in the middle of another one. */
export function stoppedOperations(gitDir: string): readonly StoppedOperation[] {
  return marks.flatMap(([operation, name]) => (isMarked(gitDir, name) ? [operation] : []));
}

function isMarked(gitDir: string, name: string): boolean {
  return name.endsWith('_HEAD') ? hasPseudoRef(gitDir, name) : existsSync(join(gitDir, name));
}

/** Is there such an operation to go on with, to skip a step of, or to call off? */
export function isStopped(operation: StoppedOperation, gitDir: string): boolean {
  const list = lists[operation];
  return (
    marks.some(([marked, name]) => marked === operation && isMarked(gitDir, name)) ||
    (list !== undefined && existsSync(join(gitDir, list)))
  );
}

/**
 * Has a rebase stopped where it was told to (`edit`, `break`, `exec`), and not at a conflict? What is changed there is
 * nothing that git has written: sequencer.c `intend_to_amend`, `error_with_patch`.
 */
export function waitsForEdits(gitDir: string): boolean {
  const has = (name: string) => existsSync(join(gitDir, 'rebase-merge', name));
  return has('interactive') && (has('amend') || !has('stopped-sha'));
}

/** The branch, by its full name, that a stopped rebase will move at its end; null: none, or HEAD was detached. */
export function rebasedBranch(gitDir: string): string | null {
  const [name] = ['rebase-merge', 'rebase-apply'].flatMap((place) => readText(join(gitDir, place, 'head-name')) ?? []);
  return name?.trim().startsWith('refs/') === true ? name.trim() : null;
}
