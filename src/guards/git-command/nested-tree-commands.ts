import { below, discard, leftSubmodules } from './discards.ts';
import { optionTable } from './option-table.ts';
import { type Subcommand, type SubcommandGroup, unknownOptions } from './subcommand.ts';
import { moveBranch, trackingOf } from './switch-commands.ts';
import { known, textOf } from './words.ts';

const head = known('HEAD');
const nothing: Subcommand = { options: optionTable(''), intents: () => [] };

export const worktreeAddOptions = optionTable(
  'f|force b= B= d|detach checkout lock reason= q|quiet track guess-remote orphan+ relative-paths+',
);

/** git-worktree(1). */
export const worktree: SubcommandGroup = {
  members: {
    remove: {
      options: optionTable('f|force'),
      intents(args, call) {
        const [path] = args.operands;
        const forced = args.has('force');
        if (path === undefined) {
          return unknownOptions(args, call);
        }
        return [
          ...unknownOptions(args, call),
          { kind: 'remove-worktree', path, forced },
          { kind: 'forget-worktrees', path, means: 'git worktree remove' },
          ...(forced ? [discard({ kind: 'worktree', path }, 'git worktree remove --force')] : []),
        ];
      },
    },
    add: {
      options: worktreeAddOptions,
      intents(args) {
        const start = args.operands[1] ?? head;
        const forced = args.value('B');
        const created = args.value('b');
        const tracking = trackingOf(args);
        const [path] = args.operands;
        return [
          ...(args.has('force') && path !== undefined
            ? [{ kind: 'forget-worktrees', path, means: 'git worktree add --force' } as const]
            : []),
          ...(forced === undefined ? [] : [{ ...moveBranch(forced, start, 'git worktree add -B'), tracking }]),
          ...(created === undefined
            ? []
            : [{ ...moveBranch(created, start, 'git worktree add -b'), isNew: true, tracking }]),
        ];
      },
    },
    prune: {
      options: optionTable('n|dry-run v|verbose expire='),
      intents: (args) =>
        args.has('dry-run') || /^(?:never|false)$/.test(textOf(args.value('expire') ?? null) ?? '')
          ? []
          : [{ kind: 'forget-worktrees', path: null, means: 'git worktree prune' }],
    },
  },
  otherwise: nothing,
};

/** git-submodule(1). */
export const submodule: SubcommandGroup = {
  members: {
    deinit: {
      options: optionTable('q|quiet f|force all'),
      intents: (args) => [
        args.has('force')
          ? leftSubmodules(args.operands, 'git submodule deinit --force')
          : leftSubmodules(args.operands, 'git submodule deinit', { refusesChanges: true }),
      ],
    },
    update: {
      options:
        optionTable(`q|quiet f|force init remote recursive N|no-fetch checkout m|merge r|rebase reference= dissociate
        depth= j|jobs= recommend-shallow progress require-init single-branch filter= ref-format=+
        super-prefix=+`),
      intents: (args) => {
        if (args.has('merge') || args.has('rebase')) {
          return [];
        }
        return args.has('force')
          ? below(args.operands, 'git submodule update --force')
          : [
              {
                kind: 'leave-submodules',
                paths: args.operands,
                always: args.has('checkout'),
                means: 'git submodule update',
              },
            ];
      },
    },
    // It synchronizes: pushes out of the submodule go there from now on.
    'set-url': {
      options: optionTable('q|quiet'),
      intents: ({ operands: [path, url] }) => {
        const [directory, address] = [textOf(path), textOf(url)];
        return directory === null || address === null
          ? []
          : [
              {
                kind: 'run',
                command: ['git', `--git-dir=${directory}/.git`, 'remote', 'set-url', 'origin', address].map(known),
                by: 'git submodule set-url',
              },
            ];
      },
    },
    foreach: {
      options: optionTable('q|quiet recursive super-prefix=+', { stopsAtArgument: true }),
      intents: (args) => {
        const [only, ...more] = args.operands;
        return only === undefined
          ? []
          : [{ kind: 'run', command: more.length === 0 ? only : args.operands, by: 'git submodule foreach' }];
      },
    },
  },
  otherwise: nothing,
};
