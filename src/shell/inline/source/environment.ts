import { endOfExpression, writtenAt } from './arguments.ts';
import { bracketStep } from './brackets.ts';
import { codeOf, type SourceCode } from './code.ts';
import { tableHeldBy } from './tables.ts';

/** A variable that a program sets for what it starts, both as they are written. */
export interface EnvironmentEntry {
  /** An expression, `'HUSKY'` or `key`. Null: it is not told which variables are set, `{ ...more }`. */
  readonly name: string | null;
  readonly value: string;
  /** Where the table is written that has it, or is named; undefined where it is set by another way. */
  readonly at?: number;
  /** The variable that is given this table, if it is not the environment itself. */
  readonly heldBy?: string;
}

const open: EnvironmentEntry = { name: null, value: '' };

const maximumNames = 8;
const maximumDepth = 4;

/** What is surely called so: Python's, JavaScript's, and Perl's, Ruby's and PHP's. */
const own = String.raw`\b(?:process\s*\.\s*env|(?:os\s*\.\s*)?environ|_?ENV)`;

const isOwn = new RegExp(`^${own}`);

/** A copy of the environment, and what it is called. */
const copy =
  /(?<![\w.$])([A-Za-z_$][\w$]*)\s*=\s*(?:(?:os\s*\.\s*)?environ\s*\.\s*copy\(|dict\s*\(\s*(?:os\s*\.\s*)?environ\b|\{\s*(?:\*\*|\.\.\.)\s*(?:(?:os\s*\.\s*)?environ|process\.env)\b|Object\.assign\(\s*\{\s*\}\s*,\s*process\.env\b|structuredClone\(\s*process\.env\b|ENV\.to_h)/g;
/** What a call is given as the environment. */
const handed = /(?<![\w.$])env\s*[:=](?!=)\s*([A-Za-z_$][\w$]*)\s*(?=[,})\n;]|$)/g;

/**
 * Variables that a program sets for what it starts: `os.environ['X'] = '1'`, `process.env.X = 1`, `$ENV{X} = 1`,
 * `putenv('X=1')`, `env: { X: 1 }`, `{ …, **more }` and what is done to a table that is handed on as `env`.
 */
export function environmentEntries(program: SourceCode): readonly EnvironmentEntry[] {
  const { code } = program;
  const names = [...code.matchAll(copy), ...code.matchAll(handed)].map(([, name = '']) => name);
  const tables = [...new Set(names)].slice(0, maximumNames).map((name) => name.replaceAll('$', '\\$'));
  const environment = `(?:${[own, String.raw`\b\w{0,20}[eE]nv\w{0,20}`, ...tables.map((name) => `(?<![\\w$.])${name}`)].join('|')})`;
  return [
    ...elements(program, environment),
    ...slices(program),
    ...calls(program),
    ...wholeTables(program, environment),
  ];
}

/** `env.X = …`, `env['X'] = …`, `$ENV{X} = …` */
function elements({ source, code }: SourceCode, environment: string): readonly EnvironmentEntry[] {
  const element = new RegExp(
    String.raw`${environment}\s*(?:\[\s*(?<index>["']\w+["']|[A-Za-z_]\w*)\s*\]|\{\s*["']?(?<key>\w+)["']?\s*\}|\.\s*(?<member>\w+))\s*(?:\|\||\?\?|\/\/)?=(?![=>~])\s*`,
    'g',
  );
  return Array.from(source.matchAll(element))
    .filter(({ index }) => code[index] === source[index])
    .map(({ index: at, 0: whole, groups: { index, key, member } = {} }) => {
      const from = at + whole.length;
      return { name: index ?? JSON.stringify(key ?? member), value: source.slice(from, endOfValue(code, from)).trim() };
    });
}

/** Perl's `@ENV{qw(X Y)} = (1, 2)` */
function slices({ source, code }: SourceCode): readonly EnvironmentEntry[] {
  return Array.from(source.matchAll(/@ENV\s*\{([^{}]*)\}\s*=\s*\(?/g)).flatMap((match) => {
    const names = match[1]?.replace(/^\s*qw\b/, '').match(/\w+/g) ?? [];
    const values = writtenAt(source, code, match.index + match[0].length) ?? [];
    return names.map((name, at) => ({ name: JSON.stringify(name), value: (values[at] ?? '').trim() }));
  });
}

/** Where the value ends that begins there, before `if` and `unless` of Ruby and Perl. */
function endOfValue(code: string, from: number): number {
  let level = 0;
  let end = from;
  for (; end < code.length && level >= 0 && !(level === 0 && /[,;\n]/.test(code.charAt(end))); end += 1) {
    level += bracketStep(code.charAt(end));
  }
  const value = code.slice(from, level < 0 ? end - 1 : end);
  const condition = /\belse\b/.test(value) ? -1 : value.search(/\s(?:if|unless)\s/);
  return from + (condition < 0 ? value.length : condition);
}

/** `putenv('X=1')`, `os.putenv('X', '1')`, `environ.setdefault('X', '1')`, `ENV.store('X', '1')` */
function calls({ source, code }: SourceCode): readonly EnvironmentEntry[] {
  return Array.from(code.matchAll(/\b(?:putenv|setdefault|ENV\s*\.\s*store)\s*\(/g)).flatMap((match) => {
    const [name = '', value] = writtenAt(source, code, match.index + match[0].length) ?? [];
    const [, quote = '', key, rest] = /^\s*(["'])(\w+)=([\s\S]*)$/.exec(name) ?? [];
    return value !== undefined
      ? { name: name.trim(), value: value.trim() }
      : key === undefined
        ? []
        : { name: JSON.stringify(key), value: `${quote}${rest}`.trim() };
  });
}

/** `env: {…}`, `environ |= {…}`, `environ.update(…)`, `Object.assign(process.env, …)`, Perl's `%ENV = (…)` */
function wholeTables(program: SourceCode, environment: string): readonly EnvironmentEntry[] {
  const { source, code } = program;
  const given = new RegExp(
    String.raw`(?<![\w$.])env\s*:\s*|${environment}\s*(?::\s*[\w<>, ]+)?\|?=(?![=>~])\s*|(?=\{\s*(?:\*\*|\.\.\.)\s*${own}\b)`,
    'g',
  );
  const changed = new RegExp(
    String.raw`${environment}\s*\.\s*(?:to_h\s*\.\s*)?(?:update|merge!?|replace)\s*\(|\bObject\s*\.\s*assign\s*\(\s*(?=${environment})`,
    'g',
  );
  const tables = Array.from(code.matchAll(given)).flatMap((match) => {
    const from = match.index + match[0].length;
    const end = endOfValue(code, from);
    const entries = entriesOf(source.slice(from, end), program, maximumDepth);
    const before = code.slice(Math.max(0, from - 80), from);
    // An argument by its name is no variable: `partial(run, env={…})`.
    const isArgument = /^\s*[,)\]]/.test(code.slice(end));
    const [, held] = (isArgument ? null : /(?:^|[\s;])([A-Za-z_$][\w$]*)\s*(?::[^=\n]*)?=\s*$/.exec(before)) ?? [];
    const heldBy = held === undefined || isOwn.test(held) ? {} : { heldBy: held };
    return entries.map((one) => ({ ...one, at: from, ...heldBy }));
  });
  const parts = Array.from(code.matchAll(changed)).flatMap((match) =>
    (writtenAt(source, code, match.index + match[0].length) ?? []).map((part) => part.trim()),
  );
  return [...tables, ...parts.flatMap((part) => entryOf(part, program, maximumDepth)), ...hashes(program)];
}

/** Ruby's: `system({ 'X' => '1' }, 'git push')` */
function hashes(program: SourceCode): readonly EnvironmentEntry[] {
  const { source, code } = program;
  return Array.from(code.matchAll(/\b(?:system|spawn|exec|popen\w*|capture\w*|pipeline\w*)\s*\(?\s*(?=\{)/g)).flatMap(
    (match) => {
      const from = match.index + match[0].length;
      const entries = entriesOf(source.slice(from, endOfExpression(code, from)), program, 1);
      return entries.map((one) => ({ ...one, at: from }));
    },
  );
}

/** A table as it is written, or what makes one of others. */
function entriesOf(written: string, program: SourceCode, depth: number): readonly EnvironmentEntry[] {
  const text = written.trim();
  if (depth === 0 || text === '' || unchanged.test(text)) {
    return depth === 0 ? [open] : [];
  }
  if (/^[A-Za-z_$][\w$]*$/.test(text)) {
    // A parameter that has none by default is given some.
    const isParameter = new RegExp(`[(,]\\s*${text.replaceAll('$', '\\$')}\\s*=\\s*\\{\\s*\\}`).test(program.code);
    const held = isParameter ? null : tableHeldBy(text, program);
    return held?.kind === 'other' ? entriesOf(held.written, program, depth - 1) : [open];
  }
  const code = codeOf(text, false);
  const operands = alternatives(text, code);
  if (operands.length > 1) {
    return operands.flatMap((operand) => entriesOf(operand, program, depth - 1));
  }
  const bracket = /^(?:\{|(?:dict|Object\s*\.\s*assign|structuredClone|[\w.]+\s*\.\s*merge)?\s*\()/.exec(text)?.[0]
    .length;
  const parts = bracket === undefined || isComprehension.test(code) ? null : writtenAt(text, code, bracket);
  return parts?.flatMap((part) => entryOf(part.trim(), program, depth - 1)) ?? [open];
}

/** The environment as it is, or nothing at all. */
const unchanged = new RegExp(
  String.raw`^(?:${own}(?:\s*\.\s*(?:copy|to_h)\s*(?:\(\s*\))?)?|\{\s*\}|None|null|undefined|nil|true|false)$|^%ENV$`,
);
/** `{k: v for k, v in …}` */
const isComprehension = /\bfor\b[\s\S]*\bin\b/;

const entry =
  /^(?:(?<quoted>["'][^"'\\\n]*["'])|\[\s*(?<computed>[^\]\n]*?)\s*\]|(?<plain>[A-Za-z_]\w*))\s*(?::|=>|=(?!=))\s*(?<value>[\s\S]*)$/;

function entryOf(part: string, program: SourceCode, depth: number): readonly EnvironmentEntry[] {
  const { quoted, computed, plain, value } = entry.exec(part)?.groups ?? {};
  if (value !== undefined) {
    return [{ name: quoted ?? computed ?? JSON.stringify(plain), value: value.trim() }];
  }
  const [, spread, other = part] = /^(\*\*|\.{3})\s*([\s\S]*)$/.exec(part) ?? [];
  const isName = spread === undefined && /^[A-Z_][A-Z0-9_]*$/.test(other);
  return isName ? [{ name: JSON.stringify(other), value: other }] : entriesOf(other, program, depth);
}

/** `environ | {…}`, `given || {…}`, `ci && {…}`, `ci ? {…} : {}`, `{…} if ci else {}`: what stands on the sides. */
function alternatives(text: string, code: string): readonly string[] {
  const sides: string[] = [];
  let level = 0;
  let start = 0;
  for (const { index, 0: found } of code.matchAll(/[([{}\])]|\|\|?|&&|\?\??|:|\b(?:if|else|or|and)\b/g)) {
    level += bracketStep(found);
    if (level === 0 && bracketStep(found) === 0) {
      sides.push(text.slice(start, index));
      start = index + found.length;
    }
  }
  // What is only asked for makes no table.
  return [...sides, text.slice(start)].filter(
    (side) => sides.length === 0 || /[{(]|^\s*[A-Za-z_$][\w$.]*\s*$/.test(side),
  );
}
