import { openPart, type UnknownWord } from '../simple-command.ts';
import { settledText } from '../words/read-again.ts';
import { codeOf } from './source/code.ts';
import type { Language } from './source/languages.ts';

/** Languages whose strings are told from their code here. */
const readable = /^(?:python|node|bun|deno)$/;

/** What could run a text as code. */
const runsText =
  /\b(?:exec|eval|(?<!re\.)compile|runpy|importlib|import_module)\b|\b(?:Function|vm)\b(?!["'])|__import__/;

/** What starts another program: where no known call does it, in a way that is not known here. */
const startsMore = /subprocess|child_process|\bpty\b|spawn|system|popen|execa|\$`/i;

/** Names of what only git may change: which of its files a program changes must be known. */
const guarded = /\.git\b|\bhooks\b|husky|oxide-guard/i;
const changesFiles = /write|unlink|\brm|remove|rename|copy|move|chmod|truncate|["'][wax]b?\+?["']/i;

/**
 * `perl -pi -e "s/$OLD/$NEW/g"`: replaces one text by another, as sed does. A value in it that ends the pattern could be
 * code, but nobody gives a version or a name such a one.
 */
const onlyReplaces = /^\s*(?:s([/|#!,~@%])(?:(?!\1)[^\\\n]|\\.)*\1(?:(?!\1)[^\\\n]|\\.)*\1[gimsxonr]*\s*(?:;\s*|$))+$/;
/** What runs code within a pattern or a text of Perl. */
const runsInPattern = /\(\?\??\{|[@$]\{|`/;

/**
 * `python3 -c "print(open('$FILE').read())"`: a program of which parts can't be known, all of them in its strings. Such
 * a part is a text, as it is where the program reads it from somewhere else.
 *
 * @returns its text, with {@link openPart} for these parts; null where one could be code, or could be run as such
 */
export function openProgram(language: Language, source: UnknownWord): string | null {
  const { shape } = source;
  const settled = settledText(source);
  if (settled !== null || shape === undefined) {
    return settled;
  }
  const isCall = Array.from(shape.matchAll(language.calls)).length > 0;
  if (language.name === 'perl' && onlyReplaces.test(shape) && !runsInPattern.test(shape)) {
    return shape;
  }
  // Where only numbers and dates are not known, they are no code of any language.
  const isReadable = readable.test(language.name) || !(isCall || shape.includes(openPart));
  if (!isReadable || runsText.test(shape)) {
    return null;
  }
  const isUnread = startsMore.test(shape) && !isCall;
  const isGuarded = guarded.test(shape) && changesFiles.test(shape);
  return isUnread || isGuarded || codeOf(shape, language.name === 'python').includes(openPart) ? null : shape;
}
