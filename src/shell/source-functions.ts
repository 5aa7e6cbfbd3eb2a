import { bracketStep } from './brackets.ts';

/** A function of the program: `def git(*args)`, `const git = (...args) => …`. */
export interface SourceFunction {
  readonly name: string;
  readonly parameters: readonly string[];
  /** The last parameter takes all that is left. */
  readonly hasRest: boolean;
  /** Parameters that are given by their names alone, behind `*args`. */
  readonly named: readonly string[];
  /** Python's `**options`: takes whatever is given by a name. */
  readonly keywords: string | null;
  /** Parameters that have a value where they are not given. */
  readonly defaulted: readonly string[];
  readonly start: number;
  readonly end: number;
  readonly nameAt: number;
}

/** The functions of a Python program, the outer before the inner. @param code strings and comments blanked */
export function pythonFunctions(code: string): readonly SourceFunction[] {
  return [...definitions(code), ...lambdas(code)].sort((a, b) => a.start - b.start);
}

function definitions(code: string): readonly SourceFunction[] {
  return Array.from(code.matchAll(/^([ \t]*)(?:async[ \t]+)?def[ \t]+(\w+)[ \t]*\(([^)]*)\)[^\n]*/gm), (match) => {
    const [whole, indent = '', name = '', list = ''] = match;
    const after = match.index + whole.length;
    const next = new RegExp(`\\n[ \\t]{0,${indent.length}}(?=[^\\s#])`).exec(code.slice(after));
    return {
      ...parametersOf(list.replace(/^\s*(?:self|cls)\s*,?/, '')),
      name,
      nameAt: match.index + whole.indexOf(`${name}`, whole.indexOf('def') + 3),
      start: match.index,
      end: next === null ? code.length : after + next.index,
    };
  });
}

/** `git = lambda *words: …` */
function lambdas(code: string): readonly SourceFunction[] {
  return Array.from(code.matchAll(/(?<=^|[;\n])[ \t]*(\w+)[ \t]*=[ \t]*lambda\b([^:\n]*):/g), (match) => {
    const [whole, name = '', list = ''] = match;
    const nameAt = match.index + whole.indexOf(name);
    return { ...parametersOf(list), name, nameAt, start: nameAt, end: endOfBody(code, match.index + whole.length) };
  });
}

/** The functions of a JavaScript program that have a name. @param code strings and comments blanked */
export function scriptFunctions(code: string): readonly SourceFunction[] {
  const definitions =
    /\bfunction\s+([\w$]+)\s*\(([^)]*)\)\s*(?::\s*[\w$<>[\],.| ]+?\s*)?(?=\{)|\b(?:const|let|var)\s+([\w$]+)\s*=\s*(?:async\s*)?(?:function\s*)?(?:\(([^)]*)\)(?:\s*:\s*[\w$<>[\],.| ]+?(?=\s*=>))?|([\w$]+))\s*(?:=>\s*)?/g;
  return Array.from(code.matchAll(definitions), (match): SourceFunction | null => {
    const [whole, named, list, assigned, parameters, only] = match;
    const name = named ?? assigned ?? '';
    const isFunction = named !== undefined || /=>\s*$|function/.test(whole);
    const open = match.index + whole.length;
    return isFunction
      ? {
          ...parametersOf(list ?? parameters ?? only ?? ''),
          name,
          nameAt: match.index + whole.indexOf(name, whole.search(/\s/)),
          start: match.index,
          end: endOfBody(code, open),
        }
      : null;
  }).filter((found) => found !== null);
}

/** What modules give to each other: names that are neither called nor handed on. */
const lists =
  /\b(?:module\.)?exports\s*=\s*(?:\{[\w$\s,]*\}|[\w$]+)|\bexports\.[\w$]+\s*=\s*[\w$]+(?=\s*[;\n])|\bexport\s*\{[^}]*\}|\bimport\b[\w$\s,{}]*\bfrom\b|\b(?:const|let|var)\s*\{[\w$\s,:]*\}\s*=\s*(?:await\s+import|require)\b|(?<=^|;)[ \t]*from[ \t]+[\w.]+[ \t]+import[ \t]+(?:\([^)]*\)|[^\n;]*)/gm;

/** The code with the lists of what is imported and exported blanked; positions stay. */
export function withoutLists(code: string): string {
  return code.replace(lists, (list) => list.replace(/[^\n]/g, ' '));
}

/** A block ends with its bracket, an expression with its line or statement. */
export function endOfBody(code: string, open: number): number {
  let level = 0;
  for (let index = open; index < code.length; index += 1) {
    const character = code.charAt(index);
    level += bracketStep(character);
    const isClosed =
      level < 0 ||
      (level === 0 && (character === ';' || character === '\n' || (character === '}' && code[open] === '{')));
    if (isClosed) {
      return index + 1;
    }
  }
  return code.length;
}

type Parameters = Pick<SourceFunction, 'parameters' | 'hasRest' | 'named' | 'keywords' | 'defaulted'>;

function parametersOf(list: string): Parameters {
  const written = list
    .split(',')
    .map((parameter) => parameter.trim())
    .filter((parameter) => parameter !== '' && parameter !== '*' && !parameter.startsWith('**'));
  const rest = written.findIndex((parameter) => /^(?:\*|\.\.\.)/.test(parameter));
  // What stands behind Python's `*args` is given by name alone.
  const positional = rest < 0 ? written : written.slice(0, rest + 1);
  const nameOf = (parameter: string) => /^(?:\*|\.\.\.)?\s*([\w$]*)/.exec(parameter)?.[1] ?? '';
  return {
    parameters: positional.map(nameOf),
    hasRest: rest >= 0,
    named: rest < 0 ? [] : written.slice(rest + 1).map(nameOf),
    keywords: /\*\*\s*(\w+)/.exec(list)?.[1] ?? null,
    defaulted: written.filter((parameter) => /=(?!\s*(?:None|null|undefined)\s*$)/.test(parameter)).map(nameOf),
  };
}
