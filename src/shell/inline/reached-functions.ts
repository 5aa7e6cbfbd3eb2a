import { codeOf } from './source/code.ts';
import { endOfBody, pythonFunctions, type SourceFunction, scriptFunctions } from './source/functions.ts';
import type { Language } from './source/languages.ts';

const exportLists = /\b(?:module\.)?exports\s*=\s*\{[\w$\s,]*\}|\bexport\s*\{[^}]*\}/g;

type Span = Pick<SourceFunction, 'name' | 'start' | 'end'>;

/**
 * Which functions of the modules that a program loads somebody names: a module is mostly a collection, and what is in a
 * function of it that nobody calls never happens.
 */
export class ReachedFunctions {
  /** Without the lists of what a module exports, which name everything. */
  readonly #code: string;
  readonly #modulesFrom: number;
  readonly #functions: readonly Span[];

  /** @param modulesFrom where the text of the modules begins, behind the program's own */
  constructor({ name }: Language, source: string, modulesFrom: number) {
    const isPython = name === 'python';
    const isScript = /^(?:node|bun|deno)$/.test(name);
    const hasModules = modulesFrom < source.length && (isPython || isScript);
    // What is run as a program may choose among its functions by itself.
    this.#modulesFrom = /\brun_(?:path|module)\s*\(/.test(source.slice(0, modulesFrom)) ? source.length : modulesFrom;
    const code = hasModules ? codeOf(source, isPython) : '';
    this.#code = code.replace(exportLists, (list) => ' '.repeat(list.length));
    this.#functions = isPython ? pythonFunctions(code) : [...scriptFunctions(code), ...members(code)];
  }

  isReached(position: number): boolean {
    return (
      position < this.#modulesFrom ||
      this.#functions
        .filter(({ start, end }) => start <= position && position < end)
        .every((around) => this.#isNamed(around))
    );
  }

  #isNamed({ name, start, end }: Span): boolean {
    const uses = this.#code.matchAll(
      new RegExp(`(?<![\\w$])${name.replaceAll('$', '\\$')}(?![\\w$]|\\s*[:=](?!=))`, 'g'),
    );
    return Array.from(uses).some(({ index }) => index < start || index >= end);
  }
}

/** `exports.push = () => …`, methods, and functions in an object. */
function members(code: string): readonly Span[] {
  const definitions =
    /\b(?:module\.)?exports\.([\w$]+)\s*=\s*(?:async\s*)?(?:function\b[^(]*)?(?:\([^)]*\)|[\w$]+\s*(?==>))\s*(?:=>\s*)?|^[ \t]*(?:(?:async|static)\s+)*(?!(?:if|for|while|switch|catch|function|return)\b)([\w$]+)\s*(?::\s*(?:async\s*)?(?:function\s*)?)?\([^)]*\)\s*(?:=>\s*)?(?=\{)/gm;
  return Array.from(code.matchAll(definitions), (match) => ({
    name: match[1] ?? match[2] ?? '',
    start: match.index,
    end: endOfBody(code, match.index + match[0].length),
  }));
}
