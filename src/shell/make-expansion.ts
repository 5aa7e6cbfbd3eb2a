import { posix } from 'node:path';

/** What a text of a makefile is expanded with. */
export interface MakeScope {
  readonly variables: ReadonlyMap<string, string>;
  /** What the environment says of a variable; null: nothing. */
  readonly environment: (name: string) => string | null;
  /** `$@`; empty outside of rules. */
  readonly target: string;
  /** Where make stands, absolute. */
  readonly base: string;
}

/** Variables that make itself sets (GNU make manual "Implicit Variables"). */
const builtIn: Readonly<Record<string, string>> = {
  AR: 'ar',
  AS: 'as',
  CC: 'cc',
  CPP: 'cc -E',
  CXX: 'c++',
  FC: 'f77',
  LD: 'ld',
  MAKE: 'make',
  RM: 'rm -f',
  SHELL: '/bin/sh',
};

/** More than this is expanded in no makefile that people write. */
const maximumDepth = 12;
const maximumLength = 100_000;
const maximumRounds = 40;

/**
 * The texts that make may hand to the shell for one line: two where a condition can't be told from here.
 * What is not known stands there as a variable that the shell doesn't know either.
 */
export function expandedTexts(text: string, scope: MakeScope): readonly string[] {
  const first = new Expansion(scope, true);
  const expanded = first.expand(text);
  return first.isUndecided ? [expanded, new Expansion(scope, false).expand(text)] : [expanded];
}

/** The first of these texts. @param variable whose value it is to be, and which has another one in it */
export function expandedText(text: string, scope: MakeScope, variable: string | null = null): string {
  return new Expansion(scope, true, variable).expand(text);
}

