import {
  type AndOr,
  type CommandNode,
  type ParsedScript,
  type Pipeline,
  type PipelineNode,
  parse,
  type Statement,
} from 'unbash';
import { BoundExceeded, type Budget } from './bounds.ts';
import {
  type Call,
  type Frame,
  type JumpTarget,
  originOf,
  type ScriptShell,
  type ShellProcess,
  topFrame,
} from './call.ts';
import { runCompound } from './compound-command.ts';
import { dispatch } from './dispatch.ts';
import { exportedChanges, exportedFunctions, importedFunctions, inheritedVariables } from './environment.ts';
import { type Environment, unknownWord } from './parameter.ts';
import { readPlainLine } from './plain-line.ts';
import { Recursion } from './recursion.ts';
import type { ScriptFiles } from './script-files.ts';
import type { ScriptOverlay } from './script-overlay.ts';
import {
  doubtful,
  either,
  ended,
  freshState,
  merge,
  mergeOutcome,
  type Outcome,
  type ShellState,
  withDoubts,
} from './shell-state.ts';
import type { OutputOf, SimpleCommand, Step, Way, Word } from './simple-command.ts';
import { runSimpleCommand } from './simple-command-reading.ts';
import { Capture, InputStream } from './stream.ts';
import { Substitutions } from './substitutions.ts';
import type { CommandExpansion, ProcessSubstitution } from './word-expansion.ts';

/** Runs a script the way bash would, without running anything: it follows the state and collects the steps. */
export class Interpreter implements ScriptShell {
  readonly outputOf: OutputOf;
  readonly environment: Environment;
  readonly files: ScriptFiles;
  readonly overlay: ScriptOverlay;
  readonly budget: Budget;
  readonly recursion = new Recursion();
  readonly steps: Step[] = [];
  /** Ways that `exit` and `exec` ended, and that `return`, `break` and `continue` left. */
  #exits = 0;
  #jumps = 0;
  readonly #substitutions: Substitutions;

