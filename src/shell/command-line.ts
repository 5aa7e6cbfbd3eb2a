import { BoundExceeded, type Bounds, Budget, defaultBounds } from './bounds.ts';
import { framed, topFrame } from './call.ts';
import { Interpreter } from './interpreter.ts';
import { withoutLongBlanks } from './long-blanks.ts';
import { diskFiles, type ScriptFiles } from './script-files.ts';
import { ScriptOverlay } from './script-overlay.ts';
import { freshState, type ShellState, withPath } from './shell-state.ts';
import type { Ends, MadeBy, OutputOf, Path, Step, SuccessOf } from './simple-command.ts';
import type { Environment } from './words/parameter.ts';

/** Where a command line would run. */
export interface CommandLineContext {
  /** Absolute path of the directory it starts in. */
  readonly cwd: string;
  /** The environment it starts with. */
  readonly env: Environment;
  /** The disk, unless a test or a caller without one says otherwise. */
  readonly files?: ScriptFiles;
  readonly bounds?: Partial<Bounds>;
  /**
   * What a program would print, where the caller knows: asked for programs whose output the command line uses
   * (`$(git branch --show-current)`). Null, or nothing given: it is not known.
   */
  readonly outputOf?: OutputOf;
  /** Whether a program would succeed: asked for calls of git that the line goes on by. */
  readonly successOf?: SuccessOf;
  /** Which directory a program would make that is not there: asked for `git worktree add`. */
  readonly madeBy?: MadeBy;
  /** The conditions under which it runs; none unless they are given. */
  readonly path?: Path;
  /** It runs now, as a whole: what it asks of files is answered by what is there. */
  readonly runsNow?: true;
}

export interface CommandLine {
  /** In the order in which they would happen. */
  readonly steps: readonly Step[];
  /** Why reading stopped before the end: what follows the last step is not known. Null where all was read. */
  readonly truncated: string | null;
  /** Scripts that the line runs and that were not read to their end, the line itself left out. */
  readonly unread: readonly string[];
  /** The directories that the shell may stand in at the end, as far as they are known; the likeliest first. */
  readonly endsIn: readonly string[];
  /** How it ends; null: it was not read to its end. */
  readonly ends: Ends | null;
}

/**
 * Reads a command line as `bash -c` would run it: which programs it would call, with which words, in which directory
 * and environment, and which files it would write. Nothing is run. Never throws and never takes longer than its bounds.
 */
export function readCommandLine(line: string, context: CommandLineContext): CommandLine {
  // bash leaves NUL out of what it reads.
  const source = withoutLongBlanks(line.includes('\0') ? line.replaceAll('\0', '') : line);
  const bounds = { ...defaultBounds, ...context.bounds };
  const files = context.files ?? diskFiles;
  const overlay = new ScriptOverlay(files, bounds);
  overlay.isUnsettled = context.runsNow !== true;
  const interpreter = new Interpreter({
    outputOf: context.outputOf ?? (() => null),
    successOf: context.successOf ?? (() => null),
    madeBy: context.madeBy ?? (() => null),
    environment: context.env,
    files,
    overlay,
    budget: new Budget(bounds),
  });
  const state = withPath(freshState({ kind: 'known', path: context.cwd }), context.path ?? null);
  try {
    const { reached, ended } = interpreter.line(source, state, framed(topFrame(source), { printsPlainly: true }));
    const endsIn = knownDirectories(reached.success, reached.failure);
    const ends = { from: state.path, success: ended.success?.path, failure: ended.failure?.path };
    return { steps: interpreter.steps, truncated: null, unread: [], endsIn, ends };
  } catch (error) {
    const truncated = error instanceof BoundExceeded ? error.message : 'it can’t be read (an error of the reader)';
    const unread = interpreter.recursion.unread.filter((text) => text !== source);
    return { steps: interpreter.steps, truncated, unread, endsIn: [], ends: null };
  }
}

function knownDirectories(...states: readonly (ShellState | null)[]): readonly string[] {
  const directories = new Set<string>();
  for (const state of states) {
    if (state?.cwd.kind === 'known') {
      directories.add(state.cwd.path);
    }
  }
  return [...directories];
}
