import type { Word } from '../../shell/simple-command.ts';
import { known } from './words.ts';

/** What an alias stands for: words that take its place, or a shell command line. */
export type Alias =
  | { readonly kind: 'words'; readonly words: readonly Word[] }
  | { readonly kind: 'shell'; readonly script: string }
  /** git stops: an empty alias or an unclosed quote. */
  | { readonly kind: 'refused'; readonly reason: string };

/** Reads an alias's value: git-config(1) "alias.*". */
export function readAlias(value: string): Alias {
  if (value.startsWith('!')) {
    return { kind: 'shell', script: value.slice(1) };
  }
  const words = splitCommandLine(value);
  return words === null || words.length === 0
    ? { kind: 'refused', reason: `bad alias value '${value}'` }
    : { kind: 'words', words: words.map(known) };
}

/** git's own splitting: quotes of both kinds group, a backslash takes the next character as it is. Null: unclosed quote. */
export function splitCommandLine(text: string): readonly string[] | null {
  const words: string[] = [];
  let word: string | null = null;
  let quote: string | null = null;
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index] as string;
    if (quote === null && /\s/.test(character)) {
      if (word !== null) {
        words.push(word);
      }
      word = null;
    } else if (quote === null && (character === '"' || character === "'")) {
      quote = character;
      word ??= '';
    } else if (character === quote) {
      quote = null;
    } else if (character === '\\' && quote !== "'") {
      index += 1;
      word = (word ?? '') + (text[index] ?? '');
    } else {
      word = (word ?? '') + character;
    }
  }
  if (quote !== null) {
    return null;
  }
  return word === null ? words : [...words, word];
}
