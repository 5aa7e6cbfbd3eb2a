import { join } from 'node:path';
import { namesIn } from '../../../git/files.ts';
import { readRefFile } from '../../../git/refs/ref-files.ts';
import { readRefTree } from '../../../git/refs/ref-tree.ts';
import { fullNames } from '../../../git/refs/refspec.ts';
import { runsOnlyAfter } from '../../../shell/path.ts';
import { changesFiles } from '../../../shell/programs/file-changes.ts';
import { programName, type Step } from '../../../shell/simple-command.ts';
import { boundedGlob } from '../../../shell/words/pattern.ts';
import type { GitDirectories } from '../../files/git-directories.ts';
import { shownCall } from '../../git-command/plain-call.ts';
import { isUnknown, shown } from '../../git-command/words.ts';
import { joinedFormat } from './settled-answers.ts';
import { answerHolds, deletedBranches, type SettledQuestion } from './settled-questions.ts';

const heads = 'refs/heads/';
/** More of them than these are a loop that is read as one with any of them. */
const maximumRefs = 60;

/** What is asked for: which refs, and how each is written. */
interface Listing {
  /** What the names of all that may be meant begin with. */
  readonly root: string;
  readonly isWanted: (ref: string) => boolean;
  /** Null: as a person reads it. */
  readonly format: string | null;
  /** Something else chooses among them as well, or puts them in another order. */
  readonly narrowed: 'no' | 'order' | 'choice';
}

/**
 * What `git branch`, `git tag -l` and `git for-each-ref` print, read from the files themselves without a process: what
 * loops over refs do is judged ref by ref, and nothing is done with none. Null where that is another question, or where git
 * must be asked.
 */
export function listedRefs(asking: SettledQuestion, directories: GitDirectories): string | null {
  const listing = readListing(asking.question);
  const refs = listing === null ? null : readRefTree(directories);
  if (listing === null || refs === null) {
    return null;
  }
  const { narrowed } = listing;
  const wanted = wantedRefs(asking, listing, refs);
  if (wanted === null) {
    return null;
  }
  if (wanted.length === 0) {
    return '';
  }
  if (narrowed === 'choice' || (narrowed === 'order' && wanted.length > 1)) {
    return null;
  }
  return listing.format === null
    ? asking.question[0] === 'branch' && listing.root === heads
      ? markedList(wanted, directories, asking)
      : null
    : formatted(wanted, listing.format, refs);
}

