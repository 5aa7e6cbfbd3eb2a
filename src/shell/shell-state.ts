import type { Function as FunctionNode } from 'unbash';
import { mergedList, oneOfBoth, undecided } from './merged-values.ts';
import { commonPath, meeting, newFork, taking } from './path.ts';
import type { Directory, Fork, Path, SimpleCommand, Word } from './simple-command.ts';
import type { InputStream } from './stream.ts';
import type { Variable } from './variable.ts';

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

export interface ShellOptions {
  readonly errexit: boolean;
  /** A pipeline fails where any of its commands does. */
  readonly pipefail: boolean;
  readonly noglob: boolean;
  /** `set -C`: `>` does not write over a file that is there. */
  readonly noclobber: boolean;
  readonly expandAliases: boolean;
  readonly dotglob: boolean;
  /** `set -a`: every variable that is set is exported. */
  readonly allexport: boolean;
  /** zsh: `$list` stands for all its elements, the first of which is number 1 (zshparam(1)). */
  readonly zshLists: boolean;
}

/** A shell at one moment of its run. Immutable: each change makes a new state. */
export interface ShellState {
  readonly cwd: Directory;
  readonly previousCwd: Directory | null;
  readonly directoryStack: readonly Directory[];
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
const defaultOptions: ShellOptions = {
  errexit: false,
  pipefail: false,
  noglob: false,
  noclobber: false,
  expandAliases: false,
  dotglob: false,
  allexport: false,
  zshLists: false,
};

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

/** Gives a variable a value, by what was declared of it: `declare -n` leads to another one, `declare -l` changes letters. */
export function withVariable(state: ShellState, name: string, variable: Variable): ShellState {
  const before = state.variables.get(name);
  if (before?.kind === 'reference' && variable.kind === 'scalar' && before.target.kind === 'known') {
    return changed(state, { variables: new Map(state.variables).set(before.target.value, variable) });
  }
  const letters = before?.kind === 'scalar' ? before.letters : undefined;
  const now = letters !== undefined && variable.kind === 'scalar' ? inLetters(variable, letters) : variable;
  return changed(state, { variables: new Map(state.variables).set(name, now) });
}

type Scalar = Extract<Variable, { kind: 'scalar' }>;

/** A variable that has its value in one letter case for good. */
export function inLetters(variable: Scalar, letters: NonNullable<Scalar['letters']>): Scalar {
  const change = (text: string) => (letters === 'lower' ? text.toLowerCase() : text.toUpperCase());
  const { value } = variable;
  return value.kind === 'known'
    ? { ...variable, letters, value: { kind: 'known', value: change(value.value) } }
    : { ...variable, letters, value: { ...value, prefix: change(value.prefix), suffix: change(value.suffix) } };
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

export function sameWord(a: Word, b: Word): boolean {
  if (a === b) {
    return true;
  }
  if (a.kind === 'known' || b.kind === 'known') {
    return a.kind === b.kind && a.kind === 'known' && b.kind === 'known' && a.value === b.value;
  }
  return (
    a.source === b.source &&
    a.reason === b.reason &&
    a.prefix === b.prefix &&
    a.suffix === b.suffix &&
    a.names === b.names &&
    a.oneOf?.join('\0') === b.oneOf?.join('\0') &&
    a.mayBe?.join('\0') === b.mayBe?.join('\0')
  );
}

function sameVariable(a: Variable | undefined, b: Variable | undefined): boolean {
  if (a === b || a === undefined || b === undefined) {
    return a === b;
  }
  if (a.kind === 'scalar' && b.kind === 'scalar') {
    return a.exported === b.exported && sameWord(a.value, b.value);
  }
  if (a.kind === 'array' && b.kind === 'array') {
    return a.associative === b.associative && sameElements(a.elements, b.elements);
  }
  return a.kind === 'unset' && b.kind === 'unset';
}

function sameElements(a: ReadonlyMap<string, Word>, b: ReadonlyMap<string, Word>): boolean {
  return (
    a.size === b.size &&
    [...a].every(([key, word]) => {
      const other = b.get(key);
      return other !== undefined && sameWord(word, other);
    })
  );
}

function printerOf(variable: Variable | undefined): SimpleCommand | undefined {
  return variable?.kind === 'scalar' && variable.value.kind === 'unknown' ? variable.value.printedBy : undefined;
}

function mergeVariables(a: ShellState, b: ShellState): ReadonlyMap<string, Variable> {
  if (a.variables === b.variables) {
    return a.variables;
  }
  const merged = new Map(a.variables);
  for (const name of new Set([...a.variables.keys(), ...b.variables.keys()])) {
    const one = a.variables.get(name);
    const other = b.variables.get(name);
    if (!sameVariable(one, other) || printerOf(one) !== printerOf(other)) {
      const exported = [one, other].some((variable) => variable?.kind === 'scalar' && variable.exported);
      const list = mergedList(name, one, other);
      merged.set(name, list ?? { kind: 'scalar', value: oneOfBoth(name, one, other), exported });
    }
  }
  return merged;
}

function mergeFunctions(a: ShellState, b: ShellState): ReadonlyMap<string, FunctionDefinition> {
  if (a.functions === b.functions) {
    return a.functions;
  }
  const merged = new Map<string, FunctionDefinition>();
  for (const [name, definition] of [...a.functions, ...b.functions]) {
    const everywhere = a.functions.get(name) === b.functions.get(name);
    merged.set(name, everywhere ? definition : { ...definition, certain: false });
  }
  return merged;
}

/** Would running the same script from both states do the same? */
export function sameState(a: ShellState, b: ShellState): boolean {
  const names = a.variables === b.variables ? [] : new Set([...a.variables.keys(), ...b.variables.keys()]);
  const directories = a.cwd.kind === b.cwd.kind && mergeDirectory(a.cwd, b.cwd) === a.cwd;
  return (
    directories &&
    a.functions === b.functions &&
    sameWords(a.positional, b.positional) &&
    [...names].every((name) => sameVariable(a.variables.get(name), b.variables.get(name)))
  );
}

function mergeDirectory(a: Directory, b: Directory): Directory {
  if (a === b || (a.kind === 'known' && b.kind === 'known' && a.path === b.path)) {
    return a;
  }
  const isElsewhere = a.kind === 'unknown' && b.kind === 'unknown' && a.isElsewhere && b.isElsewhere;
  const reason = 'the directory depends on which commands ran';
  return isElsewhere ? { kind: 'unknown', reason, isElsewhere } : { kind: 'unknown', reason };
}

/**
 * Where `cd -` leads after two ways that meet. `npm test && cd dist; cd -` ends where it began also where nothing was
 * left, because then there is nowhere to go back to.
 */
function mergePrevious(a: ShellState, b: ShellState): Directory | null {
  const [left, stayed] = a.previousCwd === null ? [b, a] : [a, b];
  const { previousCwd } = left;
  const isBack = previousCwd?.kind === 'known' && stayed.cwd.kind === 'known' && previousCwd.path === stayed.cwd.path;
  return previousCwd === stayed.previousCwd || (stayed.previousCwd === null && isBack) ? previousCwd : null;
}

function sameWords(a: readonly Word[], b: readonly Word[]): boolean {
  return a === b || (a.length === b.length && a.every((word, index) => sameWord(word, b[index] ?? word)));
}

/** The state after two ways that meet again: what differs is unknown. */
export function merge(a: ShellState | null, b: ShellState | null): ShellState | null {
  if (a === b || b === null) {
    return a;
  }
  if (a === null) {
    return b;
  }
  return changed(a, {
    cwd: mergeDirectory(a.cwd, b.cwd),
    previousCwd: mergePrevious(a, b),
    directoryStack: a.directoryStack === b.directoryStack ? a.directoryStack : [],
    printsElsewhere: a.printsElsewhere || b.printsElsewhere,
    variables: mergeVariables(a, b),
    functions: mergeFunctions(a, b),
    aliases: a.aliases === b.aliases ? a.aliases : new Map([...a.aliases, ...b.aliases]),
    hashed: a.hashed === b.hashed ? a.hashed : new Map([...a.hashed, ...b.hashed]),
    positional: sameWords(a.positional, b.positional) ? a.positional : [{ ...undecided('@'), source: '$@' }],
    options: a.options === b.options ? a.options : mergeOptions(a.options, b.options),
    hidden: a.hidden === b.hidden || b.hidden === null ? a.hidden : new Map([...b.hidden, ...(a.hidden ?? [])]),
    path: meeting(a.path, b.path),
  });
}

function mergeOptions(a: ShellOptions, b: ShellOptions): ShellOptions {
  return {
    ...a,
    errexit: a.errexit && b.errexit,
    pipefail: a.pipefail || b.pipefail,
    allexport: a.allexport || b.allexport,
    noclobber: a.noclobber || b.noclobber,
  };
}

export function mergeOutcome(a: Outcome, b: Outcome): Outcome {
  return { success: merge(a.success, b.success), failure: merge(a.failure, b.failure) };
}
