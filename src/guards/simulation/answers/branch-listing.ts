import { join } from 'node:path';
import { kindOf } from '../../../git/files.ts';
import { readRefFile } from '../../../git/refs/ref-files.ts';
import { readRefTree } from '../../../git/refs/ref-tree.ts';
import { changesFiles } from '../../../shell/programs/file-changes.ts';
import { programName, type Step } from '../../../shell/simple-command.ts';
import { boundedGlob } from '../../../shell/words/pattern.ts';
import type { GitDirectories } from '../../files/git-directories.ts';
import { shownCall } from '../../git-command/plain-call.ts';
import { shown } from '../../git-command/words.ts';

const heads = 'refs/heads/';
/** More of them than these are a loop that is read as one with any branch. */
const maximumBranches = 60;

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
  before: readonly Step[],
): string | null {
  const listing = readListing(words);
  const refs = listing === null ? null : readRefTree(directories);
  const all = refs === null ? [] : [...refs.keys()].filter((ref) => ref.startsWith(heads));
  const isOpen = all.length === 0 || all.length > maximumBranches || before.some((step) => mayMakeBranch(step, all));
  if (listing === null || refs === null || isOpen) {
    return null;
  }
  const branches = all.filter(listing.isWanted);
  if (listing.format === null) {
    return markedList(branches, directories, before);
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

/** `* main`, `  topic`: where nothing is checked out elsewhere, and the line has not switched. */
function markedList(branches: readonly string[], directories: GitDirectories, before: readonly Step[]): string | null {
  const head = readRefFile(directories, 'HEAD');
  const isElsewhere = kindOf(join(directories.commonDir, 'worktrees')) !== null;
  const current = head.kind === 'symref' && !isElsewhere && !before.some(switches) ? head.target : null;
  return current === null ? null : branches.map((ref) => `${ref === current ? '*' : ' '} ${shortName(ref)}\n`).join('');
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
  if (subcommand === 'checkout' || subcommand === 'switch') {
    return rest.length !== 1 || !branches.includes(heads + rest[0]);
  }
  if (subcommand === 'branch') {
    return (
      rest.some((word) => !word.startsWith('-')) && !rest.some((word) => /^(?:-[dD]|-l|--list|--format)$/.test(word))
    );
  }
  return !makesNone.test(subcommand) || rest.some((word) => word.includes(':refs/') || word === 'branch');
}

function switches(step: Step): boolean {
  return (
    step.kind !== 'write' && /\b(?:checkout|switch|rebase|bisect|symbolic-ref)\b/.test(step.argv.map(shown).join(' '))
  );
}
