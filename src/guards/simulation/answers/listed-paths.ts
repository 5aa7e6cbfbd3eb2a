import { join } from 'node:path';
import { isDirectory } from '../../../git/files.ts';
import { boundedGlob } from '../../../shell/words/pattern.ts';
import { answerHolds, answerTo, type Dependence, type GitQuestion, isComparison } from './settled-questions.ts';

/** git-log(1), git-diff-tree(1): which commits, which of their files, and how little else is printed. */
const ofCommits =
  /^-(?:\d+|n\d*|[mrz]|M|C)$|^--(?:name-only|(?:format|pretty)=(?!.*%G).*|oneline|no-commit-id|root|no-renames|(?:no-)?merges|first-parent|all|reverse|relative|cached|(?:diff-filter|max-count|since|until|after|before|author|grep)=.*)$/;

/** Options with which git prints nothing but paths, one a line, or (git-log(1)) what is no file's name beside them. */
const printingPaths: ReadonlyMap<string, RegExp> = new Map([
  ...['diff-index', 'diff-tree', 'log', 'show'].map((name): [string, RegExp] => [name, ofCommits]),
  [
    'grep',
    /^-(?=[a-zA-Z]*[lL])[EFGILPilrvwz]+$|^-[eEFGIPirvwz]+$|^--(?:files-with(?:-matches|out-match)|name-only|cached|untracked|null|ignore-case|(?:fixed|word)-(?:strings|regexp)|(?:extended|basic|perl)-regexp)$/,
  ],
  ['ls-tree', /^-[rz]+$|^--(?:name-only|name-status|full-name|full-tree)$/],
  [
    'ls-files',
    /^-[cdimoz]+$|^--(?:cached|deleted|modified|others|ignored|exclude-standard|full-name|directory|no-empty-directory|exclude=.*)$/,
  ],
  ['diff', /^-z$|^--(?:name-only|cached|staged|relative|no-renames|merge-base|diff-filter=\w+)$/],
]);

/** The options with which a subcommand names files; of others `--name-only`. */
const namingBy: ReadonlyMap<string, RegExp> = new Map([
  ['grep', /^-[a-zA-Z]*[lL]|^--files-with|^--name-only/],
  ['ls-tree', /^--name-(?:only|status)$/],
]);

/** Is a path among those that are listed? */
type Among = (path: string) => boolean;

/**
 * Which paths `git ls-files`, `git grep -l` or `git diff --name-only` may print, by the pathspecs that it is given; null:
 * it prints something else, or may do so.
 *
 * @param words the subcommand and what follows it
 */
function mayBeListed([subcommand = '', ...rest]: readonly string[]): Among | null {
  const plain = printingPaths.get(subcommand);
  const end = rest.indexOf('--');
  const [before, behind] = end < 0 ? [rest, []] : [rest.slice(0, end), rest.slice(end + 1)];
  const options = before.filter((word) => word.startsWith('-'));
  const naming = namingBy.get(subcommand) ?? /^--name-only$/;
  const isNaming = subcommand === 'ls-files' || options.some((option) => naming.test(option));
  if (plain === undefined || !isNaming || !options.every((option) => plain.test(option))) {
    return null;
  }
  // git-diff(1): what stands before the separator may be a revision.
  const pathspecs = subcommand === 'ls-files' ? [...before.filter((word) => !word.startsWith('-')), ...behind] : behind;
  const expressions = pathspecs.map(expressionOf);
  const isOpen = pathspecs.length === 0 || expressions.includes(null);
  return isOpen ? () => true : (path) => expressions.some((expression) => expression?.test(path) === true);
}

/**
 * gitglossary(7) "pathspec": a path, a directory above it, or a pattern whose stars go over slashes. Where git names
 * paths from the root, they may begin before that. Null: any path may match.
 */
function expressionOf(pathspec: string): RegExp | null {
  const path = pathspec.replace(/^(?:\.\/)+/, '').replace(/\/+$/, '');
  if (path === '' || path === '.' || /^[:/]|\.\.|[[\]\\]/.test(path)) {
    return null;
  }
  return boundedGlob(path, { before: '(?:^|/)', after: '(?:/|$)' });
}

