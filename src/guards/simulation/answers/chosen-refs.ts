import { gitDirectoriesOf } from '../../files/git-directories.ts';
import { workTreeAbove } from '../../files/guarded-file.ts';
import { markedList } from './ref-listing.ts';
import { joinedFormat, printed } from './settled-answers.ts';
import type { GitQuestion } from './settled-questions.ts';

/** git-branch(1), git-tag(1): with one of these, refs are listed and none is made. */
const choosing = /^--(?:(?:no-)?(?:merged|contains)|points-at)(?:=|$)/;

/** Options that choose or show refs, and do nothing else; a signature would be verified by another program. */
const plain = /^(?:-[alr]|--(?:all|list|remotes|no-color|no-column|color=never|(?:sort|format)=(?!.*signature).*))$/;

/** git-for-each-ref(1): several columns, of which a loop reads one after the other. */
const columns =
  /^--format=(?:[ \t|:,;]|%09)*(?:%\((?:refname|objectname|upstream|push|committerdate|creatordate|objecttype)(?::[\w=-]+)?\)(?:[ \t|:,;]|%09)*){2,}$/;

/**
 * What git prints where it is asked which branches or tags a revision reaches, or which reach it, and the line goes on by
 * that: `git branch --merged main | grep -qw topic && …`. Also where each of them is judged by its name; of merged ones
 * branches alone enough is known without. And where it is asked for several things of each.
 * Null: it is asked something else, or the line may change the answer.
 */
export function chosenRefsAnswer(asking: GitQuestion): string | null {
  const question = asking.question.flatMap(joinedFormat);
  const [subcommand = '', ...rest] = question;
  // With a name, `git branch --format` would make one.
  const lists =
    subcommand === 'for-each-ref' || (subcommand === 'branch' && rest.every((word) => word.startsWith('-')));
  const isInColumns = lists && rest.some((word) => columns.test(word));
  const isListing =
    /^(?:branch|tag|for-each-ref)$/.test(subcommand) &&
    (isInColumns || rest.some((word) => choosing.test(word))) &&
    rest.every((word) => !word.startsWith('-') || choosing.test(word) || plain.test(word));
  const names = subcommand === 'tag' || rest.some((word) => /^--format=%\(refname\b/.test(word));
  // Of merged branches, unlike tags, it is known what reaches them.
  const isJudged = names && (subcommand === 'tag' || !rest.some((word) => /^--merged\b/.test(word)));
  const isNeeded = asking.decides || namesOne(rest) || isJudged || isInColumns;
  if (!isListing || !isNeeded) {
    return null;
  }
  return printed({ ...asking, question }, question) ?? markedAnswer({ ...asking, question });
}

/** `--list NAME` */
function namesOne(words: readonly string[]): boolean {
  return words.some((word, at) => words[at - 1] === '--list' && /^[^-*?[\\]+$/.test(word));
}

/** The line has gone to another branch before: which branches there are, git says, and which one has the mark is known. */
function markedAnswer(asking: GitQuestion): string | null {
  const [subcommand, ...rest] = asking.question;
  const { cwd } = asking.command;
  const isMarked =
    subcommand === 'branch' && !rest.some((word) => /^(?:-[ar]|--(?:all|remotes|format=.*))$/.test(word));
  const top = isMarked && cwd.kind === 'known' ? workTreeAbove(cwd.path) : null;
  const directories = top === null ? null : gitDirectoriesOf(top);
  const question = ['branch', '--format=%(refname)', ...rest];
  const refs = directories === null ? null : printed({ ...asking, question }, question);
  return directories === null || refs === null
    ? null
    : markedList(refs.split('\n').filter(Boolean), directories, asking);
}
