import { depthOf } from './path.ts';
import type { Input, Path, UnknownWord, Word } from './simple-command.ts';
import { joinPieces, type Piece, valuePieces } from './words/field.ts';
import { settledText } from './words/read-again.ts';

/** How many characters `read` takes: `-n` stops at the end of a line, `-N` does not. */
export interface Count {
  readonly most: number;
  readonly exact: boolean;
}

/** What a command reads on its standard input; `read` takes one line after the other from it. */
export class InputStream {
  readonly #content: Word | { readonly path: string };
  readonly #load: (path: string) => string | null;
  #position = 0;
  #text: string | null | undefined;
  /** The last line that was read had no end. */
  endedEarly = false;

  /** @param load reads a file's text when it is first asked for; null where it can't. */
  constructor(content: Word | { readonly path: string }, load: (path: string) => string | null = () => null) {
    this.#content = content;
    this.#load = load;
  }

  /** The rest of the text, or null where it is not known. */
  rest(): string | null {
    if (this.#text === undefined) {
      this.#text = 'path' in this.#content ? this.#load(this.#content.path) : known(this.#content);
    }
    return this.#text?.slice(this.#position) ?? null;
  }

  /** Everything that is left; nothing is left afterwards. */
  drain(): string | null {
    const rest = this.rest();
    this.#position += rest?.length ?? 0;
    return rest;
  }

  /**
   * The next line without its end; `undefined` at the end of the text, null where it is not known.
   *
   * @param delimiter what ends a line; null: not known
   */
  line(delimiter: string | null = '\n'): string | undefined | null {
    const rest = this.rest() ?? this.#begun(delimiter);
    if (rest === null || delimiter === null) {
      return null;
    }
    if (rest === '') {
      return undefined;
    }
    const end = rest.indexOf(delimiter);
    this.endedEarly = end === -1;
    this.#position += end === -1 ? rest.length : end + delimiter.length;
    return end === -1 ? rest : rest.slice(0, end);
  }

  /** The whole lines that come first, where the rest of the text is not known; null where there are none. */
  #begun(delimiter: string | null): string | null {
    const prefix = this.known()?.prefix.slice(this.#position) ?? '';
    return delimiter !== null && prefix.includes(delimiter) ? prefix : null;
  }

  /** So many characters of the next line, or across lines; as `line` answers. */
  characters({ most, exact }: Count, delimiter: string | null): string | undefined | null {
    const before = this.#position;
    const line = exact ? this.#left() : this.line(delimiter);
    if (typeof line !== 'string' || Number.isNaN(most)) {
      return Number.isNaN(most) ? null : line;
    }
    const text = line.slice(0, most);
    this.#position = exact || text.length < line.length ? before + text.length : this.#position;
    return text;
  }

  /** What is left to read; as `line` answers. */
  #left(): string | undefined | null {
    const rest = this.rest();
    return rest === '' ? undefined : rest;
  }

  /** The rest of the text, or what is known of one that is not known as a whole. */
  word(): Word | null {
    const rest = this.rest();
    return rest === null ? this.known() : { kind: 'known', value: rest };
  }

  /** How a text begins and ends that is not known as a whole; null for every other one. */
  known(): Extract<Word, { kind: 'unknown' }> | null {
    return 'path' in this.#content || this.#content.kind === 'known' ? null : this.#content;
  }

  /** As a step shows it. */
  describe(): Input {
    if ('path' in this.#content) {
      return { kind: 'file', path: this.#content.path };
    }
    const text = settledText(this.#content);
    return this.#content.kind === 'known' || text !== null
      ? { kind: 'text', text: (text ?? '').slice(this.#position) }
      : unknownInput(this.#content, this.#position);
  }
}

function unknownInput({ reason, prefix, suffix, whenNothing, printedBy }: UnknownWord, position: number): Input {
  const begins = whenNothing === undefined ? prefix.slice(position) : '';
  return {
    kind: 'unknown',
    reason,
    ...(begins === '' ? {} : { begins }),
    ...(suffix === '' ? {} : { ends: suffix }),
    ...(printedBy === undefined ? {} : { printedBy }),
  };
}

function known(word: Word): string | null {
  return word.kind === 'known' ? word.value : null;
}

/** Collects what commands print, as far as it is known. */
export class Capture {
  readonly #path: Path;
  readonly #pieces: Piece[] = [];
  /** What is printed first, whatever else is. */
  #first = '';
  /** The whole as it may be, by each command that only perhaps runs; null: something else is printed, too. */
  #possible: string[] | null = [];

  /** @param path where the capture begins: output that comes only perhaps makes the whole unknown. */
  constructor(path: Path) {
    this.#path = path;
  }

  append(output: Word, path: Path): void {
    if (depthOf(path) <= depthOf(this.#path)) {
      const isFirst = output.kind === 'known' && this.#possible?.length === 0;
      this.#first += isFirst ? output.value : '';
      this.#possible = isFirst ? [] : null;
      this.#pieces.push(...valuePieces(output, true));
      return;
    }
    const isKnown = output.kind === 'known';
    const before = this.#first === '' || this.#possible?.length !== 0 ? this.#possible : [this.#first.trimEnd()];
    this.#possible = before !== null && isKnown ? [...before, (this.#first + output.value).trimEnd()] : null;
    if (!isKnown || output.value !== '') {
      const reason = isKnown ? 'its output depends on which commands ran' : output.reason;
      this.#pieces.push({ kind: 'unknown', reason, quoted: true });
    }
  }

  word(source: string): Word {
    const word = joinPieces(this.#pieces, source);
    return word.kind === 'known'
      ? word
      : {
          ...word,
          mayExpandToSeveral: true,
          ...(this.#possible === null ? {} : { mayBe: this.#possible }),
        };
  }
}
