import { codeOf } from './source-code.ts';
import { pythonFunctions, scriptFunctions } from './source-functions.ts';

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
  const constants = Array.from(source.matchAll(definition), ({ groups }) => groups)
    .filter((groups) => /[./]/.test(groups?.value ?? ''))
    .slice(0, maximumConstants);
  const code = constants.length === 0 ? '' : codeOf(source, hasComments);
  const functions = hasComments ? pythonFunctions(code) : scriptFunctions(code);
  const parameters = new Set(functions.flatMap((one) => one.parameters));
  const uses = constants.flatMap(({ name = '', value = '' } = {}) =>
    parameters.has(name) ? [] : usesOf(name, code).map((index) => ({ index, name, value })),
  );
  let replaced = source;
  for (const { index, name, value } of uses.sort((a, b) => b.index - a.index)) {
    replaced = replaced.slice(0, index) + value + replaced.slice(index + name.length);
  }
  return uses.length === 0 ? source : withLiteralsJoined(replaced);
}

/** Where a name stands for its value; nowhere if it is given another one as well. */
function usesOf(name: string, code: string): readonly number[] {
  const pattern = `(?<![\\w$.])${name.replaceAll('$', '\\$')}(?![\\w$])`;
  const change = '(?::\\s*\\w+\\s*)?(?:[+*/|&-]?=(?![=>])|\\+\\+|\\bin\\b|\\bof\\b)';
  const [given, ...others] = code.matchAll(new RegExp(`${pattern}\\s*${change}`, 'g'));
  return others.length > 0
    ? []
    : Array.from(code.matchAll(new RegExp(pattern, 'g')), ({ index }) => index).filter((at) => at !== given?.index);
}

/** What is put into a template as a literal is part of it, and two literals with a plus between them are one. */
export function withLiteralsJoined(source: string): string {
  return source
    .replace(/\$?\{(["'])([^'"{}\n]*)\1\}/g, '$2')
    .replace(/(["'`])([^'"`\n\\]*)\1\s*\+\s*(["'`])([^'"`\n\\]*)\3/g, '$1$2$4$1');
}
