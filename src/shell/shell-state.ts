import type { Function as FunctionNode } from 'unbash';
import { defaultOptions, type ShellOptions } from './builtins/shell-options.ts';
import { commonPath, newFork, taking } from './path.ts';
import type { Directory, Fork, Path, Word } from './simple-command.ts';
import type { InputStream } from './stream.ts';
import { declaredOf, type Variable } from './variable.ts';
import { asDeclared } from './words/declared-value.ts';

/** A function, with the text that its body's positions refer to. */
export interface FunctionDefinition {
  readonly node: FunctionNode;
  readonly source: string;
  /** False where the definition depends on a condition: then the program of that name may run as well. */
  readonly certain: boolean;
  /** `export -f`: shells that are started know it. */
  readonly exported?: boolean;
}

export interface Alias {
  readonly value: string;
  /** Where it was defined: it holds from the next line of the same text on. */
  readonly source: string;
  readonly end: number;
}

/** A shell at one moment of its run. Immutable: each change makes a new state. */
export interface ShellState {
  readonly cwd: Directory;
  readonly previousCwd: Directory | null;
  /** What `pushd` has put away; null: not known. */
  readonly directoryStack: readonly Directory[] | null;
  /** Changes against the environment the shell was started in. */
  readonly variables: ReadonlyMap<string, Variable>;
  readonly functions: ReadonlyMap<string, FunctionDefinition>;
  readonly aliases: ReadonlyMap<string, Alias>;
  /** Where `hash -p` says that programs are. */
  readonly hashed: ReadonlyMap<string, Word>;
  /** What other descriptors than standard input lead to, where the line opens them to read. */
  readonly descriptors: ReadonlyMap<number, InputStream>;
  /** `exec >FILE`: what it prints from then on goes elsewhere. */
  readonly printsElsewhere: boolean;
  /** `exec <FILE`: what commands read from then on that would read the other. */
  readonly standardInput: { readonly instead: InputStream | null; readonly of: InputStream | null } | null;
  readonly name: Word;
  readonly positional: readonly Word[];
  readonly options: ShellOptions;
  /** In a function: what its local variables hide, to be put back at its end (null: nothing). */
  readonly hidden: ReadonlyMap<string, Variable | null> | null;
  /** How the statement before has ended, where the next one asks: `$?`. */
  readonly status: Fork | null;
  /** The conditions under which this moment comes. */
  readonly path: Path;
}

/** How a part of the script ends: the state in which it succeeds and in which it fails; null where it can't. */
export interface Outcome {
  readonly success: ShellState | null;
  readonly failure: ShellState | null;
}

const nothing: ReadonlyMap<never, never> = new Map<never, never>();
const bash: Word = { kind: 'known', value: 'bash' };
/** A fresh shell that stands in `cwd`. */
export function freshState(
  cwd: Directory,
  variables: ReadonlyMap<string, Variable> = nothing,
  options: Partial<ShellOptions> | null = null,
): ShellState {
  return {
    cwd,
    previousCwd: null,
    directoryStack: [],
    variables,
    functions: nothing,
    aliases: nothing,
    hashed: nothing,
    descriptors: nothing,
    printsElsewhere: false,
    standardInput: null,
    name: bash,
    positional: [],
    options: options === null ? defaultOptions : { ...defaultOptions, ...options },
    hidden: null,
    status: null,
    path: null,
  };
}

export function either(state: ShellState): Outcome {
  return { success: state, failure: state };
}

export function succeeds(state: ShellState): Outcome {
  return { success: state, failure: null };
}

export function fails(state: ShellState): Outcome {
  return { success: null, failure: state };
}

export const ended: Outcome = { success: null, failure: null };

/** On a condition that nothing is known of. */
export function doubtful(state: ShellState): ShellState {
  return withPath(state, taking(state.path, newFork(), true));
}

export function withPath(state: ShellState, path: Path): ShellState {
  return state.path === path ? state : changed(state, { path });
}

/**
 * The state with some of it changed. Not `{ ...state, … }`: to V8 the objects of each place with a spread are of another
 * shape, and whatever reads many shapes of states reads them slowly.
 */
export function changed(state: ShellState, changes: Partial<ShellState>): ShellState {
  const {
    cwd = state.cwd,
    previousCwd = state.previousCwd,
    directoryStack = state.directoryStack,
    variables = state.variables,
    functions = state.functions,
    aliases = state.aliases,
    hashed = state.hashed,
    descriptors = state.descriptors,
    printsElsewhere = state.printsElsewhere,
    standardInput = state.standardInput,
    name = state.name,
    positional = state.positional,
    options = state.options,
    hidden = state.hidden,
    status = state.status,
    path = state.path,
  } = changes;
  return {
    cwd,
    previousCwd,
    directoryStack,
    variables,
    functions,
    aliases,
    hashed,
    descriptors,
    printsElsewhere,
    standardInput,
    name,
    positional,
    options,
    hidden,
    status,
    path,
  };
}

/**
 * The same ways on, each behind the fork, where both may be taken and nothing tells them apart yet.
 *
 * @param fork what decides; default: something that nothing is known of
 */
export function parted(outcome: Outcome, fork: Fork = newFork()): Outcome {
  const { success, failure } = outcome;
  const common = success === null || failure === null ? undefined : commonPath(success.path, failure.path);
  if (success === null || failure === null || (success.path !== common && failure.path !== common)) {
    return outcome;
  }
  return {
    success: withPath(success, taking(success.path, fork, true)),
    failure: withPath(failure, taking(failure.path, fork, false)),
  };
}

/** The way on which the shell does not end, where it ends on the other one. @param exit {@link Shell.exit} */
export function unlessEnded(state: ShellState, exit: (outcome: Outcome) => Outcome): ShellState {
  const { success, failure } = parted(either(state));
  exit({ success: null, failure });
  return success ?? state;
}

/** Gives a variable a value, by what was declared of it: `declare -n` leads to another one, `-l` changes letters. */
export function withVariable(state: ShellState, name: string, variable: Variable): ShellState {
  const before = state.variables.get(name);
  if (before?.kind === 'reference' && variable.kind === 'scalar' && before.target.kind === 'known') {
    return changed(state, { variables: new Map(state.variables).set(before.target.value, variable) });
  }
  const declared = { ...declaredOf(before), ...declaredOf(variable) };
  const isPlain = Object.keys(declared).length === 0;
  const now = isPlain ? variable : asDeclared(variable, declared, before);
  return changed(state, { variables: new Map(state.variables).set(name, now) });
}

/** A list with one element more, or another one. */
export function withElement(before: Variable | undefined, key: Word, value: Word): Variable {
  const elements = new Map(before?.kind === 'array' ? before.elements : []);
  if (before?.kind === 'scalar') {
    elements.set('0', before.value);
  }
  elements.set(key.kind === 'known' ? key.value : '?', value);
  return { kind: 'array', elements, associative: before?.kind === 'array' && before.associative };
}

/** bash(1) "Shell Variables": the file that is read. */
export function inScript(
  variables: ReadonlyMap<string, Variable>,
  file: Word | undefined,
): ReadonlyMap<string, Variable> {
  return file === undefined
    ? variables
    : new Map(variables).set('BASH_SOURCE', { kind: 'array', elements: new Map([['0', file]]), associative: false });
}
