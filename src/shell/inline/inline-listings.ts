import { quoteCommand, quoteWord } from '../../quote.ts';
import type { Word } from '../simple-command.ts';
import { withReferences } from '../words/variable-reference.ts';
import type { PlacedCall } from './inline-decisions.ts';
import { InlineFunctions } from './inline-functions.ts';
import type { OpenText } from './source/argument.ts';
import { endOfBracket } from './source/brackets.ts';
import { codeOf } from './source/code.ts';
import type { Language } from './source/languages.ts';
import { loopsOf, type SourceLoop } from './source/loops.ts';
import type { OpenCommand } from './source/open-command.ts';
import { changesOf } from './source/variables.ts';
import { writtenRounds } from './source/written-loops.ts';

/** What is taken of an answer: `.stdout.strip()`. */
const taken = /^(?:\s*\.\s*(?:toString|trim|strip|rstrip|decode|read|stdout)\b(?:\(\s*(?:["'][\w-]*["'])?\s*\))?)*/;
/** Takes it apart into lines or words: `.split('\n')`. */
const split = new RegExp(
  String.raw`${taken.source}\s*\.\s*(?:splitlines\(\s*\)|split\(\s*(?:["']\\n["']|\/\\r\?\\n\/)?\s*\))(?:\s*\.\s*filter\(\s*Boolean\s*\))?`,
);
/** `for f in `, `for (const f of ` before a call. */
const loopHead =
  /\bfor\s+(\w+)\s+in\s+(?:\w+\s*\.\s*)?$|\bfor\s*\(\s*(?:const|let|var)\s+([\w$]+)\s+of\s+(?:[\w$]+\s*\.\s*)?$/;
const assigned = /(?:^|[;\n{])\s*(?:(?:const|let|var)\s+)?([\w$]+)\s*=\s*(?:\w+\s*\.\s*)?$/;
const forEach = /^\s*\.\s*forEach\s*\(\s*\(?\s*([\w$]+)\s*\)?\s*=>/;

/** A command with what is known of the values in it. */
interface ListedCommand {
  readonly command: OpenCommand;
  readonly values?: ReadonlyMap<string, Word>;
}

/** What a program in Python or JavaScript goes through that a command has printed, one line or word after another. */
export class InlineListings {
  readonly #language: Language;
  readonly #source: string;
  readonly #kept = new Map<string, Word>();
  #read: { readonly code: string; readonly loops: readonly SourceLoop[] } | null = null;

  constructor(language: Language, source: string) {
    this.#language = language;
    this.#source = source;
  }

  /** The variable of the loop that goes through what the call prints; null where there is none. */
  variableOf({ position, argumentsAt }: PlacedCall): string | null {
    if (!InlineFunctions.reads(this.#language) || !/\.\s*split/.test(this.#source)) {
      return null;
    }
    const end = endOfBracket(this.#code, argumentsAt) + 1;
    const before = this.#code.slice(Math.max(0, position - 80), position);
    const parts = split.exec(this.#source.slice(end))?.[0];
    const behind = this.#source.slice(end + (parts ?? taken.exec(this.#source.slice(end))?.[0] ?? '').length);
    const [, inPython, inScript] = /^\s*[:)]/.test(behind) ? (loopHead.exec(before) ?? []) : [];
    const [, each] = forEach.exec(behind) ?? [];
    const [, list] = /^[ \t]*(?:[;\n#]|\/\/|$)/.test(behind) ? (assigned.exec(before) ?? []) : [];
    const direct = parts === undefined ? undefined : (inPython ?? inScript ?? each);
    const name = direct ?? (list === undefined ? null : this.#goesThrough(list, parts !== undefined));
    return name !== null && this.#isOne(name) ? name : null;
  }

  /** The variable that has each part of what another holds in turn: a list, or a text that the loop takes apart. */
  #goesThrough(list: string, isList: boolean): string | null {
    const isGivenOnce = changesOf(list, this.#code).length === 1;
    const [only, ...others] = this.#loops.filter(({ values }) => values.trim().startsWith(list));
    const [name, ...more] = only?.names ?? [];
    const rest = only?.values.trim().slice(list.length) ?? '';
    const isRead = isList ? rest === '' : split.exec(rest)?.[0] === rest;
    const start = only?.start ?? 0;
    const isWhole = /^\s*[:)]/.test(this.#code.slice(start)) || this.#code.slice(0, start).endsWith('=>');
    return isGivenOnce && isRead && isWhole && others.length === 0 && more.length === 0 ? (name ?? null) : null;
  }

  /** Is it the variable of one loop, and never anything else: of another function, or a file that is opened? */
  #isOne(name: string): boolean {
    const own = this.#loops.filter(({ names }) => names.includes(name));
    const word = name.replaceAll('$', '\\$');
    const elsewhere = new RegExp(
      `\\b(?:as|catch\\s*\\()\\s*${word}(?![\\w$])|\\b(?:def|lambda|function)\\b[^:{\\n]*[(,\\s*.]${word}(?![\\w$])|(?<![\\w$.])${word}\\s*(?:,[\\w$\\s,]*)?\\)?\\s*=>`,
      'g',
    );
    // The arrow of its own `forEach`.
    const arrows = Array.from(this.#code.matchAll(elsewhere)).filter(({ index }) =>
      own.every(({ start }) => index >= start || start - index > name.length + 8),
    );
    return own.length === 1 && arrows.length === 0 && changesOf(name, this.#code).length === 0;
  }

  get #code(): string {
    return this.#reading().code;
  }

  get #loops(): readonly SourceLoop[] {
    return this.#reading().loops;
  }

  #reading(): { readonly code: string; readonly loops: readonly SourceLoop[] } {
    if (this.#read === null) {
      const code = codeOf(this.#source, this.#language.name === 'python');
      this.#read = { code, loops: loopsOf(this.#source, code) };
    }
    return this.#read;
  }

  /** @param printed what the command prints that the loop of the variable goes through */
  keep(variable: string, printed: Word): void {
    this.#kept.set(variable, printed);
  }

  /** A command of such a loop in a loop of the shell, with what is known of the values in it; the command itself elsewhere. */
  inLoop(command: OpenCommand): ListedCommand {
    const texts =
      'script' in command ? [command.script] : command.words.map((word) => ('text' in word ? word.text : null));
    const names = texts.flatMap((text) => (text === null ? [''] : expressionsIn(text)));
    const [name = '', ...others] = new Set(names);
    if (name === '' || others.length > 0) {
      return { command };
    }
    const printed = this.#kept.get(name);
    if (printed === undefined) {
      const rounds = writtenRounds(name, this.#language, this.#source);
      return rounds === null
        ? { command }
        : { command: { script: [rounds.map((text) => oneRound(command, text)).join('\n')] } };
    }
    const spelled =
      'script' in command ? referring(command.script) : texts.map((text) => inQuotes(text ?? [])).join(' ');
    const list = `${name}_list`;
    const script = [`for ${name} in `, { expression: list }, `; do ${spelled}\ndone`];
    return { command: { script }, values: new Map([[list, printed]]) };
  }
}

/** The command with a text in the place of all that is put in, in a shell of its own. */
function oneRound(command: OpenCommand, text: string): string {
  const whole = (parts: OpenText) => parts.map((part) => (typeof part === 'string' ? part : text)).join('');
  const script =
    'script' in command
      ? whole(command.script)
      : quoteCommand(command.words.map((word) => ('text' in word ? whole(word.text) : text)));
  return `(${script}\n)`;
}

function expressionsIn(text: OpenText): readonly string[] {
  return text.flatMap((part) => (typeof part === 'string' ? [] : [part.expression]));
}

function inQuotes(text: OpenText): string {
  return (
    text
      .map((part) => (typeof part === 'string' ? (part === '' ? '' : quoteWord(part)) : `"$\{${part.expression}}"`))
      .join('') || "''"
  );
}

/** The script with references to the variables that are put in. */
function referring(script: OpenText): string {
  const parts = [''];
  for (const part of script) {
    if (typeof part === 'string') {
      parts.push(`${parts.pop() ?? ''}${part}`);
    } else {
      parts.push('');
    }
  }
  return withReferences(parts, expressionsIn(script));
}
