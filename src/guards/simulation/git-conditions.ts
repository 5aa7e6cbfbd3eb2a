import { existsSync } from 'node:fs';
import { askAtOnce, type Environment } from '../../git/runner.ts';
import { listedWords } from '../../listed-words.ts';
import { readingPrograms } from '../../shell/reading-programs.ts';
import { programName, type SimpleCommand, type Step, type SuccessOf } from '../../shell/simple-command.ts';
import { hasGitVariables } from '../git-command/own-variables.ts';
import { shown, textsOf } from '../git-command/words.ts';

/** Subcommands after which every revision means what it did before. */
const lookingOrChangingFiles = `add archive blame cat-file check-ignore cherry clean config describe diff fetch for-each-ref grep
  log ls-files ls-remote ls-tree merge-base mv name-rev restore rev-list rev-parse rm shortlog show show-ref status`;

let keeping: ReadonlySet<string> | undefined;

/** Does every revision mean after the subcommand what it did before? But for what `git fetch` brings. */
export function keepsRevisions(subcommand: string): boolean {
  keeping ??= new Set(listedWords(lookingOrChangingFiles));
  return keeping.has(subcommand);
}

/**
 * Questions that git answers by its success: whether there is a commit of some name (a merge that has stopped is
 * MERGE_HEAD), whether one has everything that another one has, whether two differ. By the way in which it is asked here,
 * so that no answer is 1, and anything else an error.
 */
function asked([subcommand, ...rest]: readonly string[]): readonly string[] | null {
  const options = rest.filter((word) => word.startsWith('-'));
  const operands = rest.filter((word) => !word.startsWith('-'));
  const only = (allowed: RegExp) => options.every((option) => allowed.test(option));
  switch (subcommand) {
    case 'rev-parse':
      return options.includes('--verify') && operands.length === 1 && only(/^(?:-q|--quiet|--verify|--short)$/)
        ? ['rev-parse', '--quiet', '--verify', ...operands]
        : null;
    case 'show-ref':
      return options.includes('--verify') && operands.length === 1 && only(/^(?:-q|--quiet|--verify)$/)
        ? ['show-ref', '--quiet', '--verify', ...operands]
        : null;
    case 'merge-base':
      return options.join(' ') === '--is-ancestor' && operands.length === 2
        ? ['merge-base', '--is-ancestor', ...operands]
        : null;
    case 'diff':
      return isComparison(operands) &&
        only(/^(?:--quiet|--exit-code|--stat|--name-only)$/) &&
        /-quiet|-exit/.test(options.join())
        ? ['diff', '--quiet', ...withoutPrograms, ...operands, '--']
        : null;
    default:
      return null;
  }
}

/** What a repository names to compare files with is not run: it may be a stranger's. */
const withoutPrograms: readonly string[] = ['--no-ext-diff', '--no-textconv'];

/** Of commits alone: not of what lies in the work tree. */
export function isComparison(operands: readonly string[]): boolean {
  return operands.length === 2 || (operands.length === 1 && operands[0]?.includes('..') === true);
}

/** Variables by which git finds another repository, or other commits: git(1) "ENVIRONMENT VARIABLES". */
const deciding = /^GIT_(?:DIR|COMMON_DIR|WORK_TREE|NAMESPACE|OBJECT_DIRECTORY|ALTERNATE_OBJECT_DIRECTORIES)$/;

/**
 * Whether a call of git succeeds that the line goes on by, where nothing before it can change what it answers; else null.
 *
 * @param environment the one that the line runs in
 */
export function successIn(environment: Environment): SuccessOf {
  return (command, before) => {
    const { argv, cwd } = command;
    const words = programName(argv[0]) === 'git' ? textsOf(argv.slice(1)) : null;
    const question = words === null ? null : asked(words);
    if (question === null || cwd.kind !== 'known' || !answersHold({ command, question, before, environment })) {
      return null;
    }
    const { exitCode } = askAtOnce(question, cwd.path);
    return exitCode === 0 ? true : exitCode === 1 ? false : null;
  };
}

/** Longer answers are for programs, not for conditions. */
const maximumText = 4096;

/** A call of git, and what the line does before it. */
export interface GitQuestion {
  readonly command: SimpleCommand;
  /** What git is asked: the words that follow it. */
  readonly question: readonly string[];
  readonly before: readonly Step[];
  readonly environment: Environment;
}

/**
 * What git prints where it is asked which commits are in a range, or how many: whoever asks so wants to know whether there
 * are any. Null: it is asked something else, or the line may change the answer.
 */
export function commitsAnswer(asking: GitQuestion): string | null {
  const { command, question } = asking;
  const [subcommand = '', ...rest] = question;
  const isRange = rest.some((word) => !word.startsWith('-') && word.includes('..'));
  const isAsked = subcommand === 'cherry' || (/^(?:log|rev-list)$/.test(subcommand) && isRange);
  const isPlain = rest.every((word) =>
    /^(?:[^-].*|-\d+|-v|--(?:oneline|count|no-merges|format=%[hHs]|pretty=oneline))$/.test(word),
  );
  if (!isAsked || !isPlain || command.cwd.kind !== 'known' || !answersHold(asking)) {
    return null;
  }
  const words = subcommand === 'cherry' ? question : [...question, '--'];
  const { exitCode, text } = askAtOnce(words, command.cwd.path);
  return exitCode !== 0 || text.length > maximumText ? null : text === '' ? '' : `${text}\n`;
}

