import type { Word } from '../../shell/simple-command.ts';
import type { DiscardIntent, Intent, MoveRefIntent, RefName, SwitchIntent, Tracking } from '../intent.ts';
import { everything } from './index-commands.ts';
import { optionTable } from './option-table.ts';
import { type Arguments, isNegated } from './parse-options.ts';
import { pathsFromFile } from './pathspec-file.ts';
import { afterSeparator, beforeSeparator, type Subcommand, unknownOptions } from './subcommand.ts';
import { known, textOf } from './words.ts';
import { choosingPaths, fromCommit, isAnswered, paths, trackedAndBelow } from './work-tree-commands.ts';

const head = known('HEAD');

const switching = `q|quiet recurse-submodules=? progress m|merge conflict= d|detach t|track=? f|force orphan=
  overwrite-ignore ignore-other-worktrees guess`;

/** git-checkout(1): switches branches, or overwrites files, or both are possible. */
export const checkout: Subcommand = {
  options: optionTable(`b= B= l ${switching} ${choosingPaths}`),
  intents(args, call) {
    const unknown = unknownOptions(args, call);
    if (args.has('patch')) {
      return isAnswered(call) ? [...unknown, chosenHunks(args)] : unknown;
    }
    const orphan = args.value('orphan');
    const created = args.value('b') ?? orphan;
    const forcedName = args.value('B');
    const isForced = args.has('force');
    const discard = isForced ? trackedAndBelow('git checkout --force', args) : [];
    if (created !== undefined || forcedName !== undefined) {
      const [start = head] = args.operands;
      const name = forcedName ?? created ?? head;
      const moved =
        forcedName === undefined ? [] : [{ ...moveBranch(forcedName, start, 'git checkout -B'), leavesHead: true }];
      return [
        ...unknown,
        ...discard,
        ...moved,
        {
          ...switched(name, true, false),
          ...{ start, orphan: orphan !== undefined, resets: forcedName !== undefined, tracking: trackingOf(args) },
        },
      ];
    }
    if (args.has('track')) {
      return [...unknown, ...discard, ...madeByTracking(args)];
    }
    const [first, ...more] = args.operands;
    const listed = pathsFromFile(args, call);
    if (listed !== null) {
      return [
        ...unknown,
        ...fromCommit(first, listed),
        paths(listed, first ? 'commit' : 'index', 'git checkout', args),
      ];
    }
    if (args.separator !== null && args.operands.length > args.separator) {
      const [commit] = beforeSeparator(args);
      const given = afterSeparator(args);
      return [
        ...unknown,
        ...fromCommit(commit, given),
        paths(given, commit ? 'commit' : 'index', 'git checkout --', args),
      ];
    }
    if (first === undefined) {
      return [...unknown, ...discard, ...(args.has('detach') ? [switched(head, false, true)] : [])];
    }
    const isBranch = args.has('detach') || args.separator === 1;
    const possiblePath: readonly Intent[] = isBranch
      ? []
      : [{ kind: 'discard', what: { kind: 'branch-or-path', words: args.operands }, means: 'git checkout' }];
    const branch = more.length > 0 ? fromCommit(first, more) : [switched(first, false, args.has('detach'))];
    return [...unknown, ...discard, ...possiblePath, ...branch];
  },
};

/** `yes | git checkout --patch [COMMIT] [PATH…]`; one word alone may be either. */
function chosenHunks({ operands, separator }: Arguments): DiscardIntent {
  const means = 'git checkout --patch';
  const [first, ...more] = operands;
  if (first === undefined || separator === 0) {
    return paths(first === undefined ? [everything] : operands, 'index', means);
  }
  return paths(more.length > 0 ? more : [everything, first], 'commit', means);
}

/** git-switch(1). */
export const switchBranch: Subcommand = {
  options: optionTable(`c|create= C|force-create= discard-changes ${switching}`),
  intents(args, call) {
    const orphan = args.value('orphan');
    const created = args.value('create') ?? orphan;
    const forcedName = args.value('force-create');
    const discards = args.has('discard-changes') || args.has('force');
    const discard = discards ? trackedAndBelow('git switch --discard-changes', args) : [];
    const [start] = args.operands;
    const moved =
      forcedName === undefined ? [] : [{ ...moveBranch(forcedName, start ?? head, 'git switch -C'), leavesHead: true }];
    const name = forcedName ?? created ?? start ?? (args.has('detach') ? head : undefined);
    const isNew = forcedName !== undefined || created !== undefined;
    if (args.has('track') && !isNew) {
      return [...unknownOptions(args, call), ...discard, ...madeByTracking(args)];
    }
    const resets = forcedName !== undefined;
    const tracking = trackingOf(args);
    const from = isNew ? { start: start ?? head, orphan: orphan !== undefined, resets, tracking } : {};
    const target = name === undefined ? [] : [{ ...switched(name, isNew, args.has('detach')), ...from }];
    return [...unknownOptions(args, call), ...discard, ...moved, ...target];
  },
};

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
  return { kind: 'switch', to, create, detach };
}

/** A branch that comes to stand elsewhere, whatever it had. */
export function moveBranch(name: Word, to: Word, means: string): MoveRefIntent {
  return { kind: 'move-ref', ref: branchName(name), to, means: `${means} ${textOf(name) ?? ''}`.trimEnd() };
}

/** A branch by its short name. */
export function branchName(name: Word): RefName {
  return { namespace: 'refs/heads/', name };
}
