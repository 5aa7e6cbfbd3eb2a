import { type Input, programName, type SimpleCommand, type Step, type Word } from '../../shell/simple-command.ts';
import { textOf } from '../git-command/words.ts';

/** Subcommands that give nothing of what they are told a name. */
const lookers = new Set(
  'cat-file cherry describe diff diff-tree log ls-tree merge-base merge-tree name-rev patch-id range-diff rev-list show'.split(
    ' ',
  ),
);

/** Who on the line is given what a command prints. */
export class OutputUses {
  readonly #steps: readonly Step[];

  /** @param steps of the whole line */
  constructor(steps: readonly Step[]) {
    this.#steps = steps;
  }

  /** Is it given to commands of git that look, and to nothing else? `git cherry main "$(git commit-tree …)"` */
  isOnlyLookedAt({ origin }: SimpleCommand): boolean {
    const isMeant = (word: Step['cwd'] | Input | Word | null) =>
      word?.kind === 'unknown' && 'printedBy' in word && word.printedBy?.origin === origin;
    const isWritten = this.#steps.some((step) => step.kind === 'write' && step.printedBy?.origin === origin);
    const users = this.#steps.filter((step) => step.kind === 'command' && [...step.argv, step.input].some(isMeant));
    return !isWritten && users.length > 0 && users.every((step) => step.kind === 'command' && looks(step));
  }
}

function looks({ argv: [program, subcommand] }: SimpleCommand): boolean {
  return programName(program) === 'git' && lookers.has(textOf(subcommand) ?? '');
}
