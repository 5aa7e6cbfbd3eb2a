import { bracketAround } from './brackets.ts';
import { codeOf, type SourceCode } from './code.ts';
import { pythonFunctions, type SourceFunction, scriptFunctions, scriptMethods } from './functions.ts';

/** More names than this are not looked into: no program gives so many paths one. */
const maximumConstants = 30;

/**
 * `hooks = '.git/hooks'`, `const hook = Path('.git/hooks')`: a name that is given a path or an address, on a line of its
 * own or, in JavaScript, in a list of declarations.
 */
const definition =
  /(?<=^|[\n;{]|\b(?:const|let|var)\s[^;\n]{0,300},)[ \t]*(?:(?:export\s+)?(?:const|let|var)\s+)?(?<name>[A-Za-z_$][\w$]*)[ \t]*(?::[ \t]*\w+[ \t]*)?=[ \t]*(?<value>(?:\w+\.)?Path\([ \t]*(?:'[^'"\n\\]*'|"[^'"\n\\]*")[ \t]*\)|'[^'"\n\\]*'|"[^'"\n\\]*"|`[^'"`\n\\$]*`)[ \t]*(?=[;\n]|$|(?<=\b(?:const|let|var)\s[^;\n]{0,300}),\s*(?:[\w$]+|\{[^{}]*\})\s*=)/g;

/**
 * The source with names replaced that are given one path or address, and never another: `hooks + '/pre-push'` and
 * `${hooks}/pre-push` become one literal. Positions change.
 *
 * @param hasComments whether `#` begins a comment (Python)
 */
export function withConstants(source: string, hasComments: boolean): string {
  const constants = definitionsIn(source);
  const code = constants.length === 0 ? '' : codeOf(source, hasComments);
  const functions = hasComments ? pythonFunctions(code) : scriptFunctions(code);
  const parameters = new Set(functions.flatMap((one) => one.parameters));
  const shadowing = hasComments ? functions : scriptMethods(code);
  const uses = constants.flatMap(({ name = '', value = '' }) =>
    parameters.has(name)
      ? []
      : usesOf(name, { source, code }, hasComments)
          .filter(({ index }) => !shadowing.some((one) => isShadowed(name, index, one)))
          .map((use) => ({ ...use, length: name.length, value })),
  );
  let replaced = source;
  for (const { index, length, before, value } of uses.sort((a, b) => b.index - a.index)) {
    replaced = replaced.slice(0, index) + before + value + replaced.slice(index + length);
  }
  return uses.length === 0 ? source : withLiteralsJoined(replaced);
}

/** The names that are given such a path or an address. */
export const constantsIn = (source: string): readonly string[] => definitionsIn(source).map(({ name = '' }) => name);

/** Definitions of them, as far as they are looked into. */
function definitionsIn(source: string): readonly Readonly<Record<string, string>>[] {
  return Array.from(source.matchAll(definition), ({ groups = {} }) => groups)
    .filter(({ value = '' }) => /[./]/.test(value))
    .slice(0, maximumConstants);
}

/** Does the name stand for a parameter of the function there? */
function isShadowed(name: string, index: number, { parameters, named, start, end }: SourceFunction): boolean {
  return start <= index && index < end && (parameters.includes(name) || named.includes(name));
}

interface Use {
  readonly index: number;
  /** What is to stand before the value: the field's name of `{ cwd }`. */
  readonly before: string;
}

/** Where a name stands for its value; nowhere if it is given another one as well. */
function usesOf(name: string, written: Pick<SourceCode, 'source' | 'code'>, isPython: boolean): readonly Use[] {
  const { code } = written;
  const pattern = `(?<![\\w$.])${name.replaceAll('$', '\\$')}(?![\\w$])`;
  const change = '(?::[ \\t]*\\w+[ \\t]*)?(?:[+*/|&-]?=(?![=>])|\\+\\+|\\bin\\b|\\bof\\b)';
  const changes = Array.from(code.matchAll(new RegExp(`${pattern}\\s*${change}`, 'g')), ({ index }) => index);
  const [given, ...others] = changes.filter((at) => !isPython || !isKeyword(code, at, name.length));
  return others.length > 0
    ? []
    : Array.from(code.matchAll(new RegExp(pattern, 'g')), ({ index }) => index)
        .filter((at) => at !== given && !changes.includes(at))
        .flatMap((index) => (isPython ? { index, before: '' } : (scriptUse(name, index, written) ?? [])));
}

/** Python's `cwd=d`: the name of what a call is given. */
function isKeyword(code: string, at: number, length: number): boolean {
  return /^\s*=(?!=)/.test(code.slice(at + length, at + length + 40)) && code[bracketAround(code, at)] === '(';
}

/** Null for the name of a field: `{ cwd: d }`. */
function scriptUse(name: string, index: number, { source, code }: Pick<SourceCode, 'source' | 'code'>): Use | null {
  const [behind = ''] = /^\s*[:,}]/.exec(code.slice(index + name.length, index + name.length + 40)) ?? [];
  const mayBeField = behind !== '' && /[{,]\s*$/.test(code.slice(Math.max(0, index - 40), index));
  const open = mayBeField ? bracketAround(code, index) : -1;
  // `${cwd}` is no object.
  const isField = code[open] === '{' && source[open - 1] !== '$';
  return isField && behind.endsWith(':') ? null : { index, before: isField ? `${name}: ` : '' };
}

/** What is put into a template as a literal is part of it, and two literals with a plus between them are one. */
export function withLiteralsJoined(source: string): string {
  return source
    .replace(/\$?\{(["'])([^'"{}\n]*)\1\}/g, '$2')
    .replace(/(["'`])([^'"`\n\\]*)\1\s*\+\s*(["'`])([^'"`\n\\]*)\3/g, '$1$2$4$1');
}
