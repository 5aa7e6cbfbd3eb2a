import { existsSync } from 'node:fs';
import type { AnswerAtOnce, Environment } from '../../../git/runner.ts';
import { listedWords } from '../../../listed-words.ts';
import { readingPrograms } from '../../../shell/programs/reading-programs.ts';
import { programName, type SimpleCommand, type Standing, type Step } from '../../../shell/simple-command.ts';
import { hasGitVariables } from '../../git-command/own-variables.ts';
import { shownCall } from '../../git-command/plain-call.ts';

/** Puts a question to git, in a directory; what it has answered a moment ago may be its answer. */
export type AskSettled = (words: readonly string[], directory: string) => AnswerAtOnce;

/** How a line that is judged finds out what git would answer it. */
export interface AskingLine {
  /** The one that the line runs in. */
  readonly environment: Environment;
  readonly ask: AskSettled;
}

/** A call of git by which a line asks for something, and what it does before that. */
export interface GitQuestion extends AskingLine, Standing {
  readonly command: SimpleCommand;
  /** What git is asked: the words that follow it. */
  readonly question: readonly string[];
  readonly before: readonly Step[];
}

/** The same, where git need not be asked. */
export type SettledQuestion = Omit<GitQuestion, 'ask' | 'decides' | 'around'>;

/** What the answer depends on: what revisions mean, or the index and the work tree; `both`: the index beside a commit. */
export type Dependence = 'revisions' | 'files' | 'both';

/** Subcommands after which every revision means what it did before. */
const lookingOrChangingFiles = `add archive blame cat-file check-ignore cherry clean config describe diff fetch for-each-ref grep
  log ls-files ls-remote ls-tree merge-base mv name-rev restore rev-list rev-parse rm shortlog show show-ref status`;

let keeping: ReadonlySet<string> | undefined;

/** Does every revision mean after the subcommand what it did before? But for what `git fetch` brings. */
export function keepsRevisions(subcommand: string): boolean {
  keeping ??= new Set(listedWords(lookingOrChangingFiles));
  return keeping.has(subcommand);
}

/** Variables by which git finds another repository, or other objects: git(1) "ENVIRONMENT VARIABLES". */
const deciding =
  /^GIT_(?:DIR|COMMON_DIR|WORK_TREE|INDEX_FILE|NAMESPACE|OBJECT_DIRECTORY|ALTERNATE_OBJECT_DIRECTORIES)$/;

/**
 * Will the line be answered what git answers now?
 *
 * @param depends what the answer depends on
 */
export function answerHolds(
  { command, question, before, environment, isSettled }: SettledQuestion,
  depends: Dependence,
): boolean {
  const { cwd, origin } = command;
  const keeps = (step: Step) =>
    step.origin === origin ||
    ((depends === 'files' || keepsMeaning(question, step)) && (depends === 'revisions' || keepsFiles(step)));
  return (
    isSettled &&
    cwd.kind === 'known' &&
    existsSync(cwd.path) &&
    !hasGitVariables(command) &&
    !Object.keys(environment).some((name) => deciding.test(name)) &&
    before.every(keeps)
  );
}