/**
 * The paths that git lists: nothing of its own, and directories only where it is asked. Where nothing before can change the
 * answer, git is asked for them, but not before somebody wants to know.
 *
 * @returns null where it lists no files
 */
export function listedBy(asking: GitQuestion): Among | null {
  const may = mayBeListed(asking.question);
  if (may === null) {
    return null;
  }
  const { command, question } = asking;
  const directory = command.cwd.kind === 'known' ? command.cwd.path : '/';
  const depends = dependenceOf(question);
  // Told now: what comes before grows while the line is read.
  const holds = depends !== null && answerHolds(asking, depends);
  const mayBeDirectory = question[0] === 'ls-files' && question.some((word) => /^-\w*o|^--others$/.test(word));
  let answer: ReadonlySet<string> | null | undefined;
  return (path) => {
    if (!may(path) || /(?:^|\/)\.git(?:\/|$)/.test(path)) {
      return false;
    }
    const isFile = !isDirectory(join(directory, path));
    // Which directories git lists, hardly any command changes.
    if (!holds && (isFile || !mayBeDirectory || depends === null)) {
      return isFile;
    }
    answer = answer === undefined ? listed(asking, directory) : answer;
    return answer?.has(path) ?? isFile;
  };
}

/** More names than these are not read one by one. */
const maximumPaths = 60;
/** `sh -c "… $FILE"`, `eval`: a shell may read as code what is printed. */
const handsToShell = /\b(?:ba|da|k|z)?sh\s+(?:-\w+\s+)*-\w*c\b|\beval\b/;
/** A name that is one word, and no code, to any shell. */
const plainPath = /^\w[\w@%+=:,./-]*$/;

/**
 * What `git ls-files` prints where a shell may read it as code: names that are one word each, and not many. Null where it
 * prints something else, or the line may change it.
 */
export function plainPathsAnswer(asking: GitQuestion): string | null {
  const { question, command, around } = asking;
  const isList = question[0] === 'ls-files' && !question.includes('-z') && mayBeListed(question) !== null;
  const isAsked = isList && handsToShell.test(around);
  if (!isAsked || command.cwd.kind !== 'known' || dependenceOf(question) !== 'files' || !answerHolds(asking, 'files')) {
    return null;
  }
  const paths = [...(listed(asking, command.cwd.path) ?? ['?'])];
  const isPlain = paths.length <= maximumPaths && paths.every((path) => plainPath.test(path));
  return isPlain ? paths.map((path) => `${path}\n`).join('') : null;
}

/**
 * What the list depends on; null where git would compare the files of the work tree, for which it may start filters.
 *
 * @param question the subcommand and what follows it
 */
function dependenceOf([subcommand = '', ...rest]: readonly string[]): Dependence | null {
  const end = rest.indexOf('--');
  const before = end < 0 ? rest : rest.slice(0, end);
  const operands = before.filter((word) => !word.startsWith('-'));
  switch (subcommand) {
    case 'ls-files':
      return before.some((word) => /^-\w*m|^--modified$/.test(word)) ? null : 'files';
    case 'grep':
      // Behind the pattern there may be a revision.
      return operands.length > 1 ? 'both' : 'files';
    case 'diff':
    case 'diff-index':
      return before.some((word) => word === '--cached' || word === '--staged')
        ? 'both'
        : isComparison(operands)
          ? 'revisions'
          : null;
    default:
      return 'revisions';
  }
}

/** Null where git gives no answer. */
function listed({ question, ask }: GitQuestion, directory: string): ReadonlySet<string> | null {
  const [subcommand, ...rest] = question;
  const words = subcommand === 'diff' && !rest.includes('--') ? [...question, '--'] : question;
  const { exitCode, text } = answerTo(words, directory, ask);
  const isAnswer = exitCode === 0 || (exitCode === 1 && subcommand === 'grep');
  // git-ls-files(1) "--others": repositories in this one, and whole directories, end with a slash.
  const paths = text.split(/[\0\n]/).map((path) => path.replace(/\/$/, ''));
  return isAnswer ? new Set(paths.filter((path) => path !== '')) : null;
}
