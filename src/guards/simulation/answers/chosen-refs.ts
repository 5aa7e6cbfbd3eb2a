import { gitDirectoriesOf } from '../../files/git-directories.ts';
import { workTreeAbove } from '../../files/guarded-file.ts';
import { markedList } from './ref-listing.ts';
import { joinedFormat, printed } from './settled-answers.ts';
import type { GitQuestion } from './settled-questions.ts';

/** git-branch(1), git-tag(1): with one of these, refs are listed and none is made. */
const choosing = /^--(?:(?:no-)?(?:merged|contains)|points-at)(?:=|$)/;

/** Options that choose or show refs, and do nothing else; a signature would be verified by another program. */
const plain = /^(?:-[alr]|--(?:all|list|remotes|no-color|no-column|color=never|(?:sort|format)=(?!.*signature).*))$/;

/**
 * What git prints where it is asked which branches or tags a revision reaches, or which reach it, and the line goes on by
 * that: `git branch --merged main | grep -qw topic && …`. Also where each of them is judged by its name; of merged ones
 * branches alone enough is known without. Null: it is asked something else, or the line may change the answer.
 */
export function chosenRefsAnswer(asking: GitQuestion): string | null {
  const question = asking.question.flatMap(joinedFormat);
  const [subcommand = '', ...rest] = question;
  const isListing =
    /^(?:branch|tag|for-each-ref)$/.test(subcommand) &&
    rest.some((word) => choosing.test(word)) &&
    rest.every((word) => !word.startsWith('-') || choosing.test(word) || plain.test(word));
  const names = subcommand === 'tag' || rest.some((word) => /^--format=%\(refname\b/.test(word));
  // Of merged branches, unlike tags, it is known what reaches them.
  const isJudged = names && (subcommand === 'tag' || !rest.some((word) => /^--merged\b/.test(word)));
  const isNeeded = asking.decides || namesOne(rest) || isJudged;
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
