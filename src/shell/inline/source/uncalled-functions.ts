import { bracketStep } from './brackets.ts';
import { codeOf } from './code.ts';
import { endOfBody, pythonFunctions, type SourceFunction, scriptFunctions } from './functions.ts';
import type { Language } from './languages.ts';
import { calledByNameAlone, plainMethods } from './plain-methods.ts';

type Span = Pick<SourceFunction, 'name' | 'start' | 'end'>;

/** A function that only such a function calls is called by nobody, either; so deep. */
const rounds = 3;

/** A program with more of them is somebody's product. */
const maximumFunctions = 200;
const definition = /=>|\bfunction\b|\b(?:def|lambda)\b/g;

/** What calls functions by texts, or runs examples out of comments: then no name tells. */
const dynamic: Readonly<Record<string, RegExp>> = {
  python: /\b(?:getattr|globals|locals|vars|dir|eval|exec|getmembers|run_path|run_module|Fire)\s*\(|__dict__|^\s*>>> /m,
  script:
    /\beval\s*\(|\bnew\s+Function\b|\bObject\.(?:values|entries|keys)\s*\(|\b(?:this|globalThis|global|window|exports)\s*\[|[\w$)]\[(?!\s*["'][^"'\n]*["']\s*\])[^\n]*?\]\s*\(/,
};

/** Lists of what modules give to each other under the same names: those are neither called nor handed on. */
const lists =
  /\b(?:module\.)?exports\s*=\s*\{[\w$\s,]*\}|\bexport\s*\{(?:(?!\bas\b)[\w$\s,])*\}|\bimport\s*\{(?:(?!\bas\b)[\w$\s,])*\}\s*from\b|\b(?:const|let|var)\s*\{[\w$\s,]*\}\s*=\s*(?:await\s+import|require)\b|(?<=^|[;\n])[ \t]*from[ \t]+[\w.]+[ \t]+import[ \t]+(?:\((?:(?!\bas\b)[\w\s,])*\)|(?:(?!\bas\b)[\w, \t])*(?=[;\n]|$))/g;

/** How often each name stands in the texts, wherever: also where it is data. */
function countNames(texts: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const text of texts) {
    for (const [name] of text.replace(lists, ' ').matchAll(/[A-Za-z_$][\w$]*/g)) {
      counts.set(name, (counts.get(name) ?? 0) + 1);
    }
  }
  return counts;
}

/**
 * A program without its functions that nobody calls: those whose name stands nowhere else, neither in the program nor in
 * the others that may load it. What a framework calls (decorated functions, methods of a class with a base, those that
 * are exported as a default) stays. Positions stay as they are.
 *
 * @param all the texts of all programs, this one among them
 */
export function withoutUncalled({ name }: Language, source: string, all: readonly string[]): string {
  const isPython = name === 'python';
  const calls = dynamic[isPython ? 'python' : 'script'];
  const isRead = isPython || /^(?:node|bun|deno|zx)$/.test(name);
  const isLong = (source.match(definition) ?? []).length > maximumFunctions;
  // A helper may put git before the words: `["git", *words]`, in another file as well.
  const isOfGit = all.some((text) => /\bgit\b/.test(text));
  if (!isRead || isLong || !isOfGit || all.some((text) => calls?.test(text) === true)) {
    return source;
  }
  const others = all.filter((text) => text !== source);
  const takesMethods = !isPython && all.every(calledByNameAlone);
  let text = source;
  for (let round = 0; round < rounds; round += 1) {
    const uncalled = uncalledIn(text, others, isPython ? 'python' : takesMethods ? 'script with methods' : 'script');
    if (uncalled.length === 0) {
      break;
    }
    for (const { start, end } of uncalled) {
      text = text.slice(0, start) + text.slice(start, end).replace(/[^\n]/g, ' ') + text.slice(end);
    }
  }
  return text;
}

function uncalledIn(
  text: string,
  others: readonly string[],
  grammar: 'python' | 'script' | 'script with methods',
): readonly Span[] {
  const isPython = grammar === 'python';
  const code = codeOf(text, isPython);
  const methods: readonly Span[] = grammar === 'script with methods' ? plainMethods(code) : [];
  const functions = isPython
    ? pythonFunctions(code)
    : [...scriptFunctions(code), ...exportedFunctions(code), ...methods];
  const counts = functions.length === 0 ? new Map<string, number>() : countNames([text, ...others]);
  const unnamed = functions.filter(({ name, start, end }) => {
    const inside = countNames([text.slice(start, end)]).get(name) ?? 0;
    return name !== '' && (counts.get(name) ?? 0) <= inside;
  });
  return isPython
    ? unnamed.filter(isOwnIn(code))
    : unnamed.filter((span) => (methods.includes(span) || isStatement(code, span)) && isWhole(code, text, span));
}

/** Decorators that only say how a function is called. */
const plainDecorator = /^\s*@(?:staticmethod|classmethod|property|(?:functools\.)?(?:cache|lru_cache)\b)/;

/** Does no framework call it: has it no decorator, and stands in no class with a base? */
function isOwnIn(code: string): (span: Span) => boolean {
  const classes = Array.from(code.matchAll(/^([ \t]*)class[ \t]+\w+[ \t]*\(\s*(?!object\s*\)|\))/gm), (match) => {
    const end = new RegExp(`\\n[ \\t]{0,${match[1]?.length ?? 0}}(?=[^\\s#)])`).exec(code.slice(match.index));
    return { start: match.index, end: end === null ? code.length : match.index + end.index };
  });
  return ({ name, start, end }) =>
    !/^__\w+__$/.test(name) &&
    // What a parameter is where nothing is given is found out with the definition.
    /^[^(]*\([^()]*\)/.test(code.slice(start, end)) &&
    !isDecorated(code, start) &&
    !classes.some((around) => around.start <= start && start < around.end);
}

function isDecorated(code: string, start: number): boolean {
  const depthOf = (line: string) => /^[ \t]*/.exec(line)?.[0].length ?? 0;
  const indent = depthOf(code.slice(start, start + 200));
  for (let end = code.lastIndexOf('\n', start - 1); end >= 0 && start > 0; end = code.lastIndexOf('\n', end - 1)) {
    const line = code.slice(end === 0 ? 0 : code.lastIndexOf('\n', end - 1) + 1, end);
    const depth = depthOf(line);
    const isPlain = plainDecorator.test(line);
    if (depth === indent && line.charAt(indent) === '@' && !isPlain) {
      return true;
    }
    if (end === 0 || !(isPlain || depth > indent || /^\s*\)/.test(line))) {
      return false;
    }
  }
  return false;
}

/** Those that are exported by a name. */
function exportedFunctions(code: string): readonly Span[] {
  return Array.from(
    code.matchAll(
      /\b(?:module\.)?exports\.([\w$]+)\s*=\s*(?:async\s*)?(?:function\b[^(]*\([^)]*\)\s*(?=\{)|(?:\([^()]*\)|[\w$]+)\s*=>\s*)/g,
    ),
    ({ 0: whole, 1: name = '', index }) => ({ name, start: index, end: endOfBody(code, index + whole.length) }),
  );
}

/** Not `(function go() {…})()`, `on('exit', function go() {…})`, `const value = (() => …)()`, `export default function`. */
function isStatement(code: string, { start, end }: Span): boolean {
  const before = code.slice(Math.max(0, start - 200), start).replace(/(?:\bexport\s+)?(?:\basync\s+)?$/, '');
  return (
    /(?:^|[;{}])\s*$|[\w$)\]]\s*\n\s*$/.test(before) &&
    !/\bdefault\s*$/.test(before) &&
    !/^[^=(]*=\s*(?:async\s*)?\(\s*\(/.test(code.slice(start, end)) &&
    !/^\s*\(/.test(code.slice(end))
  );
}

/** A pattern with quotes or brackets may hide where a body ends. */
function isWhole(code: string, text: string, { start, end }: Span): boolean {
  let level = 0;
  for (let index = start; index < end; index += 1) {
    level += bracketStep(code.charAt(index));
  }
  return level === 0 && !/[=(,:!&|?;{}\n]\s*\/(?![/*])[^\n]*["'`{}]/.test(text.slice(start, end));
}