/** Does what the question names mean the same after the step? */
function keepsMeaning(question: readonly string[], step: Step): boolean {
  if (step.kind === 'write') {
    return step.path.kind === 'known' && !/(?:^|\/)\.git(?:\/|$)/.test(step.path.value);
  }
  const program = step.kind === 'command' ? programName(step.argv[0]) : null;
  if (program !== 'git') {
    return program !== null && (readingPrograms.has(program) || (makesFiles.test(program) && !namesGitFiles(step)));
  }
  const [subcommand = '', ...rest] = shownCall(step);
  if (subcommand === 'checkout' || subcommand === 'switch') {
    // To a branch that is there.
    const isPlain = rest.every((word) => word === '-q' || word === '--quiet' || !word.startsWith('-'));
    return isPlain && (namesBothEnds(question) || listsWithoutHead(question));
  }
  if (subcommand === 'branch') {
    return listsBranches(rest) || namesNoneOf(question, deletedBranches(rest));
  }
  if (subcommand === 'config') {
    return readsSettings(rest) || !question.some((word) => /@\{|%\((?:upstream|push)/.test(word));
  }
  return subcommand !== 'fetch' && keepsRevisions(subcommand);
}

/** Programs that a line prepares a script with, or a directory. */
const makesFiles = /^(?:chmod|mkdir|touch)$/;

/** Does a word of the step speak of a git directory, or of refs in one? */
function namesGitFiles({ argv }: Exclude<Step, { kind: 'write' }>): boolean {
  return argv.slice(1).some((word) => word.kind === 'unknown' || /\.git|refs|HEAD/.test(word.value));
}

/** git-config(1): upstreams are settings. */
function readsSettings(words: readonly string[]): boolean {
  return (
    words.some((word) => /^(?:--get.*|get|-l|--?list)$/.test(word)) ||
    words.every((word, at) => at === 0 || word.startsWith('-'))
  );
}

/** git-branch(1): without a name, or with one of these, it changes nothing. */
function listsBranches(words: readonly string[]): boolean {
  const isPlain = words.every((word) => !word.startsWith('-') || listing.test(word));
  return isPlain && (words.every((word) => word.startsWith('-')) || words.some((word) => naming.test(word)));
}

const naming = /^(?:-l|--list|--(?:format|(?:no-)?merged|(?:no-)?contains|points-at)(?:=.*)?)$/;
const listing = new RegExp(`${naming.source}|^(?:-[arv]+|--(?:all|remotes|show-current|sort=.*|no-color))$`);

/** The branches that `git branch -D` deletes; null: it does something else. @param words what follows the subcommand */
export function deletedBranches(words: readonly string[]): readonly string[] | null {
  const names = words.filter((word) => !word.startsWith('-'));
  const options = words.filter((word) => word.startsWith('-'));
  const isPlain = options.some((word) => /^(?:-[dD]|--delete)$/.test(word));
  return isPlain && options.every((word) => /^(?:-[dDfq]|--(?:delete|force|quiet))$/.test(word)) ? names : null;
}

/** Subcommands that look at nothing but the revisions that they are given. */
const ofNamed = /^(?:cherry|diff|diff-tree|log|merge-base|rev-list|rev-parse|show|show-ref)$/;

/** Deleting a branch moves no other ref; HEAD stands on none that git deletes. */
function namesNoneOf([subcommand = '', ...rest]: readonly string[], branches: readonly string[] | null): boolean {
  const named = rest.flatMap((word) => word.split(/\.{2,3}|[~^@:]/)).map((name) => name.replace(/^refs\/heads\//, ''));
  return branches !== null && ofNamed.test(subcommand) && !named.some((name) => branches.includes(name));
}

/** A range with two ends that are written out, or two commits: HEAD, which many questions mean without a word, is neither. */
function namesBothEnds([subcommand, ...rest]: readonly string[]): boolean {
  const end = rest.indexOf('--');
  const operands = (end < 0 ? rest : rest.slice(0, end)).filter((word) => !word.startsWith('-'));
  const isPair = /^(?:merge-base|diff|diff-tree)$/.test(subcommand ?? '') && operands.length === 2;
  const isRange = operands.length === 1 && /^[^.].*?\.{2,3}[^.]/.test(operands[0] ?? '');
  return (isPair || isRange) && !operands.some((word) => /HEAD|@/.test(word));
}

/** A list of refs by a revision that is written out, with nothing in it that tells which branch is checked out. */
function listsWithoutHead([subcommand = '', ...rest]: readonly string[]): boolean {
  const isFormatted = subcommand === 'tag' || rest.some((word) => /^--format=(?!.*%\(HEAD)/.test(word));
  const isOpen = rest.some((word, at) => bySeveral.test(word) && !/^[^-]/.test(rest[at + 1] ?? ''));
  return (
    /^(?:branch|for-each-ref|tag)$/.test(subcommand) &&
    isFormatted &&
    !isOpen &&
    !rest.some((word) => /HEAD|@/.test(word))
  );
}

/** git-branch(1): without a value, HEAD is meant. */
const bySeveral = /^--(?:no-)?(?:merged|contains)$|^--points-at$/;

/** Subcommands of git after which the index and the work tree are as before. */
const looking =
  /^(?:branch|cat-file|describe|diff|fetch|for-each-ref|grep|log|ls-files|ls-remote|ls-tree|merge-base|name-rev|rev-list|rev-parse|shortlog|show|show-ref|status)$/;

/** Are the index and the work tree as before after the step? */
export function keepsFiles(step: Step): boolean {
  const program = step.kind === 'command' ? (programName(step.argv[0]) ?? '') : '';
  const [subcommand = '', ...rest] = step.kind === 'command' && program === 'git' ? shownCall(step) : [];
  const isRefreshing = subcommand === 'update-index' && rest.every((word) => refreshing.test(word));
  return readingPrograms.has(program) || looking.test(subcommand) || isRefreshing;
}

/** git-update-index(1): it looks again at the times of the files in the index. */
const refreshing = /^(?:-q|--refresh|--ignore-submodules|--unmerged|--ignore-missing)$/;

/** What a repository names to compare or to verify with is not run: it may be a stranger's. */
const withoutPrograms: readonly string[] = ['--no-ext-diff', '--no-textconv'];
const comparing = /^(?:diff|diff-index|diff-tree|log|show)$/;

/**
 * Puts a line's question to git.
 *
 * @param words none of them shows signatures
 */
export function answerTo(words: readonly string[], directory: string, ask: AskSettled): AnswerAtOnce {
  const [subcommand = '', ...rest] = words;
  return ask(comparing.test(subcommand) ? [subcommand, ...withoutPrograms, ...rest] : words, directory);
}

/** Of commits alone: not of what lies in the work tree. @param operands without those behind `--` */
export function isComparison(operands: readonly string[]): boolean {
  return operands.length === 2 || (operands.length === 1 && operands[0]?.includes('..') === true);
}
