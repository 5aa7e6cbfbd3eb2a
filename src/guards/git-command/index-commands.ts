import type { Word } from '../../shell/simple-command.ts';
import type { ChangeIndexIntent, PatchIntent, StageIntent } from '../intent.ts';
import { optionTable } from './option-table.ts';
import { type Arguments, isNegated } from './parse-options.ts';
import type { Subcommand } from './subcommand.ts';
import { isUnknown, known, shown, textOf } from './words.ts';

/** Everything from the top of the work tree: gitglossary(7) "pathspec". */
export const everything = known(':/');

/** git-add(1): makes untracked files tracked, so that a later reset could lose them. */
export const add: Subcommand = {
  options: optionTable(`n|dry-run v|verbose i|interactive p|patch e|edit f|force u|update renormalize N|intent-to-add
    A|all ignore-removal no-warn-embedded-repo refresh ignore-errors ignore-missing sparse chmod= pathspec-from-file=
    pathspec-file-nul U|unified=+ inter-hunk-context=+ auto-advance+ legacy-stash-p+`),
  intents(args) {
    const isAll = args.has('all') || args.has('update');
    const given = isAll && args.operands.length === 0 ? [everything] : args.operands;
    const isRefused = args.has('all') && args.has('update');
    const mode = textOf(args.value('chmod'));
    const part = args.has('intent-to-add')
      ? 'intent'
      : ['interactive', 'patch', 'edit', 'chmod'].some((name) => args.has(name))
        ? 'chosen'
        : 'content';
    return args.has('dry-run') || args.has('refresh') || isRefused || given.length === 0
      ? []
      : [
          ...(mode === '-x' ? [indexed(given, 'mode', 'git add --chmod=-x')] : []),
          {
            kind: 'stage',
            paths: given,
            untracked: !(args.has('update') || args.has('renormalize')),
            ignored: args.has('force'),
            part,
          },
        ];
  },
};

/** git-update-index(1): names also come from standard input, and with `--cacheinfo` at the end of a word. */
export const updateIndex: Subcommand = {
  options: optionTable(`add remove refresh q ignore-submodules unmerged ignore-missing chmod= assume-unchanged
    skip-worktree ignore-skip-worktree-entries info-only really-refresh force-remove replace g|again unresolve
    clear-resolve-undo stdin z verbose index-info index-version= show-index-version+ split-index untracked-cache
    test-untracked-cache force-untracked-cache force-write-index fsmonitor fsmonitor-valid cacheinfo`),
  intents(args, { input }) {
    const means = 'git update-index';
    const lines = input?.kind === 'text' ? input.text.split(/[\n\0]/).filter(Boolean) : [];
    const given = args.has('stdin') ? [...args.operands, ...lines.map(known)] : args.operands;
    const fed = args.has('index-info') ? lines.flatMap((line) => /\t(.+)$/.exec(line)?.[1] ?? []).map(known) : [];
    const named = args.has('stdin') && input?.kind !== 'text' ? [everything] : given;
    const cached = args.has('cacheinfo') ? cachedPaths(args.operands) : [];
    return [
      ...(named.length > 0 && !args.uses.some(({ name }) => notStaging.has(name)) ? [staged(named, args)] : []),
      ...(textOf(args.value('chmod')) === '-x' ? [indexed(given, 'mode', `${means} --chmod=-x`)] : []),
      ...(args.has('skip-worktree') ? [hiddenFrom(named, 'skipped', means)] : []),
      ...(args.has('assume-unchanged') ? [hiddenFrom(named, 'assumed', means)] : []),
      ...(isNegated(args, 'skip-worktree') ? [shownAgain(named, 'skipped', means)] : []),
      ...(isNegated(args, 'assume-unchanged') ? [shownAgain(named, 'assumed', means)] : []),
      // What is changed is not assumed to be unchanged any more.
      ...(args.has('really-refresh') ? [shownAgain([everything], 'assumed', means)] : []),
      // The conflict is in the index again, and what has solved it in the file alone.
      ...(args.has('unresolve') ? [indexed(named, 'reset', `${means} --unresolve`)] : []),
      ...(args.has('force-remove') ? [indexed(named, 'remove', `${means} --force-remove`)] : []),
      ...(cached.length > 0 ? [indexed(cached, 'write', `${means} --cacheinfo`)] : []),
      ...(fed.length > 0 ? [indexed(fed, 'write', `${means} --index-info`)] : []),
    ];
  },
};

/** With these, or their opposites, it does not take up what a file holds. */
const notStaging: ReadonlySet<string> = new Set([
  'assume-unchanged',
  'skip-worktree',
  'fsmonitor-valid',
  'force-remove',
  'cacheinfo',
  'index-info',
  'unresolve',
]);

/** It takes no notice of ignore rules; of what it is fed nothing is known, and a listing leaves ignored files out. */
function staged(paths: readonly Word[], args: Arguments): StageIntent {
  const untracked = args.has('add');
  return { kind: 'stage', paths, untracked, ignored: untracked && !args.has('stdin'), part: 'content' };
}

/** From now on git does not look at changes there. */
function hiddenFrom(
  paths: readonly Word[],
  hidden: NonNullable<ChangeIndexIntent['hidden']>,
  means: string,
): ChangeIndexIntent {
  return { ...indexed(paths, 'hide', means), hidden };
}

function shownAgain(
  paths: readonly Word[],
  hidden: NonNullable<ChangeIndexIntent['hidden']>,
  means: string,
): ChangeIndexIntent {
  return { ...indexed(paths, 'show', means), hidden };
}

/** Behind `--cacheinfo`: `100644,OBJECT,PATH` or, as it was once, `100644 OBJECT PATH`. */
function cachedPaths(words: readonly Word[]): readonly Word[] {
  const paths: Word[] = [];
  for (let at = 0; at < words.length; at += 1) {
    const isApart = /^\d+$/.test(textOf(words[at]) ?? '');
    at += isApart ? 2 : 0;
    const word = words[at];
    if (word !== undefined) {
      paths.push(isApart ? word : withoutObject(word));
    }
  }
  return paths;
}

/** `100644,OBJECT,PATH` */
function withoutObject(word: Word): Word {
  return known(isUnknown(word) ? word.suffix.replace(/^.*,/, '') : shown(word).replace(/^\d+,\w+,/, ''));
}

export function indexed(given: readonly Word[], change: ChangeIndexIntent['change'], means: string): ChangeIndexIntent {
  return { kind: 'change-index', paths: given, change, means };
}

/** @param files none: from standard input */
export function patched(args: Arguments, files: readonly Word[], means: string): PatchIntent {
  const strip = Number(textOf(args.value('p')) ?? 1);
  return {
    kind: 'patch',
    files,
    strip: Number.isNaN(strip) ? 1 : strip,
    directory: textOf(args.value('directory')) ?? '',
    takesBack: false,
    changes: 'both',
    means,
  };
}
