import { codeOf } from './source/code.ts';
import { pythonFunctions, type SourceFunction, scriptFunctions } from './source/functions.ts';

/** A new directory's name as a literal, as the program was given it. */
const literal = String.raw`'[^'\n\\]*\boxide-guard-\d+[^'\n\\]*'`;
/** The same as a text or a path: `str(Path('/x'))`. */
const directory = String.raw`(?:(?:str|(?:pathlib\s*\.\s*)?Path)\(\s*){0,2}${literal}(?:\s*\)){0,2}`;

const returning = new RegExp(
  String.raw`\breturn\b[ \t]*(?:\(?(${directory}|[\w$]+)\)?(?=[ \t]*(?:[;\n}#]|$))|(\{[^{}]*\})(?=\s*(?:[;\n}]|$)))?`,
  'g',
);
const yielding = new RegExp(String.raw`\byield\b[ \t]*(?:\(?(${directory}|\w+)\)?(?=[ \t]*(?:[;\n#]|$)))?`, 'g');
/** Of Python: `with NAME() as x` is given what the function yields. */
const managing = /@(?:contextlib\s*\.\s*)?(?:async)?contextmanager[ \t]*\n[ \t]*$/;

/**
 * `repo = make_repo()`, where the function gives back a new directory: the variable is given that, and the function
 * called. The same of what a context manager yields, and of an object's properties.
 *
 * @param source with new directories as literals
 */
export function withReturned(source: string, isPython: boolean): string {
  const code = codeOf(source, isPython);
  const functions = isPython ? pythonFunctions(code) : scriptFunctions(code);
  return functions.reduce((written, found) => {
    const body = source.slice(found.start, found.end);
    const isManager = isPython && managing.test(source.slice(0, found.start));
    const given: readonly RegExpExecArray[] = Array.from(body.matchAll(isManager ? yielding : returning));
    const [only, ...others] = given;
    if (only === undefined || others.length > 0 || !(isManager || isAlwaysReached(body, only, isPython))) {
      return written;
    }
    const [, returned, properties] = only;
    const value = directoryNamed(returned ?? '', body);
    if (value !== null) {
      return isManager ? withEntered(written, found, value) : withAssigned(written, found, value);
    }
    return properties === undefined ? written : withTakenOut(written, found, directoriesIn(properties, body));
  }, source);
}

/** A function that ends without it gives back nothing, and the program works where it stands. */
function isAlwaysReached(body: string, { index, 0: statement }: RegExpExecArray, isPython: boolean): boolean {
  const rest = body.slice(index + statement.length);
  if (!isPython) {
    return /^\s*;?\s*\}[\s;]*$/.test(rest);
  }
  const conditional = /^\s*(?:if|elif|else|for|while|except|match|case)\b/;
  let indent = indentOf(body.slice(body.lastIndexOf('\n', index) + 1));
  const around = body
    .slice(0, index)
    .split('\n')
    .slice(1)
    .reverse()
    .filter((line) => {
      const isAround = line.trim() !== '' && indentOf(line) < indent;
      indent = isAround ? indentOf(line) : indent;
      return isAround;
    });
  return /^[^\n]*(?:\n[ \t]*(?:#[^\n]*)?)*$/.test(rest) && !around.some((line) => conditional.test(line));
}

const indentOf = (line: string) => /^[ \t]*/.exec(line)?.[0].length ?? 0;

/** The new directory that is written, or that a variable is given in the function, and nothing else; null: none is. */
function directoryNamed(written: string, body: string): string | null {
  if (!/^[\w$]+$/.test(written)) {
    return new RegExp(`^${directory}$`).test(written) ? written : null;
  }
  const assigned = new RegExp(
    String.raw`(?<![\w$.])${escaped(written)}\s*(?:[-+*/|&?]{1,2})?=(?![=>])[ \t]*(?:(${directory})(?=[ \t]*(?:[;\n#]|$)))?`,
    'g',
  );
  const [value, ...others] = Array.from(body.matchAll(assigned), ([, path]) => path);
  return others.length > 0 ? null : (value ?? null);
}

const escaped = (name: string) => name.replaceAll('$', String.raw`\$`);
const asReplacement = (text: string) => text.replaceAll('$', '$$$$');

/** Is a variable given that value already? It is followed where that is once. */
function isGiven(source: string, name: string, value: string): boolean {
  return new RegExp(
    String.raw`(?:^|[;\n{}])[ \t]*(?:(?:const|let|var)\s+)?${escaped(name)}\s*=\s*${escapedText(value)}(?=[ \t]*(?:[;\n]|$))`,
  ).test(source);
}

const escapedText = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);

function withAssigned(source: string, { name }: SourceFunction, value: string): string {
  const called = new RegExp(
    String.raw`(?<=(?:^|[;\n{}])[ \t]*)((?:(?:const|let|var)\s+)?([\w$]+)\s*=\s*)(?:await\s+)?(?=${escaped(name)}\s*\()`,
    'g',
  );
  return source.replace(called, (_, assigned: string, variable: string) =>
    isGiven(source, variable, value) ? '' : `${assigned}${value}; `,
  );
}

