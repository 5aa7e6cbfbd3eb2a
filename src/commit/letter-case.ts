/*
 * Start case and pascal case as lodash defines them (commitlint judges subjects by lodash's words, through es-toolkit).
 * The patterns are lodash's `_unicodeWords` and `_asciiWords`, in ES5 terms as there: surrogates are matched in pairs.
 */
const asciiWord = /[^\x00-\x2f\x3a-\x40\x5b-\x60\x7b-\x7f]+/g;
const needsUnicodeWord = /[a-z][A-Z]|[A-Z]{2}[a-z]|[0-9][a-zA-Z]|[a-zA-Z][0-9]|[^a-zA-Z0-9 ]/;

export type LetterCase = 'sentence-case' | 'start-case' | 'pascal-case' | 'upper-case';

/** The text in the given case, as commitlint would write it to compare. */
export function toLetterCase(text: string, letterCase: LetterCase): string {
  switch (letterCase) {
    case 'sentence-case':
      return upperFirst(text);
    case 'upper-case':
      return text.toUpperCase();
    case 'start-case':
      return words(text.trim()).map(capitalizeFirstCharacter).join(' ');
    case 'pascal-case':
      return upperFirst(camelCase(text));
  }
}

function camelCase(text: string): string {
  const [first = '', ...rest] = words(text);
  return first.toLowerCase() + rest.map((word) => word.charAt(0).toUpperCase() + word.slice(1).toLowerCase()).join('');
}

function upperFirst(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function capitalizeFirstCharacter(word: string): string {
  const length = (word.codePointAt(0) ?? 0) > 0xffff ? 2 : 1;
  return word.slice(0, length).toUpperCase() + word.slice(length);
}

let unicodeWord: RegExp | undefined;

/** Put together when a subject needs it, which most don't. */
function unicodeWords(): RegExp {
  unicodeWord ??= unicodeWordPattern();
  return unicodeWord;
}

function unicodeWordPattern(): RegExp {
  const breaks =
    '\\xac\\xb1\\xd7\\xf7\\x00-\\x2f\\x3a-\\x40\\x5b-\\x60\\x7b-\\xbf\\u2000-\\u206f \\t\\x0b\\f\\xa0\\ufeff\\n\\r\\u2028\\u2029\\u1680\\u180e\\u2000-\\u200a\\u202f\\u205f\\u3000';
  const lowerRange = 'a-z\\xdf-\\xf6\\xf8-\\xff';
  const upperRange = 'A-Z\\xc0-\\xd6\\xd8-\\xde';
  const lower = `[${lowerRange}]`;
  const upper = `[${upperRange}]`;
  const other = `[^\\ud800-\\udfff${breaks}\\d+\\u2700-\\u27bf${lowerRange}${upperRange}]`;
  const lowerOrOther = `(?:${lower}|${other})`;
  const upperOrOther = `(?:${upper}|${other})`;
  const contractionLower = `(?:['’](?:d|ll|m|re|s|t|ve))?`;
  const contractionUpper = `(?:['’](?:D|LL|M|RE|S|T|VE))?`;
  const modifier = `(?:[\\u0300-\\u036f\\ufe20-\\ufe2f\\u20d0-\\u20ff]|\\ud83c[\\udffb-\\udfff])?`;
  const regional = '(?:\\ud83c[\\udde6-\\uddff]){2}';
  const surrogatePair = '[\\ud800-\\udbff][\\udc00-\\udfff]';
  const variation = '[\\ufe0e\\ufe0f]?';
  const joined = `(?:\\u200d(?:[^\\ud800-\\udfff]|${regional}|${surrogatePair})${variation}${modifier})*`;
  const emoji = `(?:[\\u2700-\\u27bf]|${regional}|${surrogatePair})${variation}${modifier}${joined}`;
  return new RegExp(
    [
      `${upper}?${lower}+${contractionLower}(?=[${breaks}]|${upper}|$)`,
      `${upperOrOther}+${contractionUpper}(?=[${breaks}]|${upper}${lowerOrOther}|$)`,
      `${upper}?${lowerOrOther}+${contractionLower}`,
      `${upper}+${contractionUpper}`,
      '\\d*(?:1ST|2ND|3RD|(?![123])\\dTH)(?=\\b|[a-z_])',
      '\\d*(?:1st|2nd|3rd|(?![123])\\dth)(?=\\b|[A-Z_])',
      '\\d+',
      emoji,
    ].join('|'),
    'g',
  );
}

function words(text: string): string[] {
  const plain = deburr(text).replace(/['\u2019]/g, '');
  return plain.match(needsUnicodeWord.test(plain) ? unicodeWords() : asciiWord) ?? [];
}

const ligatures: Readonly<Record<string, string>> = {
  ...{ Æ: 'Ae', Ð: 'D', Ø: 'O', Þ: 'Th', ß: 'ss', æ: 'ae', ð: 'd', ø: 'o', þ: 'th', Đ: 'D', đ: 'd', Ħ: 'H', ħ: 'h' },
  ...{ ı: 'i', Ĳ: 'IJ', ĳ: 'ij', ĸ: 'k', Ŀ: 'L', ŀ: 'l', Ł: 'L', ł: 'l', ŉ: "'n", Ŋ: 'N', ŋ: 'n', Œ: 'Oe', œ: 'oe' },
  ...{ Ŧ: 'T', ŧ: 't', ſ: 's' },
};
const combiningMarks = /[\u0300-\u036f\u20d0-\u20ff\ufe20-\ufe2f]/g;

/** Latin letters without their marks. */
function deburr(text: string): string {
  return text
    .replace(/[\xc0-\u017f]/g, (letter) => ligatures[letter] ?? letter.normalize('NFD').replace(combiningMarks, ''))
    .replace(combiningMarks, '');
}
