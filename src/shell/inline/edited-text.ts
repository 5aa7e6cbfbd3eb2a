import type { InlineFunctions } from './inline-functions.ts';
import { writtenAt } from './source/arguments.ts';
import { assignmentBefore, changesIn } from './source/assignments.ts';
import { endOfBracket } from './source/brackets.ts';
import { codeOf, type SourceCode } from './source/code.ts';
import type { Language } from './source/languages.ts';

/** What a program makes of the text of a file: some of it is replaced. */
export interface EditedText {
  /** The file that it reads, as it is named. */
  readonly of: string;
  readonly replacements: readonly Replacement[];
}

interface Replacement {
  readonly from: string;
  readonly to: string;
  /** It is replaced so often at most. */
  readonly limit: number;
}

/** Where the same may come several times, or at another time, it is not followed what a variable holds. */
const repeats: Readonly<Record<'python' | 'script', RegExp>> = {
  python: /\b(?:for|while|def|lambda|class|global)\b/,
  script: /\b(?:for|while|do|function|class)\b|=>/,
};

/** What gives the text of a file, up to and with the bracket of the call that names it. */
const reads: Readonly<Record<'python' | 'script', RegExp>> = {
  python: /^(?:(?:io\s*\.\s*)?open|(?:pathlib\s*\.\s*)?Path)\s*\(/,
  script: /^(?:(?:[\w$]+|require\(\s*["'](?:node:)?fs["']\s*\))\s*\.\s*)?readFileSync\s*\(/,
};
/** What follows on that. */
const readRest: Readonly<Record<'python' | 'script', RegExp>> = {
  python: /^\s*\.\s*read(?:_text\s*\([^()]*\)|\s*\(\s*\))/,
  script: /^(?:\s*\.\s*toString\s*\([^()]*\))?/,
};
/** The same of a variable that holds a path. */
const readByName = /^([A-Za-z_]\w*)\s*\.\s*read_text\s*\([^()]*\)/;

/** What a call is given behind the path, where it opens a file for reading. */
const onlyReads = (argument: string): boolean =>
  /^\s*(?:(?:encoding|newline|errors)\s*=|["'](?:r[tb]?|utf-?8)["']\s*$|\{[^{}]*\}\s*$)/i.test(argument);

/** More variables behind each other than this are not followed. */
const maximumDepth = 10;
const maximumReplacements = 50;

/**
 * Reads what a program writes where that is the text of a file with texts replaced in it:
 * `s = open(p).read()`, `s = s.replace('a', 'b')`.
 */
export class EditedTexts {
  readonly #program: SourceCode;
  readonly #functions: InlineFunctions;
  readonly #kind: 'python' | 'script';
  readonly #isRead: boolean;
  readonly #calls: RegExp;

  constructor(language: Language, source: string, functions: InlineFunctions) {
    const isPython = language.name === 'python';
    this.#kind = isPython ? 'python' : 'script';
    this.#program = { source, code: codeOf(source, isPython), interpolation: language.interpolation };
    this.#functions = functions;
    this.#calls = language.calls;
    this.#isRead =
      /^(?:python|node|bun|deno)$/.test(language.name) &&
      /\.\s*replace(?:All)?\s*\(/.test(source) &&
      !repeats[this.#kind].test(this.#program.code);
  }

  /** @param position where the expression comes; null: it is none of this kind, or it may come at another time */
  at(written: string, position: number): EditedText | null {
    const before = this.#program.code.slice(0, position);
    // What another process has written by then is not known.
    return this.#isRead && before.search(this.#calls) < 0 && this.#isSure(position)
      ? this.#textOf(written.trim(), position, maximumDepth)
      : null;
  }

  /** Comes a statement in any case? */
  #isSure(position: number): boolean {
    const { code } = this.#program;
    const lines = code.slice(0, position).split('\n');
    const own = lines.at(-1) ?? '';
    const depthOf = (line: string) => /^[ \t]*/.exec(line)?.[0].length ?? 0;
    if (/\b(?:if|else|elif|try|except|finally|case|switch|catch|and|or)\b|&&|\|\||\?/.test(own)) {
      return false;
    }
    if (this.#kind === 'script') {
      return /^[^{}]*(?:\{[^{}]*\}[^{}]*)*$/.test(code.slice(0, position));
    }
    const outer = lines.slice(0, -1).findLast((line) => line.trim() !== '' && depthOf(line) < depthOf(own));
    return depthOf(own) === 0 || (outer !== undefined && depthOf(outer) === 0 && /^with\b/.test(outer));
  }

  #textOf(written: string, position: number, depth: number): EditedText | null {
    const base = depth === 0 ? null : this.#baseOf(written, position, depth);
    return base === null ? null : this.#replaced(base.text, written.slice(base.length));
  }

  /** The text that an expression begins with, and how long that is written. */
  #baseOf(
    written: string,
    position: number,
    depth: number,
  ): { readonly text: EditedText; readonly length: number } | null {
    const call = reads[this.#kind].exec(written)?.[0];
    if (call !== undefined) {
      const code = codeOf(written, this.#kind === 'python');
      const [path, ...others] = writtenAt(written, code, call.length) ?? [];
      const end = endOfBracket(code, call.length) + 1;
      const rest = readRest[this.#kind].exec(code.slice(end))?.[0];
      const of = rest === undefined || path === undefined || !others.every(onlyReads) ? null : this.#literal(path);
      return of === null ? null : { text: { of, replacements: [] }, length: end + (rest?.length ?? 0) };
    }
    const [whole, holder] = readByName.exec(written) ?? [];
    if (whole !== undefined && holder !== undefined) {
      const of = this.#literal(holder);
      return of === null ? null : { text: { of, replacements: [] }, length: whole.length };
    }
    const [entered = '', file = ''] = /^([A-Za-z_]\w*)\s*\.\s*read\s*\(\s*\)/.exec(written) ?? [];
    const opened = file === '' ? null : this.#openedAs(file, position);
    if (opened !== null) {
      return { text: { of: opened, replacements: [] }, length: entered.length };
    }
    const name = /^[A-Za-z_$][\w$]*/.exec(written)?.[0] ?? '';
    const assigned =
      name === '' ? null : assignmentBefore(name, changesIn(name, this.#program.code), position, this.#program);
    const isKnown = assigned?.isSure === true && assigned.isAnother && assigned.value?.kind === 'other';
    const value = isKnown && assigned.value?.kind === 'other' ? assigned.value.written : null;
    const text = value === null || assigned === null ? null : this.#textOf(value, assigned.index, depth - 1);
    return text === null ? null : { text, length: name.length };
  }

  /** `with open(path) as f:`, the last one before a position: the path. */
  #openedAs(file: string, position: number): string | null {
    const { source, code } = this.#program;
    const opening = new RegExp(`\\bwith\\s+open\\s*\\((?=[^()\\n]*\\)\\s*as\\s+${file}\\s*:)`, 'g');
    const last = Array.from(code.slice(0, position).matchAll(opening)).at(-1);
    const [path, ...others] = last === undefined ? [] : (writtenAt(source, code, last.index + last[0].length) ?? []);
    return path === undefined || !others.every(onlyReads) ? null : this.#literal(path);
  }

  /** The text with what is called on it: `.replace('a', 'b')`. */
  #replaced(text: EditedText, rest: string): EditedText | null {
    if (rest.trim() === '') {
      return text;
    }
    const [call, method] = /^\s*\.\s*(replace|replaceAll)\s*\(/.exec(rest) ?? [];
    const code = codeOf(rest, this.#kind === 'python');
    const given = call === undefined ? null : writtenAt(rest, code, call.length);
    if (call === undefined || given === null || text.replacements.length >= maximumReplacements) {
      return null;
    }
    const [from = null, to = null] = given.slice(0, 2).map((one) => this.#literal(one));
    const limit = this.#limitOf(method === 'replaceAll', given.slice(2));
    const isPlain = this.#kind === 'python' || to?.includes('$') === false;
    return from === null || from === '' || to === null || limit === null || !isPlain
      ? null
      : this.#replaced(
          { ...text, replacements: [...text.replacements, { from, to, limit }] },
          rest.slice(endOfBracket(code, call.length) + 1),
        );
  }

  #limitOf(isAll: boolean, [count, ...others]: readonly string[]): number | null {
    if (this.#kind === 'script') {
      return count !== undefined ? null : isAll ? Number.POSITIVE_INFINITY : 1;
    }
    const number = /^\s*(?:count\s*=\s*)?(\d+)\s*$/.exec(count ?? '')?.[1];
    return others.length > 0
      ? null
      : count === undefined
        ? Number.POSITIVE_INFINITY
        : number === undefined
          ? null
          : Number(number);
  }

  #literal(written: string): string | null {
    const parts = this.#functions.textOf(written.trim());
    return parts?.every((part) => typeof part === 'string') === true ? parts.join('') : null;
  }
}

/** A file's text, edited. */
export function withReplacements(text: string, replacements: readonly Replacement[]): string {
  return replacements.reduce((before, { from, to, limit }) => {
    const parts = before.split(from);
    const replaced = parts.slice(0, limit + 1).join(to);
    return [replaced, ...parts.slice(limit + 1)].join(from);
  }, text);
}
