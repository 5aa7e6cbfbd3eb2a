import type { Language } from './languages.ts';

const closers: Readonly<Record<string, string>> = { '{': '}', '(': ')', '[': ']', '<': '>' };

/** Where a quote ends that begins with the character before `start`; brackets have pairs within them. -1: nowhere. */
export function endOfQuote(source: string, start: number, limit = source.length): number {
  const opener = source.charAt(start - 1);
  const closer = closers[opener] ?? opener;
  let level = 0;
  for (let index = start; index < limit; index += 1) {
    const character = source.charAt(index);
    if (character === '\\') {
      index += 1;
    } else if (character === closer && level === 0) {
      return index;
    } else if (closer !== opener) {
      level += character === opener ? 1 : character === closer ? -1 : 0;
    }
  }
  return -1;
}

/** The same of a text of Ruby, in which what is put in may have quotes of its own: `"#{run("x")}"`. */
export function endOfText(source: string, start: number, language: string, limit = source.length): number {
  const opener = source.charAt(start - 1);
  if (language !== 'ruby' || opener === "'") {
    return endOfQuote(source, start, limit);
  }
  for (let index = start; index < limit; index += 1) {
    if (source[index] === '\\') {
      index += 1;
    } else if (source.startsWith('#{', index)) {
      const inserted = endOfInserted(source, index + 2, limit);
      index = inserted < 0 ? limit : inserted;
    } else if (source[index] === (closers[opener] ?? opener)) {
      return closers[opener] === undefined ? index : endOfQuote(source, start, limit);
    }
  }
  return -1;
}

