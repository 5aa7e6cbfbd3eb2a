import { remembered } from '../../../remembered.ts';
import { bracketStep, endOfBracket } from '../source/brackets.ts';
import { pythonFunctions, type SourceFunction, scriptFunctions } from '../source/functions.ts';
import type { ConditionedProgram, Span } from './known-value.ts';

/** A parameter as it is written in the list of its function. */
interface Parameter {
  readonly name: string;
  /** Its place among those that are given by their places; null where it is given by its name alone. */
  readonly at: number | null;
  /** Its value where none is given. */
  readonly usual: Span | null;
  /** It is a member of what is given: `{ force = false } = {}`. */
  readonly isMember: boolean;
}

/** A function with what it takes. */
export interface Taker {
  readonly parameters: readonly Parameter[];
  readonly of: SourceFunction;
  /** Where the list of the parameters ends. */
  readonly listEnd: number;
}

/** What one caller gives a parameter; null: nothing, and there is no value for that. */
export interface Given {
  readonly value: Span | null;
  /** The value that the parameter has where nothing is given. */
  readonly usual: Span | null;
}

/** Names functions by texts, or for other modules. */
export const namesByText = /\b(?:getattr|__main__|inspect|exports?|globalThis|global|window|vm|runIn\w*Context)\b/;
/** Functions of others have names that those of a program have, too: `args.push('--force')`. */
const ofAnother = {
  python: /(?:subprocess|asyncio|child_process|sp|cp)\s*\.\s*$/,
  script: /(?<!\bthis\s*)(?<!\.\s*)\.\s*$/,
};
/** A value that is the same wherever it is found out. */
const constant = /^\s*(?:True|False|true|false|None|null|undefined|-?\d+|["'][^"'\\]*["']|\(\s*\))\s*$/;

/** What the functions of a program are given by those that call them. */
export class FunctionParameters {
  readonly #program: ConditionedProgram;
  #takers: readonly Taker[] | null = null;
  readonly #callersOf = remembered((of: SourceFunction) => this.#callers(of));

  constructor(program: ConditionedProgram) {
    this.#program = program;
  }

  /** The innermost function around a position that takes something by a name. */
  takerOf(name: string, position: number): Taker | null {
    return this.takersOf(name).findLast(({ of: { start, end } }) => start <= position && position < end) ?? null;
  }

  /** All functions that take something by a name. */
  takersOf(name: string): readonly Taker[] {
    this.#takers ??= this.#read();
    return this.#takers.filter(({ parameters }) => parameters.some((one) => one.name === name));
  }

  /** What each caller gives; null where it is not told who calls, or with what. */
  givenTo(name: string, taker: Taker): readonly Given[] | null {
    const parameter = taker.parameters.find((one) => one.name === name);
    const callers = this.#callersOf(taker.of);
    if (parameter === undefined || callers === null || callers.length === 0) {
      return null;
    }
    const usual = parameter.usual;
    if (usual !== null && !constant.test(this.#program.source.slice(...usual))) {
      return null;
    }
    const all = callers.map((open) => this.#givenBy(open, parameter));
    const values = all.flatMap((value) =>
      value === null ? [] : [{ value: value === 'nothing' ? null : value, usual }],
    );
    return values.length === all.length ? values : null;
  }

  #read(): readonly Taker[] {
    const { code, isPython } = this.#program;
    const functions = isPython ? pythonFunctions(code) : scriptFunctions(code);
    return functions.flatMap((of) => {
      const head = /^[\w$]+\s*(?:=\s*(?:async\s*)?(?:function\b\s*)?)?\(/.exec(code.slice(of.nameAt))?.[0] ?? null;
      if (head === null) {
        return [];
      }
      const open = of.nameAt + head.length;
      const listEnd = endOfBracket(code, open);
      const parameters = isPython ? this.#pythonParameters(open, listEnd) : this.#scriptParameters(open, listEnd);
      return parameters === null ? [] : [{ of, parameters, listEnd }];
    });
  }

  #pythonParameters(open: number, end: number): readonly Parameter[] | null {
    const { code } = this.#program;
    const parameters: Parameter[] = [];
    let at: number | null = 0;
    for (const [from, to] of itemsIn(code, open, end)) {
      const written = code.slice(from, to);
      const [whole = '', name] = /^\s*(\w+)\s*(?::[^=]*)?(?:=(?!=)|$)/.exec(written) ?? [];
      if (/^\s*\*\s*\w*\s*$/.test(written)) {
        at = null;
      } else if (name !== undefined) {
        parameters.push({ name, at, usual: whole.endsWith('=') ? [from + whole.length, to] : null, isMember: false });
        at = at === null ? null : at + 1;
      } else if (!/^\s*(?:\*\*|\/\s*$)/.test(written)) {
        return null;
      }
    }
    // What an object's function takes first is the object.
    return /^(?:self|cls)$/.test(parameters[0]?.name ?? '') ? null : parameters;
  }

  #scriptParameters(open: number, end: number): readonly Parameter[] | null {
    const { code } = this.#program;
    const parameters = itemsIn(code, open, end).map(([from, to], at): readonly Parameter[] | null => {
      const written = code.slice(from, to);
      const [whole = '', name] = /^\s*([\w$]+)\s*(?:\?)?(?::[^=]*)?(?:=(?![=>])|$)/.exec(written) ?? [];
      if (name !== undefined) {
        return [{ name, at, usual: whole.endsWith('=') ? [from + whole.length, to] : null, isMember: false }];
      }
      const [, brace = ''] = /^(\s*\{)[^{}()]*\}\s*(?::[^=]*)?(?:=\s*\{\s*\}\s*)?$/.exec(written) ?? [];
      const members = brace === '' ? [] : itemsIn(code, from + brace.length, endOfBracket(code, from + brace.length));
      return brace === ''
        ? /^\s*\.\.\./.test(written)
          ? []
          : null
        : members.flatMap(([start, stop]) => {
            const [head = '', member] = /^\s*([\w$]+)\s*(?:=(?![=>])|$)/.exec(code.slice(start, stop)) ?? [];
            return member === undefined
              ? []
              : [{ name: member, at, usual: head.endsWith('=') ? [start + head.length, stop] : null, isMember: true }];
          });
    });
    return parameters.includes(null) ? null : parameters.flatMap((several) => several ?? []);
  }

