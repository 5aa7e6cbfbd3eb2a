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

/** What the line has given a variable that programs see; null: nothing that is known. */
export function exportedText(name: string, { variables }: ShellState): string | null {
  const variable = variables.get(name);
  return variable?.kind === 'scalar' && variable.exported && variable.value.kind === 'known'
    ? variable.value.value
    : null;
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
