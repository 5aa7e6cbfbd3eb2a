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
