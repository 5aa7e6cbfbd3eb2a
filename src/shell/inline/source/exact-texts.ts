/** What a slash follows that begins a pattern of JavaScript, and no division. */
const beforePattern =
  /(?:^|=>|\.\.\.|[(,=:[!&|?{;*%~^<]|(?<!\+)\+|(?<!-)-|(?<![\w$.#])(?:return|typeof|case|in|delete|void|throw|new|else|do|instanceof))\s*$/;
/** What may stand before both. Some words are names in one place and keywords in another. */
const beforeEither = /(?:[)}]|(?<!=)>|\+\+|--|(?<![\w$])(?:of|yield|await|async|let|static|get|set))\s*$/;

/** Elements of JSX: what stands between them is a text without quotation marks. */
const elements = /<\/[A-Za-z>]/;

/** A backslash and what it stands before. In Python's formatted texts a bracket stays one, and two are none. */
const escaped = /^\\/;
const escapedInFormatted = /^(?:\\[^{}]|\{\{|\}\})/;

/** Another encoding may hide where a line ends: PEP 263. */
const otherEncoding = /^[^\n]*\n?[^\n]*\bcoding[:=]\s*(?!utf-?8\b)/;

/** Where the texts of a program stand. */
export interface ExactTexts {
  /** For each character whether it is a part of a text, a pattern or a comment. What is put into a text is code. */
  readonly marks: readonly boolean[];
  /** Where each text begins and ends, with its quotation marks. */
  readonly texts: readonly (readonly [start: number, end: number])[];
}

/**
 * The texts, patterns and comments of a program in Python or JavaScript, read as these languages say: the
 * Python language reference, "String and Bytes literals"; ECMAScript, "Template Literal Lexical Components".
 *
 * @returns null where the program is not read to its end, or could be read otherwise
 */
export function exactTexts(source: string, isPython: boolean): ExactTexts | null {
  const isOther = isPython ? otherEncoding.test(source) : elements.test(source);
  const reader = new CodeReader(source, isPython);
  return !isOther && reader.read(0, null) === source.length ? reader : null;
}

/** In place of the position behind something that can't be read. */
const nowhere = -1;

class CodeReader implements ExactTexts {
  readonly marks: boolean[];
  readonly texts: (readonly [start: number, end: number])[] = [];
  readonly #source: string;
  readonly #isPython: boolean;

  constructor(source: string, isPython: boolean) {
    this.marks = new Array<boolean>(source.length).fill(false);
    this.#source = source;
    this.#isPython = isPython;
  }

  /**
   * Reads code.
   *
   * @param quote the text that it is put into: it ends at the bracket which closes its own; null: at the end of the source
   * @returns where it ends
   */
  read(start: number, quote: string | null): number {
    let level = 0;
    let index = start;
    while (index >= 0 && index < this.#source.length) {
      const character = this.#source.charAt(index);
      if (quote !== null && character === '}' && level === 0) {
        return index;
      }
      level += character === '{' ? 1 : character === '}' ? -1 : 0;
      index = this.#step(index, quote);
    }
    return quote === null ? index : nowhere;
  }

  /** The position behind what begins there. */
  #step(index: number, outer: string | null): number {
    const source = this.#source;
    switch (source.charAt(index)) {
      case '"':
      case "'":
      case '`':
        return this.#quoted(index, outer);
      case '#':
        return this.#isPython ? this.#comment(index, outer) : index + 1;
      case '/':
        return this.#isPython
          ? index + 1
          : /^\/[/*]/.test(source.slice(index, index + 2))
            ? this.#comment(index, outer)
            : this.#slash(index);
      case '\\':
        // Names may be written with escapes; in Python, only a line goes on behind one.
        return this.#isPython && source[index + 1] === '\n' ? index + 1 : nowhere;
      default:
        return index + 1;
    }
  }

  #quoted(index: number, outer: string | null): number {
    const source = this.#source;
    if (!this.#isPython) {
      return this.#text(index, index + 1, source.charAt(index), false);
    }
    const [prefix = ''] = /(?<!\w)[rRbBuUfFtT]{1,2}$/.exec(source.slice(Math.max(0, index - 3), index)) ?? [];
    const [quote = ''] = /^(?:"""|'''|["'])/.exec(source.slice(index, index + 3)) ?? [];
    return quote === '' || (outer !== null && this.#isDoubtful(index, outer, quote))
      ? nowhere
      : this.#text(index - prefix.length, index + quote.length, quote, /[ft]/i.test(prefix));
  }

  /**
   * A text within what is put into one of Python: before version 3.12 the outer one ends where its own quotation mark
   * stands in it, and behind a colon such a mark is a part of how a value is to look.
   */
  #isDoubtful(index: number, outer: string, quote: string): boolean {
    const before = this.#source.slice(this.#source.lastIndexOf('{', index) + 1, index);
    return outer.charAt(0) === quote.charAt(0) || before.includes(':');
  }

  /** A comment in what is put into a text is not what it looks like to older versions. */
  #comment(index: number, outer: string | null): number {
    if (outer !== null) {
      return nowhere;
    }
    const isBlock = this.#source[index + 1] === '*' && !this.#isPython;
    const rest = this.#source.slice(index);
    const length = isBlock
      ? rest.indexOf('*/', 2) + 2
      : rest.search(this.#isPython ? /[\n\r]|$/ : /[\n\r\u2028\u2029]|$/);
    return isBlock && length < 2 ? nowhere : this.#mark(index, index + length);
  }

  /** A text up to behind its end, where what is put into it stays code. */
  #text(start: number, from: number, quote: string, isFormatted: boolean): number {
    const source = this.#source;
    let index = from;
    let marked = start;
    while (index < source.length && !source.startsWith(quote, index)) {
      const character = source.charAt(index);
      const opening = quote === '`' ? '${' : isFormatted ? '{' : null;
      const isEscaped = (isFormatted ? escapedInFormatted : escaped).test(source.slice(index, index + 2));
      if (!isEscaped && opening !== null && source.startsWith(opening, index)) {
        this.#mark(marked, index);
        const end = this.read(index + opening.length, quote);
        if (end < 0) {
          return nowhere;
        }
        marked = end;
        index = end + 1;
      } else if (quote.length === 1 && quote !== '`' && character === '\n') {
        return nowhere;
      } else {
        index += isEscaped ? 2 : 1;
      }
    }
    this.texts.push([start, index + quote.length]);
    return index >= source.length ? nowhere : this.#mark(marked, index + quote.length);
  }

  /** A pattern of JavaScript, or a division. Where that can't be told, neither may hold a quotation mark. */
  #slash(index: number): number {
    const before = this.#source.slice(Math.max(0, index - 16), index);
    const pattern = /\/(?:\\[^\n]|\[(?:\\[^\n]|[^\]\\\n])*\]|[^/\\[\n])+\/[a-z]*/y;
    pattern.lastIndex = index;
    const [found] = pattern.exec(this.#source) ?? [];
    if (beforeEither.test(before)) {
      return found !== undefined && /["'`]|\/[/*]/.test(found) ? nowhere : index + 1;
    }
    if (!beforePattern.test(before)) {
      return index + 1;
    }
    return found === undefined ? nowhere : this.#mark(index, index + found.length);
  }

  #mark(start: number, end: number): number {
    this.marks.fill(true, start, end);
    return end;
  }
}
