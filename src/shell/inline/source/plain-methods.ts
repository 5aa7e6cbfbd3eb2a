import { bracketAround, endOfBracket } from './brackets.ts';
import { ownMethods, type SourceFunction, scriptMethods } from './functions.ts';

/** What loads a module, up to its name. */
const loads = /\b(?:require|import)\s*\(\s*|\b(?:from|import)\s*(?=["'])/g;
/** Modules that call no method of an object that they are given, and the program's own, whose names are looked for. */
const knownModule =
  /^(["'])(?:(?:node:)?(?:child_process|fs|path|os|url|util|process|assert|readline|crypto|timers)(?:\/promises)?|\.{1,2}\/[^"']*)\1/;
/** Finds a method in another way than by its name: `repo[word]`, but for `argv[2]`. */
const otherwise =
  /[\w$)\]]\s*\[(?!\s*(?:-?\d+|"[^"\n]*"|'[^'\n]*')?\s*\])|\b(?:Reflect|Proxy|prototype|getOwnPropertyNames|getOwnPropertyDescriptors|createRequire|getBuiltinModule)\b/;

/** Are the methods of a program's classes called by their names alone? Many a library calls some. */
export function calledByNameAlone(text: string): boolean {
  return (
    !otherwise.test(text) &&
    Array.from(text.matchAll(loads)).every(({ 0: load, index }) => knownModule.test(text.slice(index + load.length)))
  );
}

/** Those that the language calls by itself. */
const special = /^(?:toJSON|valueOf|handleEvent|next|throw)$/;

/** The methods of classes without a base, but for those of which names of the language's own tell nothing. */
export function plainMethods(code: string): readonly SourceFunction[] {
  const bodies = Array.from(
    code.matchAll(/(?<=^|[;{}\n])[ \t]*class\s+[\w$]+\s*\{/g),
    ({ index, 0: head }) => index + head.length - 1,
  );
  return bodies.length === 0
    ? []
    : scriptMethods(code).filter(
        ({ name, start, end }) =>
          !ownMethods.test(name) &&
          !special.test(name) &&
          bodies.some((open) => bracketAround(code, start) === open && end <= endOfBracket(code, open + 1)),
      );
}
