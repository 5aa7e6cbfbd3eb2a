import type { Word } from '../../shell/simple-command.ts';
import { optionTable } from './option-table.ts';
import { pushIntents } from './push-commands.ts';
import { looseCommit, messageSource } from './said-message.ts';
import type { Subcommand, SubcommandGroup } from './subcommand.ts';
import { textOf } from './words.ts';

const splitting = optionTable(
  'P|prefix= q|quiet d|debug rejoin no-rejoin annotate= b|branch= ignore-joins onto= m|message= squash',
);

/** "Specify <message> as the commit message for the merge commit." */
const saying: Subcommand = {
  options: splitting,
  intents: (args) => (args.values('message').length > 0 ? [looseCommit(messageSource(args))] : []),
};

/** git-subtree(1): `push [--prefix=…] <repository> [+][<local-commit>:]<remote-ref>` splits, then pushes by name. */
export const subtree: SubcommandGroup = {
  members: {
    push: {
      options: splitting,
      intents(args, call) {
        const [repository = null, ...refspecs] = args.operands;
        return pushIntents(args, call, repository, refspecs.map(splitRefspec));
      },
    },
    // Its commits are made by git-commit-tree.
    add: saying,
    pull: saying,
    merge: saying,
    // Only on from what the branch has; the commits are new ones.
    split: {
      options: splitting,
      intents(args) {
        const branch = textOf(args.value('branch') ?? null);
        return branch === null ? [] : [{ kind: 'import', refs: [`refs/heads/${branch}`], means: 'git subtree split' }];
      },
    },
  },
  otherwise: { options: optionTable(''), intents: () => [] },
};

/** The split commit has no name: what counts is where it goes. */
function splitRefspec(word: Word): Word {
  const value = textOf(word);
  if (value === null) {
    return word;
  }
  const force = value.startsWith('+') ? '+' : '';
  const target = value.slice(force.length).split(':').at(-1) ?? '';
  return { kind: 'known', value: `${force}HEAD:${target.startsWith('refs/') ? target : `refs/heads/${target}`}` };
}
