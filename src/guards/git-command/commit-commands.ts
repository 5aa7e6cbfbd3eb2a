import type { StoppedOperation } from '../../git/history/stopped-operations.ts';
import type { Word } from '../../shell/simple-command.ts';
import type { Intent, RewriteRange, RewriteStart, VersionIntent } from '../intent.ts';
import { broughtFrom, givesWay, mergedFiles, pulledFiles, rebasedFiles, takesOurs, upstream } from './brought-files.ts';
import { recursing } from './discards.ts';
import { fetched } from './fetch-intent.ts';
import { patched } from './index-commands.ts';
import { optionTable } from './option-table.ts';
import { type Arguments, isNegated } from './parse-options.ts';
import { looseCommit, messageSource, wordsAround } from './said-message.ts';
import {
  type FearedOption,
  type Subcommand,
  type SubcommandCall,
  surelyOption,
  unknownOptions,
  withoutOption,
} from './subcommand.ts';
import { known, orPrevious, textOf } from './words.ts';

/** git-commit(1). */
export const commit: Subcommand = {
  options: optionTable(`q|quiet v|verbose F|file= author= date= m|message= c|reedit-message= C|reuse-message= fixup=
    squash= reset-author trailer= s|signoff t|template= e|edit cleanup= status S|gpg-sign=? a|all i|include interactive
    p|patch o|only n|no-verify dry-run short branch ahead-behind porcelain long z|null amend no-post-rewrite
    u|untracked-files=? pathspec-from-file= pathspec-file-nul allow-empty allow-empty-message U|unified=+
    inter-hunk-context=+`),
  intents(args, call) {
    const dryRun = ['dry-run', 'short', 'porcelain', 'long', 'null'].some((name) => args.has(name));
    if (dryRun) {
      return [];
    }
    const amend = args.has('amend');
    // Of files, too, somebody chooses the changes.
    const isChosen = args.has('patch') || args.has('interactive');
    const committed: Intent = {
      kind: 'commit',
      message: messageSource(args),
      around: wordsAround(args, call),
      amend,
      all: args.has('all'),
      paths: isChosen ? [] : args.operands,
      includes: args.has('include'),
      dryRun,
      opensEditor: opensEditor(args),
      cleanup: args.value('cleanup') ?? null,
      ...(args.has('allow-empty') && !isChosen ? { allowsEmpty: true } : {}),
    };
    const rewrite: readonly Intent[] = amend ? [{ kind: 'rewrite', means: 'git commit --amend', range: 'head' }] : [];
    return [...skipped(args, call), ...unknownOptions(args, call), ...rewrite, committed];
  },
};

/** git-commit(1) "--edit", "--no-edit". */
function opensEditor(args: Arguments): boolean {
  const isGiven = ['message', 'file', 'fixup', 'reuse-message'].some((name) => args.value(name) !== undefined);
  return args.has('edit') || !(isGiven || isNegated(args, 'edit'));
}

/** git-commit-tree(1): without a message on the line it is read from standard input. */
export const commitTree: Subcommand = {
  options: optionTable('p= m|message= F|file= S|gpg-sign=? no-gpg-sign'),
  intents(args) {
    const isGiven = args.values('message').length > 0 || args.value('file') !== undefined;
    return [looseCommit(isGiven ? messageSource(args) : { kind: 'file', path: known('-') })];
  },
};

/** `--no-verify` in its many spellings. */
function skipped(args: Arguments, call: SubcommandCall): readonly Intent[] {
  return isNegated(args, 'verify')
    ? [
        {
          kind: 'skip-hooks',
          means: '--no-verify',
          skipped: `the hooks of git ${call.name}`,
          suggestion: withoutOption(args, call, 'verify', 'n'),
        },
      ]
    : [];
}

const signature = 'S|gpg-sign=?';
const mergeOptions = `n|no-stat stat summary log=? squash commit e|edit cleanup= ff ff-only rerere-autoupdate
  verify-signatures s|strategy= X|strategy-option= v|verbose q|quiet allow-unrelated-histories progress autostash
  signoff verify ${signature}`;

