import { excludeOnly } from '../../git/contents/pathspec.ts';
import { isDevicePath } from '../../shell/device-path.ts';
import type { Word } from '../../shell/simple-command.ts';
import type { ChangeIndexIntent, Intent, PatchIntent } from '../intent.ts';
import { broughtFrom, filesOfHead } from './brought-files.ts';
import { readCommittedPatch } from './committed-patches.ts';
import { discard, fromCommit, isAnswered, leftSubmodules, namesHead, paths, removed, tracked } from './discards.ts';
import { everything, indexed, patched } from './index-commands.ts';
import { optionTable } from './option-table.ts';
import type { Arguments } from './parse-options.ts';
import { pathsFromFile } from './pathspec-file.ts';
import {
  afterSeparator,
  beforeSeparator,
  likelyOption,
  type Subcommand,
  type SubcommandCall,
  surelyOption,
  unknownOptions,
} from './subcommand.ts';
import { known, textOf, textsOf } from './words.ts';

const head = known('HEAD');

/** Options of the commands that overwrite files. */
export const choosingPaths = `2|ours 3|theirs p|patch ignore-skip-worktree-bits pathspec-from-file= pathspec-file-nul overlay
  U|unified=+ inter-hunk-context=+ auto-advance+`;

/** git-restore(1): from the index unless `--source` or `--staged` says otherwise. */
export const restore: Subcommand = {
  options: optionTable(`s|source= S|staged W|worktree ignore-unmerged q|quiet recurse-submodules=? progress m|merge
    conflict= ${choosingPaths}`),
  intents(args, call) {
    const touchesWorkTree = args.has('worktree') || !args.has('staged');
    if (args.has('patch') && !isAnswered(call)) {
      return unknownOptions(args, call);
    }
    if (!touchesWorkTree) {
      return [...unknownOptions(args, call), ...unstaged(args, args.value('source'), args.operands, 'git restore')];
    }
    const from = args.has('staged') ? 'commit' : 'index';
    const isOpen = args.has('patch') && args.operands.length === 0;
    const given = pathsFromFile(args, call) ?? (isOpen ? [everything] : args.operands);
    const source = args.value('source');
    const commit = source ?? (from === 'commit' ? head : undefined);
    const taking = { args, to: source, overlaysByItself: false, besideIndex: from === 'index' && source !== undefined };
    const discards = given.length === 0 ? [] : [paths(given, from, 'git restore', taking)];
    return [
      ...unknownOptions(args, call),
      ...fromCommit(commit, given, !args.has('overlay'), 'git restore'),
      ...discards,
    ];
  },
};

/** Of several the last one counts. */
const resetModes = ['mixed', 'soft', 'hard', 'merge', 'keep'];

/** git-reset(1): only `--hard` and `--merge` touch work that is nowhere else. */
export const reset: Subcommand = {
  options: optionTable(`q|quiet no-refresh mixed soft hard merge keep recurse-submodules=? p|patch N|intent-to-add
    pathspec-from-file= pathspec-file-nul U|unified=+ inter-hunk-context=+ auto-advance+`),
  intents(args, call) {
    const mode = args.uses.findLast(({ name }) => resetModes.includes(name))?.name ?? 'mixed';
    const files = keepsWork(mode) ? resetIndex(mode, args) : isRefusedReset(args) ? [] : resetFiles(mode, args);
    return [...unknownOptions(args, call), ...files];
  },
  feared: (args) =>
    resetModes.some((mode) => args.has(mode)) || args.has('patch') ? null : likelyOption(args, '--hard'),
};

function keepsWork(mode: string): mode is 'mixed' | 'soft' {
  return mode === 'mixed' || mode === 'soft';
}

/** git-reset(1): paths, hunks and `-N` are for `--mixed` alone; git refuses them with another mode. */
function isRefusedReset(args: Arguments): boolean {
  const isNamed = (word: Word) => word.kind === 'known' && word.value !== '';
  const paths = args.separator === null ? args.operands.slice(1) : afterSeparator(args);
  return args.has('patch') || args.has('intent-to-add') || paths.some(isNamed);
}

function resetIndex(mode: 'mixed' | 'soft', args: Arguments): readonly Intent[] {
  const [to] = args.operands;
  const isSoft = mode === 'soft';
  if (to === undefined || args.operands.length > 1 || args.separator === 0 || args.has('patch')) {
    return isSoft ? [] : unstagedByReset(args);
  }
  // git-reset(1): without a work tree only `--soft` is allowed.
  const needsWorkTree = !isSoft;
  return [{ kind: 'move-ref', ref: null, to, keepsWork: true, keepsIndex: isSoft, needsWorkTree, means: 'git reset' }];
}

function resetFiles(mode: string, args: Arguments): readonly Intent[] {
  const means = `git reset --${mode}`;
  const [to = head] = args.operands;
  const moved: Intent = { kind: 'move-ref', ref: null, to, needsWorkTree: true, means };
  switch (mode) {
    case 'hard':
      return [
        tracked(means, args, to),
        ...(namesHead(to) ? [filesOfHead(means)] : broughtFrom(to, means, { forced: true })),
        moved,
      ];
    case 'merge':
      return [discard({ kind: 'staged' }, means), ...broughtFrom(to, means), moved];
    default:
      return [...broughtFrom(to, means, { refuses: 'touched' }), moved];
  }
}

