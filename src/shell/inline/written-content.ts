import { InlineFunctions } from './inline-functions.ts';
import { writtenAt } from './source/arguments.ts';
import { endOfBracket } from './source/brackets.ts';
import { codeOf } from './source/code.ts';
import type { Language } from './source/languages.ts';
import { writtenText } from './written-text.ts';

/** Calls that are given the text behind the path. */
const takesText =
  /(?:writeFile|writeTextFile)(?:Sync)?\s*\(|\bBun\.write\s*\(|file_put_contents\s*\(|\.(?:bin)?write[\s(]/;
/** `open(path, 'w').write(text)`, `Path(path).write_text(text)` */
const writesAtOnce = /^[\s)]*\.\s*write(?:_text)?\s*\(/;
/** `with open(path, 'w') as f:`, and what it is called then. */
const named = /^\s*\)?\s*as\s+([A-Za-z_]\w*)\s*:/;
/** `f = open(path, 'w')`, before the call. */
const assigned = /(?:^|[\n;])[ \t]*([A-Za-z_]\w*)\s*=\s*(?:io\s*\.\s*)?$/;

/** What an inline program writes to the files that it opens, where that is one text. */
export class WrittenContents {
  readonly #language: Language;
  readonly #source: string;
  readonly #code: string;
  readonly #functions: InlineFunctions;

  constructor(language: Language, source: string) {
    this.#language = language;
    this.#source = source;
    this.#code = codeOf(source, language.name === 'python');
    this.#functions = new InlineFunctions(language, source);
  }

  /**
   * @param position where a call stands that opens a file, or writes it
   * @param start where its arguments begin
   * @returns null where the text is not known
   */
  at(position: number, start: number): string | null {
    const written = this.#expressionAt(position, start);
    const text = written === undefined ? null : writtenText(written.trim(), this.#language, this.#functions);
    return text?.every((part) => typeof part === 'string') === true ? text.join('') : null;
  }

  #expressionAt(position: number, start: number): string | undefined {
    const call = this.#source.slice(position, start);
    if (takesText.test(call)) {
      return this.#argumentsAt(start)[1];
    }
    // Another mode adds to what is there.
    const [, mode] =
      /^["'`]?([rbtwax+]*)/.exec((this.#argumentsAt(start)[1] ?? '').trim().replace(/^mode\s*=\s*["']/, '"')) ?? [];
    if (/a|\+/.test(mode ?? '')) {
      return;
    }
    const end = endOfBracket(this.#code, start);
    const behind = this.#code.slice(end + 1);
    const atOnce = writesAtOnce.exec(behind)?.[0].length;
    if (atOnce !== undefined) {
      return this.#argumentsAt(end + 1 + atOnce)[0];
    }
    const name = named.exec(behind)?.[1] ?? assigned.exec(this.#code.slice(Math.max(0, position - 80), position))?.[1];
    const uses =
      name === undefined
        ? []
        : [
            ...this.#code.matchAll(
              new RegExp(`(?<![\\w.])${name}\\b(?!\\s*\\.\\s*close\\b)(\\s*\\.\\s*write\\s*\\()?`, 'g'),
            ),
          ];
    const writes = uses.filter(({ 1: write }) => write !== undefined);
    const [write] = writes;
    // It is named where it is opened, and used for this alone.
    return write !== undefined && uses.length === 2 ? this.#argumentsAt(write.index + write[0].length)[0] : undefined;
  }

  #argumentsAt(start: number): readonly string[] {
    return writtenAt(this.#source, this.#code, start) ?? [];
  }
}
