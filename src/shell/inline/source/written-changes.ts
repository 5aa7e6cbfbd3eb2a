import { endOfWords } from './statements.ts';
import type { WrittenCode } from './written-functions.ts';

/** Where a program in Ruby, Perl or PHP gives a name a value or changes the one that it has. */
export interface WrittenChange {
  readonly index: number;
  /** The value, as it is written; null where it is another one than what is written there. */
  readonly value: string | null;
  /** It is a new variable of the block around it. */
  readonly isOwn: boolean;
}

const assigning = String.raw`\s*(?:\|\||&&|\/\/|<<|\?\?|[-+*/.|&%x])?=(?![=~>])`;
const methods =
  'push|append|concat|unshift|insert|prepend|replace|delete\\w*|clear|pop|shift|store|update|setbyte|force_encoding|fill|keep_if|each_with_object';

/** Ways in which a name gets another value, or a part of the one that it has is changed. */
function changing(name: string, { language }: WrittenCode): RegExp {
  const [sign = '', bare = ''] =
    /^[$@%]/.test(name) && language.name !== 'ruby' ? [name.charAt(0), name.slice(1)] : ['', name];
  const word = `(?<![\\w$@%.:>])${sign === '$' ? '\\$' : sign}${bare}(?![\\w?!])`;
  const several = String.raw`(?<=[(\[,]\s*)${word}(?=[^()=;\n]*[)\]]\s*=(?![=~>]))`;
  switch (language.name) {
    case 'ruby':
      return new RegExp(
        String.raw`${word}(?:${assigning}|\s*<<|\s*\[[^\]\n]*\]${assigning}|\s*&?\.\s*(?:\w+!|(?:${methods})(?!\w))|(?=\s*,[\w\s,@*]*=(?![=~>])))|(?<=[\w*]\s*,\s*\*?)${word}(?=[\w\s,@*]*\s=(?![=~>]))|\brescue\b[^\n;]*=>\s*${word}`,
        'g',
      );
    case 'perl': {
      const element =
        sign === '@'
          ? String.raw`|(?<![\w$@%])\$${bare}\s*\[[^\]\n]*\]${assigning}`
          : sign === '%'
            ? String.raw`|(?<![\w$@%])\$${bare}\s*\{[^}\n]*\}${assigning}|@${bare}\{[^}\n]*\}\s*=`
            : String.raw`|${word}\s*->\s*[[{][^\n;=]*${assigning}`;
      // What has no other object changes `$_`.
      const topic =
        name === '$_'
          ? String.raw`|(?<!=~\s*)(?<![\w$@%&>=-])(?:s|tr|y)\s*[^\w\s,;=)]|\bcho(?:m)?p\b\s*(?:;|\(\s*\))`
          : '';
      return new RegExp(
        String.raw`${word}(?:${assigning}|\s*=~\s*(?:s|tr|y)\b|\+\+|--)|${several}${element}${topic}|\b(?:push|unshift|splice|shift|pop|chomp|chop|read|sysread|delete|undef|sysread|local)\b[\s(]*(?:\$?\w+\s*,\s*)?@?\{?\s*${word}|\\\s*${word}`,
        'g',
      );
    }
    default:
      return new RegExp(
        String.raw`${word}(?:${assigning}|\s*(?:\[[^\]\n]*\])+${assigning})|${several}|&\s*${word}|\b(?:global|static|unset\s*\()[^;\n]*${word}|\b(?:exec|preg_match(?:_all)?|proc_open|parse_str|str_replace|array_(?:push|pop|shift|unshift|splice|walk)|[ku]?r?sort|shuffle|settype)\s*\([^;\n]*?(?:(?<=(?:array_\w+|sort|settype|shuffle)\s*\(\s*)|(?<=,\s*))${word}`,
        'g',
      );
  }
}

/** All changes of a name in the program, in their order. */
export function changesOf(name: string, written: WrittenCode): readonly WrittenChange[] {
  const { code, source } = written;
  return Array.from(code.matchAll(changing(name, written)), ({ 0: whole, index }) => {
    const from = index + whole.length;
    const before = code.slice(Math.max(0, index - 20), index);
    const isPlain = /^[$@%]?\w+\s*=$/.test(whole) && !/,\s*\*?$/.test(before);
    const to = isPlain ? endOfWords(code, from) : from;
    return {
      index,
      value: isPlain && code.slice(from, to).trim() !== '' ? source.slice(from, to) : null,
      isOwn: /\b(?:my|our|local|state)\s*(?:\([^()]*)?$/.test(before),
    };
  });
}
