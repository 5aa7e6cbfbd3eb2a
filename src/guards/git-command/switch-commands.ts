import type { Word } from '../../shell/simple-command.ts';
import type { Intent, MoveRefIntent, RefName, SwitchIntent, Tracking } from '../intent.ts';
import { switchedFiles } from './brought-files.ts';
import {
  fromCommit,
  isAnswered,
  mergedSubmodules,
  merges,
  overlaying,
  paths,
  recursing,
  stopping,
  tracked,
} from './discards.ts';
import { everything } from './index-commands.ts';
import { optionTable } from './option-table.ts';
import { type Arguments, isNegated } from './parse-options.ts';
import { pathsFromFile } from './pathspec-file.ts';
import {
  afterSeparator,
  beforeSeparator,
  likelyOption,
  type Subcommand,
  type SubcommandCall,
  unknownOptions,
} from './subcommand.ts';
import { known, orPrevious, textOf } from './words.ts';
import { choosingPaths } from './work-tree-commands.ts';

const head = known('HEAD');

const switching = `q|quiet recurse-submodules=? progress m|merge conflict= d|detach t|track=? f|force orphan=
  overwrite-ignore ignore-other-worktrees guess`;

/** git-checkout(1): switches branches, or overwrites files, or both are possible. */
export const checkout: Subcommand = {
  options: optionTable(`b= B= l ${switching} ${choosingPaths}`),
  intents(args, call) {
    const unknown = unknownOptions(args, call);
    if (args.has('patch')) {
      return isAnswered(call) ? [...unknown, ...chosenHunks(args)] : unknown;
    }
    const force = args.has('force');
    const discard = force
      ? [tracked('git checkout --force', args, startOf(args))]
      : mergedSubmodules(args, 'git checkout');
    const made = madeBranch(args, { created: args.value('b'), forced: args.value('B') }, 'git checkout -B');
    if (made !== null) {
      return [...unknown, ...discard, ...switchedFiles(args, 'git checkout'), ...withForce(made, force)];
    }
    const overwritten = checkedOutPaths(args, call);
    const brought = switchedFiles(args, 'git checkout', args.separator === null && !args.has('detach'));
    return [...unknown, ...(overwritten ?? [...discard, ...brought, ...withForce(checkedOut(args), force)])];
  },
};

/** What surely are paths; null: none is given as one. */
function checkedOutPaths(args: Arguments, call: SubcommandCall): readonly Intent[] | null {
  // git-checkout(1): "--ours" and "--theirs" are refused with a branch or a commit.
  const takesSide = args.separator === null && args.operands.length > 0 && (args.has('ours') || args.has('theirs'));
  const listed = pathsFromFile(args, call) ?? (takesSide ? args.operands : null);
  if (listed === null && (args.separator === null || args.operands.length <= args.separator)) {
    return null;
  }
  const [commit] = listed === null ? beforeSeparator(args) : takesSide ? [] : args.operands;
  const given = listed ?? afterSeparator(args);
  const means = listed === null ? 'git checkout --' : 'git checkout';
  const taking = { args, to: commit, overlaysByItself: true };
  return [
    ...fromCommit(commit, given, isNegated(args, 'overlay')),
    paths(given, commit ? 'commit' : 'index', means, taking),
  ];
}

/** A branch or a commit, where it is no path. */
function checkedOut(args: Arguments): readonly Intent[] {
  const [first, ...more] = args.operands;
  const detaches = args.has('detach');
  if (first === undefined) {
    return detaches ? [switched(head, false, true)] : [];
  }
  const again = {
    ...(merges(args) ? { remakesConflicts: true } : {}),
    ...stopping(args),
    ...overlaying(args, true),
    ...recursing(args),
  };
  const possiblePath: readonly Intent[] =
    detaches || args.separator === 1
      ? []
      : [{ kind: 'discard', what: { kind: 'branch-or-path', words: args.operands, ...again }, means: 'git checkout' }];
  const brought = fromCommit(first, more, isNegated(args, 'overlay'));
  return [...possiblePath, ...(more.length > 0 ? brought : [switched(first, false, detaches)])];
}

