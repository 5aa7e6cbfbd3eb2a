import { posix } from 'node:path';

/** What a text of a makefile is expanded with. */
export interface MakeScope {
  readonly variables: ReadonlyMap<string, string>;
  /** What the environment says of a variable; null: nothing. */
  readonly environment: (name: string) => string | null;
  /** `@`, `<`, `^`, `*` …: those of the rule; none outside of rules. */
  readonly automatic: ReadonlyMap<string, string>;
  /** Where make stands, absolute. */
  readonly base: string;
  /** Is there a file of that name now? null: that can't be told. */
  readonly exists: (path: string) => boolean | null;
  /** `$(shell COMMAND)`: it runs while the text is expanded. */
  readonly runs?: (command: string) => void;
  /** `$(eval TEXT)`: lines of a makefile. */
  readonly reads?: (text: string) => void;
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

/** A text as make expands it. */
export interface ExpandedText {
  readonly text: string;
  /** Was there a condition that can't be told? */
  readonly isUndecided: boolean;
  /** `$(error …)`: make ends there. */
  readonly stops: boolean;
}

/**
 * What make hands to the shell. What is not known stands there as a variable that the shell doesn't know either.
 *
 * @param takesFirst of the two ways behind a condition that can't be told
 */
export function expanded(text: string, scope: MakeScope, takesFirst: boolean): ExpandedText {
  const expansion = new Expansion(scope, takesFirst);
  const result = expansion.expand(text);
  return { text: result, isUndecided: expansion.isUndecided, stops: expansion.stops };
}

/** A text that has been expanded, so that expanding it again leaves it as it is. */
export function escapedText(text: string): string {
  return text.replaceAll('$', '$$$$');
}

class Expansion {
  /** Was there a condition that can't be told? */
  isUndecided = false;
  stops = false;
  readonly #scope: MakeScope;
  readonly #takesFirst: boolean;
  /** Variables whose values are being expanded: a value that names itself means the one before. */
  readonly #open = new Set<string>();
  #length = 0;

  /** @param takesFirst of the two ways behind a condition that can't be told */
  constructor(scope: MakeScope, takesFirst: boolean) {
    this.#scope = scope;
    this.#takesFirst = takesFirst;
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
      const command = this.expand(rest, depth + 1, local);
      this.#scope.runs?.(command);
      return `$(${command})`;
    }
    if (silent.has(name)) {
      this.#speak(name, this.expand(rest, depth + 1, local));
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
    if (name === 'value') {
      return this.#scope.variables.get(ready(rest).trim()) ?? '';
    }
    if (name === 'wildcard') {
      return splitWords(ready(rest))
        .flatMap((one) => this.#existing(one))
        .join(' ');
    }
    const textFunction = Object.hasOwn(textFunctions, name) ? textFunctions[name] : undefined;
    if (textFunction !== undefined) {
      const values = argumentsOf(rest).map(ready);
      return values.some(isOpen) ? unknownVariable(name) : textFunction(values, this.#scope.base);
    }
    return this.#variable(ready(inner), depth, local);
  }

  #speak(name: string, text: string): void {
    if (name === 'error') {
      this.stops = true;
    } else if (name === 'eval') {
      this.#scope.reads?.(text);
    }
  }

  /** Patterns are left to the shell, which matches what make would have. */
  #existing(name: string): readonly string[] {
    const { base, exists } = this.#scope;
    const isThere = /[*?[$]/.test(name) ? true : exists(posix.resolve(base, name));
    return isThere === false ? [] : [isThere === null ? unknownVariable(name) : name];
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

  /** An empty text is false; of the other parts only those are expanded that it comes to. */
  #chosen(name: string, parts: readonly string[], ready: (part: string | undefined) => string): string {
    if (name === 'if') {
      const [condition = '', then = '', otherwise = ''] = parts;
      return ready(this.#isTrue(ready(condition.trim()).trim()) ? then : otherwise);
    }
    let value = '';
    for (const part of parts) {
      value = ready(part).trim();
      if (this.#isTrue(value) === (name === 'or')) {
        break;
      }
    }
    return value;
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
    const { variables, environment, automatic, base } = this.#scope;
    const [, name = reference, from, to = ''] = /^([^:=]+):([^=]*)=(.*)$/s.exec(reference) ?? [];
    const own = automaticValue(name, automatic);
    if (own !== null) {
      return from === undefined ? own : replaced(from, to, own);
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
    return replaced(from, to, value);
  }
}

/** `$(NAME:.c=.o)`, `$(NAME:%.c=%.o)` */
function replaced(from: string, to: string, value: string): string {
  return from.includes('%') ? substituted(from, to, value) : substituted(`%${from}`, `%${to}`, value);
}

/** `$@`, and its parts `$(@D)`, `$(@F)` (GNU make manual "Automatic Variables"); null: the name is no such variable. */
function automaticValue(name: string, automatic: ReadonlyMap<string, string>): string | null {
  const [, variable = '', part] = /^([@<^+?*|%])([DF])?$/.exec(name) ?? [];
  const value = automatic.get(variable);
  if (value === undefined || part === undefined) {
    return value ?? null;
  }
  return splitWords(value)
    .map((word) => (part === 'D' ? posix.dirname(word) : posix.basename(word)))
    .join(' ');
}

/** A text in which something is left to the shell. */
export function isOpen(text: string): boolean {
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
  wordlist: ([from = '', to = '', text = '']) =>
    splitWords(text)
      .slice(Number(from) - 1, Number(to))
      .join(' '),
  join: ([first = '', second = '']) => {
    const [ones, others] = [splitWords(first), splitWords(second)];
    const longer = ones.length < others.length ? others : ones;
    return longer.map((_, index) => `${ones[index] ?? ''}${others[index] ?? ''}`).join(' ');
  },
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
export function stemOf(pattern: string, word: string): string | null {
  const [before = '', after] = pattern.split('%', 2);
  if (after === undefined) {
    return pattern === word ? '' : null;
  }
  const isMatch = word.length >= before.length + after.length && word.startsWith(before) && word.endsWith(after);
  return isMatch ? word.slice(before.length, word.length - after.length) : null;
}

/** The position behind `$(…)`. @param open that of its parenthesis */
export function endOfReference(text: string, open: number): number {
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