/** The commands of `$(shell COMMAND)` in a line, not yet expanded. */
export function shellCallsIn(line: string): readonly string[] {
  return Array.from(line.matchAll(/\$[({]shell\s+/g), ({ index, 0: start }) =>
    line.slice(index + start.length, endOfReference(line, index + 1) - 1),
  );
}

class Expansion {
  /** Was there a condition that can't be told? */
  isUndecided = false;
  readonly #scope: MakeScope;
  readonly #takesFirst: boolean;
  /** Variables whose values are being expanded: a value that names itself means the one before. */
  readonly #open: Set<string>;
  #length = 0;

  /** @param takesFirst of the two ways behind a condition that can't be told */
  constructor(scope: MakeScope, takesFirst: boolean, variable: string | null = null) {
    this.#scope = scope;
    this.#takesFirst = takesFirst;
    this.#open = new Set(variable === null ? [] : [variable]);
  }

  expand(text: string, depth = 0, local: ReadonlyMap<string, string> = new Map()): string {
    this.#length += text.length;
    if (depth > maximumDepth || this.#length > maximumLength) {
      return unknownVariable('DEEP');
    }
    let result = '';
    for (let at = 0; at < text.length; at += 1) {
      const next = text[at + 1] ?? '';
      if (text[at] !== '$') {
        result += text[at];
      } else if (next === '(' || next === '{') {
        const end = endOfReference(text, at + 1);
        result += this.#reference(text.slice(at + 2, end - 1), depth, local);
        at = end - 1;
      } else {
        result += next === '$' ? '$' : this.#variable(next, depth, local);
        at += 1;
      }
    }
    return result;
  }

  #reference(inner: string, depth: number, local: ReadonlyMap<string, string>): string {
    const [, name = '', rest = ''] = /^([a-z-]+)\s+([\s\S]*)$/.exec(inner) ?? [];
    if (name === 'shell') {
      return `$(${this.expand(rest, depth + 1, local)})`;
    }
    if (silent.has(name)) {
      return '';
    }
    const ready = (part: string | undefined) => this.expand(part ?? '', depth + 1, local);
    if (name === 'call') {
      return this.#called(argumentsOf(rest).map(ready), depth);
    }
    if (name === 'foreach') {
      return this.#eachOf(argumentsOf(rest, 3), depth, local);
    }
    if (name === 'if' || name === 'or' || name === 'and') {
      return this.#chosen(name, argumentsOf(rest, name === 'if' ? 3 : undefined), ready);
    }
    if (name === 'strip') {
      return ready(rest).trim();
    }
    const textFunction = Object.hasOwn(textFunctions, name) ? textFunctions[name] : undefined;
    if (textFunction !== undefined) {
      const values = argumentsOf(rest).map(ready);
      return values.some(isOpen) ? unknownVariable(name) : textFunction(values, this.#scope.base);
    }
    return this.#variable(ready(inner), depth, local);
  }

  /** `$(call NAME,A,B)`: the value of NAME, with `$(1)`, `$(2)`. */
  #called([name = '', ...given]: readonly string[], depth: number): string {
    const value = this.#scope.variables.get(name.trim());
    const local = new Map(given.map((text, index) => [String(index + 1), text] as const));
    return value === undefined ? unknownVariable(name) : this.expand(value, depth + 1, local);
  }

  #eachOf([name = '', list = '', body = '']: readonly string[], depth: number, local: ReadonlyMap<string, string>) {
    const values = splitWords(this.expand(list, depth + 1, local));
    return values
      .slice(0, maximumRounds)
      .map((value) => this.expand(body, depth + 1, new Map(local).set(name.trim(), value)))
      .join(' ');
  }

  /** An empty text is false. */
  #chosen(name: string, parts: readonly string[], ready: (part: string | undefined) => string): string {
    const values = parts.map((part) => ready(part).trim());
    const [condition = ''] = values;
    if (name === 'if') {
      return this.#isTrue(condition) ? (values[1] ?? '') : (values[2] ?? '');
    }
    const isDeciding = (value: string) => this.#isTrue(value) === (name === 'or');
    return values.find(isDeciding) ?? values.at(-1) ?? '';
  }

  #isTrue(condition: string): boolean {
    if (/^(?:\$MAKE_VARIABLE_\w+|\$\([\s\S]*\))+$/.test(condition)) {
      this.isUndecided = true;
      return this.#takesFirst;
    }
    return condition !== '';
  }

  /** Also `$(NAME:.c=.o)`, and the parts of an automatic one: `$(@D)`. */
  #variable(reference: string, depth: number, local: ReadonlyMap<string, string>): string {
    const { variables, environment, target, base } = this.#scope;
    const [, name = reference, from, to = ''] = /^([^:=]+):([^=]*)=(.*)$/s.exec(reference) ?? [];
    switch (name) {
      case '@':
        return target;
      case '@D':
        return posix.dirname(target);
      case '@F':
        return posix.basename(target);
    }
    // make takes no shell from the environment.
    const inherited = name === 'SHELL' ? null : environment(name);
    const known =
      local.get(name) ??
      (this.#open.has(name) ? undefined : variables.get(name)) ??
      (name === 'CURDIR' || name === 'PWD' ? base : inherited) ??
      (Object.hasOwn(builtIn, name) ? builtIn[name] : undefined);
    if (known === undefined) {
      return unknownVariable(name);
    }
    this.#open.add(name);
    const value = local.has(name) ? known : this.expand(known, depth + 1, local);
    this.#open.delete(name);
    if (from === undefined) {
      return value;
    }
    if (isOpen(value)) {
      return unknownVariable(name);
    }
    return from.includes('%') ? substituted(from, to, value) : substituted(`%${from}`, `%${to}`, value);
  }
}

/** A text in which something is left to the shell. */
function isOpen(text: string): boolean {
  return text.includes('$');
}

function unknownVariable(name: string): string {
  return `$MAKE_VARIABLE_${name.replace(/\W/g, '_')}`;
}

/** Functions that leave nothing for the shell (GNU make manual "Functions That Control Make"). */
const silent: ReadonlySet<string> = new Set(['error', 'warning', 'info', 'eval']);

type TextFunction = (values: readonly string[], base: string) => string;

const eachWord =
  (change: (word: string) => string): TextFunction =>
  ([text = '']) =>
    splitWords(text).map(change).join(' ');

