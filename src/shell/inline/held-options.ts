import type { Call } from '../call.ts';
import { exportedText } from '../environment.ts';
import type { Word } from '../simple-command.ts';
import { bracketStep } from './source/brackets.ts';
import type { Language } from './source/languages.ts';

/** More options than these are not tried for each word: the others count as none. */
const maximumOptions = 8;
/** Literals that begin with a dash; no program has more. */
const maximumLiterals = 200;
/** Characters in which the bracket around a literal is looked for. */
const longestList = 400;

/** `'--hard'`, `"-D"`; a lone dash and what ends options are none. */
const literalOption = /(["'`])(-{1,2}[A-Za-z][\w-]*(?:=[^"'`\s$#{}]*)?)\1/g;
/** `qw(--hard -q)`, `%w[--hard]`: a list of options alone. */
const wordList = /(?:\bqw\s*|%[wW])[([{<|!]\s*(-[^\s)\]}>|!]+(?:\s+-[^\s)\]}>|!]+)*)\s*[)\]}>|!]/g;
/** What a value stands behind: it is given to something, or it is chosen, or taken where nothing else is there. */
const takesValue =
  /(?:(?<![=!<>])=|=>|[:?]|\|\||&&|\?\?|\b(?:return|or|and|else|yield)|\b(?:get|fetch|getenv|setdefault)\(\s*[^(),]*,)\s*$/;
/** What a literal stands before that it is compared with, or whose value it only names. */
const behindName = /^\s*(?:=>|[!=]=|\bin\b|\bnot\b)/;
/** What stands in a list of options alone, up to one of them. */
const onlyOptions = /^\s*(?:(?:(["'`])(?:-[^"'`]*)?\1|None|null|undefined|nil|\d+)\s*,\s*)*$/;
/** Calls that take options of the program itself, and those that look for one. */
const ownOptions =
  /(?:\b(?:add_argument|add_option|option|opt|on|flag|boolean|switch|GetOptions|includes?|has|indexOf|index|startswith|startsWith|start_with\?|endswith|endsWith|count|remove|replace|split|join|test|match|eq|is|print|log|puts|echo|write)|\bcase|[=!]=)\s*\(?\s*$/;

/**
 * Options that a word of a command may be whose value is not followed: those that the program holds as values of its
 * own, not in the words of a command that it writes out; and those that the line gives it as arguments or in variables.
 */
export function heldOptions(language: Language, source: string, { argv, state }: Call): readonly string[] {
  const literal = Array.from(source.matchAll(literalOption))
    .slice(0, maximumLiterals)
    .map((match) => (isValue(language, source, match.index, match.index + match[0].length) ? (match[2] ?? '') : ''));
  const listed = Array.from(source.matchAll(wordList), ([, list = '']) => list.split(/\s+/)).flat();
  const words = /argv|args/i.test(source) ? argv.slice(1).map(textOf) : [];
  const given = words.slice(words.findIndex((word) => !isOption(word)) + 1);
  const variables = [...state.variables.keys()].flatMap((name) =>
    source.includes(name) ? (exportedText(name, state) ?? []) : [],
  );
  const all = [...literal, ...listed, ...given, ...variables];
  return [...new Set(all.filter(isOption))].slice(0, maximumOptions);
}

const textOf = (word: Word): string => (word.kind === 'known' ? word.value : '');

const isOption = (text: string): boolean => /^-{1,2}[A-Za-z][\w-]*(?:=\S*)?$/.test(text);

/** Is a literal given to something as its value, or an item of a list of options, and none of a command's words? */
function isValue({ calls }: Language, source: string, start: number, end: number): boolean {
  const before = source.slice(Math.max(0, start - longestList), start);
  if (behindName.test(source.slice(end, end + 12)) || ownOptions.test(before)) {
    return false;
  }
  if (takesValue.test(before)) {
    return true;
  }
  let open = openBracket(before);
  if (open < 0 || before[open] === '{' || !onlyOptions.test(before.slice(open + 1))) {
    return false;
  }
  for (; open >= 0; open = openBracket(before.slice(0, open))) {
    const around = before.slice(0, open + 1);
    const isCall = [...around.matchAll(calls)].some(({ index, 0: whole }) => index + whole.length >= around.length);
    if (isCall || ownOptions.test(before.slice(0, open))) {
      return false;
    }
  }
  return true;
}

/** The bracket in which the end of a text stands; -1: none. */
function openBracket(text: string): number {
  let level = 0;
  for (let index = text.length - 1; index >= 0; index -= 1) {
    level -= bracketStep(text.charAt(index));
    if (level < 0) {
      return index;
    }
  }
  return -1;
}
