import { join } from 'node:path';
import { askAtOnce } from '../../git/runner.ts';
import { readingPrograms } from '../../shell/reading-programs.ts';
import { type Directory, programName, type Step } from '../../shell/simple-command.ts';
import { isDirectory } from '../files/git-directory.ts';
import { shown } from '../git-command/words.ts';
import { isComparison } from './git-conditions.ts';

/** git-log(1), git-diff-tree(1): which commits, which of their files, and how little else is printed. */
const ofCommits =
  /^-(?:\d+|n\d*|[mrz]|M|C)$|^--(?:name-only|(?:format|pretty)=.*|oneline|no-commit-id|root|no-renames|(?:no-)?merges|first-parent|all|reverse|relative|cached|(?:diff-filter|max-count|since|until|after|before|author|grep)=.*)$/;

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
    /^-[cdmoz]+$|^--(?:cached|deleted|modified|others|exclude-standard|full-name|directory|no-empty-directory|exclude=.*)$/,
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

/** A pattern with more stars takes too long to be tried, and nobody writes it. */
const mostStars = 6;

/**
 * gitglossary(7) "pathspec": a path, a directory above it, or a pattern whose stars go over slashes. Where git names
 * paths from the root, they may begin before that. Null: any path may match.
 */
function expressionOf(pathspec: string): RegExp | null {
  const path = pathspec.replace(/^(?:\.\/)+/, '').replace(/\/+$/, '');
  if (path === '' || path === '.' || /^[:/]|\.\.|[[\]\\]/.test(path) || path.split('*').length > mostStars) {
    return null;
  }
  const pattern = path
    .replace(/[.+^${}()|]/g, '\\$&')
    .replace(/\*+/g, '[^]*')
    .replaceAll('?', '[^]');
  return new RegExp(`(?:^|/)${pattern}(?:/|$)`);
}

/** Where git is asked, and what comes before that. */
export interface Listing {
  readonly cwd: Directory;
  readonly before: readonly Step[];
  /** Nothing else happens meanwhile. */
  readonly isSettled: boolean;
}

/**
 * The paths that git lists: no directories, and nothing of its own. Where nothing before can change the answer, git is
 * asked for them, but not before somebody wants to know.
 *
 * @param words the subcommand and what follows it
 * @returns null where it lists no files
 */
export function listedBy(words: readonly string[], { cwd, before, isSettled }: Listing): Among | null {
  const may = mayBeListed(words);
  if (may === null) {
    return null;
  }
  const directory = cwd.kind === 'known' ? cwd.path : null;
  const isOpen = directory === null || !isSettled || !before.every(onlyLooks);
  let answer: ReadonlySet<string> | null | undefined = isOpen ? null : undefined;
  return (path) => {
    if (!may(path) || /(?:^|\/)\.git(?:\/|$)/.test(path)) {
      return false;
    }
    answer = answer === undefined && directory !== null ? asked(words, directory) : (answer ?? null);
    return answer?.has(path) ?? !isDirectory(join(directory ?? '/', path));
  };
}

/** Subcommands of git after which it lists the same files as before. */
const looking = /^(?:branch|cat-file|diff|fetch|grep|log|ls-files|ls-tree|merge-base|rev-list|rev-parse|show|status)$/;

function onlyLooks(step: Step): boolean {
  const program = step.kind === 'command' ? (programName(step.argv[0]) ?? '') : '';
  const subcommand = step.kind === 'command' && step.argv[1] !== undefined ? shown(step.argv[1]) : '';
  return readingPrograms.has(program) || (program === 'git' && looking.test(subcommand));
}

/** Null where git would compare the files of the work tree, for which it may start filters, or gives no answer. */
function asked(words: readonly string[], cwd: string): ReadonlySet<string> | null {
  const [subcommand = '', ...rest] = words;
  const isCached = rest.some((word) => word === '--cached' || word === '--staged');
  const operands = rest.filter((word) => !word.startsWith('-'));
  const comparesFiles =
    /^diff(?:-index)?$/.test(subcommand) && !isCached
      ? !isComparison(operands)
      : rest.some((word) => /^-\w*m|^--modified$/.test(word)) && subcommand === 'ls-files';
  if (comparesFiles) {
    return null;
  }
  const { exitCode, text } = askAtOnce(subcommand === 'diff' && !rest.includes('--') ? [...words, '--'] : words, cwd);
  const isAnswer = exitCode === 0 || (exitCode === 1 && subcommand === 'grep');
  return isAnswer ? new Set(text.split(/[\0\n]/).filter((path) => path !== '')) : null;
}
