import type { Call } from '../call.ts';
import { exportedText } from '../environment.ts';
import type { OpenText } from './source/argument.ts';
import { argumentsAt } from './source/arguments.ts';
import { endOfBracket } from './source/brackets.ts';
import { codeOf } from './source/code.ts';
import { wholeText } from './source/command.ts';
import type { Language } from './source/languages.ts';
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
        words: command.words.map((word): OpenWord => ('text' in word ? { text: held(word.text) } : word)),
      };
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
  const [, of, member, , key, bare, index] = element.exec(written) ?? [];
  return of === undefined ? null : elementText(of, member ?? key ?? bare ?? Number(index), language, source);
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
  const content = source.slice(start, endOfBracket(code, start));
  const entry = new RegExp(`(?<![\\w$])["':]?${key}["']?\\s*(?:=>|[:=])(?![=:])\\s*(?:${literal}\\s*(?=,|$))?`, 'g');
  const [only, ...more] = content.matchAll(entry);
  const [, quote, text] = only ?? [];
  return text === undefined || more.length > 0 || mayInterpolate(quote, text, language) ? null : text;
}
