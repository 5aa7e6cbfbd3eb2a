import type { Language } from './languages.ts';
import { holdsCommands, type OpenCommand, type OpenWord } from './open-command.ts';
import { argumentsAt, codeOf, type OpenText, readArgument, type SourceArgument } from './source-arguments.ts';
import { pythonFunctions, type SourceFunction, scriptFunctions } from './source-functions.ts';
import { endOfValue, loopsOf, type SourceLoop } from './source-loops.ts';

/** Helpers within helpers are followed so deep. */
const maximumDepth = 3;
const maximumCommands = 200;

/** Reads what calls with words that are not literal would start, through the program's own functions and variables. */
export class InlineFunctions {
  readonly #language: Language;
  readonly #source: string;
  readonly #code: string;
  #functions: readonly SourceFunction[] | null = null;
  #loops: readonly SourceLoop[] | null = null;

  constructor(language: Language, source: string) {
    this.#language = language;
    this.#source = source;
    this.#code = codeOf(source, language.name === 'python');
  }

  /**
   * The commands of the call whose arguments begin at `start`, one for each way in which the program calls it.
   *
   * @returns null where they can't be read
   */
  commandsAt(start: number): readonly OpenCommand[] | null {
    const versions = this.#versionsAt(start);
    const isScript = /\bexec(?:Sync)?\s*\(\s*$/.test(this.#source.slice(0, start));
    const commands = versions?.map((version) => this.#command(version, isScript)) ?? null;
    return commands === null || commands.includes(null) ? null : commands.filter((command) => command !== null);
  }

  /** The texts that the call's first two arguments are, as far as they are known, for each way in which the program calls it. */
  textsAt(start: number): readonly (readonly [string | null, string | null])[] {
    return (this.#versionsAt(start) ?? []).map(([first, second]) => [wholeText(first), wholeText(second)]);
  }

  #versionsAt(start: number): readonly (readonly SourceArgument[])[] | null {
    if (!/^(?:python|node|bun|deno)$/.test(this.#language.name)) {
      return null;
    }
    const given = argumentsAt(this.#source, this.#code, start, this.#language.interpolation);
    return given === null ? null : this.#versions(given, start, maximumDepth);
  }

  /** The arguments, with parameters of the function around them replaced by what each of its callers gives. */
  #versions(
    given: readonly SourceArgument[],
    position: number,
    depth: number,
  ): readonly (readonly SourceArgument[])[] | null {
    const own = given.flatMap((argument) => this.#resolved(argument));
    const rounds = this.#rounds(own, position);
    if (rounds !== null) {
      const all = depth === 0 ? [] : rounds.map((round) => this.#versions(round, position, depth - 1));
      const read = all.flatMap((versions) => versions ?? []);
      return all.length === 0 || all.includes(null) || read.length > maximumCommands ? null : read;
    }
    const around = this.#around(position);
    if (around === null || !own.some((argument) => mentions(argument, around.parameters))) {
      return [own];
    }
    const callers = this.#callers(around);
    if (depth === 0 || callers === null) {
      return null;
    }
    const all: (readonly SourceArgument[])[] = [];
    for (const caller of callers) {
      const values = argumentsAt(this.#source, this.#code, caller, this.#language.interpolation);
      const replaced = values === null ? null : own.flatMap((argument) => substituted(argument, around, values));
      const versions = replaced === null ? null : this.#versions(replaced, caller, depth - 1);
      if (versions === null || all.length > maximumCommands) {
        return null;
      }
      all.push(...versions);
    }
    return all;
  }

  /** The arguments in each round of the loop that gives one its value; null where there is none, or its values can't be read. */
  #rounds(given: readonly SourceArgument[], position: number): readonly (readonly SourceArgument[])[] | null {
    this.#loops ??= loopsOf(this.#source, this.#code);
    const loop = this.#loops.findLast(
      ({ names, start }) => start <= position && given.some((argument) => mentions(argument, names)),
    );
    if (loop === undefined || loop.names.some((name) => this.#changes(name).length > 0)) {
      return null;
    }
    const [values, ...others] = this.#resolved(readArgument(loop.values, this.#language.interpolation));
    if (values?.kind !== 'list' || others.length > 0) {
      return null;
    }
    const parameters = { parameters: loop.names, hasRest: false };
    return values.items.map((item) => {
      const parts = loop.names.length > 1 && item.kind === 'list' ? item.items : [item];
      return given.flatMap((argument) => substituted(argument, parameters, parts));
    });
  }

  /** The argument, with variables replaced that hold a literal. */
  #resolved(argument: SourceArgument): readonly SourceArgument[] {
    switch (argument.kind) {
      case 'name': {
        const value = this.#variable(argument.name);
        if (argument.isSpread) {
          return value?.kind === 'list' ? value.items : [argument];
        }
        return [value ?? argument];
      }
      case 'list':
        return [{ kind: 'list', items: argument.items.flatMap((item) => this.#resolved(item)) }];
      case 'text':
        return [{ kind: 'text', text: argument.text.flatMap((part) => this.#resolvedPart(part)) }];
      case 'other':
        return [argument];
    }
  }

  #resolvedPart(part: OpenText[number]): OpenText {
    const value = typeof part === 'string' ? null : this.#variable(part.expression);
    return value?.kind === 'text' ? value.text : [part];
  }

  /** What a variable holds that is given a literal once, and is never changed; else null. */
  #variable(given: string): SourceArgument | null {
    if (!/^[\w$]+$/.test(given)) {
      return null;
    }
    const [only, ...others] = this.#changes(given);
    if (only === undefined || others.length > 0 || !/(?<!\+)=$/.test(only[0])) {
      return null;
    }
    const from = only.index + only[0].length;
    const list = /^[ \t]*[[(]/.exec(this.#source.slice(from));
    if (list !== null) {
      const end = endOfValue(this.#code, from + list[0].length - 1);
      const isWhole = /^[ \t]*(?:;|\n|$|#|\/\/)/.test(this.#source.slice(end));
      return isWhole ? readArgument(this.#source.slice(from, end), this.#language.interpolation) : null;
    }
    const line =
      /^[ \t]*(?:(["'`])(?:(?!\1)[^\\\n]|\\.)*\1|[fr]?"[^"\n]*"|[fr]?'[^'\n]*')(?=[ \t]*(?:;|\n|$|#|\/\/))/.exec(
        this.#source.slice(from),
      );
    return line === null ? null : readArgument(line[0], this.#language.interpolation);
  }

  /** Where a variable is given a value or changed. */
  #changes(given: string): readonly RegExpExecArray[] {
    const name = given.replaceAll('$', '\\$');
    const change = '=(?!=|>)|\\+=|\\[|\\.\\s*(?:append|extend|insert|push|unshift|splice|concat)\\b';
    return [...this.#code.matchAll(new RegExp(`(?<![\\w$.])${name}\\s*(?:${change})`, 'g'))];
  }

  #around(position: number): SourceFunction | null {
    this.#functions ??= this.#language.name === 'python' ? pythonFunctions(this.#code) : scriptFunctions(this.#code);
    return this.#functions.findLast(({ start, end }) => start <= position && position < end) ?? null;
  }

  /** Where its arguments begin in each call; null where the function is also used in another way. */
  #callers({ name, nameAt, start, end }: SourceFunction): readonly number[] | null {
    const uses = [
      ...this.#code.matchAll(new RegExp(`(?<![\\w$])${name.replaceAll('$', '\\$')}(?![\\w$])\\s*(\\(?)`, 'g')),
    ];
    const others = uses.filter(({ index }) => index !== nameAt && !(index >= start && index < end));
    return others.some(([, bracket]) => bracket === '') ? null : others.map((use) => use.index + use[0].length);
  }

  /** @param isScript whether the called function gives its first argument to a shell in any case */
  #command(given: readonly SourceArgument[], isScript: boolean): OpenCommand | null {
    const [first, second] = given;
    if (first?.kind === 'list') {
      return asCommand(first.items);
    }
    if (first?.kind !== 'text') {
      return null;
    }
    if (this.#language.name !== 'python' && !isScript && (second?.kind === 'list' || second?.kind === 'name')) {
      const more = second.kind === 'list' ? second.items : [{ ...second, isSpread: true }];
      return asCommand([first, ...more]);
    }
    const isWhole = first.text.every((part) => typeof part === 'string');
    return isWhole || !holdsCommands(this.#source) ? { script: first.text } : null;
  }
}

function wholeText(argument: SourceArgument | undefined): string | null {
  const parts = argument?.kind === 'text' ? argument.text : [{ expression: '' }];
  return parts.every((part) => typeof part === 'string') ? parts.join('') : null;
}

function asCommand(items: readonly SourceArgument[]): OpenCommand | null {
  const [program] = items;
  if (program?.kind !== 'text' || program.text.some((part) => typeof part !== 'string')) {
    return null;
  }
  return {
    words: items.map((item): OpenWord => {
      switch (item.kind) {
        case 'text':
          return { text: item.text };
        case 'name':
          return item.isSpread ? { several: item.name } : { text: [{ expression: item.name }] };
        default:
          return { text: [{ expression: item.kind === 'other' ? item.written : '[…]' }] };
      }
    }),
  };
}

function mentions(argument: SourceArgument, names: readonly string[]): boolean {
  switch (argument.kind) {
    case 'name':
      return names.includes(argument.name);
    case 'list':
      return argument.items.some((item) => mentions(item, names));
    case 'text':
      return argument.text.some((part) => typeof part !== 'string' && names.includes(part.expression));
    case 'other':
      return false;
  }
}

/** An argument of a helper's body, as it is in one call of the helper. */
function substituted(
  argument: SourceArgument,
  helper: Pick<SourceFunction, 'parameters' | 'hasRest'>,
  values: readonly SourceArgument[],
): readonly SourceArgument[] {
  const valuesOf = (name: string): readonly SourceArgument[] | null => {
    const at = helper.parameters.indexOf(name);
    const isRest = helper.hasRest && at === helper.parameters.length - 1;
    return at < 0 ? null : isRest ? values.slice(at) : values.slice(at, at + 1);
  };
  switch (argument.kind) {
    case 'name': {
      const given = valuesOf(argument.name);
      const isRest = helper.hasRest && argument.name === helper.parameters.at(-1);
      if (given === null) {
        return [argument];
      }
      if (argument.isSpread) {
        return isRest ? given : given.flatMap(spread);
      }
      if (isRest) {
        return [{ kind: 'list', items: given }];
      }
      return given.length === 0 ? [{ kind: 'other', written: argument.name }] : given;
    }
    case 'list':
      return [{ kind: 'list', items: argument.items.flatMap((item) => substituted(item, helper, values)) }];
    case 'text':
      return [{ kind: 'text', text: argument.text.flatMap((part) => substitutedPart(part, valuesOf)) }];
    case 'other':
      return [argument];
  }
}

function substitutedPart(
  part: OpenText[number],
  valuesOf: (name: string) => readonly SourceArgument[] | null,
): OpenText {
  const [only, ...others] = typeof part === 'string' ? [] : (valuesOf(part.expression) ?? []);
  return only?.kind === 'text' && others.length === 0 ? only.text : [part];
}

function spread(argument: SourceArgument): readonly SourceArgument[] {
  if (argument.kind === 'list') {
    return argument.items;
  }
  return [argument.kind === 'name' ? { ...argument, isSpread: true } : argument];
}
