import { openVariable } from '../simple-command.ts';

/** A variable that holds a word which a program puts into a script. */
export const insertedWord = 'inserted_word';

const invented = new RegExp(`(["']?)\\$\\{(?:${openVariable}|${insertedWord})\\}\\1`, 'g');

/** A piece of a script for people: without the variables that nobody has written. */
export function withoutInventedNames(text: string): string {
  return text.replace(invented, '…');
}

/**
 * A script with a reference to a variable between each two of its parts: in single quotes, these are closed for it.
 *
 * @param names the variable behind each part but the last
 */
export function withReferences(parts: readonly string[], names: readonly string[]): string {
  let script = '';
  let quote = '';
  for (const [at, part] of parts.entries()) {
    const name = at === parts.length - 1 ? undefined : names[at];
    quote = quoteAfter(part, quote);
    const reference = quote === "'" ? `'"\${${name}}"'` : `\${${name}}`;
    script += name === undefined ? part : part + reference;
  }
  return script;
}

/** The quotation mark that is open at the end of a text. @param before the one that is open at its beginning */
function quoteAfter(text: string, before: string): string {
  let quote = before;
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charAt(at);
    if (character === '\\' && quote !== "'") {
      at += 1;
    } else if (character === quote) {
      quote = '';
    } else if (quote === '' && (character === "'" || character === '"')) {
      quote = character;
    }
  }
  return quote;
}
