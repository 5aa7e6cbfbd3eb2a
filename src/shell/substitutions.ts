import type { Budget } from './bounds.ts';
import { type Frame, framed, originOf, topFrame } from './call.ts';
import type { ScriptOverlay } from './script-overlay.ts';
import { changed, type Outcome, type ShellState } from './shell-state.ts';
import { knownWord, type Step, type Word } from './simple-command.ts';
import { Capture, InputStream } from './stream.ts';
import { withoutLineEnds } from './words/field.ts';
import { unknownWord } from './words/parameter.ts';
import type { CommandExpansion, ProcessSubstitution } from './words/word-expansion.ts';

/** The interpreter as substitutions need it. */
interface Scripts {
  readonly overlay: ScriptOverlay;
  readonly budget: Budget;
  /** Runs a script in a shell of its own: whatever it changes or ends stays inside. */
  runInside(script: NonNullable<CommandExpansion['script']>, state: ShellState, frame: Frame): Outcome;
  emit(step: Step): void;
}

type Around = Pick<Frame, 'through' | 'pipes' | 'errors' | 'returns' | 'breaks' | 'continues' | 'inCondition'>;

/** `$( … )`, `<( … )` and `>( … )` in the words that are being expanded: bash(1) "EXPANSION". */
export class Substitutions {
  readonly #scripts: Scripts;
  /** The texts that positions refer to, the innermost last. */
  readonly #texts: string[] = [];
  /** What holds for substitutions as for the words that they stand in. */
  #around: Around = topFrame('');
  #nextDescriptor = 63;

  constructor(scripts: Scripts) {
    this.#scripts = scripts;
  }

  /** Expands words that stand in `frame`: substitutions in them refer to its text. */
  expanding<T>({ text, ...frame }: Frame, body: () => T): T {
    const { through, pipes, errors, returns, breaks, continues, inCondition } = frame;
    const before = this.#around;
    this.#around = { through, pipes, errors, returns, breaks, continues, inCondition };
    try {
      return this.within(text, body);
    } finally {
      this.#around = before;
    }
  }

  /** What a command prints, without the line ends at its end. */
  ofCommand({ script, text }: Pick<CommandExpansion, 'script' | 'text'>, state: ShellState): Word {
    if (script === undefined) {
      return knownWord('');
    }
    const capture = new Capture(state.path);
    this.#run(script, text, withoutErrexit(state), { output: capture });
    return withoutLineEnds(capture.word(text));
  }

  /** The path by which a command's output is read, or its input written: what can be read is a file that the line writes. */
  ofProcess({ script, text, operator }: ProcessSubstitution, state: ShellState): Word {
    const capture = new Capture(state.path);
    const isRead = operator === '<';
    if (script !== undefined) {
      const unknown = unknownWord(text, 'what is written to it is not known', false);
      this.#run(script, text, state, {
        input: isRead ? null : new InputStream(unknown),
        output: isRead ? capture : null,
      });
    }
    const path = `/dev/fd/${this.#nextDescriptor}`;
    this.#nextDescriptor -= 1;
    const output = capture.word(text);
    this.#scripts.overlay.write(path, output, false);
    const printedBy = output.kind === 'unknown' && output.prefix + output.suffix === '' ? output.printedBy : undefined;
    if (isRead && (output.kind === 'known' || printedBy !== undefined)) {
      this.#scripts.emit({
        kind: 'write',
        path: knownWord(path),
        cwd: state.cwd,
        append: false,
        refusesExisting: false,
        content: output.kind === 'known' ? output.value : null,
        ...(printedBy === undefined ? {} : { printedBy }),
        origin: originOf(text, state, framed(topFrame(text), this.#around)),
      });
    }
    return knownWord(path);
  }

  #run(
    script: NonNullable<CommandExpansion['script']>,
    part: string,
    state: ShellState,
    streams: Partial<Pick<Frame, 'input' | 'output'>>,
  ): void {
    const text = script.source ?? this.#texts.at(-1) ?? part;
    const frame = framed(framed(topFrame(text), this.#around), streams);
    this.#scripts.budget.nested(() => this.within(text, () => this.#scripts.runInside(script, state, frame)));
  }

  /** Expands words whose positions refer to `text`. */
  within<T>(text: string, body: () => T): T {
    this.#texts.push(text);
    try {
      return body();
    } finally {
      this.#texts.pop();
    }
  }
}

/** bash(1) "COMMAND EXECUTION ENVIRONMENT": `set -e` does not hold inside, unless `inherit_errexit` says so. */
function withoutErrexit(state: ShellState): ShellState {
  const { options } = state;
  return options.errexit ? changed(state, { options: { ...options, errexit: false } }) : state;
}
