/** What a program is given. */
export interface ProgramArguments {
  /** Its words, in their order; null where they are not all known. */
  readonly given: readonly string[] | null;
  /** All words of the call, the interpreter's own among them; null where they are not all known. */
  readonly words: readonly string[] | null;
}

/** A program whose conditions are looked at. */
export interface ConditionedProgram {
  readonly source: string;
  /** With all texts and comments blanked. */
  readonly code: string;
  readonly isPython: boolean;
  readonly given: ProgramArguments;
}

/** What an expression comes to. */
export type KnownValue =
  | { readonly kind: 'one'; readonly value: string | number | boolean | null }
  | { readonly kind: 'list'; readonly items: readonly string[] }
  /** All words that the program is given, behind so many others. */
  | { readonly kind: 'arguments'; readonly before: number }
  /** One of the words that the program is given, or nothing. */
  | { readonly kind: 'given' };

/** A stretch of a program. */
export type Span = readonly [from: number, to: number];

export const one = (value: string | number | boolean | null): KnownValue => ({ kind: 'one', value });

/** An item of a list, or of the words that a program is given; null where it is not known, or the program fails there. */
export function itemOf(list: KnownValue, index: number, { isPython, given }: ConditionedProgram): KnownValue | null {
  const isMissing = isPython ? null : one(null);
  if (list.kind === 'list') {
    const item = list.items.at(index);
    return item !== undefined ? one(item) : index < 0 ? null : isMissing;
  }
  if (list.kind !== 'arguments' || given.given === null || index < list.before) {
    return null;
  }
  const item = given.given[index - list.before];
  return item !== undefined ? one(item) : isMissing;
}
