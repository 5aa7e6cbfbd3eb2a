import type { Word } from '../../shell/simple-command.ts';
import type { Intent } from '../intent.ts';
import { movedFully } from './full-ref-commands.ts';
import { optionTable } from './option-table.ts';
import type { Subcommand, SubcommandGroup } from './subcommand.ts';

const stashOptions = `k|keep-index S|staged p|patch q|quiet u|include-untracked a|all m|message= pathspec-from-file=
  pathspec-file-nul U|unified=+ inter-hunk-context=+ auto-advance+`;
const stashPush: Subcommand = {
  options: optionTable(stashOptions),
  intents(args, call) {
    const hasPaths = args.operands.length > 0 && !call.name.endsWith('save');
    const isChosen = ['staged', 'patch', 'pathspec-from-file'].some((name) => args.has(name));
    return [
      {
        kind: 'stash',
        action: 'push',
        entry: null,
        untracked: args.has('include-untracked') || args.has('all'),
        keepsIndex: args.has('keep-index'),
        ignored: args.has('all'),
        partial: hasPaths || isChosen,
        ...(hasPaths && !isChosen ? { paths: args.operands } : {}),
      },
    ];
  },
};
const stashRemoval = optionTable('q|quiet index');

/** What was changed comes back; untracked files of a stash do only where nothing is in their place. */
function taken(
  action: 'apply' | 'remove',
  entry: Word | undefined,
  restoresIndex: boolean,
  means: string,
): readonly Intent[] {
  const source = { kind: 'stash', entry: entry ?? null } as const;
  return [
    { kind: 'bring-files', source, forced: false, refuses: 'touched', means },
    { kind: 'stash', action, entry: entry ?? null, restoresIndex, untracked: false, partial: false },
  ];
}

/** git-stash(1). */
export const stash: SubcommandGroup = {
  members: {
    push: stashPush,
    save: stashPush,
    drop: {
      options: stashRemoval,
      intents: (args) => [
        { kind: 'discard', what: { kind: 'stash', entry: args.operands[0] ?? null }, means: 'git stash drop' },
      ],
    },
    clear: {
      options: stashRemoval,
      intents: () => [{ kind: 'discard', what: { kind: 'stash', entry: 'all' }, means: 'git stash clear' }],
    },
    pop: {
      options: stashRemoval,
      intents: (args) => taken('remove', args.operands[0], args.has('index'), 'git stash pop'),
    },
    apply: {
      options: optionTable('q|quiet index label-ours=+ label-theirs=+ label-base=+'),
      intents: (args) => taken('apply', args.operands[0], args.has('index'), 'git stash apply'),
    },
    branch: {
      options: stashRemoval,
      intents: ({ operands: [name, entry = null] }) =>
        name === undefined
          ? []
          : [
              { kind: 'switch', to: name, create: true, detach: false },
              ...taken('remove', entry ?? undefined, true, 'git stash branch'),
            ],
    },
    store: {
      options: optionTable('q|quiet m|message='),
      intents: ({ operands: [entry = null] }) => [
        { kind: 'stash', action: 'store', entry, untracked: false, partial: false },
      ],
    },
    export: {
      options: optionTable('print to-ref='),
      intents: (args) => args.values('to-ref').map((ref) => movedFully(ref, null, 'git stash export --to-ref')),
    },
    ...Object.fromEntries(
      ['list', 'show', 'create', 'import'].map((name) => [
        name,
        {
          options: optionTable(`q|quiet index u|include-untracked only-untracked m|message= p|patch`),
          intents: () => [],
        } satisfies Subcommand,
      ]),
    ),
  },
  otherwise: stashPush,
};
