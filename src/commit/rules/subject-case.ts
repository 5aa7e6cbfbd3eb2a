import { type LetterCase, toLetterCase } from '../letter-case.ts';
import { inHeader, type Rule, subjectColumn } from './rule.ts';

const forbidden: readonly LetterCase[] = ['sentence-case', 'start-case', 'pascal-case', 'upper-case'];

/** Quoted words are names and keep their case, so they are left out before the rest is compared. */
export const subjectCase: Rule = {
  name: 'subject-case',
  check(message) {
    const { header, subject } = message;
    // What begins with a small letter has none of these cases: most subjects need no closer look.
    if (subject === null || /^[a-z]/.test(subject) || !/^[\p{Ll}\p{Lu}\p{Lt}]/iu.test(subject)) {
      return null;
    }
    const unquoted = subject.replace(/`.*?`|".*?"|'.*?'/g, '').trim();
    const isForbidden =
      !/^[a-z]/.test(unquoted) &&
      forbidden.some((letterCase) => {
        const written = toLetterCase(unquoted, letterCase);
        return written === '' || /^\d/.test(written) || written === unquoted;
      });
    if (!isForbidden) {
      return null;
    }
    const [firstWord = ''] = isShouted(subject) ? [subject] : subject.split(/\s/, 1);
    return {
      message: 'the subject does not begin in lower case',
      ...inHeader(header, subjectColumn(message), firstWord.length),
      replacement: isShouted(subject) ? subject.toLowerCase() : inLowerCase(firstWord),
    };
  },
};

/** Three words or more, all in capitals: no acronyms. */
function isShouted(subject: string): boolean {
  return subject === subject.toUpperCase() && /\p{Lu}{2}.*\s.*\p{Lu}{2}.*\s.*\p{Lu}{2}/u.test(subject.slice(0, 200));
}

/** `Add` → `add`. A name or an acronym (`README`, `GitHub`, `useState`) keeps its spelling, in back quotes. */
function inLowerCase(word: string): string {
  return /^\p{Lu}?[\p{Ll}\p{P}\p{Mn}]*$/u.test(word) && !/[/\\`]/.test(word) ? word.toLowerCase() : quote(word);
}

function quote(word: string): string {
  const [, name = word, punctuation = ''] = /^(.*?[^,.:;!?])([,.:;!?]*)$/u.exec(word.replace(/`/g, '')) ?? [];
  return `\`${name}\`${punctuation}`;
}