  constructor(world: {
    outputOf: OutputOf;
    environment: Environment;
    files: ScriptFiles;
    overlay: ScriptOverlay;
    budget: Budget;
  }) {
    this.outputOf = world.outputOf;
    this.environment = world.environment;
    this.files = world.files;
    this.overlay = world.overlay;
    this.budget = world.budget;
    this.#substitutions = new Substitutions({
      overlay: world.overlay,
      budget: world.budget,
      runInside: (script, state, frame) => this.#subshell(() => this.script(script, state, frame)),
      emit: (step) => this.emit(step),
    });
  }

  statements(statements: readonly Statement[], state: ShellState, frame: Frame): Outcome {
    const inner = frame.chain === null ? frame : { ...frame, chain: null };
    let outcome: Outcome = { success: state, failure: null };
    for (const statement of statements) {
      const current = merge(outcome.success, outcome.failure);
      if (current === null) {
        return ended;
      }
      outcome = this.#statement(statement, current, inner);
    }
    return outcome;
  }

  #statement(statement: Statement, state: ShellState, frame: Frame): Outcome {
    this.budget.visit();
    if (statement.background) {
      // It surely runs, but perhaps after what follows.
      this.#subshell(() => this.node(statement.command, doubtful(state), frame));
      return { success: state, failure: null };
    }
    const left = this.#exits + this.#jumps;
    let outcome = this.node(statement.command, state, frame);
    const exempt = frame.inCondition || statement.command.type === 'AndOr' || isNegated(statement.command);
    if (state.options.errexit && !exempt && outcome.failure !== null) {
      this.#exits += 1;
      outcome = { success: outcome.success && doubtful(outcome.success), failure: null };
    }
    return left === this.#exits + this.#jumps ? settled(outcome, state.doubts) : outcome;
  }

  node(node: AndOr | PipelineNode, state: ShellState, frame: Frame): Outcome {
    return this.budget.nested(() => {
      switch (node.type) {
        case 'AndOr':
          return this.#andOr(node, state, frame);
        case 'Pipeline':
          return this.#pipeline(node, state, frame);
        default:
          return this.command(node, state, frame);
      }
    });
  }

  #andOr(node: AndOr, state: ShellState, frame: Frame): Outcome {
    const [first, ...others] = node.commands;
    const list = Symbol('list');
    const alternative = node.operators.indexOf('||');
    const frameOf = (place: number): Frame => ({
      ...frame,
      inCondition: place < others.length || frame.inCondition,
      chain: alternative === -1 || place <= alternative ? { list, place } : null,
      way: alternative !== -1 ? wayAt(place, alternative, list) : place === 0 ? frame.way : null,
    });
    let outcome = first === undefined ? either(state) : this.node(first, state, frameOf(0));
    for (const [index, command] of others.entries()) {
      outcome = this.#andOrStep(outcome, node.operators[index] === '&&', command, frameOf(index + 1));
    }
    return outcome;
  }

  #andOrStep(before: Outcome, isAnd: boolean, command: PipelineNode, frame: Frame): Outcome {
    const taken = isAnd ? before.success : before.failure;
    const other = isAnd ? before.failure : before.success;
    if (taken === null) {
      return before;
    }
    const skipped = other && doubtful(other);
    const after = this.node(command, skipped === null ? taken : doubtful(taken), frame);
    return mergeOutcome(after, isAnd ? { success: null, failure: skipped } : { success: skipped, failure: null });
  }

  #pipeline(node: Pipeline, state: ShellState, frame: Frame): Outcome {
    const negated = node.prefixes.filter((prefix) => prefix.type === 'Negation').length % 2 === 1;
    const isAlone = node.commands.length === 1;
    const isDeciding = isAlone && !negated;
    const chain = isDeciding ? frame.chain : null;
    const way = isDeciding ? frame.way : null;
    const inner = { ...frame, inCondition: negated || frame.inCondition, chain, way };
    const outcome = isAlone ? this.#onlyCommand(node, state, inner) : this.#pipes(node, state, inner);
    return negated ? { success: outcome.failure, failure: outcome.success } : outcome;
  }

  #onlyCommand(node: Pipeline, state: ShellState, frame: Frame): Outcome {
    const [command] = node.commands;
    return command === undefined ? either(state) : this.command(command, state, frame);
  }

  /** Each command of a pipeline runs in a subshell and reads what the one before it prints. */
  #pipes(node: Pipeline, state: ShellState, frame: Frame): Outcome {
    let input = frame.input;
    let outcome: Outcome = either(state);
    const pipeline = Symbol('pipeline');
    for (const [place, command] of node.commands.entries()) {
      const isLast = place === node.commands.length - 1;
      const capture = isLast ? frame.output : new Capture(state.doubts);
      const pipes = [...frame.pipes, { pipeline, place, isLast }];
      outcome = this.#subshell(() => this.command(command, state, { ...frame, input, output: capture, pipes }));
      if (!isLast && capture !== null) {
        input = new InputStream(capture.word(this.#text(command, frame)));
      }
    }
    return asProcess(outcome, state);
  }

  command(node: CommandNode, state: ShellState, frame: Frame): Outcome {
    this.budget.visit();
    return node.type === 'Command' ? runSimpleCommand(node, state, frame, this) : runCompound(node, state, frame, this);
  }

  #text(node: { readonly pos: number; readonly end: number }, frame: Frame): string {
    return frame.text.slice(node.pos, node.end);
  }

  /** `( … )`: whatever it changes or ends stays inside. */
  subshell(body: () => Outcome, state: ShellState): Outcome {
    const exits = this.#exits;
    const outcome = this.#subshell(body);
    return exits < this.#exits || outcome === ended ? either(state) : asProcess(outcome, state);
  }

  #subshell(body: () => Outcome): Outcome {
    const exits = this.#exits;
    const jumps = this.#jumps;
    const outcome = body();
    const exited = exits !== this.#exits || jumps !== this.#jumps;
    this.#exits = exits;
    this.#jumps = jumps;
    return exited ? { success: outcome.success, failure: outcome.failure } : outcome;
  }

  exit(): Outcome {
    this.#exits += 1;
    return ended;
  }

  jump(target: JumpTarget | null, state: ShellState): Outcome {
    if (target === null) {
      return either(state);
    }
    this.#jumps += 1;
    target.state = merge(target.state, state);
    return ended;
  }

  /** Runs what jumps may leave; ways that left it meet again at its end. */
  catchJumps(body: () => Outcome): Outcome {
    const jumps = this.#jumps;
    const outcome = body();
    this.#jumps = jumps;
    return outcome;
  }

  run(call: Call): Outcome {
    this.budget.visit();
    return dispatch(call, this);
  }

  emit(step: Step): void {
    if (this.steps.length >= this.budget.bounds.steps) {
      throw new BoundExceeded(`it has more than ${this.budget.bounds.steps} steps`);
    }
    this.steps.push(step);
  }

  emitCommand(call: Call, output?: Word, wrote: ReadonlyMap<string, string> = new Map()): void {
    const { state, frame } = call;
    const command: SimpleCommand = {
      kind: 'command',
      argv: call.argv,
      cwd: state.cwd,
      env: exportedChanges(state),
      input: frame.input?.describe() ?? null,
      ...(wrote.size === 0 ? {} : { wrote }),
      origin: originOf(call.source, state, frame),
    };
    this.emit(command);
    if (frame.output !== null) {
      const printed =
        this.outputOf(command, this.steps) ??
        output ??
        unknownWord(call.source, `the output of ${call.source} is not known`);
      frame.output.append(printed.kind === 'unknown' ? { ...printed, printedBy: command } : printed, state.doubts);
    }
  }

  emitUnreadable(call: Call, part: 'program' | 'script', reason: string): void {
    const { state, frame } = call;
    this.overlay.mayCreate = true;
    this.emit({
      kind: 'unreadable',
      part,
      argv: call.argv,
      cwd: state.cwd,
      env: exportedChanges(state),
      source: call.source,
      reason,
      origin: originOf(call.source, state, frame),
    });
  }

  runText(text: string, state: ShellState, frame: Frame): Outcome {
    return this.budget.deeper(() =>
      this.recursion.start(text, state, (entered) =>
        this.script(parseScript(text, this.budget), entered, { ...frame, text }),
      ),
    );
  }

  /** Runs a parsed script; a syntax error is a step of its own, after what can be read of it. */
  script(script: ParsedScript, state: ShellState, frame: Frame): Outcome {
    const outcome = this.statements(script.commands, state, frame);
    const [error] = script.errors ?? [];
    if (error !== undefined) {
      this.emit({
        kind: 'unreadable',
        part: 'syntax',
        argv: [],
        cwd: state.cwd,
        env: exportedChanges(state),
        source: frame.text,
        reason: `syntax error: ${error.message}`,
        origin: originOf(frame.text, state, frame),
      });
    }
    return outcome;
  }

  runProcess(call: Call, text: string, process: ShellProcess): Outcome {
    const { state, frame } = call;
    const inner: ShellState = {
      ...freshState(state.cwd, inheritedVariables(state), { zshLists: isZsh(process, text) }),
      previousCwd: state.previousCwd,
      functions: exportedFunctions(state),
      name: process.name,
      positional: process.positional,
      doubts: state.doubts,
    };
    const innerFrame: Frame = {
      ...topFrame(text),
      through: [...frame.through, process.label],
      pipes: frame.pipes,
      input: process.input === undefined ? frame.input : process.input,
      output: frame.output,
    };
    const imported = importedFunctions(state);
    return this.subshell(() => {
      const known = imported === '' ? null : this.runText(imported, inner, { ...innerFrame, input: null }).success;
      return this.runText(text, known ?? inner, innerFrame);
    }, state);
  }

  substituteCommand(part: Pick<CommandExpansion, 'script' | 'text'>, state: ShellState): Word {
    return this.#substitutions.ofCommand(part, state);
  }

  substituteProcess(part: ProcessSubstitution, state: ShellState): Word {
    return this.#substitutions.ofProcess(part, state);
  }

  expanding<T>(frame: Frame, body: () => T): T {
    return this.#substitutions.expanding(frame, body);
  }
}

function parseScript(text: string, budget: Budget): ParsedScript {
  budget.text(text.length);
  return readPlainLine(text) ?? parse(text);
}

/** In `a && b || c`, the ways that the line may take end with `b` or with `c`. */
function wayAt(place: number, alternative: number, fork: symbol): Way | null {
  const index = place - alternative;
  return index === 0 || index === 1 ? { fork, index, of: 2 } : null;
}

function isNegated(node: AndOr | PipelineNode): boolean {
  return node.type === 'Pipeline' && node.prefixes.some((prefix) => prefix.type === 'Negation');
}

function settled(outcome: Outcome, doubts: number): Outcome {
  return { success: withDoubts(outcome.success, doubts), failure: withDoubts(outcome.failure, doubts) };
}

function asProcess(outcome: Outcome, state: ShellState): Outcome {
  return outcome.success === null && outcome.failure === null
    ? either(state)
    : { success: outcome.success && state, failure: outcome.failure && state };
}

/** `zsh -c …`, `zsh file`, or a script whose first line says so. */
function isZsh({ label }: ShellProcess, text: string): boolean {
  return /^zsh\b/.test(label) || /^#!\S*(?:\s+|\/)zsh\b/.test(text);
}
