import type { ShellOptions } from './builtins/shell-options.ts';
import { chosenOfBoth, mergedList, oneOfBoth, undecided } from './merged-values.ts';
import { isUnforeseen, meeting, newFork } from './path.ts';
import { changed, type FunctionDefinition, type Outcome, type ShellState } from './shell-state.ts';
import type { Candidates, Directory, Fork, Presumption, SimpleCommand, Word } from './simple-command.ts';
import { type Declared, declaredOf, type Variable } from './variable.ts';

function sameWord(a: Word, b: Word): boolean {
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
    a.whenNothing === b.whenNothing &&
    a.oneOf?.join('\0') === b.oneOf?.join('\0') &&
    a.mayBe?.join('\0') === b.mayBe?.join('\0') &&
    a.among?.join('\0') === b.among?.join('\0')
  );
}

function sameVariable(a: Variable | undefined, b: Variable | undefined): boolean {
  if (a === b || a === undefined || b === undefined) {
    return a === b;
  }
  if (a.kind === 'scalar' && b.kind === 'scalar') {
    return a.exported === b.exported && sameDeclared(a, b) && sameWord(a.value, b.value);
  }
  if (a.kind === 'array' && b.kind === 'array') {
    return a.associative === b.associative && sameDeclared(a, b) && sameElements(a.elements, b.elements);
  }
  return a.kind === 'unset' && b.kind === 'unset';
}

function sameDeclared(a: Declared, b: Declared): boolean {
  return a.letters === b.letters && a.integer === b.integer && a.trapped === b.trapped;
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

/** Which command's output a variable has, or which one's status: two values may look alike. */
function sourceOf(variable: Variable | undefined): SimpleCommand | Fork | undefined {
  const value = variable?.kind === 'scalar' && variable.value.kind === 'unknown' ? variable.value : undefined;
  const listed = variable?.kind === 'array' ? variable : undefined;
  return value?.printedBy ?? value?.statusOf ?? value?.countOf ?? value?.chosenBy?.fork ?? listed?.filledBy;
}

function mergeVariables(a: ShellState, b: ShellState): ReadonlyMap<string, Variable> {
  if (a.variables === b.variables) {
    return a.variables;
  }
  const merged = new Map(a.variables);
  for (const name of new Set([...a.variables.keys(), ...b.variables.keys()])) {
    const one = a.variables.get(name);
    const other = b.variables.get(name);
    if (!sameVariable(one, other) || sourceOf(one) !== sourceOf(other)) {
      const exported = [one, other].some((variable) => variable?.kind === 'scalar' && variable.exported);
      const list = mergedList(name, one, other);
      const [declared, otherwise] = [declaredOf(one), declaredOf(other)];
      const both = sameDeclared(declared, otherwise) ? declared : {};
      const value = chosenOfBoth(oneOfBoth(name, one, other), [one, a.path], [other, b.path]);
      merged.set(name, { ...(list ?? { kind: 'scalar', value, exported }), ...both });
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
  const [ones, others] = [possible(a), possible(b)];
  const among = ones === null || others === null ? [] : [...new Set([...ones, ...others])];
  const isOpen = among.length === 0 || among.length > mostDirectories;
  const presumed = isOpen ? (presumedIn(a) ?? presumedIn(b)) : undefined;
  const candidates = isOpen ? (candidatesIn(a) ?? candidatesIn(b)) : undefined;
  const known = { ...(isOpen ? {} : { among }), ...(presumed && { presumed }), ...(candidates && { candidates }) };
  if (a.kind === 'unknown' && b.kind === 'unknown' && a.isElsewhere === b.isElsewhere) {
    const isSame = isOpen ? a.among === undefined : among.length === a.among?.length;
    return isSame && a.presumed === presumed && a.candidates === candidates
      ? a
      : { kind: 'unknown', reason: a.reason, ...known };
  }
  return { kind: 'unknown', reason: 'the directory depends on which commands ran', ...known };
}

/** What one of several may well be that are not all known. */
function presumedIn(directory: Directory): Presumption | undefined {
  if (directory.kind === 'unknown') {
    return directory.presumed;
  }
  return directory.isMounted === true ? undefined : { path: directory.path, fork: newFork() };
}

function candidatesIn(directory: Directory): Candidates | undefined {
  return directory.kind === 'unknown' ? directory.candidates : undefined;
}

/** More directories than these are as good as any. */
const mostDirectories = 4;

/** Null: they are not known. */
function possible(directory: Directory): readonly string[] | null {
  return directory.kind === 'unknown'
    ? (directory.among ?? null)
    : directory.isMounted === true
      ? null
      : [directory.path];
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

function mergeStacks(a: ShellState['directoryStack'], b: ShellState['directoryStack']): ShellState['directoryStack'] {
  if (a === b || a === null || b === null) {
    return a === b ? a : null;
  }
  return a.length === b.length ? a.map((directory, place) => mergeDirectory(directory, b[place] ?? directory)) : null;
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
    directoryStack: mergeStacks(a.directoryStack, b.directoryStack),
    printsElsewhere: a.printsElsewhere || b.printsElsewhere,
    variables: mergeVariables(a, b),
    functions: mergeFunctions(a, b),
    aliases: a.aliases === b.aliases ? a.aliases : new Map([...a.aliases, ...b.aliases]),
    hashed: a.hashed === b.hashed ? a.hashed : new Map([...a.hashed, ...b.hashed]),
    positional: sameWords(a.positional, b.positional) ? a.positional : [{ ...undecided('@'), source: '$@' }],
    options: a.options === b.options ? a.options : mergeOptions(a.options, b.options),
    hidden: a.hidden === b.hidden || b.hidden === null ? a.hidden : new Map([...b.hidden, ...(a.hidden ?? [])]),
    status: a.status === b.status ? a.status : null,
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

/** The state after a part of the script, however it ends. */
export function stateAfter({ success, failure }: Outcome): ShellState | null {
  return merge(success, failure);
}

/** The same for what comes next in a list: nothing unforeseen has happened. */
export function foreseenAfter(outcome: Outcome): ShellState | null {
  const { success, failure } = outcome;
  return success !== null && failure !== null && isUnforeseen(failure.path) ? success : stateAfter(outcome);
}

/** How two ways end that meet again. */
export function mergeOutcome(a: Outcome, b: Outcome): Outcome {
  return { success: merge(a.success, b.success), failure: merge(a.failure, b.failure) };
}
