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
  /** The values of parameters that have one where they are not given, as they are written. */
  readonly defaults: ReadonlyMap<string, string>;
  readonly start: number;
  readonly end: number;
  readonly nameAt: number;
  /** It is called by way of an object: other objects may have one of that name. */
  readonly isMethod?: true;
}

/**
 * The functions of a Python program, the outer before the inner.
 *
 * @param code strings and comments blanked
 * @param source what is written there, if anybody asks for the parameters' values
 */
export function pythonFunctions(code: string, source = code): readonly SourceFunction[] {
  return [...definitions(code, source), ...lambdas(code, source)].sort((a, b) => a.start - b.start);
}

function definitions(code: string, source: string): readonly SourceFunction[] {
  return Array.from(code.matchAll(/^([ \t]*)(?:async[ \t]+)?def[ \t]+(\w+)[ \t]*\(([^)]*)\)[^\n]*/dgm), (match) => {
    const [whole, indent = '', name = ''] = match;
    const after = match.index + whole.length;
    const next = new RegExp(`\\n[ \\t]{0,${indent.length}}(?=[^\\s#])`).exec(code.slice(after));
    return {
      ...parametersAt(match.indices?.[3], code, source),
      name,
      nameAt: match.index + whole.indexOf(`${name}`, whole.indexOf('def') + 3),
      start: match.index,
      end: next === null ? code.length : after + next.index,
    };
  });
}

/** `git = lambda *words: …` */
function lambdas(code: string, source: string): readonly SourceFunction[] {
  return Array.from(code.matchAll(/(?<=^|[;\n])[ \t]*(\w+)[ \t]*=[ \t]*lambda\b([^:\n]*):/dg), (match) => {
    const [whole, name = ''] = match;
    const nameAt = match.index + whole.indexOf(name);
    return {
      ...parametersAt(match.indices?.[2], code, source),
      name,
      nameAt,
      start: nameAt,
      end: endOfBody(code, match.index + whole.length),
    };
  });
}

/** The functions of a JavaScript program that have a name: as {@link pythonFunctions}. */
export function scriptFunctions(code: string, source = code): readonly SourceFunction[] {
  const definitions =
    /\bfunction\b\s*\*?\s*([\w$]+)\s*\(([^)]*)\)\s*(?::\s*[\w$<>[\],.| ]+?\s*)?(?=\{)|\b(?:const|let|var)\s+([\w$]+)\s*=\s*(?:async\s*)?(?:function\s*)?(?:\(([^)]*)\)(?:\s*:\s*[\w$<>[\],.| ]+?(?=\s*=>))?|([\w$]+))\s*(?:=>\s*)?/dg;
  return Array.from(code.matchAll(definitions), (match): SourceFunction | null => {
    const [whole, named, , assigned] = match;
    const [, , list, , parameters, only] = match.indices ?? [];
    const name = named ?? assigned ?? '';
    const isFunction = named !== undefined || /=>\s*$|function/.test(whole);
    const open = match.index + whole.length;
    return isFunction
      ? {
          ...parametersAt(list ?? parameters ?? only, code, source),
          name,
          nameAt: match.index + whole.indexOf(name, whole.search(/\s/)),
          start: match.index,
          end: endOfBody(code, open),
        }
      : null;
  }).filter((found) => found !== null);
}

/**
 * The methods of objects and classes of a JavaScript program: `{ run: (...a) => … }`, `{ run(...a) { … } }`,
 * `class { run = (...a) => … }`.
 *
 * @param code as {@link pythonFunctions} takes it
 */
export function scriptMethods(code: string, source = code): readonly SourceFunction[] {
  const definitions =
    /(?<=[{},;\n])([ \t]*(?:(?:static|async)[ \t]+)*)(?!(?:if|for|while|switch|catch|function|return|with|await)\b)([\w$]+)(?:\s*(?::|=)\s*(?:async\s*)?(?:function\b\s*)?(?:\(([^()]*)\)|([\w$]+)(?=\s*=>))\s*(?:=>\s*|(?=\{))|\s*\(([^()]*)\)\s*(?=\{))/dg;
  return Array.from(code.matchAll(definitions), (match): SourceFunction => {
    const [whole, before = '', name = ''] = match;
    const [, , , list, only, parameters] = match.indices ?? [];
    return {
      ...parametersAt(list ?? only ?? parameters, code, source),
      isMethod: true,
      name,
      nameAt: match.index + before.length,
      start: match.index + before.length,
      end: endOfBody(code, match.index + whole.length),
    };
  });
}

/** Methods of the language itself, by whose names nobody tells whose they are. */
export const ownMethods =
  /^(?:constructor|push|pop|shift|unshift|concat|map|filter|find|sort|slice|splice|join|split|trim|match|replace|test|exec|then|catch|finally|add|delete|get|set|has|clear|keys|values|entries|forEach|reduce|some|every|includes|at|flat|log|error|warn|info|on|emit|write|end|close|call|apply|bind|toString)$/;

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

type Parameters = Pick<SourceFunction, 'parameters' | 'hasRest' | 'named' | 'keywords' | 'defaults'>;

/** @param place where the list of parameters stands; undefined: there is none */
function parametersAt(place: readonly [number, number] | undefined, code: string, source: string): Parameters {
  const [from, to] = place ?? [0, 0];
  const list = code.slice(from, to);
  let at = from;
  const written = list
    .split(',')
    .map((text) => {
      const parameter = { text: text.trim(), source: source.slice(at, at + text.length).trim() };
      at += text.length + 1;
      return parameter;
    })
    .filter(
      ({ text }, index) =>
        text !== '' && text !== '*' && !text.startsWith('**') && !(index === 0 && /^(?:self|cls)$/.test(text)),
    );
  const rest = written.findIndex(({ text }) => /^(?:\*|\.\.\.)/.test(text));
  // What stands behind Python's `*args` is given by name alone.
  const positional = rest < 0 ? written : written.slice(0, rest + 1);
  const nameOf = ({ text }: { readonly text: string }) => /^(?:\*|\.\.\.)?\s*([\w$]*)/.exec(text)?.[1] ?? '';
  return {
    parameters: positional.map(nameOf),
    hasRest: rest >= 0,
    named: rest < 0 ? [] : written.slice(rest + 1).map(nameOf),
    keywords: /\*\*\s*(\w+)/.exec(list)?.[1] ?? null,
    defaults: new Map(
      written.flatMap((parameter) => {
        const [, value] = /=(?!\s*(?:None|null|undefined)\s*$)\s*([\s\S]*)$/.exec(parameter.source) ?? [];
        return value === undefined ? [] : [[nameOf(parameter), value] as const];
      }),
    ),
  };
}