/** git-merge(1). The messages that git writes for merges are exempt from the convention. */
export const merge: Subcommand = {
  options: optionTable(`${mergeOptions} m|message= F|file= into-name= abort quit continue overwrite-ignore
    compact-summary+`),
  intents(args, call) {
    const isOpen = ['squash', 'abort', 'quit', 'continue'].some((name) => args.has(name)) || isNegated(args, 'commit');
    return [
      ...skipped(args, call),
      ...unknownOptions(args, call),
      ...calledOff(args, 'merge'),
      ...(args.has('continue') ? [mergeCommitted] : []),
      ...(goesOn(args) ? [] : [{ kind: 'version', operation: 'merge', ...squashing(args) } as const]),
      ...(goesOn(args) ? [] : mergedFiles(args, args.operands, 'git merge')),
      ...(isOpen
        ? []
        : [
            {
              kind: 'grow',
              commits: args.operands.length === 0 ? [known('@{upstream}')] : args.operands,
              merges: true,
              fastForwards: !isNegated(args, 'ff'),
              ...(args.has('edit')
                ? { edits: 'of git' as const }
                : {
                    said: {
                      message: messageSource(args),
                      around: wordsAround(args, call),
                      cleanup: args.value('cleanup') ?? null,
                    },
                  }),
            } as const,
          ]),
    ];
  },
  feared: stopping,
};

/** git-merge(1) "--squash". */
function squashing(args: Arguments): Pick<VersionIntent, 'squashes'> {
  return args.has('squash') ? { squashes: true } : {};
}

/** git-merge(1) "--continue": all that it does is `git commit`. */
const mergeCommitted: Intent = {
  kind: 'commit',
  message: { kind: 'elsewhere' },
  around: null,
  amend: false,
  all: false,
  paths: [],
  dryRun: false,
  opensEditor: true,
  cleanup: null,
};

/** While one has stopped, git refuses to begin another: then only an option can be meant. */
function stopping(args: Arguments): FearedOption | null {
  return surelyOption(args, '--abort');
}

/** Is it about an operation that has stopped? */
function goesOn(args: Arguments): boolean {
  return ['quit', 'continue', 'abort', 'skip'].some((name) => args.has(name));
}

/** git-pull(1): a fetch, then a merge or rebase that refuses to overwrite uncommitted work. */
export const pull: Subcommand = {
  options: optionTable(`${mergeOptions} r|rebase=? all a|append upload-pack= f|force t|tags p|prune j|jobs=? dry-run
    k|keep depth= shallow-since= shallow-exclude= deepen= unshallow update-shallow refmap= o|server-option= 4|ipv4
    6|ipv6 negotiation-tip= negotiation-restrict=+ negotiation-include=+ show-forced-updates set-upstream recurse-submodules=? porcelain+ compact-summary+`),
  intents(args, call) {
    const program = args.value('upload-pack');
    return [
      ...skipped(args, call),
      ...unknownOptions(args, call),
      {
        kind: 'version',
        operation: 'pull',
        rebasesAsConfigured:
          !args.has('rebase') && !isNegated(args, 'rebase') && !args.has('dry-run') && !onlyFollows(args),
        from: pulledFrom(args),
        empties: takesOurs(args),
        givesWay: givesWay(args),
        ...(args.has('rebase') ? {} : squashing(args)),
      },
      ...pulledRebase(args),
      ...pulledHere(args),
      ...(args.has('dry-run')
        ? []
        : [...fetched(args, call, 'git pull'), ...pulledFiles(args), ...pulledSubmodules(args)]),
      ...(program === undefined ? [] : [run(program, 'git pull --upload-pack')]),
    ];
  },
};

/** `git pull --rebase REMOTE BRANCH` puts the branch that is checked out on the one that was fetched. */
function pulledRebase(args: Arguments): readonly Intent[] {
  const mode = textOf(args.value('rebase'));
  const isRebase = args.has('rebase') && mode !== 'false';
  const range: RewriteRange = {
    start: pulledFrom(args),
    branch: null,
    onto: null,
    anew: false,
    keepsMerges: keepsMerges(mode),
    forkPoint: 'always',
  };
  return isRebase && !args.has('dry-run') && !onlyFollows(args)
    ? [
        {
          kind: 'rewrite',
          means: 'git pull --rebase',
          editsList: isInteractiveRebase(mode),
          empties: takesOurs(args),
          givesWay: givesWay(args),
          range,
        },
      ]
    : [];
}

/** git-pull(1) `--ff-only`: where that can't be, it does nothing, whatever it is told of rebasing. */
function onlyFollows({ uses }: Arguments): boolean {
  const last = uses.findLast(({ name }) => name === 'ff' || name === 'ff-only');
  return last?.name === 'ff-only' && !last.negated;
}

function pulledFrom({ operands }: Arguments): RewriteStart {
  const [remote, refspec] = operands.map(textOf);
  const branch = refspec?.replace(/^\+?(?:refs\/heads\/)?|:.*$/g, '');
  if (remote == null || branch == null) {
    return startAfter(null);
  }
  return remote === '.'
    ? startAfter(known(branch))
    : { kind: 'after', commit: known(`${remote}/${branch}`), fetched: { remote, branch } };
}

