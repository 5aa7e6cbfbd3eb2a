import type { ParameterOperation, Word as SyntaxWord } from 'unbash';
import type { ShellState } from '../shell-state.ts';
import type { Word } from '../simple-command.ts';
import type { ArithmeticScope } from './arithmetic.ts';
import type { Piece } from './field.ts';
import type { Environment } from './parameter.ts';

/** What the expansion of a parameter needs of the expansion of words around it. */
export interface ParameterScope extends ArithmeticScope {
  readonly state: ShellState;
  /** What is expanded may end the shell. */
  mayEnd: boolean;
  /** It ends it, as far as the line tells. */
  ends: boolean;
  readonly host: { readonly environment: Environment };
  /** A value that is neither split nor matched against files. */
  value(word: SyntaxWord): Word;
  /** The pieces of a word, before splitting. */
  pieces(word: SyntaxWord, quoted?: boolean): Piece[];
  assignWord(name: string, value: Word): void;
}

/** `$x`, `${x}` or `${x…}` as written. */
export interface WrittenParameter {
  readonly parameter: string;
  readonly text: string;
  readonly prefix?: '!' | '#' | undefined;
  readonly index?: SyntaxWord | undefined;
  readonly operation?: ParameterOperation | undefined;
}
