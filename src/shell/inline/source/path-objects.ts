import { writtenAt } from './arguments.ts';
import { endOfBracket } from './brackets.ts';
import { codeOf, stringsOf } from './code.ts';
import { withConstants } from './constants.ts';

/** Names that hold paths may be given to others; so often at most. */
const rounds = 4;
/** No program gives so many paths a name. */
const maximumNames = 50;
/** More items than this are not written out. */
const maximumItems = 100;

/** Methods that only a path has, and those that texts and modules have as well. */
const ownMethods = 'unlink|rmdir|write_text|write_bytes|read_text|chmod';
const sharedMethods = 'rename|replace|open';

const path = String.raw`(?:pathlib\s*\.\s*)?Path\s*\(`;
const name = '[A-Za-z_]\\w*';
const literal = /^[rRbBuUfF]{0,2}(?:"[^"\n\\']*"|'[^'\n\\"]*')/;
const member = new RegExp(`^${name}(?:\\.${name})*(?![\\w.]|[ \\t]*[([])`);
const converted = new RegExp(`^(?:str|os\\s*\\.\\s*fspath)\\(\\s*(${name})\\s*\\)`);

/** What an expression is as the body of a formatted text: `.git/{name}`. */
interface Read {
  readonly body: string;
  readonly end: number;
}

interface Program {
  readonly source: string;
  readonly code: string;
}

/**
 * The source of a program in Python with the objects of pathlib as the texts that they stand for: `p = Path('..') / name`
 * becomes `p = f'../{name}'`, and `p.unlink()` becomes `Path(p).unlink()`. So a path is followed as any text is, through
 * loops and functions. Positions change.
 */
export function withPathObjects(source: string): string {
  if (!/\bPath\b/.test(source)) {
    return source;
  }
  const names = new Set<string>();
  let written = source;
  for (let round = 0; round < rounds; round += 1) {
    const before = written;
    written = withConstants(withReceivers(withTexts(written, names), names), true);
    if (written === before) {
      break;
    }
  }
  return withItems(written);
}

function withTexts(source: string, names: Set<string>): string {
  const program = { source, code: codeOf(source, true) };
  for (const found of namesGiven(program, names)) {
    names.add(found);
  }
  const held = [...names].slice(0, maximumNames);
  const starts = new RegExp(
    `(?<![\\w.])(?:${path}${held.length === 0 ? '' : `|(?:${held.join('|')})(?=\\s*(?:/(?![/=])|\\.\\s*(?:parent\\b|(?:joinpath|resolve|absolute|expanduser)\\s*\\()))`})`,
    'g',
  );
  return replacedInCode(program, starts, ({ index }) => {
    const read = pathAt(program, index, names);
    const isObject = read !== null && /^\s*\./.test(program.code.slice(read.end, read.end + 80));
    return read === null ? null : { text: isObject ? `Path(${textOf(read.body)})` : textOf(read.body), end: read.end };
  });
}

/** Names that are given paths, or go through some. */
function namesGiven(program: Program, names: ReadonlySet<string>): readonly string[] {
  const given = program.code.matchAll(
    new RegExp(`(?<=^|[\\n;{(,])[ \\t]*(${name})[ \\t]*(?::[^=\\n]{1,40})?=[ \\t]*(?=[A-Za-z_])`, 'g'),
  );
  const walked = program.code.matchAll(new RegExp(`\\bfor\\s+(${name})\\s+in\\s+[[(]\\s*(?=${path})`, 'g'));
  const taken = program.code.matchAll(new RegExp(`[(,]\\s*(${name})\\s*:\\s*(?:pathlib\\.)?Path\\b`, 'g'));
  return [
    ...[...given, ...walked].flatMap((match) =>
      pathAt(program, match.index + match[0].length, names) === null ? [] : (match[1] ?? []),
    ),
    ...Array.from(taken, ([, one = '']) => one),
  ];
}

/** A path where it begins, with what is put behind it; null where it can't be read. */
function pathAt(program: Program, start: number, names: ReadonlySet<string>): Read | null {
  let read = operandAt(program, start, names);
  while (read !== null) {
    const next = stepAt(program, read, names);
    if (next === null || next.end === read.end) {
      return next;
    }
    read = next;
  }
  return null;
}

function operandAt(program: Program, start: number, names: ReadonlySet<string>): Read | null {
  const { source, code } = program;
  const call = new RegExp(`^${path}`).exec(code.slice(start, start + 80))?.[0];
  if (call !== undefined) {
    const body = joinedArguments(program, start + call.length, names);
    return body === null ? null : { body: body === '' ? '.' : body, end: endOfBracket(code, start + call.length) + 1 };
  }
  const own = new RegExp(`^${name}`).exec(source.slice(start, start + 80))?.[0];
  return own === undefined || !names.has(own) ? null : { body: `{${own}}`, end: start + own.length };
}

/** The path with the next part, or as it is where none follows; null where that can't be read. */
function stepAt(program: Program, read: Read, names: ReadonlySet<string>): Read | null {
  const rest = program.code.slice(read.end, read.end + 80);
  const sign = /^\s*\/(?![/=])\s*/.exec(rest)?.[0];
  if (sign !== undefined) {
    const part = partAt(program, read.end + sign.length, names);
    return part === null ? null : { body: joined([read.body, part.body]), end: part.end };
  }
  const above = /^\s*\.\s*parent\b/.exec(rest)?.[0];
  if (above !== undefined) {
    return { body: read.body === '.' ? '..' : `${read.body}/..`, end: read.end + above.length };
  }
  const [whole, method] = /^\s*\.\s*(joinpath|resolve|absolute|expanduser)\s*\(/.exec(rest) ?? [];
  if (whole === undefined) {
    return read;
  }
  const body = joinedArguments(program, read.end + whole.length, names);
  const end = endOfBracket(program.code, read.end + whole.length) + 1;
  return body === null ? null : { body: method === 'joinpath' ? joined([read.body, body]) : read.body, end };
}

function joinedArguments(program: Program, start: number, names: ReadonlySet<string>): string | null {
  const given = writtenAt(program.source, program.code, start)?.map((written) => bodyOf(written.trim(), names)) ?? [
    null,
  ];
  const known = given.filter((body) => body !== null);
  return known.length < given.length ? null : joined(known);
}

/** What an expression is that is a part of a path. */
function bodyOf(written: string, names: ReadonlySet<string>): string | null {
  const program = { source: written, code: codeOf(written, true) };
  const part = pathAt(program, 0, names) ?? partAt(program, 0, names);
  return part === null || part.end < written.length ? null : part.body;
}

function partAt(program: Program, start: number, names: ReadonlySet<string>): Read | null {
  const rest = program.source.slice(start, start + 400);
  const text = literal.exec(rest)?.[0];
  if (text !== undefined) {
    const [, prefix = '', body = ''] = /^(\w*)["']([\s\S]*)["']$/.exec(text) ?? [];
    const isFormatted = /f/i.test(prefix);
    const isReadable = isFormatted ? /^(?:[^{}]|\{[^{}!:]*\})*$/.test(body) : !/[{}]/.test(body);
    return isReadable ? { body, end: start + text.length } : null;
  }
  const [whole, inner] = converted.exec(rest) ?? [];
  if (whole !== undefined) {
    return { body: `{${inner}}`, end: start + whole.length };
  }
  const called = new RegExp(`^${path}`).test(rest) ? operandAt(program, start, names) : null;
  const named = member.exec(rest)?.[0];
  return called ?? (named === undefined ? null : { body: `{${named}}`, end: start + named.length });
}

/** Parts with slashes between them; an absolute one makes those before it go. */
function joined(parts: readonly string[]): string {
  const from = parts.findLastIndex((part) => part.startsWith('/'));
  return parts.slice(Math.max(0, from)).join('/');
}

/** The body as an expression. */
function textOf(body: string): string {
  const [, only] = /^\{([^{}]*)\}$/.exec(body) ?? [];
  return only ?? (body.includes('{') ? `f'${body}'` : `'${body}'`);
}

/** `p.unlink()`, `(f'.git/{n}').unlink()`, `rmtree(str(p))`: as methods of a path that is made there, and its text. */
function withReceivers(source: string, names: ReadonlySet<string>): string {
  const held = [...names].slice(0, maximumNames).join('|');
  const program = { source, code: codeOf(source, true) };
  const own = `(?!(?:os|shutil|sys|pathlib)\\b)(?<own>${name})(?=\\s*\\.\\s*(?:${ownMethods})\\s*\\()`;
  const shared = `(?<shared>${held === '' ? '(?!)' : held})(?=\\s*\\.\\s*(?:${sharedMethods})\\s*\\()`;
  const asText = `(?:str|os\\s*\\.\\s*fspath)\\(\\s*(?<text>${held === '' ? '(?!)' : held})\\s*\\)`;
  const inBrackets = `(?=\\()(?<![\\w)\\]]\\s*)\\((?=[^()\\n]*\\)\\s*\\.\\s*(?:${ownMethods}|${sharedMethods})\\s*\\()`;
  return replacedInCode(
    program,
    new RegExp(`(?<![\\w.])(?:${own}|${shared}|${asText})|${inBrackets}`, 'g'),
    (match) => {
      const { 0: whole, index, groups = {} } = match;
      const object = groups.own ?? groups.shared;
      if (object !== undefined || groups.text !== undefined) {
        return { text: object === undefined ? (groups.text ?? '') : `Path(${object})`, end: index + whole.length };
      }
      const end = endOfBracket(program.code, index + 1);
      const inner = source.slice(index + 1, end).trim();
      return literal.exec(inner)?.[0] === inner ? { text: `Path(${inner})`, end: end + 1 } : null;
    },
  );
}

const listed = String.raw`[[(]\s*(?:(?:"[^"\n\\]*"|'[^'\n\\]*')\s*(?:,\s*)?)+[\])]`;
const comprehension = new RegExp(
  String.raw`(?=[A-Za-z_])(?<![\w.])(?<=[[(]\s*)(?<made>f'[^'\n]*'|${name})\s+for\s+(?<each>${name})\s+in\s+(?<of>${listed}|${name})(?:\s+if\s+[^\n\])]*(?:\([^()\n]*\))*)?\s*(?=[\])])`,
  'g',
);

/** `[f'../{n}' for n in ('a', 'b')]`: the items that it makes. */
function withItems(source: string): string {
  return source.replace(comprehension, (whole, ...rest) => {
    const { made = '', each = '', of = '' }: Readonly<Record<string, string>> = rest.at(-1);
    const list = /^\w/.test(of) ? listHeldBy(of, source) : of;
    const items = Array.from(list?.matchAll(/"([^"\n]*)"|'([^'\n]*)'/g) ?? [], ([, a, b]) => a ?? b ?? '');
    const body = made === each ? `{${each}}` : made.startsWith('f') ? made.slice(2, -1) : '';
    const isMade = new RegExp(`\\{${each}\\}`).test(body) && body.replaceAll(`{${each}}`, '').search(/[{}]/) < 0;
    return !isMade || items.length === 0 || items.length > maximumItems || /[\\{}']/.test(items.join(''))
      ? whole
      : items.map((item) => `'${body.replaceAll(`{${each}}`, item)}'`).join(', ');
  });
}

/** The list of texts that a variable is given once. */
function listHeldBy(variable: string, source: string): string | null {
  const all = Array.from(source.matchAll(new RegExp(`(?<![\\w.])${variable}\\s*(?:[-+|]?=(?!=)|\\.\\s*\\w+\\()`, 'g')));
  const [only] = all;
  const rest = only === undefined || all.length > 1 ? '' : source.slice(only.index + only[0].length);
  return new RegExp(`^\\s*(${listed})\\s*(?=[\\n;#]|$)`).exec(rest)?.[1] ?? null;
}

/** @param replacement what stands in the place of a match, up to an end; null: it stays */
function replacedInCode(
  { source, code }: Program,
  pattern: RegExp,
  replacement: (
    match: RegExpMatchArray & { readonly index: number },
  ) => { readonly text: string; readonly end: number } | null,
): string {
  const strings = stringsOf(source, true);
  let written = '';
  let from = 0;
  for (const match of code.matchAll(pattern)) {
    const { index } = match;
    const isText = index < from || strings.some(({ start, end }) => start < index && index < end);
    const replaced = isText ? null : replacement(match);
    if (replaced !== null) {
      written += source.slice(from, index) + replaced.text;
      from = replaced.end;
    }
  }
  return written + source.slice(from);
}
