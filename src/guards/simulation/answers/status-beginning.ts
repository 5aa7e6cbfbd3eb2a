import { followRef } from '../../../git/refs/head.ts';
import { shortBranchName } from '../../../git/refs/refspec.ts';
import { unknownWord } from '../../../shell/words/parameter.ts';
import type { GitDirectories } from '../../files/git-directories.ts';
import type { UnknownWord } from '../../git-command/words.ts';
import { type AskSettled, answerHolds, type GitQuestion } from './settled-questions.ts';

/** Options that change nothing in the first lines. */
const untold =
  /^(?:-u(?:no|normal|all)?|--(?:untracked-files(?:=\w+)?|ignored(?:=\w+)?|(?:no-)?ahead-behind|no-renames))$/;

/** Does git write the long format as its manual has it? git-config(1) "status.short", "status.displayCommentPrefix" */
const isUsual = (directory: string, ask: AskSettled) =>
  ask(['config', '--get-regexp', '^status\\.(short|displaycommentprefix)$'], directory).exitCode === 1;

/**
 * With what `git status` begins: git-status(1) "Long Format", "Porcelain Format Version 2". The rest depends on the work
 * tree. Null: it is asked in another form.
 *
 * @param branch what is checked out, by its full name
 */
export function statusBeginning(asking: GitQuestion, branch: string, directories: GitDirectories): UnknownWord | null {
  const { question, command, ask } = asking;
  const [subcommand, ...rest] = question;
  const options = rest.filter((word) => !untold.test(word)).sort();
  const name = shortBranchName(branch);
  const begun = { ...unknownWord(`git ${question.join(' ')}`, 'what git status prints is not known') };
  if (subcommand !== 'status' || command.cwd.kind !== 'known') {
    return null;
  }
  switch (options.join(' ')) {
    case '':
    case '--long':
      return options.length === 1 || isUsual(command.cwd.path, ask)
        ? { ...begun, prefix: `On branch ${name}\n`, onlyFirst: 'On branch' }
        : null;
    case '--branch --porcelain=v2':
    case '--porcelain=v2 -b': {
      const oid = answerHolds(asking, 'revisions') ? (followRef(directories, branch)?.oid ?? null) : null;
      const prefix = `# branch.oid ${oid}\n# branch.head ${name}\n`;
      return oid === null ? null : { ...begun, prefix, onlyFirst: 'branch.head' };
    }
    default:
      return null;
  }
}