/** Of such a list, which is in another order or of which something else chooses, what each of its lines is one of. */
export function listedAmong(asking: SettledQuestion, directories: GitDirectories): readonly string[] | null {
  const listing = readListing(asking.question);
  const refs = listing === null || listing.format === null ? null : readRefTree(directories);
  const wanted = listing === null || refs === null ? null : wantedRefs(asking, listing, refs);
  const text = wanted === null || refs === null ? null : formatted(wanted, listing?.format ?? '', refs);
  const lines = text?.split('\n').filter(Boolean) ?? null;
  return lines?.every((line) => /^[^\s'"\\]+$/.test(line)) === true ? lines : null;
}

/** Null: there are too many, or the line may change them. */
function wantedRefs(
  asking: SettledQuestion,
  { root, isWanted }: Listing,
  refs: ReadonlyMap<string, unknown>,
): readonly string[] | null {
  const all = [...refs.keys()].filter((ref) => ref.startsWith(root));
  const wanted = all.filter(isWanted);
  const holds = root === heads ? holdsOfBranches(asking, all, wanted) : answerHolds(asking, 'revisions');
  return holds && wanted.length <= maximumRefs ? wanted : null;
}

/** Does the line leave them as they are until then? */
function holdsOfBranches({ before }: SettledQuestion, all: readonly string[], wanted: readonly string[]): boolean {
  return (
    all.length > 0 &&
    !before.some((step) => mayMakeBranch(step, all)) &&
    !wanted.some((ref) => before.some((step) => mayDelete(step, ref)))
  );
}

/** gitrevisions(7): where the name stands that is short for one. */
function shortName(ref: string): string {
  return ref.replace(/^refs\/(?:(?:heads|tags|remotes)\/)?/, '');
}

/** The words of such a call: git-branch(1), git-tag(1), git-for-each-ref(1). */
interface ListingWords {
  readonly operands: readonly string[];
  readonly format: string | null;
  readonly narrowed: Listing['narrowed'];
  /** `-l`, `-r` */
  readonly has: (option: 'list' | 'remotes') => boolean;
}

function readListing([subcommand = '', ...rest]: readonly string[]): Listing | null {
  const read = /^(?:branch|tag|for-each-ref)$/.test(subcommand) ? readWords(rest) : null;
  if (read === null) {
    return null;
  }
  switch (subcommand) {
    case 'branch':
      return ofNames(read, read.has('remotes') ? 'refs/remotes/' : heads);
    case 'tag':
      return ofNames({ ...read, format: read.format ?? '%(refname:strip=2)' }, 'refs/tags/');
    default:
      return ofRefs(read);
  }
}

function readWords(words: readonly string[]): ListingWords | null {
  const operands: string[] = [];
  const options = new Set<string>();
  let format: string | null = null;
  let narrowed: Listing['narrowed'] = 'no';
  for (const word of words.flatMap(joinedFormat)) {
    if (word.startsWith('--format=')) {
      format = word.slice('--format='.length);
    } else if (/^(?:-l|--list)$/.test(word)) {
      options.add('list');
    } else if (/^(?:-r|--remotes)$/.test(word)) {
      options.add('remotes');
    } else if (!word.startsWith('-')) {
      operands.push(word);
    } else if (/^--sort=/.test(word)) {
      narrowed = narrowed === 'no' && word !== '--sort=refname' ? 'order' : narrowed;
    } else if (/^--(?:(?:no-)?(?:merged|contains)|points-at|count)=/.test(word)) {
      narrowed = 'choice';
    } else if (!/^--(?:no-color|color=never|no-column)$/.test(word)) {
      return null;
    }
  }
  return { operands, format, narrowed, has: (option) => options.has(option) };
}

/** git-branch(1), git-tag(1): patterns only where a list is asked for. */
function ofNames({ operands, format, narrowed, has }: ListingWords, root: string): Listing | null {
  const read = operands.map((pattern) => patternOf(pattern, 'all'));
  if ((operands.length > 0 && !has('list')) || read.includes(null)) {
    return null;
  }
  const isWanted = (ref: string) =>
    read.length === 0 || read.some((pattern) => pattern?.test(ref.slice(root.length)) === true);
  return { root, isWanted, format, narrowed };
}

/** git-for-each-ref(1): whole names, whole beginnings up to a slash, or patterns whose `*` stays within a component. */
function ofRefs({ operands, format, narrowed }: ListingWords): Listing | null {
  const areHeads = operands.every((pattern) => /^refs\/heads(?:\/|$)/.test(pattern));
  const read = operands.map((pattern) => patternOf(pattern, 'names'));
  if (operands.length === 0 || read.includes(null)) {
    return null;
  }
  const isWanted = (ref: string) =>
    operands.some((pattern, at) => ref.startsWith(`${pattern.replace(/\/$/, '')}/`) || read[at]?.test(ref) === true);
  return { root: areHeads ? heads : 'refs/', isWanted, format, narrowed };
}

/** Null where git reads it in another way. */
function patternOf(pattern: string, over: 'all' | 'names'): RegExp | null {
  return /[[\]\\]|\*\*/.test(pattern) ? null : boundedGlob(pattern, { over });
}

/** One a line; null where a field is asked for that is no name, or a short name is not what it is short for. */
function formatted(wanted: readonly string[], format: string, refs: { has(name: string): boolean }): string | null {
  let isKnown = true;
  const lines = wanted.map((ref) =>
    format.replace(/%(?:\(([^)]*)\)|.)/g, (_, field: string | undefined) => {
      const stripped = /^refname:l?strip=(\d+)$/.exec(field ?? '')?.[1];
      if (stripped !== undefined) {
        return ref.split('/').slice(Number(stripped)).join('/');
      }
      isKnown &&= field === 'refname' || (field === 'refname:short' && isShort(ref, refs));
      return field === 'refname' ? ref : shortName(ref);
    }),
  );
  return isKnown ? lines.map((line) => `${line}\n`).join('') : null;
}

/** Does nothing else have the name that is short for it? A remote's HEAD is called in several ways. */
function isShort(ref: string, refs: { has(name: string): boolean }): boolean {
  const named = fullNames(shortName(ref)).filter((full) => refs.has(full));
  return named.length === 1 && named[0] === ref && !/^refs\/remotes\/.*\/HEAD$/.test(ref);
}

/**
 * `* main`, `+ elsewhere`, `  topic`: git-branch(1). Null where HEAD is detached, or the line may have gone to or from one of
 * the branches.
 *
 * @param branches by their full names
 */
export function markedList(
  branches: readonly string[],
  directories: GitDirectories,
  asking: SettledQuestion,
): string | null {
  const possible = possiblyCurrent(directories, asking);
  const isOpen = possible.length > 1 && branches.some((ref) => possible.includes(ref));
  if (isOpen || possible.includes('?')) {
    return null;
  }
  const elsewhere = branchesElsewhere(directories);
  const mark = (ref: string) => (possible.includes(ref) ? '*' : elsewhere.has(ref) ? '+' : ' ');
  return branches.map((ref) => `${mark(ref)} ${shortName(ref)}\n`).join('');
}

/** The branches of which one is checked out, by their full names; `?`: it may be any, or none. */
function possiblyCurrent(directories: GitDirectories, { before, command }: SettledQuestion): readonly string[] {
  const head = readRefFile(directories, 'HEAD');
  let possible = [head.kind === 'symref' ? head.target : '?'];
  for (const step of before) {
    const target = switchedTo(step);
    if (target !== null) {
      possible = runsOnlyAfter(command.origin, step.origin) ? [target] : [...possible, target];
    }
  }
  return possible;
}

/** The branches that are checked out in the other work trees: gitrepository-layout(5) "worktrees". */
function branchesElsewhere(directories: GitDirectories): ReadonlySet<string> {
  const { gitDir, commonDir } = directories;
  const names = namesIn(join(commonDir, 'worktrees'));
  const linked = names.filter((name) => join(commonDir, 'worktrees', name) !== gitDir);
  const others = [...linked.map((name) => `worktrees/${name}`), ...(gitDir === commonDir ? [] : ['main-worktree'])];
  return new Set(
    others.flatMap((place) => {
      const head = readRefFile(directories, `${place}/HEAD`);
      return head.kind === 'symref' ? [head.target] : [];
    }),
  );
}

/** Subcommands that never make a branch; others may, but for a switch to one that is there. */
const makesNone =
  /^(?:add|am|apply|blame|bundle|cat-file|clean|commit|config|describe|diff|fetch|for-each-ref|gc|grep|log|ls-files|ls-remote|merge|merge-base|mv|prune|pull|push|reflog|remote|reset|restore|rev-list|rev-parse|revert|rm|shortlog|show|show-ref|stash|status|tag|version)$/;

function mayMakeBranch(step: Step, branches: readonly string[]): boolean {
  if (step.kind === 'write') {
    return false;
  }
  const program = programName(step.argv[0]);
  if (step.kind === 'unreadable' || program !== 'git') {
    const mayRun = step.kind === 'unreadable' || changesFiles(program ?? '', step.argv);
    return mayRun && /\b(?:branch|checkout|switch|worktree)\b/.test(step.argv.map(shown).join(' '));
  }
  const [subcommand = '', ...rest] = shownCall(step);
  const target = plainTarget(subcommand, rest);
  if (target !== undefined) {
    return target === null || !branches.includes(heads + target);
  }
  if (subcommand === 'branch') {
    return (
      rest.some((word) => !word.startsWith('-')) && !rest.some((word) => /^(?:-[dD]|-l|--list|--format)$/.test(word))
    );
  }
  return !makesNone.test(subcommand) || rest.some((word) => word.includes(':refs/') || word === 'branch');
}

/** The one name that a call switches to; null: it may do something else; undefined: it does not switch. */
function plainTarget(subcommand: string, words: readonly string[]): string | null | undefined {
  if (subcommand !== 'checkout' && subcommand !== 'switch') {
    return undefined;
  }
  const [target = null, ...others] = words.filter((word) => word !== '-q' && word !== '--quiet');
  return others.length > 0 ? null : target;
}

/** The branch to which a step may switch, by its full name; `?`: to any, or none; null: it does not switch. */
function switchedTo(step: Step): string | null {
  const maySwitch =
    step.kind !== 'write' && /\b(?:checkout|switch|rebase|bisect|symbolic-ref)\b/.test(step.argv.map(shown).join(' '));
  if (!maySwitch) {
    return null;
  }
  const [subcommand = '', ...rest] = programName(step.argv[0]) === 'git' ? shownCall(step) : [];
  const target = plainTarget(subcommand, rest);
  return target == null ? '?' : heads + target;
}

/** May the step delete the branch? */
function mayDelete(step: Step, ref: string): boolean {
  const isGit = step.kind === 'command' && programName(step.argv[0]) === 'git';
  const [subcommand, ...rest] = isGit ? shownCall(step) : [];
  const names = subcommand === 'branch' ? deletedBranches(rest) : null;
  return names !== null && (names.includes(shortName(ref)) || (isGit && step.argv.some(isUnknown)));
}