  /** Where the arguments begin of all calls of a function; null where it is used in another way. */
  #callers({ name, nameAt, start }: SourceFunction): readonly number[] | null {
    const { code, isPython } = this.#program;
    const callers: number[] = [];
    if (namesByText.test(code) || !this.#isPlain(start)) {
      return null;
    }
    for (const { index, 0: use } of code.matchAll(
      new RegExp(`(?<![\\w$])${name.replaceAll('$', '\\$')}(?![\\w$])\\s*\\(?`, 'g'),
    )) {
      const before = code.slice(Math.max(0, index - 40), index);
      if (index === nameAt || ofAnother[isPython ? 'python' : 'script'].test(before)) {
        continue;
      }
      if (!use.endsWith('(') || /[.@]\s*$|\b(?:def|class|function|new)\s+$/.test(before)) {
        return null;
      }
      callers.push(index + use.length);
    }
    return callers;
  }

  /** Is it a function by its name alone: no method, not decorated, no value of something else? */
  #isPlain(start: number): boolean {
    const { code, isPython } = this.#program;
    const before = code.slice(Math.max(0, start - 400), start);
    return isPython
      ? !/(?:^|\n)[ \t]*(?:@[^\n]*|[)\]}][)\]}\s]*)\s*$/.test(before) &&
          !(/^[ \t]/.test(code.slice(start, start + 1)) && /^[ \t]*class\b/m.test(code))
      : /(?:^|[;{}\n])\s*(?:async\s+)?$/.test(before) && !/[=(,:?&|]\s*(?:async\s+)?$/.test(before);
  }

  /** What a call gives for a parameter; null where that is not told. @param open where its arguments begin */
  #givenBy(open: number, { name, at, isMember }: Parameter): Span | 'nothing' | null {
    const { code, isPython } = this.#program;
    const items = itemsIn(code, open, endOfBracket(code, open));
    if (items.some((item) => /^\s*(?:\*|\.\.\.)/.test(code.slice(...item)))) {
      return null;
    }
    const named = items.map((item) => (isPython ? nameOf(code, item) : null));
    const byName = items[named.indexOf(name)];
    if (byName !== undefined) {
      return [code.indexOf('=', byName[0]) + 1, byName[1]];
    }
    const byPlace = at === null || (named[at] ?? null) !== null ? undefined : items[at];
    return byPlace === undefined ? 'nothing' : isMember ? memberOf(code, byPlace, name) : byPlace;
  }
}

const nameOf = (code: string, item: Span): string | null => /^\s*(\w+)\s*=(?!=)/.exec(code.slice(...item))?.[1] ?? null;

/** A member of an object that is written out: `{ force: true }`. */
function memberOf(code: string, [from, to]: Span, name: string): Span | 'nothing' | null {
  const [brace = ''] = /^\s*\{/.exec(code.slice(from, to)) ?? [];
  const end = brace === '' ? to : endOfBracket(code, from + brace.length);
  if (brace === '' || code.slice(end + 1, to).trim() !== '') {
    return null;
  }
  const members = itemsIn(code, from + brace.length, end);
  const heads = members.map((member) => /^\s*([\w$]+)\s*(:|$)/.exec(code.slice(...member)));
  const at = heads.findIndex((head) => head?.[1] === name);
  const [head = '', , colon = ''] = heads[at] ?? [];
  const member = members[at];
  return heads.includes(null)
    ? null
    : member === undefined
      ? 'nothing'
      : colon === ':'
        ? [member[0] + head.length, member[1]]
        : member;
}

/** The items of a list in brackets. @param open behind the bracket */
function itemsIn(code: string, open: number, end: number): readonly Span[] {
  const items: Span[] = [];
  let level = 0;
  let from = open;
  for (let index = open; index < end; index += 1) {
    level += bracketStep(code.charAt(index));
    if (level === 0 && code[index] === ',') {
      items.push([from, index]);
      from = index + 1;
    }
  }
  return [...items, [from, end] as const].filter((item) => code.slice(...item).trim() !== '');
}
