import type { Word } from '../../shell/simple-command.ts';
import type { ChangeFilesIntent, DiscardIntent, Intent, PathSource, Recursing, StopsAtConflicts } from '../intent.ts';
import { type Arguments, isNegated } from './parse-options.ts';
import type { SubcommandCall } from './subcommand.ts';
import { textOf } from './words.ts';

/** What a person would be asked (`--patch`, `--interactive`) is answered by the command line itself. */
export function isAnswered({ input }: SubcommandCall): boolean {
  return input !== null && (input.kind !== 'text' || input.text !== '');
}

/** @param means the command as people know it */
export function discard(what: DiscardIntent['what'], means: string): DiscardIntent {
  return { kind: 'discard', what, means };
}

/**
 * Every change of a tracked file.
 *
 * @param args of a command that may recurse into submodules
 * @param to the commit whose files are checked out
 */
export function tracked(means: string, args?: Arguments, to?: Word): DiscardIntent {
  return discard({ kind: 'tracked', ...comingTo(to), ...(args === undefined ? {} : recursing(args)) }, means);
}

/** What HEAD has is no other place in which changes are kept. */
function comingTo(to: Word | undefined): { readonly to?: Word } {
  return to === undefined || namesHead(to) ? {} : { to };
}

/** Submodules come to be as the index has them. @param given their paths; none: all of them */
export function below(given: readonly Word[], means: string): readonly Intent[] {
  return [
    discard({ kind: 'submodules', paths: given, untracked: false }, means),
    { kind: 'leave-submodules', paths: given, always: true, means },
  ];
}

/**
 * The working trees of submodules go, with what git does not look at there.
 *
 * @param given their paths; none: all of them
 */
export function leftSubmodules(
  given: readonly Word[],
  means: string,
  refusal: { readonly refusesChanges?: true } = {},
): DiscardIntent {
  return discard({ kind: 'submodules', paths: given, untracked: true, ...refusal }, means);
}

/** `--recurse-submodules`: the same is done in submodules. */
function recursesInto(args: Arguments): boolean {
  return args.has('recurse-submodules') && !/^(?:no|false|0)$/.test(textOf(args.value('recurse-submodules')) ?? '');
}

/** Left out where the command says that it does not. */
export function recursing(args: Arguments): { readonly recurses?: Recursing } {
  if (recursesInto(args)) {
    return { recurses: 'always' };
  }
  return isNegated(args, 'recurse-submodules') || args.has('recurse-submodules') ? {} : { recurses: 'as-configured' };
}

/**
 * Where a plain switch would refuse, `--merge` resets everything to the other branch and puts the changes of files back:
 * not those of submodules, if it recurses into them.
 */
export function mergedSubmodules(args: Arguments, means: string): readonly Intent[] {
  const recursion = recursing(args);
  return !merges(args) || recursion.recurses === undefined
    ? []
    : [discard({ kind: 'submodules', paths: [], untracked: false, ...recursion }, `${means} --merge`)];
}

/** git-checkout(1): `--conflict` says `--merge` as well. */
export function merges(args: Arguments): boolean {
  return args.has('merge') || args.value('conflict') !== undefined;
}

/** `--force`, of git-restore(1) `--ignore-unmerged`, passes over files in conflict, other options make something of them. */
export function stopping(args: Arguments): { readonly stopsAtConflicts?: StopsAtConflicts } {
  const isGoingOn = ['force', 'ignore-unmerged', 'ours', 'theirs', 'patch'].some((name) => args.has(name));
  return isGoingOn || merges(args) ? {} : { stopsAtConflicts: true };
}

/** How a command with options for which files it takes does so. */
interface Taking {
  readonly args: Arguments;
  /** The commit that they are taken from. */
  readonly to: Word | undefined;
  /** See {@link overlaying}. */
  readonly overlaysByItself: boolean;
  readonly besideIndex?: boolean;
}

/** Changes of the files that pathspecs match. */
export function paths(given: readonly Word[], from: PathSource, means: string, taking?: Taking): DiscardIntent {
  const args = taking?.args;
  const takesSkipped = args?.has('ignore-skip-worktree-bits') === true;
  const remakesConflicts = args !== undefined && merges(args);
  const more = {
    ...(taking === undefined ? {} : overlaying(taking.args, taking.overlaysByItself)),
    ...(taking?.besideIndex === true ? { besideIndex: true } : {}),
    ...(takesSkipped ? { takesSkipped } : {}),
    ...(remakesConflicts ? { remakesConflicts } : {}),
    ...(args === undefined || from !== 'index' || taking?.to !== undefined ? {} : stopping(args)),
    ...(args === undefined ? {} : takenSide(args)),
    ...(args === undefined ? {} : recursing(args)),
  };
  return discard({ kind: 'paths', paths: given, from, ...comingTo(taking?.to), ...more }, means);
}

/** Of several options the last one counts: git-checkout(1), git-restore(1). */
function takenSide({ uses }: Arguments): { readonly side?: 'ours' | 'theirs' } {
  const side = uses.findLast(({ name }) => name === 'ours' || name === 'theirs')?.name;
  return side === 'ours' || side === 'theirs' ? { side } : {};
}

/** In overlay mode files stay that the commit lacks. @param byItself git-checkout(1) does so, git-restore(1) where it is told */
export function overlaying(args: Arguments, byItself: boolean): { readonly overlays?: true } {
  return args.has('overlay') || (byItself && !isNegated(args, 'overlay')) ? { overlays: true } : {};
}

/** Files go from the work tree. */
export function removed(given: readonly Word[], means: string): ChangeFilesIntent {
  return { kind: 'change-files', paths: given, to: 'nothing', means };
}

/** `HEAD`, `@` */
export function namesHead(word: Word | undefined): boolean {
  return /^(?:HEAD|@)$/.test(textOf(word) ?? '');
}

/** Files as another commit has them, or HEAD where the index may have another one's. */
export function fromCommit(
  commit: Word | undefined,
  given: readonly Word[],
  removes = false,
  means = 'git checkout',
): readonly Intent[] {
  if (commit === undefined || given.length === 0) {
    return [];
  }
  const source = { kind: 'commit', commit, paths: given } as const;
  return [
    ...(namesHead(commit) ? [] : [{ kind: 'change-files', paths: given, to: { commit, removes }, means } as const]),
    { kind: 'bring-files', source, forced: true, means },
  ];
}
