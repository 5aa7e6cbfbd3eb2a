import { type EditedText, EditedTexts } from './edited-text.ts';
import { type Expression, InlineFunctions } from './inline-functions.ts';
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
  readonly #edits: EditedTexts;

  constructor(language: Language, source: string) {
    this.#language = language;
    this.#source = source;
    this.#code = codeOf(source, language.name === 'python');
    this.#functions = new InlineFunctions(language, source);
    this.#edits = new EditedTexts(language, source, this.#functions);
  }

  /**
   * @param position where a call stands that opens a file, or writes it
   * @param start where its arguments begin
   * @returns null where the text is not known
   */
  at(position: number, start: number): string | EditedText | null {
    const expression = this.#expressionAt(position, start);
    if (expression === null) {
      return null;
    }
    const text = writtenText(expression.written.trim(), this.#language, this.#functions);
    return text?.every((part) => typeof part === 'string') === true
      ? text.join('')
      : this.#edits.at(expression.written, expression.position);
  }

  #expressionAt(position: number, start: number): Expression | null {
    const call = this.#source.slice(position, start);
    if (takesText.test(call)) {
      return this.#argumentAt(start, position, 1);
    }
    // Another mode adds to what is there.
    const [, mode] =
      /^["'`]?([rbtwax+]*)/.exec((this.#argumentsAt(start)[1] ?? '').trim().replace(/^mode\s*=\s*["']/, '"')) ?? [];
    if (/a|\+/.test(mode ?? '')) {
      return null;
    }
    const end = endOfBracket(this.#code, start);
    const behind = this.#code.slice(end + 1);
    const atOnce = writesAtOnce.exec(behind)?.[0].length;
    return atOnce === undefined ? this.#onlyWrite(position, end + 1) : this.#argumentAt(end + 1 + atOnce, position, 0);
  }

  /** What is written to the file that a call opens, which ends there. */
  #onlyWrite(position: number, end: number): Expression | null {
    const behind = this.#code.slice(end);
    const entered = named.exec(behind);
    const name = entered?.[1] ?? assigned.exec(this.#code.slice(Math.max(0, position - 80), position))?.[1];
    // Other files may go by the same name before and behind.
    const [from, to] = entered === null ? [0, this.#code.length] : [end, this.#endOfName(entered, end)];
    const own = new RegExp(`(?<![\\w.])${name}\\b(?!\\s*\\.\\s*close\\b)(\\s*\\.\\s*write\\s*\\()?`, 'g');
    const uses = name === undefined ? [] : [...this.#code.slice(from, to).matchAll(own)];
    const writes = uses.filter(({ 1: write }) => write !== undefined);
    const [write] = writes;
    // It is named where it is opened, and used for this alone.
    return write !== undefined && uses.length === 2
      ? this.#argumentAt(from + write.index + write[0].length, from + write.index, 0)
      : null;
  }

  /** Where another file gets the name: `with open(p) as f:`. */
  #endOfName({ 0: whole, 1: name }: RegExpExecArray, end: number): number {
    const again = new RegExp(`\\bas\\s+${name}\\b`).exec(this.#code.slice(end + whole.length));
    return again === null ? this.#code.length : end + whole.length + again.index;
  }

  #argumentAt(start: number, position: number, index: number): Expression | null {
    const written = this.#argumentsAt(start)[index];
    return written === undefined ? null : { written, position };
  }

  #argumentsAt(start: number): readonly string[] {
    return writtenAt(this.#source, this.#code, start) ?? [];
  }
}
