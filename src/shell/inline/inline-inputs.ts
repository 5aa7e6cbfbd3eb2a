import { knownWord } from '../simple-command.ts';
import { InputStream } from '../stream.ts';
import { unknownWord } from '../words/parameter.ts';
import type { InlineFunctions } from './inline-functions.ts';

/** Python's `communicate(…)`, `stdin.write(…)`, pexpect's `sendline(…)`; JavaScript's `stdin.end(…)`: what a process reads that runs already. */
const later = /\.\s*(?:communicate|sendline|stdin\s*\.\s*(?:write|end))\s*\((?:\s*input\s*=)?/g;

/** What a program gives to the processes that it starts as their input. */
export class InlineInputs {
  readonly #functions: InlineFunctions;
  #later: readonly (string | null)[] | null = null;

  constructor(functions: InlineFunctions) {
    this.#functions = functions;
  }

  /**
   * @param start where the arguments of the call begin
   * @param mayBeGit an input that is not known may have to do with git
   * @returns null where it has none, or one that is not known and of no interest
   */
  at(start: number, mayBeGit: boolean): InputStream | null {
    const option = this.#functions.optionAt(start, 'input');
    const texts = option === null ? this.#written() : this.#functions.textsOf(option.written, option.position);
    if (texts.length === 0 || (texts.includes(null) && !mayBeGit)) {
      return null;
    }
    return new InputStream(
      texts.includes(null)
        ? unknownWord('the input', 'what the program writes there is not known', true)
        : knownWord(texts.join('\n')),
    );
  }

  #written(): readonly (string | null)[] {
    this.#later ??= this.#functions
      .argumentsOf(later)
      .flatMap(({ written, position }) => this.#functions.textsOf(written, position));
    return this.#later;
  }
}