/** `yes | git checkout --patch [COMMIT] [PATH…]`; one word alone may be either. */
function chosenHunks({ operands, separator }: Arguments): readonly Intent[] {
  const means = 'git checkout --patch';
  const [first, ...more] = operands;
  if (first === undefined || separator === 0) {
    return [paths(first === undefined ? [everything] : operands, 'index', means)];
  }
  const isAll = more.length === 0;
  return [
    ...fromCommit(first, isAll ? [everything] : more, true, means),
    paths(isAll ? [everything, first] : more, 'commit', means),
  ];
}

/** git-switch(1). A branch that is made, or a HEAD detached, where nothing is named to start from leaves all files alone, whatever is forced. */
export const switchBranch: Subcommand = {
  options: optionTable(`c|create= C|force-create= discard-changes ${switching}`),
  intents(args, call) {
    const leavesFiles = args.operands.length === 0 && args.value('orphan') === undefined;
    const force = args.has('force') && !leavesFiles;
    const discards = force || (args.has('discard-changes') && !leavesFiles);
    const means = force ? 'git switch --force' : 'git switch --discard-changes';
    const discard = discards ? [tracked(means, args, startOf(args))] : mergedSubmodules(args, 'git switch');
    const named = { created: args.value('create'), forced: args.value('force-create') };
    const detaches = args.has('detach');
    const name = args.operands[0] ?? (detaches ? head : undefined);
    const target = name === undefined ? [] : [switched(name, false, detaches)];
    const made = madeBranch(args, named, 'git switch -C') ?? target;
    const strict = made.map((intent) => (intent.kind === 'switch' ? { ...intent, strict: true } : intent));
    const brought = leavesFiles ? [] : switchedFiles(args, 'git switch');
    return [...unknownOptions(args, call), ...discard, ...brought, ...withForce(strict, discards)];
  },
  feared: (args) => (args.operands.length > 1 ? likelyOption(args, '--discard-changes') : null),
};

/**
 * The branch that a switch makes where it starts from, or moves there.
 *
 * @param named by the options that make a branch, and by those that take one that is there as well
 * @param means of the latter
 * @returns null: it makes none
 */
function madeBranch(
  args: Arguments,
  named: { readonly created: Word | undefined; readonly forced: Word | undefined },
  means: string,
): readonly Intent[] | null {
  const { forced } = named;
  const orphan = args.value('orphan');
  const name = forced ?? named.created ?? orphan;
  const start = startOf(args);
  if (name === undefined) {
    return args.has('track') ? madeByTracking(args) : null;
  }
  const moved = forced === undefined ? [] : [{ ...moveBranch(forced, start, means), leavesHead: true }];
  const from = { start, orphan: orphan !== undefined, resets: forced !== undefined, tracking: trackingOf(args) };
  return [...moved, { ...switched(name, true, false), ...from }];
}

function startOf({ operands: [start = head] }: Arguments): Word {
  return orPrevious(start);
}

/** `--track`, `--track=inherit`, `--no-track` */
export function trackingOf(args: Arguments): Tracking {
  if (args.has('track')) {
    return textOf(args.value('track')) === 'inherit' ? 'inherit' : 'direct';
  }
  return isNegated(args, 'track') ? 'none' : 'as configured';
}

/** git-checkout(1) `--track origin/topic`, without `-b`: a branch `topic` is made. */
function madeByTracking(args: Arguments): readonly Intent[] {
  const [start] = args.operands;
  const name = /^(?:refs\/)?(?:remotes\/)?[^/]+\/(.+)$/.exec(textOf(start) ?? '')?.[1];
  if (start === undefined) {
    return [];
  }
  return name === undefined
    ? [switched(start, false, false)]
    : [{ ...switched(known(name), true, false), start, tracking: trackingOf(args) }];
}

function switched(to: Word, create: boolean, detach: boolean): SwitchIntent {
  return { kind: 'switch', to: create ? to : orPrevious(to), create, detach };
}

/** @param forced whatever the files are like */
function withForce(intents: readonly Intent[], forced: boolean): readonly Intent[] {
  return forced ? intents.map((intent) => (intent.kind === 'switch' ? { ...intent, forced } : intent)) : intents;
}

/** A branch that comes to stand elsewhere, whatever it had. */
export function moveBranch(name: Word, to: Word, means: string): MoveRefIntent {
  return { kind: 'move-ref', ref: branchName(name), to, means: `${means} ${textOf(name) ?? ''}`.trimEnd() };
}

/** A branch by its short name. */
export function branchName(name: Word): RefName {
  return { namespace: 'refs/heads/', name };
}
