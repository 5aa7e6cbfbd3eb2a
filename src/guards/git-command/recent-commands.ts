import type { Intent } from '../intent.ts';
import { broughtFrom } from './brought-files.ts';
import { paths } from './discards.ts';
import { deletedFully, fullName, movedFully, updatedFully, withoutDereference } from './full-ref-commands.ts';
import { everything } from './index-commands.ts';
import { optionTable } from './option-table.ts';
import { isNegated } from './parse-options.ts';
import { destroyed, reflogEntries } from './recovery-commands.ts';
import type { Subcommand, SubcommandGroup } from './subcommand.ts';
import { known, textOf } from './words.ts';

/** git-replay(1): since git 2.53 it moves the branches of the range itself. `--advance` only adds to a branch. */
export const replay: Subcommand = {
  options: optionTable('onto= advance= contained revert= ref= ref-action='),
  intents(args) {
    const onto = args.value('onto');
    const range = args.operands.map(textOf).find((text) => text?.includes('..')) ?? null;
    if (onto === undefined || textOf(args.value('ref-action')) === 'print' || range === null) {
      return [];
    }
    const ref = args.value('ref');
    if (ref !== undefined) {
      return [movedFully(ref, null, 'git replay --ref')];
    }
    const [from = '', to = ''] = range.split(/\.{2,3}/);
    const start = { kind: 'after', commit: known(from || 'HEAD') } as const;
    const branch = to === '' ? null : known(to);
    return [{ kind: 'rewrite', means: 'git replay', range: { start, branch, onto, anew: false } }];
  },
};

const rewritten = (verb: string): Subcommand => ({
  options: optionTable('n|dry-run update-refs= reedit-message empty='),
  intents(args) {
    const [commit] = args.operands;
    const branch = textOf(args.value('update-refs')) === 'head' ? null : 'containing';
    const means = `git history ${verb}`;
    const dropped = verb === 'drop' && commit !== undefined ? { drops: commit } : {};
    return args.has('dry-run') || commit === undefined
      ? []
      : [
          {
            kind: 'rewrite',
            means,
            ...dropped,
            range: { start: { kind: 'at', commit }, branch, onto: null, anew: true },
          },
        ];
  },
});

/** `git history squash main..`: a range becomes one commit, with all that its commits change. */
const squashed: Subcommand = {
  options: optionTable('n|dry-run update-refs= edit'),
  intents(args) {
    const range = args.operands.map(textOf).find((text) => text?.includes('..'));
    if (args.has('dry-run') || range == null) {
      return [];
    }
    const [from = '', to = ''] = range.split('..');
    const start = { kind: 'after', commit: known(from || 'HEAD') } as const;
    const branch = /^(?:HEAD|@)?$/.test(to) ? null : known(to);
    return [{ kind: 'rewrite', means: 'git history squash', range: { start, branch, onto: null, anew: true } }];
  },
};

/**
 * git-history(1), since git 2.54, `fixup` since 2.55, `drop` and `squash` since 2.56: the named commit and what follows it
 * on every branch are made again.
 */
export const history: SubcommandGroup = {
  members: {
    ...Object.fromEntries(['drop', 'fixup', 'reword', 'split'].map((verb) => [verb, rewritten(verb)])),
    squash: squashed,
  },
  otherwise: { options: optionTable(''), intents: () => [] },
};

const refOptions = optionTable('message= no-deref create-reflog');

