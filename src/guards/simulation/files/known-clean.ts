import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { comparesByFilters } from '../../../git/contents/own-filters.ts';
import type { Repository, StatusEntry } from '../../../git/repository.ts';
import { runsAtOnce } from '../../../shell/builtins/file-tests.ts';
import { resolvePath } from '../../../shell/path-resolution.ts';
import { diskFiles } from '../../../shell/script-files.ts';
import { programName, type SimpleCommand, type Step } from '../../../shell/simple-command.ts';
import { makeNames } from '../../../shell/tasks/task-file-names.ts';
import type { Invocation } from '../../git-command/invocation.ts';
import { hasGitVariables } from '../../git-command/own-variables.ts';
import { plainCall } from '../../git-command/plain-call.ts';
import { known, textOf, textsOf } from '../../git-command/words.ts';
import { keepsFiles } from '../answers/settled-questions.ts';
import type { Decisions, ToldBy } from '../decisions.ts';
import { overlaid } from '../overlaid-repository.ts';
import type { Overlay } from '../overlay.ts';
import { isNew } from './indexed-entry.ts';
import { roots } from './meant-paths.ts';
import { changesOutput } from './shown-differences.ts';

/** What a call of git looks for: where it finds nothing, nothing of the kind is there. */
export interface LookedFor {
  readonly staged: boolean;
  readonly unstaged: boolean;
  /** `as configured`: git-config(1) "status.showUntrackedFiles". */
  readonly untracked: boolean | 'as configured';
  /** `--ignore-submodules`: what is changed in them, or which commits they are at. */
  readonly leavesSubmodules?: boolean;
  /** As git reads them where the call stands; empty: the whole repository. */
  readonly paths: readonly string[];
  /** What tells that it has found nothing. */
  readonly toldBy: ToldBy;
}

/** What the call looks for; null: it asks something else, or in a way that is not followed here. */
export function lookedFor({ words, settings, gitDir, workTree }: Invocation, command: SimpleCommand): LookedFor | null {
  const subcommand = textOf(words[0]);
  if (subcommand !== 'status' && subcommand !== 'ls-files' && subcommand?.startsWith('diff') !== true) {
    return null;
  }
  const texts = textsOf(words);
  if (texts === null) {
    return null;
  }
  const rest = texts.slice(1);
  const isOwn = settings.length > 0 || gitDir !== null || workTree !== null;
  if (isOwn || hasGitVariables(command)) {
    return null;
  }
  switch (subcommand) {
    case 'diff':
    case 'diff-index':
    case 'diff-files':
      return byDiff(subcommand, rest);
    case 'status':
      return byStatus(rest);
    case 'ls-files':
      return byListing(rest);
    default:
      return null;
  }
}

