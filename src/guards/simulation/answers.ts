import type { SimpleCommand, Step, Word } from '../../shell/simple-command.ts';
import { readInvocation } from '../git-command/invocation.ts';
import { known, type UnknownWord } from '../git-command/words.ts';
import type { World } from '../world.ts';
import { branchAnswer, branchQuery } from './git-queries.ts';
import { overlaid } from './overlay.ts';

/**
 * What git will answer where a command line asks which branch is checked out after it has switched itself:
 * `git switch -c topic; branch=$(git branch --show-current); git push origin "$branch"`.
 */
export class Answers {
  readonly #asked: ReadonlySet<SimpleCommand>;
  readonly #answers = new Map<SimpleCommand, string>();

  /** @param steps the whole line: only questions are answered whose answer is used */
  constructor(steps: readonly Step[]) {
    this.#asked = new Set(steps.flatMap((step) => (step.kind === 'command' ? step.argv.flatMap(printerOf) : [])));
  }

  /** Keeps what git answers now, if the command is such a question and anybody uses the answer. */
  async record(command: SimpleCommand, world: World): Promise<void> {
    const query = this.#asked.has(command) ? branchQuery(command) : null;
    if (query === null) {
      return;
    }
    const invocation = readInvocation([], command.cwd, (name) => world.variable(command, name));
    const place = await world.place(invocation, command).catch(() => null);
    if (place?.kind !== 'repository') {
      return;
    }
    const { repository, likely, sure } = place;
    await sure.settle();
    const answer = branchAnswer(query, await overlaid(repository, likely).head());
    const isSure = !command.origin.certain || branchAnswer(query, await overlaid(repository, sure).head()) === answer;
    if (isSure) {
      this.#answers.set(command, answer);
    }
  }

  /** The command, with answers in the place of questions. */
  applied(command: SimpleCommand): SimpleCommand {
    return this.#answers.size === 0 || !command.argv.some((word) => this.#answerIn(word) !== null)
      ? command
      : { ...command, argv: command.argv.flatMap((word) => this.#replaced(word)) };
  }

  #answerIn(word: Word): string | null {
    const [printer] = printerOf(word);
    return printer === undefined ? null : (this.#answers.get(printer) ?? null);
  }

  #replaced(word: Word): readonly Word[] {
    const answer = this.#answerIn(word);
    if (answer === null || word.kind === 'known') {
      return [word];
    }
    const value = word.prefix + answer + word.suffix;
    return value === '' && word.mayExpandToSeveral ? [] : [known(value)];
  }
}

function printerOf(word: Word): readonly SimpleCommand[] {
  const printer: UnknownWord['printedBy'] = word.kind === 'unknown' ? word.printedBy : undefined;
  return printer === undefined ? [] : [printer];
}
