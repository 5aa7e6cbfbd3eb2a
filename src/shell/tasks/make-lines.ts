import { endOfReference } from './make-expansion.ts';

/** A line of a makefile as make reads it: continued ones are one. */
export interface MakeLine {
  /** Without its comment; for a recipe, without what marks it. */
  readonly text: string;
  /** As it stands there: what a recipe hands to the shell, and what `define` keeps. */
  readonly raw: string;
  readonly isMarked: boolean;
}

/**
 * The lines of a makefile. In a recipe a continued line stays as it is, and each loses its mark (GNU make manual
 * "Splitting Recipe Lines").
 */
export class MakeLines {
  /** `.RECIPEPREFIX` */
  mark = '\t';
  readonly #lines: readonly string[];
  #at = 0;

  constructor(text: string) {
    this.#lines = text.split(/\r?\n/);
  }

  next(): MakeLine | null {
    const first = this.#lines[this.#at];
    if (first === undefined) {
      return null;
    }
    this.#at += 1;
    const parts = [first];
    while (/(?:^|[^\\])(?:\\\\)*\\$/.test(parts.at(-1) ?? '') && this.#at < this.#lines.length) {
      parts.push(this.#lines[this.#at] ?? '');
      this.#at += 1;
    }
    const isMarked = first.startsWith(this.mark);
    const unmarked = parts.map((part) => (isMarked && part.startsWith(this.mark) ? part.slice(1) : part));
    const raw = unmarked.join('\n');
    const joined = parts.map((part, index) => (index === 0 ? part : part.trimStart()).replace(/\s*\\$/, ' ')).join('');
    return { raw, isMarked, text: isMarked ? raw : withoutComment(parts.length === 1 ? first : joined) };
  }

  /** The lines up to `endef`. */
  definition(): string {
    const lines: string[] = [];
    for (let depth = 1; this.#at < this.#lines.length; this.#at += 1) {
      const line = this.#lines[this.#at] ?? '';
      depth += /^ *(?:(?:override|export) +)*define\b/.test(line) ? 1 : /^ *endef\b/.test(line) ? -1 : 0;
      if (depth === 0) {
        this.#at += 1;
        break;
      }
      lines.push(line);
    }
    return lines.join('\n');
  }
}

/** Also behind a value: make ends it there, the shell would not. */
function withoutComment(line: string): string {
  return line.replace(/(^|[^\\])#.*$/, '$1').replace(/\\#/g, '#');
}

/** At the first such separator outside of `$(…)`; null: there is none. @param separator a sticky expression */
export function partedAt(text: string, separator: RegExp): readonly [string, string, string] | null {
  for (let at = 0; at < text.length; at += 1) {
    separator.lastIndex = at;
    const found = separator.exec(text);
    if (found !== null) {
      return [text.slice(0, at), found[0], text.slice(at + found[0].length)];
    }
    if (text[at] === '$') {
      at = /^[({]/.test(text.charAt(at + 1)) ? endOfReference(text, at + 1) - 1 : at + 1;
    }
  }
  return null;
}
