import type { MergedInto } from '../../../shell/simple-command.ts';
import { unknownWord } from '../../../shell/words/parameter.ts';
import type { UnknownWord } from '../../git-command/words.ts';

/** A format of which each line is one commit's or ref's name. */
const naming = /^(?:(?:t?format:)?%(?:H|h)|%\((?:refname|objectname)(?::short|:strip=\d+|:lstrip=\d+)?\))$/;
/** Options that print more than names. */
const printsMore =
  /^(?:-[a-zA-Z]*[puL]|--(?:patch|stat|numstat|shortstat|dirstat|raw|summary|name-only|name-status|graph|header|objects|count|left-right|cherry-mark|boundary|parents|children|timestamp|show-signature|no-commit-header|notes|cc|full-diff|walk-reflogs|json)\b.*|-[cmgzn]*[cmgz])$/;

/**
 * What a git command prints, as far as it surely names commits, refs or files; null where it may print anything.
 *
 * @param fits which files it may list; null: it lists none, or it does not matter which
 */
export function namedByOutput(
  words: readonly string[],
  reason: string,
  fits: UnknownWord['fits'] | null = null,
): UnknownWord | null {
  const [subcommand = '', ...rest] = words;
  const names = printers.get(subcommand)?.(rest) ?? null;
  return names === null && fits === null
    ? null
    : {
        ...unknownWord(`git ${words.join(' ')}`, reason),
        ...(names === null ? {} : { names }),
        ...(fits === null ? {} : { fits }),
      };
}

type Printer = (rest: readonly string[]) => UnknownWord['names'] | null;

const always: Printer = () => 'commits';
/** Without a revision or a path, and with nothing else that is printed. */
const isOnly = (rest: readonly string[], options: RegExp) => rest.every((word) => options.test(word));

/** git subcommands that can print names alone. */
const printers: ReadonlyMap<string, Printer> = new Map<string, Printer>([
  // git-describe(1): with an abbreviation of nothing, or of what a tag names, the tag alone.
  [
    'describe',
    (rest) =>
      rest.some((word) => /^--(?:abbrev=0|exact-match)$/.test(word)) &&
      isOnly(rest, /^--(?:abbrev=0|exact-match|tags|match=.*|exclude=.*)$|^HEAD\b/)
        ? 'tags'
        : 'revisions',
  ],
  ['diff', (rest) => chosenFiles(rest)],
  ['ls-files', (rest) => listedFiles(rest)],
  [
    'status',
    (rest) =>
      rest.some((word) => /^-s|^--[sp]/.test(word)) &&
      isOnly(rest, /^(?:-s|--short|--porcelain(?:=v1)?|-uno|--untracked-files=no)$/)
        ? 'status'
        : null,
  ],
  ['worktree', (rest) => (rest[0] === 'list' ? 'work trees' : null)],
  ['remote', (rest) => (rest[0] === 'show' && rest.length > 1 ? 'a remote' : null)],
  ['merge-base', always],
  ['commit-tree', always],
  ['rev-list', (rest) => (rest.some((word) => printsMore.test(word) || formatOf(word) !== null) ? null : 'commits')],
  ['log', formatted],
  ['reflog', (rest) => (/^(?:expire|delete|exists)$/.test(rest[0] ?? '') ? null : formatted(rest))],
  ['show', (rest) => (rest.some((word) => word === '-s' || word === '--no-patch') ? formatted(rest) : null)],
  ['for-each-ref', (rest) => mergedRefs(rest) ?? listed(rest)],
  ['branch', (rest) => merged(rest, (word) => !word.startsWith('-')) ?? listed(rest)],
  [
    'tag',
    (rest) =>
      isOnly(rest, /^(?:-l|--list|--(?:sort|points-at|contains|merged)=.*|--(?:points-at|contains|merged)|[^-].*)$/)
        ? 'tags'
        : listed(rest),
  ],
  [
    'rev-parse',
    (rest) => {
      const namesRefs = rest.some((word) => /^--(?:abbrev-ref|symbolic-full-name)$/.test(word));
      const names = namesRefs ? 'revisions' : 'commits';
      return isParsed(rest) ? names : null;
    },
  ],
  ['symbolic-ref', (rest) => (rest.filter((word) => !word.startsWith('-')).length === 1 ? 'revisions' : null)],
  ['stash', (rest) => (rest[0] === 'create' ? 'commits' : rest[0] === 'list' ? formatted(rest.slice(1)) : null)],
  ['name-rev', (rest) => (rest.includes('--name-only') && !rest.includes('--stdin') ? 'revisions' : null)],
]);

/** git-diff(1) "--diff-filter": of what is in the work tree, against the index. */
function chosenFiles(rest: readonly string[]): UnknownWord['names'] | null {
  const [filter = 'M', ...more] = rest.flatMap((word) => /^--diff-filter=(.)$/.exec(word)?.[1] ?? []);
  const isPlain = rest.includes('--name-only') && isOnly(rest, /^--(?:name-only|diff-filter=[UDM])$|^-z$/);
  return isPlain && more.length === 0 ? (chosenBy.get(filter) ?? null) : null;
}

