import { answerHolds, answerTo, type GitQuestion, isComparison } from './settled-questions.ts';

/** Longer answers are for programs, not for conditions. */
const maximumText = 4096;

/** What git prints; null where the line may change it, and where git fails. @param words as git is asked here */
export function printed(asking: GitQuestion, words: readonly string[]): string | null {
  const { cwd } = asking.command;
  if (cwd.kind !== 'known' || !answerHolds(asking, 'revisions')) {
    return null;
  }
  const { exitCode, text } = answerTo(words, cwd.path, asking.ask);
  return exitCode !== 0 || text.length > maximumText ? null : text === '' ? '' : `${text}\n`;
}

/**
 * What git prints where it is asked which commits are in a range, or how many: whoever asks so wants to know whether there
 * are any. Null: it is asked something else, or the line may change the answer.
 */
export function commitsAnswer(asking: GitQuestion): string | null {
  const { question } = asking;
  const [subcommand = '', ...rest] = question;
  const isRange = rest.some((word) => word === '--not' || /^(?:\^|[^-].*\.\.|\.\.)/.test(word));
  const isAsked = subcommand === 'cherry' || (/^(?:log|rev-list)$/.test(subcommand) && isRange);
  const isPlain = rest.every((word) =>
    /^(?:[^-].*|-\d+|-v|--(?:not|remotes(?:=\S+)?|tags|oneline|count|no-merges|format=%[hHs]|pretty=oneline))$/.test(
      word,
    ),
  );
  const words = subcommand === 'cherry' ? question : [...question, '--'];
  return isAsked && isPlain ? printed(asking, words) : null;
}

/** What a list of stashes may show: nothing that git would run another program for, as for signatures. */
const stashFormat =
  /^--(?:format|pretty)=(?:tformat:)?(?!\w*format:)(?=.*%)(?:%(?:g[dDs]|[Hhs]|[ac][nrits]|x09)|[^%])*$/;

/** git-rev-list(1): the same commits, the newest first. */
const walkingStashes = /^rev-list (?:-g|--walk-reflogs) (?:refs\/)?stash(?: --)?$/;

/**
 * What git prints where it is asked for the stashes, or the work trees: what is done to them then is judged by their names.
 * Null: it is asked something else, or the line may change the answer.
 */
export function keptAnswer(asking: GitQuestion): string | null {
  const [subcommand = '', verb, ...rest] = asking.question;
  const isStashes = subcommand === 'stash' && rest.every((word) => stashFormat.test(word));
  const isWorktrees = subcommand === 'worktree' && rest.every((word) => /^(?:--porcelain|-v|--verbose)$/.test(word));
  const isAsked = verb === 'list' ? isStashes || isWorktrees : walkingStashes.test(asking.question.join(' '));
  const text = isAsked ? printed(asking, asking.question) : null;
  // Each work tree's lines end with an empty one.
  return text !== null && rest.includes('--porcelain') ? `${text}\n` : text;
}

/** Questions for what one commit or upstream is called, by their words: none has an option that does more than choose and name. */
const naming =
  /^(?:rev-parse (?:(?:--verify|-q|--quiet|--short(?:=\d+)?) )*[^- ]\S*|rev-parse (?:--(?:abbrev-ref|symbolic-full-name) )+\S*@\{(?:u|upstream|push)\}|merge-base [^- ]\S* [^- ]\S*|(?:log|rev-list) (?:-1|-n ?1|--max-count=1)(?: --(?:format|pretty)=(?:t?format:)?%[hH])?(?: [^- ]\S*)?|describe(?: --(?:tags|always|long|abbrev=\d+|exact-match))*(?: [^- ]\S*)?)$/;

/**
 * What git prints where it is asked what one commit is called: it stands in texts that a shell or an editor reads then.
 * Nothing where there is none (git-rev-parse(1) "--verify"). Null: it is asked something else, or the line may change the
 * answer.
 */
export function nameAnswer(asking: GitQuestion): string | null {
  const { question } = asking;
  const { cwd } = asking.command;
  if (cwd.kind !== 'known' || !naming.test(question.join(' ')) || !answerHolds(asking, 'revisions')) {
    return null;
  }
  const { exitCode, text } = answerTo(question, cwd.path, asking.ask);
  const isMissing = exitCode !== 0 && text === '' && question.includes('--verify');
  return isMissing ? '' : exitCode === 0 && !/\s/.test(text) ? `${text}\n` : null;
}

/** Options with which git lists files, and nothing else. */
const listing = /^(?:-r|--(?:name-only|no-commit-id|no-renames|diff-filter=\w+|root|format=|pretty=(?:format:)?))$/;

/** A question for files in which commits differ, as it is put here; null: it is another one. */
function listingQuestion([subcommand = '', ...rest]: readonly string[]): readonly string[] | null {
  const end = rest.indexOf('--');
  const [before, paths] = end < 0 ? [rest, []] : [rest.slice(0, end), rest.slice(end + 1)];
  const options = before.filter((word) => word.startsWith('-'));
  const operands = before.filter((word) => !word.startsWith('-'));
  const has = (option: RegExp) => options.some((word) => option.test(word));
  const isOfFiles = has(/^--name-only$/) && has(/^--(?:format|pretty)=(?:format:)?$/) === (subcommand === 'show');
  const isOfCommits = {
    diff: isComparison(operands),
    'diff-tree': operands.length > 0 && operands.length <= 2,
    show: operands.length <= 1,
  }[subcommand];
  const isAsked = isOfCommits === true && isOfFiles && options.every((word) => listing.test(word));
  return isAsked ? [subcommand, ...before, '--', ...paths] : null;
}

/**
 * What git prints where it is asked in which files commits differ: each of them is judged by its name. Null: it is asked
 * something else, or the line may change the answer.
 */
export function listAnswer(asking: GitQuestion): string | null {
  const asked = listingQuestion(asking.question.flatMap(joinedFormat));
  return asked === null ? null : printed(asking, asked);
}

/** `--format FORMAT` in one word. */
export function joinedFormat(word: string, at: number, words: readonly string[]): readonly string[] {
  return word === '--format' ? [`--format=${words[at + 1] ?? ''}`] : words[at - 1] === '--format' ? [] : [word];
}