/** Where what is put into a text of Ruby ends, whose code begins at `start`. */
function endOfInserted(source: string, start: number, limit: number): number {
  let level = 0;
  for (let index = start; index >= 0 && index < limit; index += 1) {
    const character = source.charAt(index);
    if (/["'`]/.test(character)) {
      const end = endOfText(source, index + 1, 'ruby', limit);
      if (end < 0) {
        return -1;
      }
      index = end;
    } else if (character === '}' && level === 0) {
      return index;
    } else {
      level += character === '{' ? 1 : character === '}' ? -1 : 0;
      index += character === '\\' ? 1 : 0;
    }
  }
  return -1;
}

/** Quote-like operators: perlop(1) "Quote-Like Operators", Ruby's percent literals. `qx` and `%x` run what they hold. */
const operators: Readonly<Record<string, RegExp>> = {
  perl: /(?<![\w$@%&>'-])(s|y|tr|m|qr|qq|q|qw)\s*([^\s\w,;=)])(?!=)/y,
  ruby: /(?<![\w)\]])%([qQwWiIr]?)([{[(<|!/])/y,
};
/** What a slash follows that begins a pattern. */
const beforePattern = /(?:^|[(,=~!{;|&?:]|\b(?:if|unless|and|or|not|split|grep|map|print|return|when|while|until))\s*$/;
/** Values within strings that are code: `#{…}` of Ruby, `@{[…]}` of Perl. */
const code: Readonly<Record<string, RegExp>> = { ruby: /#\{/y, perl: /@\{(?=\[)/y };

/** Texts that are run, and here-documents, which are not read. */
const takesTextForCode = /eval\b|\(\?\??\{|\bassert\b|<<<?[~-]?["'`]?[A-Za-z_]/;

/**
 * Which stretches of a program are text: strings, patterns, comments. What looks like a call in them is none.
 *
 * @returns for each character whether it is; null where the language is not read like that, or the program not to its end
 */
export function textsIn({ name }: Language, source: string): readonly boolean[] | null {
  if (!/^(?:perl|ruby|php)$/.test(name) || takesTextForCode.test(source)) {
    return null;
  }
  const marks = new Array<boolean>(source.length).fill(false);
  return new TextReader(name, source, marks).read(0, source.length) ? marks : null;
}

class TextReader {
  readonly #language: string;
  readonly #source: string;
  readonly #marks: boolean[];

  constructor(language: string, source: string, marks: boolean[]) {
    this.#language = language;
    this.#source = source;
    this.#marks = marks;
  }

  /** Reads code from one position to another; false where a quote does not end. */
  read(start: number, end: number): boolean {
    let index = start;
    while (index >= 0 && index < end) {
      index = this.#step(index, end);
    }
    return index >= 0;
  }

  /** The position behind what begins at `index`; -1 where it does not end. */
  #step(index: number, end: number): number {
    const source = this.#source;
    const character = source.charAt(index);
    const operator = this.#at(operators[this.#language], index);
    if (operator !== null) {
      return this.#operator(operator, index, end);
    }
    if (character === '#' && /(?:^|[\s;{}])$/.test(source.slice(earlier(index), index))) {
      const line = source.indexOf('\n', index);
      return this.#marked(index, line < 0 || line > end ? end : line);
    }
    const isPattern = character === '/' && this.#beginsPattern(index);
    // `$'` and `$"` are variables.
    if (source[index - 1] === '$' && this.#language !== 'php') {
      return index + 1;
    }
    if (character === '"' || character === "'" || character === '`' || isPattern) {
      const close = endOfText(source, index + 1, this.#language, end);
      return close < 0 ? -1 : character === '`' ? close + 1 : this.#text(index + 1, close, character !== "'");
    }
    return index + 1;
  }

  /** Ruby takes `sub /x/` for a pattern and `a / b` for a division by the spaces. */
  #beginsPattern(index: number): boolean {
    const before = this.#source.slice(earlier(index), index);
    const isArgument =
      this.#language === 'ruby' &&
      /[a-z_?!]\s+$/i.test(before) &&
      /^\/[^\s=][^\n]*\//.test(this.#source.slice(index, index + 200));
    return this.#language !== 'php' && (isArgument || beforePattern.test(before));
  }

  /** `s/…/…/e`: with `e`, what is put in is code; `s{…} {…}` has two pairs. */
  #operator([whole, name = '']: RegExpExecArray, index: number, end: number): number {
    const from = index + whole.length;
    const close = endOfQuote(this.#source, from, end);
    if (close < 0 || !/^(?:s|y|tr)$/.test(name) || this.#language !== 'perl') {
      return close < 0 ? -1 : this.#text(from, close, !/^(?:q|qw|w|i)$/.test(name));
    }
    const isPaired = closers[whole.at(-1) ?? ''] !== undefined;
    const opens =
      close + 1 + (isPaired ? (/^\s*\S/.exec(this.#source.slice(close + 1, close + 80))?.[0].length ?? 0) : 0);
    const last = endOfQuote(this.#source, opens, end);
    if (last < 0) {
      return -1;
    }
    this.#text(from, close, true);
    const runs = /^[a-z]*e/.test(this.#source.slice(last + 1, last + 12));
    return runs ? (this.read(opens, last) ? last + 1 : -1) : this.#text(opens, last, true);
  }

  /** Marks a text but for the code in it. @returns the position behind its quote */
  #text(start: number, end: number, interpolates: boolean): number {
    this.#marked(start, end);
    for (let index = start; interpolates && index < end; index += 1) {
      const opened = this.#source[index] === '\\' ? null : this.#at(code[this.#language], index);
      const from = index + (opened?.[0].length ?? 1);
      const close = opened === null ? -1 : this.#endOfCode(from, end);
      if (close >= 0) {
        this.#marks.fill(false, from, close);
        if (!this.read(from, close)) {
          return -1;
        }
        index = close;
      }
      index += this.#source[index] === '\\' ? 1 : 0;
    }
    return end + 1;
  }

  #endOfCode(from: number, end: number): number {
    return this.#language === 'ruby' ? endOfInserted(this.#source, from, end) : endOfQuote(this.#source, from, end);
  }

  /** A text of several lines may be none: a quote in a comment or a form of text that is not known here. */
  #marked(start: number, end: number): number {
    this.#marks.fill(!this.#source.slice(start, end).includes('\n'), start, end);
    return end;
  }

  #at(pattern: RegExp | undefined, index: number): RegExpExecArray | null {
    if (pattern === undefined) {
      return null;
    }
    pattern.lastIndex = index;
    return pattern.exec(this.#source);
  }
}

/** Far enough back to see what stands before. */
const earlier = (index: number): number => Math.max(0, index - 12);
