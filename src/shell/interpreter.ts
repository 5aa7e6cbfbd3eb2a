import type { AndOr, CommandNode, ParsedScript, Pipeline, PipelineNode, Statement } from 'unbash';
import { BoundExceeded, type Budget } from './bounds.ts';
import { runTraps } from './builtins/traps.ts';
import {
  type Call,
  commandStep,
  type Frame,
  framed,
  inEachDirectory,
  type JumpTarget,
  jumpTarget,
  type ScriptShell,
  type ShellProcess,
  type Trap,
  unreadableStep,
} from './call.ts';
import { runCompound } from './compound-command.ts';
import { dispatch } from './dispatch.ts';
import { mayFail } from './errexit.ts';
import { asksStatus, forgettingStatus, withoutStatus, withStatus } from './last-status.ts';
import { leavingAsBefore } from './leaving-status.ts';
import { foreseenAfter, merge, mergeOutcome } from './merged-states.ts';
import { appendErrors } from './outputs/errors.ts';
import { together } from './path.ts';
import { Recursion } from './recursion.ts';
import type { ScriptFiles } from './script-files.ts';
import type { ScriptOverlay } from './script-overlay.ts';
import { parseScript } from './script-parsing.ts';
import { doubtful, either, ended, type Outcome, parted, type ShellState, withPath } from './shell-state.ts';
import type { MadeBy, OutputOf, Printed, Standing, Step, SuccessOf, Word } from './simple-command.ts';
import { runSimpleCommand } from './simple-command-reading.ts';
import { startedShell } from './started-shell.ts';
import { Capture, InputStream } from './stream.ts';
import { Substitutions } from './substitutions.ts';
import { type Environment, unknownWord } from './words/parameter.ts';
import type { CommandExpansion, ProcessSubstitution } from './words/word-expansion.ts';

/** Runs a script the way bash would, without running anything: it follows the state and collects the steps. */
export class Interpreter implements ScriptShell {
  readonly outputOf: OutputOf;
  readonly successOf: SuccessOf;
  readonly madeBy: MadeBy;
  readonly environment: Environment;
  readonly files: ScriptFiles;
  readonly overlay: ScriptOverlay;
  readonly budget: Budget;
  readonly recursion = new Recursion();
  readonly steps: Step[] = [];
  /** Ways that `exit` and `exec` ended, and that `return`, `break` and `continue` left. */
  #exits = 0;
  #jumps = 0;
  /** How the shell ends on those that `exit` and `exec` ended. */
  #left: Outcome = ended;
  traps: readonly Trap[] = [];
  readonly #substitutions: Substitutions;