/** Questions for what one commit is called, by their words: none has an option that does more than choose and name. */
const naming =
  /^(?:rev-parse (?:(?:--verify|-q|--quiet|--short(?:=\d+)?) )*[^- ]\S*|merge-base [^- ]\S* [^- ]\S*|(?:log|rev-list) (?:-1|-n ?1|--max-count=1)(?: --(?:format|pretty)=(?:t?format:)?%[hH])?(?: [^- ]\S*)?|describe(?: --(?:tags|always|long|abbrev=\d+|exact-match))*(?: [^- ]\S*)?)$/;

/**
 * What git prints where it is asked what one commit is called: it stands in texts that a shell or an editor reads then.
 * Nothing where there is none (git-rev-parse(1) "--verify"). Null: it is asked something else, or the line may change the
 * answer.
 */
export function nameAnswer(asking: GitQuestion): string | null {
  const { command, question } = asking;
  if (command.cwd.kind !== 'known' || !naming.test(question.join(' ')) || !answersHold(asking)) {
    return null;
  }
  const { exitCode, text } = askAtOnce(question, command.cwd.path);
  const isMissing = exitCode !== 0 && text === '' && question.includes('--verify');
  return isMissing ? '' : exitCode === 0 && !/\s/.test(text) ? `${text}\n` : null;
}

/** Options with which git lists files or refs, and nothing else. */
const listing =
  /^(?:-r|--(?:name-only|no-commit-id|no-renames|diff-filter=\w+|root|format=|pretty=(?:format:)?|format=%\(refname(?::short)?\)|no-merged(?:=\S+)?|points-at=\S+))$/;

/** A question for files in which commits differ, or for refs at a commit, as it is put here; null: it is another one. */
function listingQuestion([subcommand = '', ...rest]: readonly string[]): readonly string[] | null {
  const end = rest.indexOf('--');
  const [before, paths] = end < 0 ? [rest, []] : [rest.slice(0, end), rest.slice(end + 1)];
  const options = before.filter((word) => word.startsWith('-'));
  const operands = before.filter((word) => !word.startsWith('-'));
  const has = (option: RegExp) => options.some((word) => option.test(word));
  const isOfFiles = has(/^--name-only$/) && has(/^--(?:format|pretty)=(?:format:)?$/) === (subcommand === 'show');
  const isOfCommits = {
    diff: isOfFiles && isComparison(operands),
    'diff-tree': isOfFiles && operands.length > 0 && operands.length <= 2,
    show: isOfFiles && operands.length <= 1,
    tag: end < 0 && has(/^--points-at\b/) && operands.length <= 1,
    branch: end < 0 && has(/^--no-merged\b/) && has(/^--format=%/) && operands.length <= 1,
  }[subcommand];
  const isOfRefs = subcommand === 'tag' || subcommand === 'branch';
  const isPlain = options.every((word) => listing.test(word) || (isOfRefs && /^--(?:points-at|no-merged)$/.test(word)));
  return isOfCommits !== true || !isPlain
    ? null
    : isOfRefs
      ? [subcommand, ...rest]
      : [subcommand, ...withoutPrograms, ...before, '--', ...paths];
}

/**
 * What git prints where it is asked in which files commits differ, which tags are at one, or which branches a revision
 * lacks: each of them is judged by its name. Null: it is asked something else, or the line may change the answer.
 */
export function listAnswer(asking: GitQuestion): string | null {
  const { command, question } = asking;
  const asked = listingQuestion(question.flatMap(joinedFormat));
  if (asked === null || command.cwd.kind !== 'known' || !answersHold(asking)) {
    return null;
  }
  const { exitCode, text } = askAtOnce(asked, command.cwd.path);
  return exitCode !== 0 || text.length > maximumText ? null : text === '' ? '' : `${text}\n`;
}

/** `--format FORMAT` in one word. */
function joinedFormat(word: string, at: number, words: readonly string[]): readonly string[] {
  return word === '--format' ? [`--format=${words[at + 1] ?? ''}`] : words[at - 1] === '--format' ? [] : [word];
}

/** Does the line leave the answer as it is now? */
export function answersHold({ command, question, before, environment }: GitQuestion): boolean {
  const { cwd } = command;
  return (
    cwd.kind === 'known' &&
    existsSync(cwd.path) &&
    !hasGitVariables(command) &&
    !Object.keys(environment).some((name) => deciding.test(name)) &&
    before.every((step) => step.origin === command.origin || keepsAnswer(question, step))
  );
}

function keepsAnswer(question: readonly string[], step: Step): boolean {
  if (step.kind === 'write') {
    return step.path.kind === 'known' && !/(?:^|\/)\.git(?:\/|$)/.test(step.path.value);
  }
  const program = step.kind === 'command' ? programName(step.argv[0]) : null;
  const [, subcommand = '', ...rest] = program === 'git' ? step.argv.map(shown) : [];
  if (program !== 'git') {
    return program !== null && readingPrograms.has(program);
  }
  if (subcommand === 'checkout' || subcommand === 'switch') {
    // To a branch that is there: neither HEAD nor one that git would make of a remote's is asked for.
    const isPlain = rest.every((word) => word === '-q' || word === '--quiet' || !word.startsWith('-'));
    return (
      isPlain && !question.some((word) => /HEAD|@|^(?:rev-parse|show-ref)$/.test(word)) && question[0] !== 'cherry'
    );
  }
  return subcommand !== 'fetch' && keepsRevisions(subcommand);
}