/** `git reset [COMMIT] [--] PATH…` */
function unstagedByReset(args: Arguments): readonly ChangeIndexIntent[] {
  const [first, ...rest] = args.operands;
  const means = 'git reset';
  if (args.separator !== null) {
    return unstaged(args, beforeSeparator(args)[0], afterSeparator(args), means);
  }
  if (namesHead(first)) {
    return unstaged(args, first, rest, means);
  }
  const intents = unstaged(args, undefined, args.operands, means);
  return rest.length === 0 ? intents : intents.map((intent) => ({ ...intent, mayBeginWithCommit: true }));
}

/** The index gets what HEAD or another commit has; the work tree keeps what was staged, and it alone. */
function unstaged(
  args: Arguments,
  commit: Word | undefined,
  given: readonly Word[],
  means: string,
): readonly ChangeIndexIntent[] {
  const isOpen = given.length === 0 || args.value('pathspec-from-file') !== undefined;
  const isOther = commit !== undefined && !namesHead(commit);
  const intent = indexed(isOpen ? [everything] : given, 'reset', means);
  return [isOther ? { ...intent, from: commit } : intent];
}

/** git-clean(1). */
export const clean: Subcommand = {
  options: optionTable('q|quiet n|dry-run f|force i|interactive d e|exclude= x X'),
  intents(args, call) {
    const asks = args.has('interactive');
    if (args.has('dry-run') || (asks && !isAnswered(call))) {
      return unknownOptions(args, call);
    }
    const flags = ['d', 'x', 'X'].flatMap((letter) => (args.has(letter) ? [known(`-${letter}`)] : []));
    const force = Array.from({ length: Math.max(args.count('force'), asks ? 1 : 0) }, () => known('-f'));
    const excluded = args.values('exclude').flatMap((pattern) => [known('-e'), pattern]);
    const listed = [...flags, ...force, ...excluded, known('--'), ...args.operands];
    return [
      ...unknownOptions(args, call),
      { kind: 'discard', what: { kind: 'untracked', arguments: listed }, means: 'git clean' },
    ];
  },
  // git-clean(1): without force it refuses to do anything.
  feared: (args) =>
    ['dry-run', 'force', 'interactive'].some((name) => args.has(name)) ? null : surelyOption(args, '-fdx'),
};

/** git-rm(1): without `--force` git refuses to remove what differs from HEAD, but not what is in conflict. */
export const remove: Subcommand = {
  options: optionTable(
    'n|dry-run q|quiet cached f|force r ignore-unmatch sparse pathspec-from-file= pathspec-file-nul',
  ),
  intents(args, call) {
    if (args.has('dry-run')) {
      return unknownOptions(args, call);
    }
    const given = removedHere(pathsFromFile(args, call) ?? args.operands);
    if (args.has('cached')) {
      return [...unknownOptions(args, call), indexed(given, 'remove', 'git rm --cached')];
    }
    const discards = args.has('force')
      ? [removedPaths(given), leftSubmodules(given, 'git rm --force')]
      : [
          paths(given, 'conflicts', 'git rm'),
          ...(given.some(mayBeOption) ? [removedPaths(given.filter(isKnown))] : []),
          leftSubmodules(given, 'git rm', { refusesChanges: true }),
        ];
    return [...unknownOptions(args, call), ...discards, removed(removedHere(args.operands), 'git rm')];
  },
};

function removedPaths(given: readonly Word[]): Intent {
  return discard({ kind: 'paths', paths: given, from: 'commit', removes: true }, 'git rm --force');
}

/** Pathspecs that only leave something out mean the rest of the directory, not of the work tree. */
function removedHere(given: readonly Word[]): readonly Word[] {
  return excludeOnly(textsOf(given) ?? []) ? [known('.'), ...given] : given;
}

const isKnown = (word: Word): boolean => word.kind === 'known';

/** `git rm $OPTIONS src/a.ts` */
const mayBeOption = (word: Word): boolean => word.kind === 'unknown' && /^(?:-|$)/.test(word.prefix);

/** git-mv(1): `--force` overwrites the target. */
export const move: Subcommand = {
  options: optionTable('v|verbose n|dry-run f|force k sparse'),
  intents(args) {
    const target = args.operands.at(-1);
    if (args.has('dry-run') || target === undefined) {
      return [];
    }
    const sources = args.operands.slice(0, -1);
    return [
      { ...removed(sources, 'git mv'), moves: true, newPlace: target },
      ...(args.has('force') ? [discard({ kind: 'overwritten', sources, target }, 'git mv --force')] : []),
    ];
  },
};