/** `with make_repo() as repo:` */
function withEntered(source: string, { name }: SourceFunction, value: string): string {
  const entered = new RegExp(
    String.raw`(?<=^|\n)([ \t]*)((?:async[ \t]+)?with[ \t]+${name}\([^()\n]*\))[ \t]+as[ \t]+(\w+)(?=[ \t]*:)`,
    'g',
  );
  return source.replace(entered, (_, indent: string, call: string, variable: string) =>
    isGiven(source, variable, value) ? `${indent}${call}` : `${indent}${variable} = ${value}\n${indent}${call}`,
  );
}

/** The properties of an object that hold a new directory, by their names. */
function directoriesIn(properties: string, body: string): ReadonlyMap<string, string> {
  const [held] = [/^\{([^{}]*)\}$/.exec(properties)?.[1] ?? ''];
  return new Map(
    held.split(',').flatMap((one): [string, string][] => {
      const [, name = '', value = name] = /^\s*([\w$]+)\s*(?::\s*(.*?))?\s*$/.exec(one) ?? [];
      const path = directoryNamed(value, body);
      return path === null ? [] : [[name, path]];
    }),
  );
}

/** `const { dir, git } = makeRepo()`, and `r.dir` of `const r = makeRepo()`. */
function withTakenOut(source: string, { name }: SourceFunction, held: ReadonlyMap<string, string>): string {
  if (held.size === 0) {
    return source;
  }
  const call = String.raw`\s*=\s*(?:await\s+)?${escaped(name)}\s*\(`;
  const apart = new RegExp(String.raw`\b((?:const|let|var)\s*)\{([^{}]*)\}(?=${call})`, 'g');
  const written = source.replace(apart, (whole, declares: string, list: string) => {
    const names = list.split(',').map((one) => one.trim());
    const given = names.flatMap((one) => {
      const [, property = '', variable = property] = /^([\w$]+)(?:\s*:\s*([\w$]+))?$/.exec(one) ?? [];
      const path = held.get(property);
      return path === undefined ? [] : [{ one, variable, path }];
    });
    const others = names.filter((one) => one !== '' && given.every((taken) => taken.one !== one));
    const constants = given
      .filter(({ variable, path }) => !isGiven(source, variable, path))
      .map(({ variable, path }) => `const ${variable} = ${path};\n`);
    return given.length === 0 ? whole : `${constants.join('')}${declares}{ ${others.join(', ')} }`;
  });
  const [holder, ...again] = Array.from(
    written.matchAll(new RegExp(String.raw`\b(?:const|let|var)\s+([\w$]+)(?=${call})`, 'g')),
    ([, variable = '']) => variable,
  );
  return holder === undefined || again.length > 0 || isGivenAgain(written, holder)
    ? written
    : [...held].reduce(
        (text, [property, path]) =>
          text.replace(
            new RegExp(String.raw`(?<![\w$.])${escaped(holder)}\.${escaped(property)}(?![\w$]|\s*(?:=(?!=)|\())`, 'g'),
            asReplacement(path),
          ),
        written,
      );
}

/** Is the name somebody else's, too: of a parameter, or of a variable that is given another value? */
function isGivenAgain(source: string, name: string): boolean {
  const one = escaped(name);
  const uses = new RegExp(
    String.raw`(?<![\w$.])${one}\s*=(?![=>])|(?<![\w$.])${one}\s*=>|\([^()]*(?<![\w$.])${one}\b[^()]*\)\s*(?:=>|\{)|(?<![\w$.])${one}\s*\.\s*[\w$]+\s*=(?![=>])`,
    'g',
  );
  return (source.match(uses)?.length ?? 0) > 1;
}

/** Variables that are taken out of something, by the language; `callee`: what a function gives back. */
const takings = {
  python: /(?<=^|[;\n])[ \t]*\(?(?<list>\w+(?:\s*,\s*\*?\w+)+),?\)?\s*=(?!=)(?<callee>)/g,
  script:
    /(?:\b(?:const|let|var)\s*|[(,]\s*)(?<list>[{[][^{}[\]]*[}\]])\s*=(?![=>])\s*(?:await\s+)?(?!require\b|import\b)(?<callee>[\w$]+(?=\s*\())?/g,
};

/**
 * `const { dir } = x()`, `d, n = x()`: is a variable of these names taken out of something else than what a function of
 * the program gives back under its own name?
 */
export function takesOut(source: string, names: Iterable<string>, isPython: boolean): boolean {
  const code = codeOf(source, isPython);
  const wanted = new Set(names);
  return Array.from(code.matchAll(isPython ? takings.python : takings.script)).some(({ groups }) => {
    const { list = '', callee } = groups ?? {};
    const given = list.startsWith('{') && callee !== undefined ? propertiesGiven(code, callee) : new Set<string>();
    return list
      .replace(/^[{[]|[}\]]$/g, '')
      .split(',')
      .map((one) => one.trim())
      .some((one) => wanted.has(/([\w$]+)\s*(?:=.*)?$/s.exec(one)?.[1] ?? '') && !given.has(one));
  });
}

/** What a function gives back of its variables, each under its own name: `return { dir, git }`. */
function propertiesGiven(code: string, callee: string): ReadonlySet<string> {
  const [found, ...others] = scriptFunctions(code).filter(({ name }) => name === callee);
  const returns = Array.from(
    code.slice(found?.start ?? 0, found?.end ?? 0).matchAll(/\breturn\b\s*(?:\{([^{}]*)\})?/g),
  );
  const [[, list = ''] = []] = returns;
  const isOne = found !== undefined && others.length === 0 && returns.length === 1;
  return new Set(isOne ? list.split(',').map((one) => one.trim()) : []);
}
