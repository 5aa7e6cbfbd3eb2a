import { join } from 'node:path';
import { namesIn } from '../../../git/files.ts';
import { readRefFile } from '../../../git/refs/ref-files.ts';
import { readRefTree } from '../../../git/refs/ref-tree.ts';
import { runsOnlyAfter } from '../../../shell/path.ts';
import { changesFiles } from '../../../shell/programs/file-changes.ts';
import { programName, type Step } from '../../../shell/simple-command.ts';
import { boundedGlob } from '../../../shell/words/pattern.ts';
import type { GitDirectories } from '../../files/git-directories.ts';
import { shownCall } from '../../git-command/plain-call.ts';
import { isUnknown, shown } from '../../git-command/words.ts';
import { deletedBranches, type GitQuestion } from './settled-questions.ts';

const heads = 'refs/heads/';
/** More of them than these are a loop that is read as one with any branch. */
const maximumBranches = 60;

/** When a line asks: what it does before that, and by which command it does. */
export type Moment = Pick<GitQuestion, 'before' | 'command'>;

/** What is asked for: which branches, and how each is written. */
interface Listing {
  readonly isWanted: (ref: string) => boolean;
  /** Null: as a person reads it, with a mark for the branch that is checked out. */
  readonly format: string | null;
}

/**
 * What `git branch`, `git branch --format=…` and `git for-each-ref --format=… refs/heads` print, read from the files
 * themselves without a process: what loops over branches do is judged branch by branch. Null where that is another question,
 * or where git must be asked.
 *
 * @param before the line's steps until then
 */
export function listedBranches(
  words: readonly string[],
  directories: GitDirectories,
  { before, command }: Moment,
): string | null {
  const listing = readListing(words);
  const refs = listing === null ? null : readRefTree(directories);
  const all = refs === null ? [] : [...refs.keys()].filter((ref) => ref.startsWith(heads));
  const isOpen = all.length === 0 || all.length > maximumBranches || before.some((step) => mayMakeBranch(step, all));
  if (listing === null || refs === null || isOpen) {
    return null;
  }
  const branches = all.filter(listing.isWanted);
  if (branches.some((ref) => before.some((step) => mayDelete(step, ref)))) {
    return null;
  }
  if (listing.format === null) {
    return markedList(branches, directories, { before, command });
  }
  const written = branches.map((ref) => (refs.has(`refs/tags/${shortName(ref)}`) ? null : format(listing, ref)));
  return written.includes(null) ? null : written.map((line) => `${line}\n`).join('');
}

const shortName = (ref: string): string => ref.slice(heads.length);

function readListing([subcommand, ...rest]: readonly string[]): Listing | null {
  if (subcommand !== 'branch' && subcommand !== 'for-each-ref') {
    return null;
  }
  const operands: string[] = [];
  let format: string | null = null;
  let isList = false;
  for (let at = 0; at < rest.length; at += 1) {
    const word = rest[at] ?? '';
    if (word === '--format') {
      at += 1;
      format = rest[at] ?? '';
    } else if (word.startsWith('--format=')) {
      format = word.slice('--format='.length);
    } else if (word === '--list' || word === '-l') {
      isList = true;
    } else if (!word.startsWith('-')) {
      operands.push(word);
    } else if (!/^--(?:no-color|color=never|no-column|sort=refname)$/.test(word)) {
      return null;
    }
  }
  return subcommand === 'branch' ? ofBranches(operands, format, isList) : ofRefs(operands, format);
}

/** git-branch(1): patterns only where a list is asked for. */
function ofBranches(patterns: readonly string[], format: string | null, isList: boolean): Listing | null {
  const read = patterns.map((pattern) => patternOf(pattern, 'all'));
  if ((patterns.length > 0 && !isList) || read.includes(null)) {
    return null;
  }
  const isWanted = (ref: string) => read.length === 0 || read.some((pattern) => pattern?.test(shortName(ref)) === true);
  return { isWanted, format };
}

/** git-for-each-ref(1): whole names, whole beginnings up to a slash, or patterns whose `*` stays within a component. */
function ofRefs(patterns: readonly string[], format: string | null): Listing | null {
  const areHeads = patterns.length > 0 && patterns.every((pattern) => /^refs\/heads(?:\/|$)/.test(pattern));
  const read = patterns.map((pattern) => patternOf(pattern, 'names'));
  if (!areHeads || format === null || read.includes(null)) {
    return null;
  }
  const isWanted = (ref: string) =>
    patterns.some((pattern, at) => ref.startsWith(`${pattern.replace(/\/$/, '')}/`) || read[at]?.test(ref) === true);
  return { isWanted, format };
}

/** Null where git reads it in another way. */
function patternOf(pattern: string, over: 'all' | 'names'): RegExp | null {
  return /[[\]\\]|\*\*/.test(pattern) ? null : boundedGlob(pattern, { over });
}

/** The fields that are names alone; null where another one is asked for. */
function format({ format: text }: Listing, ref: string): string | null {
  let isKnown = true;
  const line = (text ?? '').replace(/%(?:\(([^)]*)\)|.)/g, (_, field: string | undefined) => {
    const stripped = /^refname:l?strip=(\d+)$/.exec(field ?? '')?.[1];
    if (stripped !== undefined) {
      return ref.split('/').slice(Number(stripped)).join('/');
    }
    isKnown &&= field === 'refname' || field === 'refname:short';
    return field === 'refname' ? ref : shortName(ref);
  });
  return isKnown ? line : null;
}

/**
 * `* main`, `+ elsewhere`, `  topic`: git-branch(1). Null where HEAD is detached, or the line may have gone to or from one of
 * the branches.
 *
 * @param branches by their full names
 */
export function markedList(branches: readonly string[], directories: GitDirectories, moment: Moment): string | null {
  const possible = possiblyCurrent(directories, moment);
  const isOpen = possible.length > 1 && branches.some((ref) => possible.includes(ref));
  if (isOpen || possible.includes('?')) {
    return null;
  }
  const elsewhere = branchesElsewhere(directories);
  const mark = (ref: string) => (possible.includes(ref) ? '*' : elsewhere.has(ref) ? '+' : ' ');
  return branches.map((ref) => `${mark(ref)} ${shortName(ref)}\n`).join('');
}

/** The branches of which one is checked out, by their full names; `?`: it may be any, or none. */
function possiblyCurrent(directories: GitDirectories, { before, command }: Moment): readonly string[] {
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
