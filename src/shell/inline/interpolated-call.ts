import type { Language } from './languages.ts';
import type { OpenCommand, OpenWord } from './open-command.ts';
import type { OpenText, SourceArgument } from './source-argument.ts';
import { argumentsAt } from './source-arguments.ts';
import { codeOf } from './source-code.ts';

/** How a language puts values into its strings: the first group is the expression. */
const inserted: Readonly<Record<string, RegExp>> = {
  ruby: /#\{([^{}]*)\}/g,
  perl: /([$@](?:\{[^{}]*\}|\w+)(?:(?:->)?(?:\[[^\]]*\]|\{[^{}]*\}))*)/g,
  php: /(\{\$[^{}]*\}|\$\w+(?:\[[^\]]*\]|->\w+)?)/g,
};

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
  { name }: Language,
  source: string,
  start: number,
  caller: string,
): OpenCommand | null {
  const pattern = inserted[name];
  const given = pattern === undefined ? null : argumentsAt(source, codeOf(source, false), start, /(?!)/);
  const [first, ...others] = given ?? [];
  if (pattern === undefined || first === undefined) {
    return null;
  }
  if (first.kind === 'list') {
    return asWords(first.items, pattern, name);
  }
  if (first.kind !== 'text') {
    return null;
  }
  const more = name === 'php' ? [] : others.filter((argument) => !isOption(argument));
  if (more.length > 0) {
    return asWords([first, ...more], pattern, name);
  }
  const isPiped = caller.startsWith('open');
  const text = first.text.map((part) =>
    typeof part === 'string' && isPiped ? part.replace(/^\s*\||\|\s*$/g, '') : part,
  );
  return { script: text.flatMap((part) => (typeof part === 'string' ? textWith(pattern, part) : [part])) };
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

function asWords(items: readonly SourceArgument[], pattern: RegExp, language: string): OpenCommand | null {
  const words = items.map((item): OpenWord => {
    if (item.kind === 'text') {
      return { text: item.text.flatMap((part) => (typeof part === 'string' ? textWith(pattern, part) : [part])) };
    }
    const written = item.kind === 'name' ? item.name : item.kind === 'other' ? item.written : '[…]';
    // A list of Perl, or what a call of it answers, is as many words as it has.
    const isSeveral =
      (item.kind === 'name' && item.isSpread) ||
      item.kind === 'list' ||
      (language === 'perl' && !/^\$\w+$/.test(written));
    return isSeveral ? { several: written } : { text: [{ expression: written }] };
  });
  const [program] = words;
  const isNamed = program !== undefined && 'text' in program && program.text.every((part) => typeof part === 'string');
  return isNamed ? { words } : null;
}