  constructor(world: {
    outputOf: OutputOf;
    successOf: SuccessOf;
    madeBy: MadeBy;
    environment: Environment;
    files: ScriptFiles;
    overlay: ScriptOverlay;
    budget: Budget;
  }) {
    this.outputOf = world.outputOf;
    this.successOf = world.successOf;
    this.madeBy = world.madeBy;
    this.environment = world.environment;
    this.files = world.files;
    this.overlay = world.overlay;
    this.budget = world.budget;
    this.#substitutions = new Substitutions({
      overlay: world.overlay,
      budget: world.budget,
      // What leads out of a loop or a function around the words ends the substitution.
      runInside: (script, state, frame) =>
        this.subshell(
          (inside, ends) =>
            this.script(
              script,
              state,
              framed(inside, { breaks: frame.breaks && ends, continues: frame.continues && ends }),
            ),
          state,
          frame,
        ),
      emit: (step) => this.emit(step),
    });
  }

  statements(statements: readonly Statement[], state: ShellState, frame: Frame): Outcome {
    let current: ShellState | null = state;
    let outcome: Outcome = { success: state, failure: null };
    for (const [index, statement] of statements.entries()) {
      const left = this.#exits + this.#jumps;
      const { path }: ShellState = current;
      outcome = this.#statement(statement, current, frame);
      const isLast = index === statements.length - 1;
      const leaving = isLast ? null : leavingAsBefore(statements[index + 1]);
      if (leaving === 'exit' || (leaving === 'return' && frame.returns !== null)) {
        const before = parted(outcome);
        return leaving === 'exit' ? this.exit(before) : this.jump(frame.returns, before);
      }
      current = isLast ? current : foreseenAfter(outcome);
      if (current === null) {
        return ended;
      }
      // Where nothing has left, what comes next comes as surely as what came before.
      current = left === this.#exits + this.#jumps ? withPath(current, path) : current;
      const next = statements[index + 1];
      current = next !== undefined && asksStatus(next, frame.text) ? withStatus(current, outcome, path) : current;
    }
    return outcome;
  }

  #statement(statement: Statement, state: ShellState, frame: Frame): Outcome {
    this.budget.visit();
    if (statement.background) {
      // It surely runs, but perhaps after what follows.
      this.overlay.isUnsettled = true;
      this.subshell((inside) => this.node(statement.command, doubtful(state), inside), state, frame);
      return { success: withoutStatus(state), failure: null };
    }
    return this.node(statement.command, state, frame);
  }

  node(node: AndOr | PipelineNode, state: ShellState, frame: Frame): Outcome {
    return this.budget.nested(() => {
      switch (node.type) {
        case 'AndOr':
          return this.#andOr(node, state, frame);
        case 'Pipeline':
          return this.#failing(node, forgettingStatus(this.#pipeline(node, state, frame)), state, frame);
        default:
          return this.#failing(node, forgettingStatus(this.command(node, state, frame)), state, frame);
      }
    });
  }

  /** bash(1) "set -e": where the shell ends, because the command fails. @param state before it */
  #failing(node: PipelineNode, outcome: Outcome, { options }: ShellState, { inCondition }: Frame): Outcome {
    if (!options.errexit || inCondition || outcome.failure === null || mayFail(node)) {
      return outcome;
    }
    const { success, failure } = parted(outcome);
    this.exit({ success: null, failure });
    return { success, failure: null };
  }

  #andOr(node: AndOr, state: ShellState, frame: Frame): Outcome {
    const [first, ...others] = node.commands;
    const before = frame.inCondition ? frame : framed(frame, { inCondition: true });
    let outcome = first === undefined ? either(state) : this.node(first, state, before);
    for (const [index, command] of others.entries()) {
      const isLast = index === others.length - 1;
      outcome = this.#andOrStep(outcome, node.operators[index] === '&&', command, isLast ? frame : before);
    }
    return outcome;
  }

  #andOrStep(outcome: Outcome, isAnd: boolean, command: PipelineNode, frame: Frame): Outcome {
    const before = parted(outcome);
    const { success, failure } = before;
    const taken = isAnd ? success : failure;
    if (taken === null) {
      return before;
    }
    const after = this.node(command, taken, frame);
    return mergeOutcome(after, isAnd ? { success: null, failure } : { success, failure: null });
  }

  #pipeline(node: Pipeline, state: ShellState, frame: Frame): Outcome {
    const negated = node.prefixes.filter((prefix) => prefix.type === 'Negation').length % 2 === 1;
    const inner = framed(frame, { inCondition: negated || frame.inCondition });
    const [first, second] = node.commands;
    const isAlone = first !== undefined && second === undefined;
    const outcome = isAlone ? this.command(first, state, inner) : this.#pipes(node, state, inner);
    return negated ? { success: outcome.failure, failure: outcome.success } : outcome;
  }

  /** Each command of a pipeline runs in a subshell and reads what the one before it prints. */
  #pipes(node: Pipeline, state: ShellState, frame: Frame): Outcome {
    let input = frame.input;
    let outcome: Outcome = either(state);
    const pipeline = Symbol('pipeline');
    for (const [place, command] of node.commands.entries()) {
      const isLast = place === node.commands.length - 1;
      const capture = isLast ? frame.output : new Capture(state.path);
      const pipes = [...frame.pipes, { pipeline, place, isLast }];
      const before = state.options.pipefail && place > 0 ? outcome : null;
      const errors = node.operators[place] === '|&' ? capture : frame.errors;
      const piped = framed(frame, { input, output: capture, errors, pipes });
      outcome =
        isLast && state.options.lastpipe
          ? this.command(command, state, piped)
          : this.subshell((inside) => this.command(command, state, inside), state, piped);
      outcome = before === null ? outcome : bothSucceed(before, outcome);
      if (!isLast && capture !== null) {
        input = new InputStream(capture.word(frame.text.slice(command.pos, command.end)));
      }
    }
    return outcome;
  }

  command(node: CommandNode, state: ShellState, frame: Frame): Outcome {
    this.budget.visit();
    return this.overlay.during(state.path, () =>
      node.type === 'Command' ? runSimpleCommand(node, state, frame, this) : runCompound(node, state, frame, this),
    );
  }

  subshell(body: (inside: Frame, ends: JumpTarget) => Outcome, state: ShellState, frame: Frame): Outcome {
    const [exits, jumps, left, traps] = [this.#exits, this.#jumps, this.#left, this.traps];
    this.#left = ended;
    this.traps = [];
    // In a function `return` ends it as `exit` does; no loop is left from inside.
    const ends = jumpTarget();
    const inside = framed(frame, { returns: frame.returns && ends, breaks: null, continues: null });
    const outcome = this.#ended([body(inside, ends), ends.left].reduce(mergeOutcome, this.#left), frame.output);
    this.traps = traps;
    this.#exits = exits;
    this.#jumps = jumps;
    this.#left = left;
    const { success, failure } = outcome;
    return success === null && failure === null
      ? either(state)
      : { success: success && withPath(state, success.path), failure: failure && withPath(state, failure.path) };
  }

  /** Reads a whole line. @returns how it is read to its end, and how the shell ends in whichever way */
  line(text: string, state: ShellState, frame: Frame): { readonly reached: Outcome; readonly ended: Outcome } {
    const reached = this.runText(text, state, frame);
    return { reached, ended: this.#ended(mergeOutcome(reached, this.#left), frame.output) };
  }

  /** The shell ends, and what it was told to run then may end it in another way. */
  #ended(outcome: Outcome, output: Capture | null): Outcome {
    if (this.traps.length === 0) {
      return outcome;
    }
    runTraps(outcome, this, output);
    return mergeOutcome(outcome, this.#left);
  }

  exit(outcome: Outcome): Outcome {
    this.#exits += 1;
    this.#left = mergeOutcome(this.#left, outcome);
    return ended;
  }

  jump(target: JumpTarget | null, outcome: Outcome): Outcome {
    if (target === null) {
      return outcome;
    }
    this.#jumps += 1;
    target.jumps += 1;
    target.left = mergeOutcome(target.left, outcome);
    return ended;
  }

  catchJumps(target: JumpTarget, body: () => Outcome): { readonly outcome: Outcome; readonly leaves: boolean } {
    const before = this.#exits + this.#jumps;
    const outcome = mergeOutcome(body(), target.left);
    this.#jumps -= target.jumps;
    return { outcome, leaves: before !== this.#exits + this.#jumps };
  }

  run(call: Call): Outcome {
    this.budget.visit();
    return this.overlay.during(call.state.path, () => dispatch(call, this));
  }

  emit(step: Step): void {
    if (this.steps.length >= this.budget.bounds.steps) {
      throw new BoundExceeded(`it has more than ${this.budget.bounds.steps} steps`);
    }
    this.steps.push(...inEachDirectory(step));
  }

  emitCommand(call: Call, output?: Word, wrote: ReadonlyMap<string, string> | null = null): void {
    const { state, frame, source } = call;
    const command = commandStep(call, wrote, !this.overlay.isUnsettled);
    this.emit(command);
    if (frame.output !== null || frame.errors !== null) {
      const read = output ?? unknownWord(source, `the output of ${source} is not known`);
      const asks = frame.output !== null && read.kind === 'unknown';
      const answer = asks ? this.outputOf(command, this.steps, this.#standing(frame)) : null;
      const printed = answer === null ? read : alsoReadAs(answer, read);
      frame.output?.append(printed.kind === 'unknown' ? { ...printed, printedBy: command } : printed, state.path);
      appendErrors(call, printed);
    }
  }

  #standing({ inCondition, text }: Frame): Standing {
    return { isSettled: !this.overlay.isUnsettled, decides: inCondition, around: text };
  }

  emitUnreadable(call: Call, part: 'program' | 'script', reason: string, printed: Printed | null = null): void {
    this.overlay.mayCreate = true;
    this.emit(unreadableStep(call, part, reason, printed));
  }

  runText(text: string, state: ShellState, frame: Frame): Outcome {
    return this.budget.deeper(() =>
      this.recursion.start(text, state, (entered) =>
        this.script(parseScript(text, this.budget), entered, framed(frame, { text })),
      ),
    );
  }

  /** Runs a parsed script; a syntax error is a step of its own, after what can be read of it. */
  script(script: ParsedScript, state: ShellState, frame: Frame): Outcome {
    const outcome = this.statements(script.commands, state, frame);
    const [error] = script.errors ?? [];
    if (error !== undefined) {
      const part = { argv: [], state, frame, source: frame.text };
      this.emit(unreadableStep(part, 'syntax', `syntax error: ${error.message}`));
    }
    return outcome;
  }

  runProcess(call: Call, text: string, process: ShellProcess): Outcome {
    const { state, frame, startup } = startedShell(call, text, process);
    const run = (inside: Frame) => {
      const left = this.#exits;
      const quiet = framed(inside, { input: null });
      const read = startup === '' ? state : foreseenAfter(this.runText(startup, state, quiet));
      // Where nothing has ended the shell, it goes on as surely as it began.
      return read === null
        ? ended
        : this.runText(text, left === this.#exits ? withPath(read, state.path) : read, inside);
    };
    return this.subshell(run, call.state, frame);
  }

  substituteCommand(part: Pick<CommandExpansion, 'script' | 'text'>, state: ShellState): Word {
    return this.#substitutions.ofCommand(part, state);
  }

  substituteProcess(part: ProcessSubstitution, state: ShellState): Word {
    return this.#substitutions.ofProcess(part, state);
  }

  within<T>(text: string, body: () => T): T {
    return this.#substitutions.within(text, body);
  }

  expanding<T>(frame: Frame, body: () => T): T {
    return this.#substitutions.expanding(frame, body);
  }
}

/** What is known of an output by whom the question was put to, and what code may say in its place by the question's words. */
function alsoReadAs(answer: Word, read: Word): Word {
  const code = read.kind === 'unknown' ? read.code : undefined;
  return answer.kind === 'known' || code === undefined ? answer : { code, ...answer };
}

/** `pipefail`: the pipeline succeeds where both do. */
function bothSucceed(first: Outcome, last: Outcome): Outcome {
  const where = (before: ShellState | null) =>
    before && last.success && withPath(last.success, together(before.path, last.success.path));
  return { success: where(first.success), failure: merge(last.failure, where(first.failure)) };
}
