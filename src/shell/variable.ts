import type { Word } from './simple-command.ts';

/** A shell variable as far as the command line tells. `unset` is sure; what nobody mentioned is not in the state. */
export type Variable =
  | { readonly kind: 'unset' }
  | {
      readonly kind: 'scalar';
      readonly value: Word;
      readonly exported: boolean;
      /** `declare -l`, `declare -u`: every value is put into that letter case. */
      readonly letters?: 'lower' | 'upper';
    }
  /** `declare -n`: it stands for the variable of that name. */
  | { readonly kind: 'reference'; readonly target: Word }
  | { readonly kind: 'array'; readonly elements: ReadonlyMap<string, Word>; readonly associative: boolean };