/** git-refs(1), since git 2.46; what writes single refs since 2.56. */
export const refs: SubcommandGroup = {
  members: {
    create: {
      options: refOptions,
      // git refuses where it is there.
      intents: ({ operands: [ref, value] }) =>
        ref === undefined || value === undefined ? [] : [{ ...movedFully(ref, value, 'git refs create'), isNew: true }],
    },
    delete: {
      options: refOptions,
      intents: (args) =>
        args.operands.slice(0, 1).map((ref) => withoutDereference(args, deletedFully(ref, 'git refs delete'))),
    },
    update: {
      options: refOptions,
      intents: (args) => {
        const [ref, value] = args.operands;
        return ref === undefined || value === undefined
          ? []
          : [withoutDereference(args, updatedFully(ref, value, 'git refs update'))];
      },
    },
    rename: {
      options: refOptions,
      // git refuses where the new name is there. A branch that is checked out stays so by its old name.
      intents: ({ operands: [from, to] }) =>
        from === undefined || to === undefined
          ? []
          : [{ kind: 'rename-ref', from: fullName(from), to: fullName(to), forced: false, means: 'git refs rename' }],
    },
    migrate: {
      options: optionTable('ref-format= dry-run reflog'),
      intents: (args) =>
        isNegated(args, 'reflog') && !args.has('dry-run')
          ? [destroyed('git refs migrate --no-reflog', reflogEntries, 'git refs migrate')]
          : [],
    },
  },
  otherwise: { options: optionTable(''), intents: () => [] },
};

/** git-merge-index(1): a program that is started for every file with a conflict. */
export const mergeIndex: Subcommand = {
  options: optionTable('o q a'),
  intents(args) {
    const [program, ...given] = args.operands;
    if (program === undefined) {
      return [];
    }
    const isMerging = /(?:^|\/)git-merge-one-file$/.test(textOf(program) ?? '');
    const files = args.has('a') ? [everything] : given;
    return [
      { kind: 'run', command: program, by: 'git merge-index' },
      ...(isMerging ? [paths(files, 'conflicts', 'git merge-one-file')] : []),
    ];
  },
};

/** What git-merge(1) starts as a strategy: `git merge-recursive BASE… -- HEAD OTHER`, of which the last one is merged. */
export const mergeStrategy: Subcommand = {
  options: optionTable('ours theirs subtree=? patience histogram diff-algorithm= ignore-space-change renormalize'),
  intents: ({ operands }, { name }) => broughtFrom(operands.at(-1), `git ${name}`),
};

/** git-merge-one-file(1): its fourth argument is a file that it writes anew. */
export const mergeOneFile: Subcommand = {
  options: optionTable(''),
  intents: ({ operands }) => [paths(operands.slice(3, 4), 'commit', 'git merge-one-file')],
};

function published(means: string, says: string, suggestion?: string): Intent {
  return { kind: 'publish', means, says, ...(suggestion === undefined ? {} : { suggestion }) };
}

/** git-svn(1): what it commits is on the server for good. */
export const svn: SubcommandGroup = {
  members: {
    dcommit: {
      options: optionTable('n|dry-run no-rebase commit-url= mergeinfo= interactive e|edit rmdir find-copies-harder'),
      intents: (args) =>
        args.has('dry-run') ? [] : [published('git svn dcommit', 'commits to the Subversion repository')],
    },
    'set-tree': {
      options: optionTable('stdin'),
      intents: () => [
        published('git svn set-tree', 'commits a tree, whatever changed meanwhile,', 'git svn dcommit --dry-run'),
      ],
    },
    'commit-diff': {
      options: optionTable('r= m= F='),
      intents: () => [
        published('git svn commit-diff', 'commits to the Subversion repository', 'git svn dcommit --dry-run'),
      ],
    },
  },
  otherwise: { options: optionTable(''), intents: () => [] },
};

/** git-p4(1). */
export const perforce: SubcommandGroup = {
  members: {
    submit: {
      options: optionTable('n|dry-run origin= shelve update-shelve= commit= prepare-p4-only export-labels'),
      intents: (args) =>
        ['dry-run', 'shelve', 'update-shelve', 'prepare-p4-only'].some((name) => args.has(name))
          ? []
          : [published('git p4 submit', 'submits changes to the Perforce depot')],
    },
  },
  otherwise: { options: optionTable(''), intents: () => [] },
};