/** git-pull(1) "--recurse-submodules": after a merge it is `git submodule update --checkout` that brings them there. */
function pulledSubmodules(args: Arguments): readonly Intent[] {
  const rebasesAsConfigured = !args.has('rebase') && !isNegated(args, 'rebase');
  const isRebase = args.has('rebase') && textOf(args.value('rebase')) !== 'false';
  const { recurses } = recursing(args);
  return isRebase || recurses === undefined
    ? []
    : [{ kind: 'leave-submodules', paths: [], always: true, recurses, rebasesAsConfigured, means: 'git pull' }];
}

/** `git pull . BRANCH` merges a branch of this repository. */
function pulledHere(args: Arguments): readonly Intent[] {
  const [remote, ...commits] = args.operands;
  const isOpen = ['rebase', 'squash', 'dry-run'].some((name) => args.has(name)) || isNegated(args, 'commit');
  return isOpen || commits.length === 0 || textOf(remote ?? null) !== '.'
    ? []
    : [{ kind: 'grow', commits, merges: true, fastForwards: !isNegated(args, 'ff') }];
}

/** git-config(1) "pull.rebase". */
export function isInteractiveRebase(mode: string | null): boolean {
  return mode === 'interactive' || mode === 'i';
}

/** The same: a merge is made again, where another rebase leaves it out. */
export function keepsMerges(mode: string | null): boolean {
  return mode !== null && /^(?:merges|m|preserve|p)$/.test(mode);
}

/** git-rebase(1). */
export const rebase: Subcommand = {
  options: optionTable(`onto= keep-base no-verify q|quiet v|verbose n|no-stat signoff committer-date-is-author-date
    reset-author-date ignore-date ignore-whitespace whitespace= f|force-rebase no-ff continue skip abort quit edit-todo
    show-current-patch apply m|merge i|interactive p|preserve-merges rerere-autoupdate empty= k|keep-empty autosquash
    update-refs ${signature} autostash x|exec= allow-empty-message r|rebase-merges=? fork-point s|strategy=
    X|strategy-option= root reschedule-failed-exec reapply-cherry-picks C= trailer=+`),
  intents(args, call) {
    const programs = args.values('exec').map((command) => run(command, 'git rebase --exec'));
    if (args.has('abort')) {
      const back: Intent = { kind: 'switch', to: null, create: false, detach: false, ends: 'rebase' };
      return [...skipped(args, call), ...calledOff(args, 'rebase'), back];
    }
    if (args.has('edit-todo')) {
      return [{ kind: 'edit-list' }];
    }
    if (['quit', 'show-current-patch'].some((name) => args.has(name))) {
      return [...skipped(args, call), ...calledOff(args, 'rebase')];
    }
    if (args.has('continue') || args.has('skip')) {
      const onwards: Intent = { kind: 'go-on', operation: 'rebase', editsMessage: args.has('continue') };
      return [...skipped(args, call), ...calledOff(args, 'rebase'), onwards];
    }
    const [first = null, second = null] = args.operands;
    const isRoot = args.has('root');
    const onto = args.value('onto') ?? null;
    const branch = isRoot ? first : second;
    const range: RewriteRange = {
      start: isRoot ? { kind: 'root' } : startAfter(first),
      branch,
      onto,
      anew: makesAnew(args),
      picks: picks(args),
      keepsMerges: args.has('rebase-merges') || args.has('preserve-merges'),
      ...forkPoint(args),
    };
    const checkedOut: readonly Intent[] =
      branch === null ? [] : [{ kind: 'switch', to: branch, create: false, detach: false }];
    return [
      ...skipped(args, call),
      ...unknownOptions(args, call),
      ...checkedOut,
      { kind: 'version', operation: 'rebase' },
      ...rebasedFiles(
        args,
        onto ?? (isRoot ? null : (first ?? upstream)),
        onto !== null || makesAnew(args),
        'git rebase',
      ),
      ...broughtFrom(branch ?? undefined, 'git rebase'),
      {
        kind: 'rewrite',
        means: rebaseMeans(args),
        editsList: args.has('interactive'),
        empties: takesOurs(args),
        givesWay: givesWay(args),
        range,
      },
      ...programs,
    ];
  },
  feared: stopping,
};

/** git-rebase(1) "--fork-point": where no upstream is named, the configuration decides. */
function forkPoint(args: Arguments): Pick<RewriteRange, 'forkPoint'> {
  if (isNegated(args, 'fork-point') || args.has('root')) {
    return {};
  }
  const isAlways = args.has('fork-point');
  return isAlways || args.operands.length === 0 ? { forkPoint: isAlways ? 'always' : 'as configured' } : {};
}

function startAfter(upstream: Word | null): RewriteStart {
  return upstream === null ? { kind: 'upstream' } : { kind: 'after', commit: orPrevious(upstream) };
}

