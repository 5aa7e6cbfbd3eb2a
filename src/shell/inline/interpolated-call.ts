import type { OpenText, SourceArgument } from './source/argument.ts';
import { argumentsAt } from './source/arguments.ts';
import { bracketStep } from './source/brackets.ts';
import { codeOf } from './source/code.ts';
import type { Language } from './source/languages.ts';
import type { OpenCommand, OpenWord } from './source/open-command.ts';

/** How a language puts values into its strings: the first group is the expression. */
const inserted: Readonly<Record<string, RegExp>> = {
  ruby: /#\{([^{}]*)\}/g,
  perl: /([$@](?:\{[^{}]*\}|\w+)(?:(?:->)?(?:\[[^\]]*\]|\{[^{}]*\}))*)/g,
  php: /(\{\$[^{}]*\}|\$\w+(?:\[[^\]]*\]|->\w+)?)/g,
};

/** A variable of Perl or an element of one, which is one word: `$mode`, `$o->{mode}`, `$ENV{MODE}`. */
const scalar = /^\$\w+(?:(?:->)?(?:\[[^[\]@.]*\]|\{[^{}@,]*\}))*$/;

/** A text between quotes, with the expressions in it. */
function textWith(pattern: RegExp, text: string): OpenText {
  return text
    .split(pattern)
    .map((part, at) => (at % 2 === 1 ? { expression: part } : part))
    .filter((part) => part !== '');
}

/**
 * What a call of Ruby, Perl or PHP starts whose words are not all literal: what the program puts in is data, as in a
 * variable. Functions and variables of the program are not followed.
 *
 * @param start where its arguments begin
 * @param caller up to and with the opening parenthesis
 * @returns null where its words can't be told
 */
export function interpolatedCall(
  language: Language,
  source: string,
  start: number,
  caller: string,
): OpenCommand | null {
  const { name } = language;
  const pattern = inserted[name];
  const given = pattern === undefined ? null : givenTo(source, start, caller);
  const [first, ...others] = given ?? [];
  if (pattern === undefined || first === undefined) {
    return null;
  }
  if (first.kind === 'list') {
    return asWords(first.items, language);
  }
  const isList = (first.kind === 'name' && first.isSpread) || (first.kind === 'other' && /^@\w+$/.test(first.written));
  if (isList) {
    return asWords(given ?? [], language);
  }
  if (first.kind === 'name' && others.length === 0) {
    return { script: [{ expression: first.name }] };
  }
  if (first.kind !== 'text') {
    return null;
  }
  const more = name === 'php' ? [] : others.filter((argument) => !isOption(argument));
  if (more.length > 0) {
    return asWords([first, ...more], language);
  }
  const isPiped = caller.startsWith('open');
  const text = first.text.map((part) =>
    typeof part === 'string' && isPiped ? part.replace(/^\s*\||\|\s*$/g, '') : part,
  );
  return { script: text.flatMap((part) => (typeof part === 'string' ? textWith(pattern, part) : [part])) };
}

/**
 * The arguments of a call, also of one without brackets, where they go on to the end of their statement.
 *
 * @param start where they begin
 * @param caller what stands before: up to and with the opening bracket, where there is one
 * @param code the source, its strings and comments blanked, where somebody has it already
 */
export function givenTo(
  source: string,
  start: number,
  caller: string,
  code = codeOf(source, false),
): readonly SourceArgument[] | null {
  if (caller.trimEnd().endsWith('(')) {
    return argumentsAt(source, code, start, /(?!)/);
  }
  const end = endOfWords(code, start);
  return argumentsAt(`${source.slice(start, end)})`, `${code.slice(start, end)})`, 0, /(?!)/);
}

/** Behind the arguments of a call without brackets: `system "git", "push" or die`, `system "git", "push" if ready`. */
const behindWords = /(?:[;)\]}]|\n|\|\||&&|\?\s|(?<=\s)(?:or|and|if|unless|do|then|rescue|while|until|for|end)\b)/y;

function endOfWords(code: string, start: number): number {
  let level = 0;
  for (let index = start; index < code.length; index += 1) {
    const isEnd = level === 0 && endsHere(code, index);
    if (isEnd && !(code[index] === '\n' && /[,\\]\s*$/.test(code.slice(Math.max(start, index - 40), index)))) {
      return index;
    }
    level += bracketStep(code.charAt(index));
  }
  return code.length;
}

function endsHere(code: string, index: number): boolean {
  behindWords.lastIndex = index;
  return behindWords.test(code);
}

/** `` `git log #{path}` `` */
export function interpolatedText({ name }: Language, command: string): OpenCommand | null {
  const pattern = inserted[name];
  return pattern === undefined ? null : { script: textWith(pattern, command) };
}

/** `chdir: "lib"`, `:err => :out` of Ruby */
function isOption(argument: SourceArgument): boolean {
  return argument.kind === 'other' && /^(?:\w+:(?!:)|:\w+\s*=>|\[?:\w+)/.test(argument.written);
}

/** The words that arguments of a call are in Ruby, Perl or PHP. */
export function wordsOf(items: readonly SourceArgument[], { name }: Language): readonly OpenWord[] {
  const pattern = inserted[name] ?? /(?!)/;
  return items
    .filter((item) => !isOption(item))
    .map((item): OpenWord => {
      if (item.kind === 'text') {
        return { text: item.text.flatMap((part) => (typeof part === 'string' ? textWith(pattern, part) : [part])) };
      }
      const written = item.kind === 'name' ? item.name : item.kind === 'other' ? item.written : '[…]';
      // A list of Perl, or what a call of it answers, is as many words as it has.
      const isSeveral =
        (item.kind === 'name' && item.isSpread) ||
        item.kind === 'list' ||
        written.startsWith('*') ||
        (name === 'perl' && !scalar.test(written));
      return isSeveral ? { several: written } : { text: [{ expression: written }] };
    });
}

function asWords(items: readonly SourceArgument[], language: Language): OpenCommand | null {
  const words = wordsOf(items, language);
  const [program] = words;
  const isNamed =
    program !== undefined && ('several' in program || program.text.every((part) => typeof part === 'string'));
  return isNamed ? { words } : null;
}
