import type { Call } from '../call.ts';
import { exportedText } from '../environment.ts';
import { givenTo } from './interpolated-call.ts';
import type { OpenText } from './source/argument.ts';
import { argumentsAt, endOfArguments } from './source/arguments.ts';
import { codeOf } from './source/code.ts';
import { wholeText } from './source/command.ts';
import type { Language } from './source/languages.ts';
import { readLiteral, type SourceLiteral } from './source/literal.ts';
import type { OpenCommand, OpenWord } from './source/open-command.ts';

/** A text without escapes to the end of its statement or its item. */
const literal = String.raw`(["'])((?:(?!\1)[^\\\n])*)\1`;

/** `ENV["MODE"]`, `os.environ.get('MODE')`, `process.env.MODE`, `$ENV{MODE}`, `getenv('MODE')` */
const inEnvironment =
  /^(?:(?:ENV|os\.environ|process\.env|\$_ENV)\s*(?:\[\s*["'](\w+)["']\s*\]|\.\s*(?:fetch|get)\(\s*["'](\w+)["']\s*\))|process\.env\.(\w+)|\$ENV\{\s*["']?(\w+)["']?\s*\}|(?:os\.)?getenv\(\s*["'](\w+)["']\s*\))$/;
/** `o.mode`, `opts['mode']`, `$o->{mode}`, `modes[1]`: whose element it is, and which. */
const element =
  /^[$]?(\w+)\s*(?:->\s*)?(?:\.\s*([A-Za-z_]\w*)|(?:\.\s*(?:get|fetch)\(|[[{])\s*(?:(["'])([\w-]+)\3|:?([A-Za-z_]\w*)|(\d+))\s*[)\]}])$/;

/**
 * The command with the texts that the program surely puts into it: of a variable or an element of a list or table that is
 * given a literal once, and of variables in which the line gives it one. Variables of Python and JavaScript are read
 * elsewhere.
 */
export function withHeldTexts(command: OpenCommand, language: Language, source: string, call: Call): OpenCommand {
  const held = (text: OpenText): OpenText =>
    text.map((part) => (typeof part === 'string' ? part : (heldText(part.expression, language, source, call) ?? part)));
  return 'script' in command
    ? { script: held(command.script) }
    : {
        words: command.words.flatMap((word): readonly OpenWord[] => {
          const list = 'text' in word ? null : heldList(word.several, language, source);
          return list?.map((text) => ({ text: [text] })) ?? ['text' in word ? { text: held(word.text) } : word];
        }),
      };
}

/** The texts of a list of Ruby or Perl that is written there, or that a variable is given once: `*%w[a b]`, `@words`. */
function heldList(written: string, language: Language, source: string): readonly string[] | null {
  const rest = written.replace(/^[*@]/, '');
  if (!/^(?:ruby|perl)$/.test(language.name)) {
    return null;
  }
  if (!/^[a-z_]\w*$/i.test(rest)) {
    return textsOf(readLiteral(rest, 0, language.interpolation), rest);
  }
  const sigil = language.name === 'perl' ? '@' : '';
  const changes = String.raw`(?<![\w$.@%])${sigil}${rest}\s*(?:\|\||[-+&|.x])?=(?![=~>])|(?<![\w$.@%])${rest}\s*(?:<<|\.\s*(?:\w+!|push|append|concat|unshift|insert|delete\w*|clear|pop|shift))|\b(?:push|unshift|splice|shift|pop)\b[\s(]*@${rest}\b|\$${rest}\[[^\]]*\]\s*=`;
  const [given, ...others] = source.matchAll(new RegExp(changes, 'g'));
  if (given === undefined || others.length > 0 || !/[\w\s]=$/.test(given[0])) {
    return null;
  }
  const after = source.slice(given.index + given[0].length);
  return textsOf(readLiteral(after, 0, language.interpolation), after);
}

/** @param written what the list is read from; it must end there, or a statement must */
function textsOf(list: SourceLiteral | null, written: string): readonly string[] | null {
  const values = list?.kind === 'list' && /^[ \t]*(?:[;\n}]|$)/.test(written.slice(list.end)) ? list.values : [null];
  const texts = values.filter((value) => value !== null);
  return texts.length === values.length ? texts : null;
}

function heldText(expression: string, language: Language, source: string, { state }: Call): string | null {
  const written = expression.trim();
  const name = inEnvironment
    .exec(written)
    ?.slice(1)
    .find((group) => group !== undefined);
  if (name !== undefined) {
    return exportedText(name, state);
  }
  if (isVariable(written, language)) {
    return variableText(written, language, source);
  }
  const [, of, member, , key, bare, index] = element.exec(written) ?? [];
  return of === undefined ? null : elementText(of, member ?? key ?? bare ?? Number(index), language, source);
}

function isVariable(written: string, { name }: Language): boolean {
  return name === 'ruby' ? /^[a-z_]\w*$/.test(written) : /^(?:perl|php)$/.test(name) && /^\$[A-Za-z]\w*$/.test(written);
}

/** Where a variable gets a value, is changed, or is one of a block's or a function's. */
function changesOf(name: string, source: string): readonly RegExpExecArray[] {
  const word = name.replace('$', '\\$');
  const change = String.raw`(?:\s*(?:\|\||&&|\/\/|[-+*.|&%x])?=(?![=~>])|\s*=~\s*(?:s|tr|y)\b|\s*<<|\s*\.\s*\w+!)`;
  const taken = String.raw`\|[^|\n]*${word}(?![\w])[^|\n]*\||\bdef\s+\w+[^\n;]{0,200}${word}(?!\w)|\b(?:for|foreach)\s*(?:my\s+)?\(?[^)\n{]{0,200}${word}(?!\w)|(?<![\w\"'-])(?:chomp|chop|read|sysread)\b[^;\n]{0,200}${word}(?!\w)`;
  return [...source.matchAll(new RegExp(`(?<![\\w$.@%])${word}${change}|${taken}`, 'g'))];
}

function variableText(name: string, language: Language, source: string): string | null {
  const [given, ...others] = changesOf(name, source);
  if (given?.[0].startsWith('def') === true && others.length === 0) {
    return parameterText(name, source.slice(given.index), source);
  }
  if (given === undefined || others.length > 0 || !/[^.|&+*%x/-]=$/.test(`${given[0]}`)) {
    return null;
  }
  const end = given.index + given[0].length;
  const [, quote, text] = new RegExp(`^\\s*${literal}[ \\t]*(?=;|\\n|$|\\})`).exec(source.slice(end, end + 500)) ?? [];
  return text === undefined || mayInterpolate(quote, text, language) ? null : text;
}

/** What the one call of a function gives a parameter of it. @param definition from where on it stands */
function parameterText(name: string, definition: string, source: string): string | null {
  const [, of = '', list = ''] = /^def\s+(?:self\.)?(\w+)[ \t(]+([^)\n]*)/.exec(definition) ?? [];
  const at = list.split(',').findIndex((parameter) => parameter.trim() === name);
  const calls = [...source.matchAll(new RegExp(`(?<!\\bdef\\s+)(?<!\\bdef\\s+self\\.)\\b${of}[ \\t]*[ (]`, 'g'))];
  const [only, ...others] = calls;
  return only === undefined || others.length > 0 || at < 0
    ? null
    : wholeText(givenTo(source, only.index + only[0].length, only[0])?.[at]);
}

const mayInterpolate = (quote: string | undefined, text: string, { interpolation }: Language): boolean =>
  quote === '"' && interpolation.test(text);

function elementText(of: string, key: string | number, language: Language, source: string): string | null {
  const code = codeOf(source, language.name === 'python');
  const given = [...code.matchAll(new RegExp(`(?<![\\w.])[$@%]?${of}\\s*=(?![=~>])\\s*(?:[\\w.]*\\(|[[{])`, 'g'))];
  const changed = String.raw`(?<![\w.])[$@%]?${of}(?:\s*(?:->)?\s*[[{.][^\n;=()]{0,100}?[-+|.]?=(?![=~>])|\s*\.\s*(?:update|merge!|push|append|insert|extend|unshift|setdefault|store|delete|pop|clear)\b)|\b(?:push|unshift|splice|assign|delete)\b[\s(]*[@$%]?${of}\b`;
  const [first, ...others] = given;
  if (first === undefined || others.length > 0 || new RegExp(changed).test(code)) {
    return null;
  }
  const start = first.index + first[0].length;
  if (typeof key === 'number') {
    return wholeText(argumentsAt(source, code, start, language.interpolation)?.[key]);
  }
  const content = source.slice(start, endOfArguments(code, start));
  const entry = new RegExp(`(?<![\\w$])["':]?${key}["']?\\s*(?:=>|[:=])(?![=:])\\s*(?:${literal}\\s*(?=,|$))?`, 'g');
  const [only, ...more] = content.matchAll(entry);
  const [, quote, text] = only ?? [];
  return text === undefined || more.length > 0 || mayInterpolate(quote, text, language) ? null : text;
}
