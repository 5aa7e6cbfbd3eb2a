import type { SimpleCommand, Word } from './simple-command.ts';

/** What was declared of a variable: it stays, whatever value it gets. */
export interface Declared {
  /** `declare -l`, `declare -u`, `declare -c`: every value is put into that letter case. */
  readonly letters?: 'lower' | 'upper' | 'capital';
  /** `declare -i`: every value is arithmetic. */
  readonly integer?: true;
  /** A trap changes it that may run between any two commands: its value is not known. */
  readonly trapped?: true;
}

export type ListVariable = {
  readonly kind: 'array';
  readonly elements: ReadonlyMap<string, Word>;
  readonly associative: boolean;
  /** It has an element exactly where that command prints something. */
  readonly filledBy?: SimpleCommand;
} & Declared;

/** A shell variable as far as the command line tells. `unset` is sure; what nobody mentioned is not in the state. */
export type Variable =
  | ({ readonly kind: 'unset'; readonly exported?: true } & Declared)
  | ({ readonly kind: 'scalar'; readonly value: Word; readonly exported: boolean } & Declared)
  /** `declare -n`: it stands for the variable of that name. */
  | { readonly kind: 'reference'; readonly target: Word }
  | ListVariable;

/** What was declared of a variable, if anything. */
export function declaredOf(variable: Variable | undefined): Declared {
  if (variable === undefined || variable.kind === 'reference') {
    return nothing;
  }
  const { letters, integer, trapped } = variable;
  return letters === undefined && integer === undefined && trapped === undefined
    ? nothing
    : {
        ...(letters === undefined ? {} : { letters }),
        ...(integer === undefined ? {} : { integer }),
        ...(trapped === undefined ? {} : { trapped }),
      };
}

const nothing: Declared = {};

/** Is it exported once it gets a value? @param inherited it came with the environment, where nothing is known of it */
export function staysExported(variable: Variable | undefined, inherited: boolean): boolean {
  return variable === undefined
    ? inherited
    : (variable.kind === 'scalar' || variable.kind === 'unset') && variable.exported === true;
}