/** GNU make manual "Functions for String Substitution and Analysis", "Functions for File Names". */
const textFunctions: Readonly<Record<string, TextFunction>> = {
  subst: ([from = '', to = '', text = '']) => (from === '' ? text : text.replaceAll(from, () => to)),
  patsubst: ([from = '', to = '', text = '']) => substituted(from, to, text),
  sort: ([text = '']) => [...new Set(splitWords(text))].sort().join(' '),
  findstring: ([wanted = '', text = '']) => (text.includes(wanted) ? wanted : ''),
  filter: ([patterns = '', text = '']) => filtered(patterns, text, true),
  'filter-out': ([patterns = '', text = '']) => filtered(patterns, text, false),
  word: ([at = '', text = '']) => splitWords(text)[Number(at) - 1] ?? '',
  words: ([text = '']) => String(splitWords(text).length),
  firstword: ([text = '']) => splitWords(text)[0] ?? '',
  lastword: ([text = '']) => splitWords(text).at(-1) ?? '',
  dir: eachWord((word) => word.replace(/[^/]*$/, '') || './'),
  notdir: eachWord((word) => word.replace(/^.*\//s, '')),
  suffix: eachWord((word) => /\.[^./]*$/.exec(word)?.[0] ?? ''),
  basename: eachWord((word) => word.replace(/\.[^./]*$/, '')),
  addprefix: ([prefix = '', text = '']) => eachWord((word) => prefix + word)([text], ''),
  addsuffix: ([suffix = '', text = '']) => eachWord((word) => word + suffix)([text], ''),
  // The shell matches what make would have.
  wildcard: ([text = '']) => text,
  abspath: ([text = ''], base) => eachWord((word) => posix.resolve(base, word))([text], base),
  realpath: ([text = ''], base) => eachWord((word) => posix.resolve(base, word))([text], base),
};

/** `$(patsubst %.c,%.o,TEXT)` */
function substituted(from: string, to: string, text: string): string {
  return splitWords(text)
    .map((word) => {
      const stem = stemOf(from, word);
      return stem === null ? word : to.replace('%', () => stem);
    })
    .join(' ');
}

function filtered(patterns: string, text: string, keeps: boolean): string {
  const wanted = splitWords(patterns);
  return splitWords(text)
    .filter((word) => wanted.some((pattern) => stemOf(pattern, word) !== null) === keeps)
    .join(' ');
}

/** What `%` stands for; null where the pattern does not match. */
function stemOf(pattern: string, word: string): string | null {
  const [before = '', after] = pattern.split('%', 2);
  if (after === undefined) {
    return pattern === word ? '' : null;
  }
  const isMatch = word.length >= before.length + after.length && word.startsWith(before) && word.endsWith(after);
  return isMatch ? word.slice(before.length, word.length - after.length) : null;
}

/** The position behind `$(…)`. @param open that of its parenthesis */
function endOfReference(text: string, open: number): number {
  const opening = text.charAt(open);
  const closing = opening === '(' ? ')' : '}';
  let level = 0;
  for (let index = open; index < text.length; index += 1) {
    level += nesting(text.charAt(index), opening, closing);
    if (level === 0) {
      return index + 1;
    }
  }
  return text.length + 1;
}

/** By how much a letter changes how deep one stands in parentheses. */
function nesting(letter: string, opening: string, closing: string): number {
  if (opening.includes(letter)) {
    return 1;
  }
  return closing.includes(letter) ? -1 : 0;
}

/** At commas outside of parentheses, into so many at the most. */
function argumentsOf(text: string, count = Number.POSITIVE_INFINITY): string[] {
  const parts = [''];
  let level = 0;
  for (const letter of text) {
    level += nesting(letter, '({', ')}');
    if (letter === ',' && level === 0 && parts.length < count) {
      parts.push('');
    } else {
      parts[parts.length - 1] += letter;
    }
  }
  return parts;
}

/** The words of a makefile's text, which knows no quotes. */
export function splitWords(text: string): string[] {
  return text.split(/\s+/).filter((word) => word !== '');
}
