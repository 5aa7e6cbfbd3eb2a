import { quoteWord } from '../../../quote.ts';

/** What a program makes a word of the shell of: `shlex.quote(message)`, `JSON.stringify(message)`. */
export interface QuotedWord {
  /** A name, or a literal. */
  readonly of: string;
  /** The word of a text. */
  readonly by: (text: string) => string;
  /** The same call for something else. */
  readonly for: (of: string) => string;
}

/** The word that an expression makes; null where it makes none. */
export function quotedIn(expression: string): QuotedWord | null {
  const [, name = '', of = ''] =
    /^((?:shlex|pipes)\s*\.\s*quote|JSON\s*\.\s*stringify)\(\s*([\w$]+|"[^"\\]*"|'[^'\\]*')\s*\)$/.exec(expression) ??
    [];
  return name === ''
    ? null
    : { of, by: name.startsWith('JSON') ? JSON.stringify : quoteWord, for: (other) => `${name}(${other})` };
}
