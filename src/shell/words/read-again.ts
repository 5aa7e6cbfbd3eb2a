import { knownWord, type Word } from '../simple-command.ts';

/**
 * What code says in the place of a value that is a number, a date or a hash, where nobody knows which: a parameter that
 * no line can set, and that is no more known than the value. A shell that reads it again can't find a command in it.
 */
export const openNumber = '$$';

/** What a shell reads that is handed a word as code; null where a part of it could be any code. */
export function codeOf(word: Word): string | null {
  return word.kind === 'known' ? word.value : word.code === undefined ? null : outsideOfSingleQuotes(word.code);
}

/** The text of a setting or a variable, with {@link openNumber} where a number, a date or a hash is not known; else null. */
export function textWithNumbers(word: Word | null | undefined): string | null {
  return (word?.kind === 'known' ? word.value : word?.code) ?? null;
}

/** A word's value, also where it is known only as a text that was read again: a commit's hash; else null. */
export function settledText(word: Word): string | null {
  return word.kind === 'known' ? word.value : word.code?.includes(openNumber) === false ? word.code : null;
}

/** Words joined by spaces, as programs do that hand them to a shell. */
export function joinWords(words: readonly Word[]): Word {
  const code = words.map((word) => (word.kind === 'known' ? word.value : word.code));
  const open = words.find((word) => word.kind === 'unknown');
  if (open?.kind !== 'unknown') {
    return knownWord(code.join(' '));
  }
  const { code: _code, shape: _shape, ...rest } = open;
  return code.includes(undefined) ? rest : { ...rest, code: code.join(' ') };
}

/** In single quotes a parameter stands for itself: there the quotes are closed for it. */
function outsideOfSingleQuotes(code: string): string {
  let quote = '';
  return code.replace(/\\[\s\S]|\$\$|["']/g, (found) => {
    if (found === openNumber) {
      return quote === "'" ? `'${openNumber}'` : found;
    }
    if (found.length === 1 && (quote === '' || quote === found)) {
      quote = quote === '' ? found : '';
    }
    return found;
  });
}