/** git-am(1). */
export const am: Subcommand = {
  options:
    optionTable(`i|interactive b|binary 3|3way q|quiet s|signoff u|utf8 k|keep keep-non-patch m|message-id keep-cr
    c|scissors quoted-cr= whitespace= ignore-space-change ignore-whitespace directory= exclude= include= C= p=
    patch-format= reject resolvemsg= continue r|resolved skip abort quit retry+ show-current-patch=? allow-empty
    committer-date-is-author-date ignore-date rerere-autoupdate ${signature} empty= n|no-verify+ rebasing`),
  intents(args, call) {
    const goesOn = ['continue', 'resolved', 'skip', 'abort', 'quit', 'retry', 'show-current-patch'];
    const applied = goesOn.some((name) => args.has(name)) ? [] : [patched(args, args.operands, 'git am')];
    const isContinued = args.has('continue') || args.has('resolved');
    return [
      ...skipped(args, call),
      ...unknownOptions(args, call),
      ...calledOff(args, 'am'),
      ...(isContinued ? [{ kind: 'go-on', operation: 'am' } as const] : []),
      ...applied,
    ];
  },
  feared: stopping,
};

const pickOptions = `quit continue abort skip cleanup= n|no-commit e|edit s|signoff m|mainline= rerere-autoupdate
  strategy= X|strategy-option= r ${signature}`;

/** git-cherry-pick(1): refuses to overwrite uncommitted work, and takes its messages from commits that exist. */
export const cherryPick: Subcommand = {
  options: optionTable(`${pickOptions} x ff allow-empty allow-empty-message keep-redundant-commits empty=+`),
  intents: (args) => picked(args, 'cherry-pick'),
  feared: stopping,
};

/** git-revert(1). */
export const revert: Subcommand = {
  options: optionTable(`${pickOptions} reference`),
  intents: (args) => picked(args, 'revert'),
  feared: stopping,
};

/** git-merge(1) "--abort" and "--quit", git-rebase(1) "--skip", and their like. */
function calledOff(args: Arguments, operation: StoppedOperation): readonly Intent[] {
  const way = (['abort', 'skip', 'quit'] as const).find((name) => args.has(name));
  return way === undefined ? [] : [{ kind: 'call-off', operation, way }];
}

function picked(args: Arguments, operation: 'cherry-pick' | 'revert'): readonly Intent[] {
  const commits = args.operands;
  if (goesOn(args) || commits.length === 0) {
    return [...calledOff(args, operation), ...(args.has('continue') ? [{ kind: 'go-on', operation } as const] : [])];
  }
  const means = `git ${operation}`;
  const isRevert = operation === 'revert';
  const source = { kind: 'changes', commits, takenBack: isRevert } as const;
  const changes: readonly Intent[] = [
    ...(isRevert ? [{ kind: 'take-back', commits, staysOpen: isNegated(args, 'commit'), means } as const] : []),
    { kind: 'bring-files', source, forced: false, refuses: 'touched', means },
  ];
  return isNegated(args, 'commit')
    ? changes
    : [
        ...changes,
        {
          kind: 'grow',
          commits,
          merges: false,
          fastForwards: false,
          copies: !isRevert && copies(args),
          ...(args.has('edit') ? { edits: isRevert ? 'of git' : 'theirs' } : {}),
        },
      ];
}

/** Of a merge only one side is picked; what is empty may be left out, and changes of one side; an editor may change what it says. */
const leavingOut = ['mainline', 'strategy', 'strategy-option', 'empty', 'keep-redundant-commits', 'edit'];

function copies(args: Arguments): boolean {
  return !leavingOut.some((name) => args.has(name));
}

function run(command: Word, by: string): Intent {
  return { kind: 'run', command, by };
}

/** Options with which rebase makes every commit again: git-rebase(1) "--force-rebase", and those that imply it. */
function makesAnew(args: Arguments): boolean {
  return edits(args) || forces(args);
}

function forces(args: Arguments): boolean {
  const implying = ['force-rebase', 'signoff', 'reset-author-date', 'ignore-date', 'committer-date-is-author-date'];
  return isNegated(args, 'ff') || [...implying, 'trailer'].some((name) => args.has(name));
}

/** A list of commits that are only picked, as long as nobody edits it. */
function picks(args: Arguments): boolean {
  return edits(args) && !forces(args) && !args.has('autosquash');
}

function edits(args: Arguments): boolean {
  return args.has('interactive') || args.has('autosquash') || args.values('exec').length > 0;
}

function rebaseMeans(args: Arguments): string {
  if (args.has('root')) {
    return 'git rebase --root';
  }
  if (!args.has('interactive') && !args.has('autosquash') && edits(args)) {
    return 'git rebase --exec';
  }
  return edits(args) ? 'git rebase -i' : 'git rebase';
}
