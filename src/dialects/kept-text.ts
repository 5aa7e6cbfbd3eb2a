import type { Checkpoint, EndangeredRef } from '../git/checkpoints/checkpoint-record.ts';
import type { HeadPosition } from '../git/checkpoints/work-tree-state.ts';
import type { StoppedOperation } from '../git/history/stopped-operations.ts';
import { quotedPath } from '../git/quoted-path.ts';
import { shortBranchName } from '../git/refs/refspec.ts';
import { count, refName } from '../guards/wording.ts';
import { pasteable } from '../own-command.ts';
import { quoteWord } from '../quote.ts';
import { printableLine } from '../ui/findings.ts';

/** What a checkpoint holds of the work that a command would take. */
export interface Kept {
  readonly checkpoint: Checkpoint;
  /** The work tree: the one that the command runs in, another one, or one that the command removes. */
  readonly place: 'here' | 'elsewhere' | 'gone';
  /** How many of the files at stake it holds. */
  readonly files: number;
  /** Files at stake that it does not hold. */
  readonly missing: readonly string[];
  /** What HEAD stands on is at stake: an undo goes back there. */
  readonly head: boolean;
  /** What has stopped there, which nothing starts again. */
  readonly operation: StoppedOperation | null;
  /** Is that all that the command would take? */
  readonly isAll: boolean;
}

/** What can be promised of it, or not; null: nothing is to be said. */
export function keptText({ checkpoint, place, files, missing, head, operation, isAll }: Kept): string | null {
  const { refs } = checkpoint;
  const isUndone = files > 0 || head;
  if (!isUndone && refs.length === 0) {
    return missing.length === 0 ? null : `No checkpoint holds ${someFiles(missing)}.`;
  }
  const excepted = [...(missing.length === 0 ? [] : [someFiles(missing)]), ...stoppedPart(operation)];
  const isEverything = isAll && excepted.length === 0 && refs.length === 0;
  const but = excepted.length === 0 ? '' : `, but not ${excepted.join(' and ')}`;
  const what = isEverything ? 'everything' : files > 0 ? 'the files' : 'the branch';
  return [
    `A checkpoint was taken before${isUndone ? `: \`${wayBack(checkpoint, place)}\` brings ${what} back${but}` : ''}.`,
    ...(refs.length === 0 ? [] : [`It keeps commits: ${waysToRefs(checkpoint)}.`]),
  ].join(' ');
}

function stoppedPart(operation: StoppedOperation | null): readonly string[] {
  return operation === null ? [] : [`the ${operation} that has stopped`];
}

function wayBack({ id, workTree, head }: Checkpoint, place: Kept['place']): string {
  const directory = quoteWord(workTree);
  const enter = `cd ${directory} && `;
  const remake = `git worktree add ${headOf(head, directory)} && `;
  const before = { here: '', elsewhere: enter, gone: `${remake}${enter}` };
  return printableLine(pasteable(`${before[place]}oxide-guard undo ${id}`));
}

function headOf({ ref, oid }: HeadPosition, directory: string): string {
  return ref === null ? `--detach ${directory} ${oid}` : `${directory} ${quoteWord(shortBranchName(ref))}`;
}

const shownFiles = 3;

function someFiles(paths: readonly string[]): string {
  const more = paths.length - shownFiles;
  return `${paths.slice(0, shownFiles).map(quotedPath).join(', ')}${more > 0 ? ` and ${count(more, 'other file')}` : ''}`;
}

const shownRefs = 5;

function waysToRefs({ id, refs }: Checkpoint): string {
  const more = refs.length - shownRefs;
  const shown = refs
    .slice(0, shownRefs)
    .map((ref) => `\`${wayToRef(ref)}\` gets at ${printableLine(refName(ref.name))}`);
  return [
    ...shown,
    ...(more > 0 ? [`\`${pasteable(`oxide-guard checkpoint show ${id}`)}\` tells ${more} more`] : []),
  ].join(', ');
}

/** How to get back what a ref stood on. */
export function wayToRef({ name, oid }: EndangeredRef): string {
  return name.startsWith('stash@') ? `git stash store ${oid}` : `git branch NAME ${oid.slice(0, 12)}`;
}
