import type { Word } from '../../shell/simple-command.ts';
import type { Discarded } from '../intent.ts';
import { discard } from './discards.ts';
import { optionTable } from './option-table.ts';
import { type Arguments, isNegated } from './parse-options.ts';
import type { Subcommand, SubcommandCall, SubcommandGroup } from './subcommand.ts';
import { known } from './words.ts';

const means = 'git sparse-checkout';
const options = optionTable('cone no-cone sparse-index stdin skip-checks');

type Earlier = Extract<Discarded, { kind: 'left-out' }>['earlier'];

/** Directories that are not chosen go, also the one in which tracked hooks are. */
function narrowed(earlier: Earlier): Subcommand {
  return {
    options,
    intents(args, call) {
      const paths = chosenBy(args, call);
      const byPatterns = isNegated(args, 'cone') || (args.has('cone') ? false : null);
      return paths === null
        ? []
        : [
            { kind: 'change-files', paths, to: 'nothing-else', byPatterns, means },
            discard({ kind: 'left-out', chosen: paths, earlier, byPatterns }, means),
          ];
    },
  };
}

/** What is left in directories that are not chosen goes. */
const applied: Subcommand = {
  options,
  intents(args, call) {
    const chosen = chosenBy(args, call);
    return chosen === null ? [] : [discard({ kind: 'left-out', chosen, earlier: 'needed', byPatterns: null }, means)];
  },
};

/** Directories, or patterns; null: they are not known. */
function chosenBy(args: Arguments, { input }: SubcommandCall): readonly Word[] | null {
  if (!args.has('stdin')) {
    return args.operands;
  }
  const lines = input?.kind === 'text' ? input.text.split('\n').filter(Boolean) : null;
  return lines?.map((line) => known(line)) ?? null;
}

/** git-sparse-checkout(1). */
export const sparseCheckout: SubcommandGroup = {
  members: {
    set: narrowed('dropped'),
    init: narrowed('kept'),
    add: applied,
    reapply: applied,
    clean: {
      options: optionTable('n|dry-run f|force v|verbose'),
      intents: (args) =>
        args.has('dry-run')
          ? []
          : [discard({ kind: 'outside-sparse', forced: args.has('force') }, 'git sparse-checkout clean')],
    },
  },
  otherwise: { options: optionTable(''), intents: () => [] },
};