const chosenBy: ReadonlyMap<string, UnknownWord['names']> = new Map([
  ['U', 'conflicts'],
  ['D', 'deletions'],
  ['M', 'changes'],
]);

/** git-ls-files(1) "--deleted", "--modified". */
function listedFiles(rest: readonly string[]): UnknownWord['names'] | null {
  const kinds = rest.filter((word) => word !== '-z');
  const areAll = (options: RegExp) => kinds.length > 0 && isOnly(kinds, options);
  return areAll(/^(?:-d|--deleted)$/) ? 'deletions' : areAll(/^(?:-m|--modified)$/) ? 'changes' : null;
}

function formatOf(word: string): string | null {
  return /^--(?:pretty|format)=([\s\S]*)$/.exec(word)?.[1] ?? null;
}

function formatted(rest: readonly string[]): UnknownWord['names'] | null {
  if (rest.some((word) => printsMore.test(word))) {
    return null;
  }
  const format = rest.flatMap((word) => formatOf(word) ?? []).at(-1);
  if (format !== undefined && naming.test(format)) {
    return 'commits';
  }
  const isFirst = format === undefined ? rest.includes('--oneline') : /^(?:t?format:)?%[hH] /.test(format);
  return isFirst ? 'commits first' : null;
}

/** `git branch --format=%(refname:short)` and its kin. */
function listed(rest: readonly string[]): UnknownWord['names'] | null {
  const at = rest.indexOf('--format');
  const format = at < 0 ? rest.flatMap((word) => formatOf(word) ?? []).at(-1) : rest[at + 1];
  return format !== undefined && naming.test(format) ? 'revisions' : null;
}

/** Options of `git branch` and `git for-each-ref` that choose among branches, or put them in order. */
const narrowing = /^(?:--no-color|-l|--list|--(?:sort|count|no-merged|contains|no-contains|points-at)=.*)$/;
const ofBranches = /^refs\/heads(?:\/|$)/;

/**
 * `git branch --merged [REVISION]`: the mark of the branch that is checked out is no branch's name, and is not there
 * where a format says what is printed.
 *
 * @param isPattern operands that choose among branches alone
 */
function merged(rest: readonly string[], isPattern: (word: string) => boolean): MergedInto | null {
  const words = [...rest];
  const take = (option: RegExp) => {
    const at = words.findIndex((word) => option.test(word));
    const [word = ''] = at < 0 ? [] : words.splice(at, 1);
    const isApart = at >= 0 && !word.includes('=') && words[at]?.startsWith('-') === false;
    return at < 0 ? null : isApart ? (words.splice(at, 1)[0] ?? null) : word.replace(/^[^=]*=?/, '');
  };
  const format = take(/^--format(?:=|$)/);
  const revision = take(/^--merged(?:=|$)/);
  const operands = words.filter((word) => !narrowing.test(word));
  const isNaming = format === null || /^%\(refname:(?:short|l?strip=2)\)$/.test(format);
  return revision !== null && isNaming && operands.every(isPattern)
    ? `${format === null ? '' : 'revisions '}merged into ${revision === '' ? 'HEAD' : revision}`
    : null;
}

/** Without a pattern, or a format of names alone, `git for-each-ref` prints more than branches. */
function mergedRefs(rest: readonly string[]): MergedInto | null {
  const chosen = merged(rest, (word) => ofBranches.test(word));
  return chosen?.startsWith('revisions ') && rest.some((word) => ofBranches.test(word)) ? chosen : null;
}

/** `git rev-parse WORD` prints the words that name nothing in git as they are: those that surely do are few. */
function isParsed(rest: readonly string[]): boolean {
  const operands = rest.filter((word) => !word.startsWith('-'));
  const options = rest.filter((word) => word.startsWith('-'));
  const isPlain = options.every((word) =>
    /^--(?:verify|short(?:=\d+)?|abbrev-ref|quiet|symbolic-full-name)$|^-q$/.test(word),
  );
  return (
    isPlain &&
    operands.length > 0 &&
    (options.includes('--verify') ||
      operands.every((word) => /^(?:HEAD|@|ORIG_HEAD|FETCH_HEAD)(?:$|[~^@{])/.test(word)))
  );
}

/** What `gh … --jq` picks out of a pull request, a repository or a release: the name of a branch, a tag or a commit. */
export function namedByGh(words: readonly string[], reason: string): UnknownWord | null {
  const at = words.findIndex((word) => word === '-q' || word === '--jq');
  const filter = at < 0 ? words.flatMap((word) => /^--jq=(.*)$/.exec(word)?.[1] ?? []).at(0) : words[at + 1];
  const isDefault = /^\.(?:defaultBranchRef\.name|default_branch)$/.test(filter ?? '');
  return filter !== undefined && namingField.test(filter)
    ? { ...unknownWord(`gh ${words.join(' ')}`, reason), names: isDefault ? 'default branch' : 'revisions' }
    : null;
}

const namingField =
  /^\.(?:\[\d*\](?: \| )?\.)?(?:headRefName|baseRefName|headRefOid|headBranch|headSha|tagName|tag_name|defaultBranchRef\.name|default_branch|mergeCommit\.oid|(?:head|base)\.(?:ref|sha))$/;
