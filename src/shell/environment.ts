import { changed, type ShellState } from './shell-state.ts';
import type { Word } from './simple-command.ts';
import type { Variable } from './variable.ts';

const cache = new WeakMap<ReadonlyMap<string, Variable>, ReadonlyMap<string, Word | null>>();

/** The exported variables of a shell, as changes against the environment it was started in: null means unset. */
export function exportedChanges(state: ShellState): ReadonlyMap<string, Word | null> {
  const known = cache.get(state.variables);
  if (known !== undefined) {
    return known;
  }
  const changes = new Map<string, Word | null>();
  for (const [name, variable] of state.variables) {
    if (variable.kind === 'unset') {
      changes.set(name, null);
    } else if (variable.kind === 'scalar' && variable.exported) {
      changes.set(name, variable.value);
    }
  }
  cache.set(state.variables, changes);
  return changes;
}

/** The variables a child process of the shell starts with. */
export function inheritedVariables(state: ShellState): ReadonlyMap<string, Variable> {
  const inherited = new Map<string, Variable>();
  for (const [name, variable] of state.variables) {
    if (variable.kind === 'unset' || (variable.kind === 'scalar' && variable.exported)) {
      inherited.set(name, variable);
    }
  }
  return inherited;
}

/** The functions that a shell which is started knows: bash(1) "FUNCTIONS". */
export function exportedFunctions({ functions }: ShellState): ShellState['functions'] {
  return functions.size === 0 ? functions : new Map([...functions].filter(([, { exported }]) => exported === true));
}

const functionVariable = /^BASH_FUNC_([\w:.-]+)(?:%%|\(\))$/;

/** Functions that a shell takes from its environment, as their definitions: bash exports them as `BASH_FUNC_name%%`. */
export function importedFunctions({ variables }: ShellState): string {
  const definitions: string[] = [];
  for (const [variable, value] of variables) {
    const name = functionVariable.exec(variable)?.[1];
    if (name !== undefined && value.kind === 'scalar' && value.exported && value.value.kind === 'known') {
      definitions.push(`${name} ${value.value.value}`);
    }
  }
  return definitions.join('\n');
}

/** `NAME=value` before a command: exported for that command alone. */
export function withAssignments(state: ShellState, assignments: ReadonlyMap<string, Word | null>): ShellState {
  if (assignments.size === 0) {
    return state;
  }
  const variables = new Map(state.variables);
  for (const [name, value] of assignments) {
    variables.set(name, value === null ? { kind: 'unset' } : { kind: 'scalar', value, exported: true });
  }
  return changed(state, { variables });
}

/** Takes back what {@link withAssignments} did. */
export function withoutAssignments(
  after: ShellState | null,
  before: ShellState,
  names: Iterable<string>,
): ShellState | null {
  if (after === null) {
    return null;
  }
  const variables = new Map(after.variables);
  for (const name of names) {
    const variable = before.variables.get(name);
    if (variable === undefined) {
      variables.delete(name);
    } else {
      variables.set(name, variable);
    }
  }
  return changed(after, { variables });
}
