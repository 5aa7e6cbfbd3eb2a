import type { AndOr, CommandNode, PipelineNode, Statement } from 'unbash';
import type { ShellOptions } from './builtins/shell-options.ts';
import { exportedChanges } from './environment.ts';
import { newFork, taking } from './path.ts';
import type { Recursion } from './recursion.ts';
import type { ScriptOverlay } from './script-overlay.ts';
import { ended, type Outcome, type ShellState } from './shell-state.ts';
import type {
  Fork,
  MadeBy,
  Origin,
  OutputOf,
  Path,
  PipeLink,
  Printed,
  SimpleCommand,
  Step,
  SuccessOf,
  Unreadable,
  Word,
} from './simple-command.ts';
import type { Capture, InputStream } from './stream.ts';
import { tellingPaths } from './telling-paths.ts';
import type { ExpansionHost } from './words/word-expansion.ts';

/** Collects how `return`, `break` and `continue` end what they leave, to meet again at its end. */
export interface JumpTarget {
  left: Outcome;
  /** How many jumps have led there. */
  jumps: number;
  /** Of a loop: where `break 2` or `continue 2` leads from there. */
  readonly outer: JumpTarget | null;
}

export function jumpTarget(outer: JumpTarget | null = null): JumpTarget {
  return { left: ended, jumps: 0, outer };
}

/** Where a piece of script runs. */
export interface Frame {
  /** The text that syntax positions refer to. */
  readonly text: string;
  readonly through: readonly string[];
  readonly input: InputStream | null;
  /** Null where nobody reads the output. */
  readonly output: Capture | null;
  /** What reads the errors, `2>&1`, perhaps along with the output; null where nobody does. */
  readonly errors: Capture | null;
  /** Output and errors go to whoever started the shell, or nowhere: nothing on the line leads them elsewhere. */
  readonly printsPlainly: boolean;
  readonly returns: JumpTarget | null;
  readonly breaks: JumpTarget | null;
  readonly continues: JumpTarget | null;
  /** Inside a condition, where `set -e` does not end the script. */
  readonly inCondition: boolean;
  /** Whether the command succeeds that is being run. */
  readonly success: Fork;
  /** The pipelines around it, the outermost first. */
  readonly pipes: readonly PipeLink[];
}

/** Where a script begins that nothing stands around. */
export function topFrame(text: string): Frame {
  return {
    text,
    through: [],
    input: null,
    output: null,
    errors: null,
    printsPlainly: false,
    returns: null,
    breaks: null,
    continues: null,
    inCondition: false,
    success: newFork(),
    pipes: [],
  };
}

/** The frame with some of it changed; see {@link changed} for why not by a spread. */
export function framed(frame: Frame, changes: Partial<Frame>): Frame {
  const {
    text = frame.text,
    through = frame.through,
    input = frame.input,
    output = frame.output,
    errors = frame.errors,
    printsPlainly = frame.printsPlainly,
    returns = frame.returns,
    breaks = frame.breaks,
    continues = frame.continues,
    inCondition = frame.inCondition,
    success = frame.success,
    pipes = frame.pipes,
  } = changes;
  return {
    text,
    through,
    input,
    output,
    errors,
    printsPlainly,
    returns,
    breaks,
    continues,
    inCondition,
    success,
    pipes,
  };
}

/** Where a step comes from. @param source as it was written */
export function originOf(source: string, state: ShellState, { through, success, pipes }: Frame): Origin {
  return { source, through, path: state.path, success, pipes };
}

/** A program, function or builtin about to run. */
export interface Call {
  readonly argv: readonly Word[];
  readonly state: ShellState;
  readonly frame: Frame;
  /** The command as it was written. */
  readonly source: string;
  /** What its name may mean: a function first (`any`), a builtin first (`command`), or a program alone (`sudo`). */
  readonly lookup: 'any' | 'builtins' | 'programs';
}

/** The call as a step. @param wrote what files hold that it has written @param isSettled see {@link SimpleCommand} */
export function commandStep(call: Call, wrote: ReadonlyMap<string, string> | null, isSettled = false): SimpleCommand {
  const { argv, state, frame, source } = call;
  const command: SimpleCommand = {
    kind: 'command',
    argv,
    cwd: state.cwd,
    env: exportedChanges(state),
    input: frame.input?.describe() ?? null,
    isSettled,
    origin: originOf(source, state, frame),
  };
  return wrote === null ? command : { ...command, wrote };
}

/** The step once for each of the directories in which it may come, where these are known, and of the files it may write. */
export function inEachDirectory<Kind extends Step>(step: Kind): readonly Kind[] {
  const { cwd, origin } = step;
  if (cwd.kind === 'known') {
    const paths = step.kind === 'write' ? tellingPaths(step.path) : [];
    const named = paths.map((path) => ({
      ...step,
      path,
      origin: { ...origin, path: taking(origin.path, newFork(), true) },
    }));
    return [step, ...named];
  }
  const { among = [], presumed } = cwd;
  // A program is run there as well: what it finds may matter.
  if (presumed !== undefined && step.kind === 'write') {
    const path = taking(origin.path, presumed.fork, true);
    return [step, { ...step, cwd: { kind: 'known', path: presumed.path }, origin: { ...origin, path } }];
  }
  return among.length === 0
    ? [step]
    : among.map((path) => ({
        ...step,
        cwd: { kind: 'known', path },
        origin: { ...origin, path: taking(origin.path, newFork(), true) },
      }));
}

