import { writtenAt } from '../source/arguments.ts';
import { endOfBracket } from '../source/brackets.ts';
import { codeOf } from '../source/code.ts';
import type { SourceFunction } from '../source/functions.ts';
import { plainName } from './function-values.ts';

/** A program with its strings, comments and lists of imports blanked. */
export interface ValueProgram {
  readonly source: string;
  readonly code: string;
  readonly isPython: boolean;
  readonly functions: readonly SourceFunction[];
}

/** What a function of the program does with another one that it is given. */
export type Usage =
  /** Calls it with these arguments, one text for each call. */
  | { readonly kind: 'calls'; readonly given: readonly string[] }
  /** Makes a function that hands on what it is given. */
  | { readonly kind: 'wraps' }
  /** Does anything else with the parameter of this name. */
  | { readonly kind: 'holds'; readonly parameter: string };

/**
 * What a function of the program does with one that it is given.
 *
 * @param written the arguments that it is given
 * @param at which of them the other one is
 * @param keyword the name by which it is given
 * @returns null where it is given to none of its parameters
 */
export function usageOf(
  own: SourceFunction,
  program: ValueProgram,
  written: readonly string[],
  at: number,
  keyword: string | null,
): Usage | null {
  const positional = own.hasRest ? own.parameters.length - 1 : own.parameters.length;
  const parameter = keyword ?? (at < positional ? own.parameters[at] : undefined);
  if (parameter === undefined || ![...own.parameters, ...own.named].includes(parameter)) {
    return null;
  }
  const body = program.code.slice(own.start, own.end);
  const calls = Array.from(
    body.matchAll(new RegExp(`${plainName(parameter)}\\s*\\(`, 'g')),
    (match) => writtenAt(program.source, program.code, own.start + match.index + match[0].length) ?? [],
  );
  const given = calls.map((call) => handedOn(call, own, written));
  const isKnown = given.every((texts) => texts !== null);
  if (calls.length > 0 && isKnown && given.some((texts) => texts !== null && texts.length > 0)) {
    return {
      kind: 'calls',
      given: [...new Set(given.map((texts) => (texts ?? []).join(', ')))].filter((text) => text !== ''),
    };
  }
  const passesOn =
    calls.length > 0 &&
    calls.every((call) => call.length > 0 && call.every((one) => /^\s*(?:\*{0,2}|\.{3})[\w$]+\s*$/.test(one)));
  return passesOn && !isKnown ? { kind: 'wraps' } : { kind: 'holds', parameter };
}

/** What the function gives to the other one, as its caller has written it; null where it adds something of its own. */
function handedOn(call: readonly string[], own: SourceFunction, written: readonly string[]): readonly string[] | null {
  const isNamed = (text: string) => /^\s*[\w$]+\s*=(?![=>])/.test(text);
  const named = new Map(
    written.filter(isNamed).map((text) => [text.slice(0, text.indexOf('=')).trim(), text] as const),
  );
  const positional = written.filter((text) => !isNamed(text));
  const parameters = [...own.parameters, ...own.named];
  const texts = call.map((text) => {
    const [, spread = '', name = ''] = /^\s*(\*{0,2}|\.{3})([\w$]+)\s*$/.exec(text) ?? [];
    const at = own.parameters.indexOf(name);
    if (spread === '**' && name === own.keywords) {
      return [...named].filter(([key]) => !parameters.includes(key)).map(([, value]) => value);
    }
    if (name === '' || at < 0 || (spread !== '' && !(own.hasRest && at === own.parameters.length - 1))) {
      return null;
    }
    const value = spread === '' ? (named.get(name)?.replace(/^[^=]*=/, '') ?? positional[at]) : undefined;
    return spread === '' ? (value === undefined ? [] : [value]) : positional.slice(at);
  });
  return texts.includes(null) ? null : texts.flatMap((text) => text ?? []);
}

const takesText =
  /^(?:os\.(?!exec|spawn|posix)|shutil\.|subprocess\.get|(?:exec|execSync|\w*(?:rm|unlink|rename|chmod|File|cp|truncate)\w*)$)/;

/**
 * The arguments of a function that something else calls later, as they are written: it may be given them in one list,
 * or one by one although they are the words of one command.
 *
 * @param written what stands behind the function
 * @param isNamed whether they are given as `args=`
 */
export function laterArguments(call: string, written: readonly string[], isPython: boolean, isNamed = false): string {
  const texts = written.map((text) => text.trim());
  // How long to wait, how often to try: nothing that it is given.
  const [first = '', ...others] = texts.slice(
    Math.max(
      0,
      texts.findIndex((text) => !/^[\d_.]+$/.test(text)),
    ),
  );
  const items = /^[[(]/.test(first) ? itemsOf(first, isPython) : null;
  const isList =
    items !== null &&
    (isNamed || items.length === 1 || /^[[(]/.test(items[0] ?? '') || takesText.test(call) || !isPython);
  const given = isList ? [...items, ...others] : [first, ...others];
  const [program = '', next = ''] = given;
  if (!(isText(program) && isText(next)) || takesText.test(call)) {
    return given.join(', ');
  }
  const [words, options] = [given.filter((text) => !isOption.test(text)), given.filter((text) => isOption.test(text))];
  return isPython
    ? [call.startsWith('subprocess.') ? `[${words.join(', ')}]` : words.join(', '), ...options].join(', ')
    : [program, `[${words.slice(1).join(', ')}]`, ...options].join(', ');
}

const isText = (text: string): boolean => /^[fr]?["'`]/.test(text);
const isOption = /^(?:\{|\w+\s*=(?!=)|\*\*)/;

/** The items of a list that is written there; null where it is none, or goes on behind it. */
function itemsOf(written: string, isPython: boolean): readonly string[] | null {
  const code = codeOf(written, isPython);
  return endOfBracket(code, 1) === written.length - 1
    ? (writtenAt(written, code, 1)?.map((text) => text.trim()) ?? null)
    : null;
}
