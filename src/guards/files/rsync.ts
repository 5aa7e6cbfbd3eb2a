import { basename } from 'node:path';
import type { Word } from '../../shell/simple-command.ts';
import { unknownWord } from '../../shell/words/parameter.ts';
import { beginningOf, known, textOf } from '../git-command/words.ts';
import { copiedDirectories, gitBroughtAlong } from './copied-contents.ts';
import { landing } from './downloaded-files.ts';
import type { ChangeReader, FileChange } from './file-change.ts';
import { type LeftOut, leftOutBy } from './rsync-filters.ts';

/** Options whose value is the next word, and no path that it writes to. */
const valued =
  /^(?:--(?:exclude|include|filter|exclude-from|include-from|files-from|rsh|rsync-path|chmod|chown|out-format|log-file|bwlimit|max-size|min-size|timeout|port|info|suffix)|-[a-zA-Z]*[ef])$/;

const says = (words: readonly Word[], option: RegExp) => words.some((word) => option.test(beginningOf(word)));

/** What `rsync` writes, takes away from its sources and deletes in its target: rsync(1). */
export const synchronized: ChangeReader = (operands, words) => {
  const paths = operands.filter((path) => !valued.test(textOf(words[words.indexOf(path) - 1]) ?? ''));
  const transfer = { sources: paths.slice(0, -1), target: paths.at(-1) ?? known('.'), words, isOut: leftOutBy(words) };
  return says(words, /^-[a-zA-Z]*n|^--dry-run$/)
    ? []
    : [
        ...landing(paths, transfer.target),
        ...moved(transfer),
        ...emptied(transfer),
        ...brought(transfer),
        ...deletedBeside(transfer),
      ];
};

interface Transfer {
  readonly sources: readonly Word[];
  readonly target: Word;
  readonly words: readonly Word[];
  readonly isOut: LeftOut;
}

const isRecursive = (words: readonly Word[]) => says(words, /^-[a-zA-Z]*[ra]|^--(?:recursive|archive)$/);
const deletes = (words: readonly Word[]) => says(words, /^--del(?:ete(?:-\w+)*)?$/);
/** With a slash behind it, a directory's contents are transferred, not the directory. */
const isContents = (source: string) => /(?:\/|^\.|\/\.)$/.test(source);

/** "--remove-source-files" */
function moved({ sources, words }: Transfer): readonly FileChange[] {
  const isMove = words.some((word) => textOf(word) === '--remove-source-files');
  return isMove ? sources.map((path) => ({ path, kind: 'remove', mayStay: true })) : [];
}

/** `rsync --delete SOURCE TARGET`: what the source lacks goes, a repository's `.git` as well unless it is left out. */
function emptied({ sources, target, words, isOut }: Transfer): readonly FileChange[] {
  const directory = placeHere(target);
  return deletes(words) && !isOut('.git', 'receiver') && sources.length > 0 && directory !== null
    ? [{ path: known(`${directory}/.git`), kind: 'remove' }]
    : [];
}

/** `rsync -a DIRECTORY/ TARGET` */
function brought({ sources, target, words, isOut }: Transfer): readonly FileChange[] {
  if (!isRecursive(words)) {
    return [];
  }
  // What is there stays; which files are named in a file is not looked up.
  const spares = says(words, /^-(?!-)[a-zA-Z]*n|^--(?:no-clobber|ignore-existing)$/);
  const isListed = says(words, /^--(?:exclude-from|files-from)/);
  const leavesOut = (name: string, from: string) =>
    isOut(isContents(from) ? name : `${basename(from)}/${name}`, 'sender', false);
  return [
    ...(isOut('.git', 'sender') ? [] : gitBroughtAlong(sources, target, isContents)),
    ...(spares || isListed ? [] : copiedDirectories(sources, target, { isContents, leavesOut })),
  ];
}

/** `rsync -a --delete DIRECTORY/ TARGET`: what the target has beside it goes, unless it is left out. */
function deletedBeside({ sources, target, words, isOut }: Transfer): readonly FileChange[] {
  const directory = placeHere(target);
  const isWhole = sources.length > 0 && sources.every((source) => isContents(textOf(source) ?? ''));
  // What a file of patterns leaves out is not looked up.
  const isListed = says(words, /^--(?:exclude-from|files-from)/);
  if (directory === null || !isWhole || !deletes(words) || !isRecursive(words) || isListed) {
    return [];
  }
  const prefix = `${directory}/`;
  const fits = (path: string) =>
    !isOut(path.slice(prefix.length), 'receiver') && !/(?:^|\/)\.git(?:\/|$)/.test(path.slice(prefix.length));
  const path = { ...unknownWord(prefix, 'what rsync deletes is not known', false), prefix, fits };
  return [{ path, kind: 'remove', spares: sources }];
}

/** A directory on this machine, without a slash at its end; null: another one, or it is not known. */
function placeHere(target: Word): string | null {
  const directory = textOf(target)?.replace(/\/$/, '');
  return directory === undefined || directory.includes(':') ? null : directory;
}
