import { codeOf } from './code.ts';
import type { Language } from './languages.ts';
import { endOfText, textsIn } from './texts.ts';
import type { WrittenCode } from './written-functions.ts';

/** A program of Ruby, Perl or PHP with the contents of its texts and comments blanked, as far as they are known. */
export function writtenCode(language: Language, source: string): WrittenCode {
  const marks = textsIn(language, source);
  if (marks === null) {
    return { language, source, code: codeOf(source, false), isCertain: false };
  }
  const code = source.replace(/[^\n]/g, (character, index: number) => (marks[index] === true ? ' ' : character));
  return { language, source, code: withoutCommands(language, code), isCertain: true };
}

/** What runs between quotes of its own is a text, too. */
function withoutCommands({ quoted, name }: Language, code: string): string {
  let blanked = '';
  let from = 0;
  for (const match of quoted === null ? [] : code.matchAll(quoted)) {
    const start = match.index + match[0].length;
    const end = match.index < from ? -1 : endOfText(code, start, name);
    if (end >= 0) {
      const text = code.slice(start, end);
      blanked += code.slice(from, start) + (name === 'ruby' ? blankedRuby(text) : text.replace(/[^\n]/g, ' '));
      from = end;
    }
  }
  return blanked + code.slice(from);
}

/** What is written there with its texts blanked. */
export const blankedCode = (language: Language, written: string): string => writtenCode(language, written).code;

/** What is put in is code. */
const blankedRuby = (text: string): string =>
  text.replace(/#\{(?:[^{}]|\{[^{}]*\})*\}|[^\n]/g, (part) => (part.length > 1 ? part : ' '));