/** git-apply(1): a patch that is taken back and kept nowhere (`git diff | git apply -R`) is a discarded change. */
export const apply: Subcommand = {
  options: optionTable(`exclude= include= p= no-add stat numstat summary check index N|intent-to-add cached unsafe-paths
    apply 3|3way ours+ theirs+ union+ build-fake-ancestor= z C= whitespace= ignore-space-change ignore-whitespace
    R|reverse unidiff-zero reject allow-overlap v|verbose q|quiet inaccurate-eof recount directory= allow-empty binary
    allow-binary-replacement`),
  intents(args, { input }) {
    const applies = args.has('apply');
    const isShown = !applies && ['stat', 'numstat', 'summary', 'check'].some((name) => args.has(name));
    const leavesFiles = isShown || (!applies && args.has('cached'));
    const [patch] = args.operands.filter((word) => textOf(word) !== '-');
    const isStream = patch?.kind === 'unknown' || isDevicePath(textOf(patch) ?? '');
    const isKept = patch === undefined ? input?.kind !== 'unknown' : !isStream;
    const takesBack = args.has('reverse') !== (patch === undefined && isReversedDiff(input));
    const printer = patch === undefined && input?.kind === 'unknown' ? input.printedBy : undefined;
    const isCommitted = readCommittedPatch(printer)?.isOnlyCommitted === true;
    return [
      ...(takesBack && !leavesFiles && !isKept && !isCommitted ? [tracked('git apply --reverse')] : []),
      ...(takesBack && !isShown && args.has('cached')
        ? [indexed(patch === undefined ? diffedPaths(input) : [everything], 'reset', 'git apply --cached --reverse')]
        : []),
      ...(isShown
        ? []
        : [
            {
              ...patched(args, args.operands, 'git apply'),
              takesBack,
              changes: changedBy(args),
              ...(printer === undefined ? {} : { printedBy: printer }),
            },
          ]),
    ];
  },
};

/** git-apply(1): `--3way` says `--index` as well, unless `--cached` is there. */
function changedBy(args: Arguments): PatchIntent['changes'] {
  if (args.has('cached')) {
    return 'index';
  }
  return args.has('index') || args.has('3way') ? 'both' : 'work tree';
}

/** The paths behind `--` of the git-diff(1) whose output is read; everything, where none are named so. */
function diffedPaths(input: SubcommandCall['input']): readonly Word[] {
  const words = input?.kind === 'unknown' ? (input.printedBy?.argv ?? []) : [];
  const separator = words.findIndex((word) => textOf(word) === '--');
  return separator < 0 || separator === words.length - 1 ? [everything] : words.slice(separator + 1);
}

/** `git diff -R | git apply` takes changes back as `git diff | git apply -R` does. */
function isReversedDiff(input: SubcommandCall['input']): boolean {
  const words = input?.kind === 'unknown' ? (input.printedBy?.argv ?? []).map(textOf) : [];
  return words[0] === 'git' && words.includes('diff') && words.includes('-R');
}

/** git-read-tree(1): `--reset -u` is `reset --hard` by other words; with one tree, `-m -u` drops what is staged. */
export const readTree: Subcommand = {
  options: optionTable(`index-output= empty v|verbose m trivial aggressive reset prefix= u i exclude-per-directory=
    n|dry-run no-sparse-checkout debug-unpack recurse-submodules=? q|quiet super-prefix=+`),
  intents(args) {
    if (args.has('dry-run')) {
      return [];
    }
    if (!args.has('u')) {
      return args.value('prefix') !== undefined
        ? []
        : args.has('empty')
          ? [indexed([everything], 'remove', 'git read-tree')]
          : unstaged(args, args.operands.at(-1), [everything], 'git read-tree');
    }
    const to = args.operands.at(-1);
    if (args.has('reset')) {
      const means = 'git read-tree --reset -u';
      const brought =
        to === undefined || namesHead(to) ? [filesOfHead(means)] : broughtFrom(to, means, { forced: true });
      return [tracked(means, args, to), ...brought];
    }
    const below = args.value('prefix');
    if (below !== undefined) {
      const source = { kind: 'commit', commit: to ?? known('HEAD'), below } as const;
      return [{ kind: 'bring-files', source, forced: false, means: 'git read-tree --prefix -u' }];
    }
    const means = 'git read-tree -m -u';
    const drops = args.has('m') && args.operands.length === 1;
    return [...(drops ? [discard({ kind: 'staged' }, means)] : []), ...broughtFrom(to, means)];
  },
};

/** git-checkout-index(1). */
export const checkoutIndex: Subcommand = {
  options: optionTable(
    'a|all ignore-skip-worktree-bits f|force q|quiet n|no-create u|index z stdin temp prefix= stage=',
  ),
  intents(args) {
    const prefix = textOf(args.value('prefix') ?? known(''));
    const elsewhere = args.has('temp') || (prefix !== null && !/^(?:\.?\/)*$/.test(prefix));
    const there = args.value('prefix');
    if (args.has('force') && !args.has('temp') && elsewhere && there !== undefined) {
      return [discard({ kind: 'worktree', path: there }, 'git checkout-index --force --prefix')];
    }
    if (!args.has('force') || elsewhere) {
      return [];
    }
    const given = args.has('all') || args.has('stdin') ? [everything] : args.operands;
    return given.length === 0 ? [] : [paths(given, 'index', 'git checkout-index --force')];
  },
};
