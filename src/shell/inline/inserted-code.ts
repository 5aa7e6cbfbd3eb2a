import type { InlineFunctions } from './inline-functions.ts';
import type { OpenText } from './source/argument.ts';
import { stringsOf } from './source/code.ts';
import type { Language } from './source/languages.ts';
import { holdsCommands, shapeOfText } from './source/open-command.ts';
import { writtenText } from './written-text.ts';

/**
 * May what an inline program puts into its commands be commands of git? They would have to stand in a text of it that it
 * does not run itself: what it runs is read where it does so.
 *
 * @param scripts what the program gives to a shell, as far as that can be read
 */
export function mayInsertCommands(
  language: Language,
  source: string,
  functions: InlineFunctions,
  scripts: readonly OpenText[],
): boolean {
  const run = new Set(scripts.map(keyOf));
  let others = '';
  let from = 0;
  for (const { start, end } of run.size === 0 ? [] : stringsOf(source, language.name === 'python')) {
    const written = source.slice(start, end);
    const text = holdsCommands(written) ? writtenText(written, language, functions) : null;
    if (text !== null && run.has(keyOf(text)) && !mayMakeCommands(text)) {
      others += source.slice(from, start);
      from = end;
    }
  }
  return holdsCommands(others + source.slice(from));
}

/** The same for the same text, however it is taken apart. */
function keyOf(text: OpenText): string {
  return text.map((part) => (typeof part === 'string' ? part : JSON.stringify(part))).join('');
}

/** What stands between quotes, where a separator may be printed. */
const quoted = /"(?:[^"\\]|\\.)*"|'[^']*'/gs;

/** What a script prints is another text, and so is what is put into it. */
function mayMakeCommands(text: OpenText): boolean {
  const shape = shapeOfText(text);
  const parts = Array.from(shape.matchAll(quoted), ([part]) => part);
  const inserted = text.flatMap((part) => (typeof part === 'string' ? [] : [part.expression]));
  return /\\[;&|]|<</.test(shape) || [...parts, ...inserted].some(holdsCommands);
}
