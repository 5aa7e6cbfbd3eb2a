import type { Language } from './languages.ts';
import { readLiteral, type SourceLiteral } from './literal.ts';

/** How a loop over a list begins that is written there, up to the list: the group is the variable. */
const before: Readonly<Record<string, string>> = {
  perl: String.raw`\bfor(?:each)?\s+(?:my\s+)?NAME\s*\(?\s*`,
  php: '',
  ruby: String.raw`\bfor\s+NAME\s+in\s+`,
};
/** How one goes on behind the list: `%w[a b].each { |b|`, `foreach (['a'] as $b)`. */
const behind: Readonly<Record<string, string>> = {
  perl: '',
  php: String.raw`^\s*as\s+NAME\s*\)`,
  ruby: String.raw`^\s*\.\s*(?:each|map|each_entry)\s*(?:\{|\bdo\b)\s*\|\s*NAME\s*\|`,
};
/** More lists than these, and longer ones, are not looked at: no program goes through such. */
const maximumLists = 50;
const longestList = 2000;
/** Where a list may begin. */
const lists = /%w[[(]|\bqw\(|(?<![\w\])}])[[(](?=\s*["'])/g;

/**
 * The texts that a variable of a loop has in Ruby, Perl and PHP, one after another: `%w[old shared].each { |b| … }`.
 *
 * @returns null where it is no such variable, or another one as well
 */
export function writtenRounds(name: string, language: Language, source: string): readonly string[] | null {
  const word = name.replaceAll('$', '\\$');
  const head = before[language.name];
  const tail = behind[language.name];
  if (head === undefined || tail === undefined || !/^\$?[A-Za-z_]\w*$/.test(name)) {
    return null;
  }
  const inFront = head === '' ? null : new RegExp(`${head.replace('NAME', word)}$`);
  const after = tail === '' ? null : new RegExp(tail.replace('NAME', word));
  const found = Array.from(source.matchAll(lists))
    .slice(0, maximumLists)
    .map(({ index }) => ({
      index,
      list: readLiteral(source.slice(0, index + longestList), index, language.interpolation),
    }))
    .filter(({ index, list }) => {
      const rest = list === null ? '' : source.slice(list.end, list.end + 80);
      return inFront?.test(`${source.slice(Math.max(0, index - 80), index)}`) === true || after?.test(rest) === true;
    });
  const [only, ...others] = found;
  return only === undefined || others.length > 0 || isGiven(word, source) ? null : textsOf(only.list);
}

/** Is it given another value, too, or one of another block? */
function isGiven(word: string, source: string): boolean {
  const blocks = source.match(new RegExp(`\\|[^|\\n]*${word}(?!\\w)[^|\\n]*\\|`, 'g')) ?? [];
  return blocks.length > 1 || new RegExp(`(?<![\\w$.@%])${word}\\s*(?:[-+*.|&]{0,2})=(?![=~>])`).test(source);
}

function textsOf(list: SourceLiteral | null): readonly string[] | null {
  const values = list?.kind === 'list' ? list.values : [];
  const texts = values.filter((value) => value !== null);
  return texts.length === 0 || texts.length < values.length ? null : texts;
}
