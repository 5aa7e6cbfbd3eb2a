import { remembered } from '../../remembered.ts';
import { changesIn } from './source/assignments.ts';
import type { SourceCode } from './source/code.ts';
import {
  ownMethods,
  pythonFunctions,
  type SourceFunction,
  scriptFunctions,
  scriptMethods,
  withoutLists,
} from './source/functions.ts';
import { onlyShows } from './source/showing-functions.ts';

/** `repo[name]('status')`: any of its methods. */
const computedCall = /[\w$)]\s*\[[^\]\n]*\]\s*\(/;

/** A function of the language's own has the name of one of the program: `asyncio.run(main())`. */
const ofModule = String.raw`(?<![\w$.])(?:asyncio|subprocess|child_process)\s*\.\s*`;

/** A program whose functions and variables are followed. */
export interface FollowedProgram extends SourceCode {
  /** How its functions are written; null where they are not followed. */
  readonly grammar: 'python' | 'script' | null;
}

/** The functions that a program in Python or JavaScript defines, and where it calls them. */
export class OwnFunctions {
  readonly #program: FollowedProgram;
  readonly #isReached: (position: number) => boolean;
  /** The code without imports and exports. */
  #uses: string | null = null;
  #functions: readonly SourceFunction[] | null = null;
  #isComputed: boolean | null = null;
  /**
   * Where the arguments begin of each call of a function, by the place of its name; null where it is also used in
   * another way.
   */
  readonly callersOf = remembered((nameAt: number) => this.#callers(nameAt));

  /** @param isReached whether a call is ever made, by its position */
  constructor(program: FollowedProgram, isReached: (position: number) => boolean) {
    this.#program = program;
    this.#isReached = isReached;
  }

  /** The innermost function that a position stands in; null outside of all. */
  around(position: number): SourceFunction | null {
    return this.#all.findLast(({ start, end }) => start <= position && position < end) ?? null;
  }

  /**
   * The program's own function that is called, by the name of one that starts something; null for any other.
   *
   * @param start where the arguments of the call begin
   */
  calledAt(start: number): SourceFunction | null {
    const { code } = this.#program;
    const [, name = ''] = /(?<![\w$.])([\w$]+)\s*\($/.exec(code.slice(Math.max(0, start - 80), start)) ?? [];
    const imported = new RegExp(`\\bimport\\b[^\\n;]*(?<![\\w$])${name.replaceAll('$', '\\$')}(?![\\w$])`);
    return name === '' || imported.test(code)
      ? null
      : (this.#all.find((one) => one.name === name && one.isMethod !== true && this.#isOuter(one)) ?? null);
  }

  /** Is it a function of the program that is called there, and one that starts nothing? */
  onlyShowsAt(start: number): boolean {
    const { code, source } = this.#program;
    const own = this.calledAt(start);
    const all = own === null ? [] : this.#all.filter(({ name }) => name === own.name);
    return (
      own !== null &&
      !this.#isReplaced(own) &&
      all.every((one) => onlyShows(code.slice(one.start, one.end), source.slice(one.start, one.end)))
    );
  }

  /** The function that is called there, where the program calls nothing else by that name. */
  onlyAt(start: number): SourceFunction | null {
    const own = this.calledAt(start);
    const isOne = this.#all.filter(({ name }) => name === own?.name).length === 1;
    return own !== null && isOne && !this.#isReplaced(own) ? own : null;
  }

  get #all(): readonly SourceFunction[] {
    this.#functions ??= this.#read();
    return this.#functions;
  }

  #read(): readonly SourceFunction[] {
    const { code, source, grammar } = this.#program;
    if (grammar !== 'script') {
      return grammar === null ? [] : pythonFunctions(code, source);
    }
    const functions = scriptFunctions(code, source);
    const methods = scriptMethods(code, source).filter(({ nameAt }) => !functions.some((one) => one.nameAt === nameAt));
    return [...functions, ...methods].sort((a, b) => a.start - b.start);
  }

  /** Is another value given to its name? */
  #isReplaced(own: SourceFunction): boolean {
    return changesIn(own.name, this.#program.code).length !== (this.#isAssigned(own) ? 1 : 0);
  }

  /** `const run = (…) => …` */
  #isAssigned({ start, end }: SourceFunction): boolean {
    return !/^\s*(?:async\s+)?(?:def|function)\b/.test(this.#program.code.slice(start, end));
  }

  /** A function of a class of Python is called by way of an object. */
  #isOuter({ start }: SourceFunction): boolean {
    return this.#program.grammar !== 'python' || !/^[ \t]/.test(this.#program.code.slice(start, start + 1));
  }

  #callers(at: number): readonly number[] | null {
    const { code } = this.#program;
    const own = this.#all.find(({ nameAt }) => nameAt === at);
    if (own === undefined) {
      return null;
    }
    const { name, start, end, isMethod } = own;
    const defined = this.#all.filter((one) => one.name === name).map(({ nameAt }) => nameAt);
    this.#uses ??= withoutLists(code);
    const use = `(?<![\\w$]|${ofModule})${name.replaceAll('$', '\\$')}(?![\\w$])\\s*(\\(?)`;
    const others = [...this.#uses.matchAll(new RegExp(use, 'g'))].filter(
      ({ index }) => !defined.includes(index) && !(index >= start && index < end),
    );
    this.#isComputed ??= computedCall.test(code);
    const isOpen =
      isMethod === true &&
      (ownMethods.test(name) || this.#isComputed || others.every(({ index }) => this.#uses?.[index - 1] !== '.'));
    return isOpen || others.some(([, bracket]) => bracket === '')
      ? null
      : others.filter(({ index }) => this.#isReached(index)).map((call) => call.index + call[0].length);
  }
}
