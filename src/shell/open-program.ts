import type { Language } from './languages.ts';
import { openPart, type UnknownWord } from './simple-command.ts';
import { codeOf } from './source-arguments.ts';

/** Languages whose strings are told from their code here. */
const readable = /^(?:python|node|bun|deno)$/;

/** What could run a text, or start another program with it. */
const startsMore =
  /\b(?:exec|eval|compile|Function|runpy|importlib|import_module|vm)\b|__import__|subprocess|child_process|\bpty\b|spawn|system|popen|execa|\$`/i;

/** Names of what only git may change: which of its files a program changes must be known. */
const guarded = /\.git\b|\bhooks\b|husky|oxide-guard/i;
const changesFiles = /write|unlink|\brm|remove|rename|copy|move|chmod|truncate|["'][wax]b?\+?["']/i;

/**
 * `python3 -c "print(open('$FILE').read())"`: a program of which parts can't be known, all of them in its strings, and
 * which starts nothing. Such a part is a text, as it is where the program reads it from somewhere else.
 *
 * @returns its text, with the shape's mark for these parts; null where one could be code, or could be run
 */
export function openProgram(language: Language, { shape }: UnknownWord): string | null {
  if (shape === undefined || !readable.test(language.name) || startsMore.test(shape)) {
    return null;
  }
  const code = codeOf(shape, language.name === 'python');
  const isGuarded = guarded.test(shape) && changesFiles.test(shape);
  const isCall = Array.from(shape.matchAll(language.calls)).length > 0;
  return isCall || isGuarded || code.includes(openPart) || /git/i.test(code) ? null : shape;
}