/** What a call can't be followed in, as a step. */
export function unreadableStep(
  { argv, state, frame, source }: Omit<Call, 'lookup'>,
  part: Unreadable['part'],
  reason: string,
  printed: Printed | null = null,
): Unreadable {
  const step: Unreadable = {
    kind: 'unreadable',
    part,
    argv,
    cwd: state.cwd,
    env: exportedChanges(state),
    source,
    reason,
    origin: originOf(source, state, frame),
  };
  return printed === null ? step : { ...step, printed };
}

/** The whole of a word that a command prints. @param file see {@link Printed} */
export function printedAs(word: Word | undefined, file: string | null): Printed | null {
  return word?.kind === 'unknown' && word.prefix + word.suffix === '' && word.printedBy !== undefined
    ? { by: word.printedBy, file }
    : null;
}

/** The interpreter as builtins, wrappers and carriers see it. */
export interface Shell extends ExpansionHost {
  /** What a program prints, where the caller of the reader knows it. */
  readonly outputOf: OutputOf;
  /** Whether a program succeeds, where the caller of the reader knows it. */
  readonly successOf: SuccessOf;
  /** Which directory a program makes, where the caller of the reader knows it. */
  readonly madeBy: MadeBy;
  readonly overlay: ScriptOverlay;
  readonly recursion: Recursion;
  run(call: Call): Outcome;
  /**
   * Reports the call as a step: nothing is looked for inside.
   *
   * @param output what it prints, if that is known
   * @param wrote what files hold that it has written
   */
  emitCommand(call: Call, output?: Word, wrote?: ReadonlyMap<string, string> | null): void;
  emitUnreadable(call: Call, part: 'program' | 'script', reason: string, printed?: Printed | null): void;
  emit(step: Step): void;
  /** Runs script text in this shell (`eval`, `source`). */
  runText(text: string, state: ShellState, frame: Frame): Outcome;
  /** Runs script text in a new shell process that stands where the call stands. */
  runProcess(call: Call, text: string, process: ShellProcess): Outcome;
  /** `exit`, `exec`: what follows does not run. @param outcome how the shell ends */
  exit(outcome: Outcome): Outcome;
  /** @param outcome how what is left ends */
  jump(target: JumpTarget | null, outcome: Outcome): Outcome;
  /** `trap`: what runs when the shell ends. @param traps as they are from now on */
  traps: readonly Trap[];
  /**
   * Runs what jumps may leave; ways that left it meet again at its end.
   *
   * @returns how it ends, and whether a way may have led further out
   */
  catchJumps(target: JumpTarget, body: () => Outcome): { readonly outcome: Outcome; readonly leaves: boolean };
}

/** The interpreter as the readers of its grammar see it: they run parts of the script that they stand in. */
export interface ScriptShell extends Shell {
  /** What was found so far, in order. */
  readonly steps: Step[];
  statements(statements: readonly Statement[], state: ShellState, frame: Frame): Outcome;
  node(node: AndOr | PipelineNode, state: ShellState, frame: Frame): Outcome;
  command(node: CommandNode, state: ShellState, frame: Frame): Outcome;
  /** `( … )`: whatever it changes or ends stays inside. */
  subshell(body: (inside: Frame) => Outcome, state: ShellState, frame: Frame): Outcome;
  /** Expands words that stand in `frame`: substitutions in them refer to its text. */
  expanding<T>(frame: Frame, body: () => T): T;
}

/** Commands that a shell runs on a signal, or when it ends. */
export interface Trap {
  readonly code: string;
  /** One of the names that `trap` was given. */
  readonly signal: string;
  /** Where it was set. */
  readonly path: Path;
  readonly frame: Frame;
}

export interface ShellProcess {
  /** For `through`: `bash -c`. */
  readonly label: string;
  /** As it is told when it is started. */
  readonly options?: ShellOptions;
  /** `$0`. */
  readonly name: Word;
  readonly positional: readonly Word[];
  /** The file that holds the text: `${BASH_SOURCE[0]}`. */
  readonly file?: Word;
  /** What it reads before anything else. */
  readonly startup?: string;
  readonly input?: InputStream | null;
}

/** A row of a table of programs: what running it means. Null: the program is an ordinary one. */
export type ProgramReader = (call: Call, shell: Shell) => Outcome | null;

/** What runs inside of something else, which may succeed where it fails. @param label names that for people */
export function through(frame: Frame, label: string): Frame {
  return framed(frame, { through: [...frame.through, label], success: newFork() });
}

/** The same, of what ends as the one command ends that it runs: `sudo`, `timeout 5`. */
export function throughPassing(frame: Frame, label: string): Frame {
  return framed(frame, { through: [...frame.through, label] });
}