const isLiteral = (path: string) => !/^[:-]|[*?[\\]/.test(path);

/** The words without options, as far as these belong to the harmless ones; null: another one is among them. */
function operands(
  words: readonly string[],
  options: RegExp,
): { given: readonly string[]; paths: readonly string[] } | null {
  const end = words.includes('--') ? words.indexOf('--') : words.length;
  const before = words.slice(0, end);
  const given = before.filter((word) => !word.startsWith('-'));
  const paths = words.slice(end + 1);
  return before.every((word) => !word.startsWith('-') || options.test(word)) && paths.every(isLiteral)
    ? { given, paths }
    : null;
}

/** git-diff(1): options with which every change is still found. */
const diffOptions =
  /^--(?:quiet|exit-code|cached|staged|no-ext-diff|no-textconv|no-color|name-only|name-status|stat|shortstat|numstat|raw|patch|ignore-submodules(?:=\w+)?)$|^-p$/;

/** git-diff(1): with `none` every one counts. */
const leavesSubmodules = (words: readonly string[]) =>
  words.some((word) => /^--ignore-submodules(?!=none$)/.test(word));

function byDiff(subcommand: string, words: readonly string[]): LookedFor | null {
  const read = operands(words, diffOptions);
  const [revision, ...more] = read?.given ?? [];
  const isHead = revision === 'HEAD' || revision === '@';
  if (read === null || more.length > 0 || (revision !== undefined && !isHead)) {
    return null;
  }
  const isCached = words.includes('--cached') || words.includes('--staged');
  const isKnownForm = subcommand === 'diff' || (subcommand === 'diff-index' ? isHead : !isHead && !isCached);
  const isQuiet = words.includes('--quiet');
  return isKnownForm
    ? {
        staged: isCached || isHead,
        unstaged: !isCached,
        untracked: false,
        leavesSubmodules: leavesSubmodules(words),
        paths: read.paths,
        toldBy: isQuiet ? 'success' : words.includes('--exit-code') ? 'either' : 'no output',
      }
    : null;
}

/** git-status(1) in a form that prints nothing where nothing is changed, and as people read it. */
const statusOptions = {
  'no output':
    /^(?:--porcelain(?:=(?:v?[12]))?|--short|-s|-z|--no-renames|-u(?:no|normal|all)?|--untracked-files(?:=(?:no|normal|all))?|--ignore-submodules(?:=\w+)?)$/,
  words:
    /^(?:--long|-b|--branch|--(?:no-)?ahead-behind|--no-renames|-u(?:no|normal|all)?|--untracked-files(?:=(?:no|normal|all))?|--ignore-submodules(?:=\w+)?)$/,
} as const;

function byStatus(words: readonly string[]): LookedFor | null {
  const isShort = words.some((word) => /^(?:--porcelain|--short$|-s$)/.test(word));
  const toldBy = isShort ? 'no output' : 'words';
  const read = operands(words, statusOptions[toldBy]);
  if (read === null || read.given.some((path) => !isLiteral(path))) {
    return null;
  }
  const mode = words.findLast((word) => /^(?:-u|--untracked-files)/.test(word));
  return {
    staged: true,
    unstaged: true,
    untracked: mode === undefined ? 'as configured' : !/no$/.test(mode),
    leavesSubmodules: leavesSubmodules(words),
    paths: [...read.given, ...read.paths],
    toldBy,
  };
}

/** git-ls-files(1): options with which every modified file, or every untracked one, is still listed. */
const listingOptions = /^(?:-[mozdt]+|--(?:modified|others|deleted|exclude-standard|directory|full-name))$/;

/** It lists what is below where it stands, and nothing that is only staged. */
function byListing(words: readonly string[]): LookedFor | null {
  const read = operands(words, listingOptions);
  const [unstaged, untracked] = [/^-\w*m|^--modified$/, /^-\w*o|^--others$/].map((form) =>
    words.some((word) => form.test(word)),
  );
  const given = read === null ? [] : [...read.given, ...read.paths];
  if (read === null || !given.every(isLiteral) || (unstaged !== true && untracked !== true)) {
    return null;
  }
  return {
    staged: false,
    unstaged: unstaged === true,
    untracked: untracked === true,
    paths: given.length === 0 ? ['.'] : given,
    toldBy: 'no output',
  };
}

/** Nothing of what was looked for is there at that moment. */
export async function applyAbsence(what: LookedFor, overlay: Overlay, before: Repository): Promise<void> {
  if (what.toldBy === 'words') {
    // A file could be named so.
    return;
  }
  const repository = overlaid(before, overlay);
  const untracked = what.untracked === 'as configured' ? await showsUntracked(repository) : what.untracked;
  if (!(await findsAll(what, repository))) {
    return;
  }
  if (what.staged && what.unstaged && what.paths.length === 0) {
    overlay.saved = untracked || overlay.saved === 'everything' ? 'everything' : 'tracked';
    overlay.written.clear();
    overlay.index.clear();
    if (untracked) {
      overlay.unversioned.clear();
    }
    return;
  }
  const isMeant = what.paths.length === 0 ? () => true : roots(what.paths, repository);
  for (const entry of await repository.status()) {
    if (isMeant(entry.path)) {
      applyToEntry(entry, { ...what, untracked }, overlay);
    }
  }
}

/**
 * What of it is surely there? Of what the index and the work tree have both changed, only git-status(1) tells surely:
 * they may be as HEAD has it. Settings may have it leave submodules out.
 *
 * @param repository as it is when git is asked
 * @param touched paths that may be as HEAD has them by then
 */
export async function surelyFound(
  what: LookedFor,
  repository: Repository,
  touched: ReadonlySet<string>,
): Promise<readonly StatusEntry[]> {
  const { staged, unstaged, paths, toldBy } = what;
  const isStatus = what.untracked !== false;
  const untracked = what.untracked === 'as configured' ? await showsUntracked(repository) : what.untracked;
  const config = await repository.config();
  const isNarrowed = !isStatus && config.getBoolean('diff.relative', false);
  if (isNarrowed || (!isStatus && toldBy !== 'success' && (await changesOutput(repository)))) {
    return [];
  }
  const isMeant = paths.length === 0 ? () => true : roots(paths, repository);
  const entries = await repository.status();
  // A file that the line makes may be called like these words.
  if (toldBy === 'words' && (touched.size > 0 || !(await saysOnlyOnce(entries, repository)))) {
    return [];
  }
  const root = diskFiles.realPath(repository.workTree ?? repository.cwd);
  const isTouched = (path: string) => [...touched].some((one) => `${join(root, path)}/`.startsWith(`${one}/`));
  const found = entries.filter(({ path, index, worktree, isSubmodule }) => {
    if (!isMeant(path) || isTouched(path) || isSubmodule === true) {
      return false;
    }
    if (index === '?') {
      return untracked;
    }
    const isPlain = /^[.MD]$/.test(worktree) && /^[.MADT]$/.test(index);
    const isOne = (index !== '.') !== (worktree !== '.');
    return (
      isPlain &&
      (isStatus || isOne || staged !== unstaged) &&
      ((staged && index !== '.') || (unstaged && worktree !== '.'))
    );
  });
  // A filter is not asked here whether it takes a file for unchanged.
  return found.length > 0 && (await comparesByFilters(repository)) ? [] : found;
}

/** Does nothing that has a name of its own stand in what `git status` says to people: a file, a commit of a rebase? */
async function saysOnlyOnce(entries: readonly StatusEntry[], repository: Repository): Promise<boolean> {
  const isRebasing = existsSync(join(repository.gitDir, 'rebase-merge'));
  const isSummed = (await repository.config()).get('status.submodulesummary') !== null;
  return !isRebasing && !isSummed && !entries.some(({ path }) => /commit|clean/i.test(path));
}

/**
 * May it be answered now, as it will be when the line runs? But for the files of these paths, which the line touches
 * before; null: no.
 */
export function asksNow(command: SimpleCommand, decisions: Decisions): ReadonlySet<string> | null {
  const { isSettled, origin, cwd } = command;
  const isHere = cwd.kind === 'known' && cwd.isMounted !== true && runsAtOnce(origin.through);
  const before = isSettled === true && isHere ? decisions.before(command) : null;
  const touched = before?.filter((step) => !isItsMake(step, command, before)).map(touchedBy) ?? [null];
  return touched.includes(null) ? null : new Set(touched.flatMap((paths) => paths ?? []));
}

/** Is it the make that runs the command, and no other one? What its recipes do are steps of their own. */
function isItsMake(step: Step, { origin }: SimpleCommand, before: readonly Step[]): boolean {
  const isMake = (one: Step) => one.kind === 'command' && makeNames.includes(programName(one.argv[0]) ?? '');
  return (
    isMake(step) &&
    origin.through.some((label) => label.startsWith('make ')) &&
    before.every((one) => one === step || !isMake(one))
  );
}

/** Programs that a line makes a script with. */
const touching = /^(?:chmod|mkdir|touch)$/;

/** The paths, real ones, beside which a step leaves the index and the work tree as they were; null: that is not known. */
function touchedBy(step: Step): readonly string[] | null {
  if (keepsFiles(step)) {
    return [];
  }
  const tree = step.kind === 'command' ? removedTree(step) : null;
  const isTouching = step.kind === 'command' && touching.test(programName(step.argv[0]) ?? '');
  const words = step.kind === 'write' ? [step.path] : isTouching ? step.argv.slice(1) : null;
  const paths = tree === null ? (words?.map((word) => resolvePath(word, step.cwd)) ?? [null]) : [tree];
  const places = paths.map((path) => (path === null || decidesOnChanges.test(path) ? null : realPlace(path)));
  return places.includes(null) ? null : places.flatMap((place) => place ?? []);
}

/** Where another work tree is that the step takes away: `git worktree remove`. Null where it does something else. */
function removedTree(step: SimpleCommand): string | null {
  const call = programName(step.argv[0]) === 'git' ? plainCall(step) : null;
  const [subcommand, verb, ...rest] = call === null ? [] : (textsOf(call.argv.slice(1)) ?? []);
  const [path, ...more] = rest.filter((word) => !/^(?:-f|-ff|--force)$/.test(word));
  return call !== null && subcommand === 'worktree' && verb === 'remove' && path !== undefined && more.length === 0
    ? resolvePath(known(path), call.cwd)
    : null;
}

/** What git reads to tell what is changed: its own files, which files are ignored, how they are stored. */
const decidesOnChanges = /\/\.git(?!hub\/)|\/git\/(?:ignore|attributes|config)$/;

/** The path without links on the way; null: it is a link that leads nowhere yet. */
function realPlace(path: string): string | null {
  if (diskFiles.entry(path) === null) {
    return join(diskFiles.realPath(dirname(path)), basename(path));
  }
  return existsSync(path) ? diskFiles.realPath(path) : null;
}

type Absent = Omit<LookedFor, 'untracked'> & { readonly untracked: boolean };

function applyToEntry(entry: StatusEntry, { staged, unstaged, untracked }: Absent, overlay: Overlay): void {
  const { path, index, worktree } = entry;
  if (index === '?') {
    if (untracked) {
      overlay.restored.add(path);
      overlay.unversioned.delete(path);
    }
    return;
  }
  const isLeft = (!staged && index !== '.') || (!unstaged && worktree !== '.');
  if (!isLeft) {
    overlay.restored.add(path);
    overlay.written.delete(path);
    overlay.index.delete(path);
  } else if (index !== '.' && worktree !== '.') {
    overlay.index.set(path, unstaged ? 'work tree' : 'HEAD');
  }
  if (staged && isNew(entry)) {
    // Not in the index: what the work tree has of it is untracked.
    overlay.unversioned.add(path);
  }
}

/** git-config(1) "status.showUntrackedFiles" */
export async function showsUntracked(repository: Repository): Promise<boolean> {
  const value = (await repository.config()).get('status.showuntrackedfiles');
  return value === null || !/^(?:no|false|off|0)$/i.test(value);
}

const isGitlink = ({ isSubmodule }: StatusEntry) => isSubmodule === true;

/** Do options and the repository's settings leave nothing out? */
async function findsAll({ toldBy, untracked, leavesSubmodules }: LookedFor, repository: Repository): Promise<boolean> {
  const { workTree, cwd } = repository;
  const isDiff = untracked === false;
  const mayHaveSubmodules = workTree !== null && existsSync(join(workTree, '.gitmodules'));
  if (leavesSubmodules === true && (mayHaveSubmodules || (await repository.status()).some(isGitlink))) {
    return false;
  }
  const mayLeaveOut = workTree === null || mayHaveSubmodules || (isDiff && (cwd !== workTree || toldBy !== 'success'));
  if (!mayLeaveOut) {
    return true;
  }
  const { entries } = await repository.config();
  const isLeftOut = entries.some(({ key }) => /^(?:diff\.ignoresubmodules|submodule\..*\.ignore)$/.test(key));
  return workTree !== null && !isLeftOut && !(isDiff && (await changesOutput(repository)));
}
