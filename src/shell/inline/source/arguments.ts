import { openPart } from '../../simple-command.ts';
import type { OpenText, SourceArgument } from './argument.ts';
import { bracketStep } from './brackets.ts';
import { isChoice } from './choices.ts';
import { codeOf } from './code.ts';
import { joinedByText, withMethods, withoutEmpty } from './lists.ts';
import { type Interpolation, readLiteral, unescaped } from './literal.ts';
import { sameItemsIn } from './same-items.ts';
import { partsOf, splitIn } from './splits.ts';
import { formattedText, type ReadExpression } from './templates.ts';

/** The arguments of a call whose opening bracket ends before `start`; null where its end is not there. */
export function argumentsAt(
  source: string,
  code: string,
  start: number,
  interpolation: Interpolation,
): readonly SourceArgument[] | null {
  return writtenAt(source, code, start)?.flatMap((written) => readItems(written, interpolation)) ?? null;
}

/** The same, as they are written. */
export function writtenAt(source: string, code: string, start: number): readonly string[] | null {
  return (
    separators(code, start)
      ?.map((end, at, ends) => source.slice(at === 0 ? start : (ends[at - 1] ?? start) + 1, end))
      .filter((written) => written.trim() !== '') ?? null
  );
}

/** `...['a', 'b']`, `*"a b".split()`: as many as are written there. */
function readItems(written: string, interpolation: Interpolation): readonly SourceArgument[] {
  const spread = /^\s*(?:\*(?!\*)|\.\.\.)\s*(?=["'`[(\w])/.exec(written);
  const items = spread === null ? null : readArgument(written.slice(spread[0].length), interpolation);
  return items?.kind === 'list' ? items.items : [readArgument(written, interpolation)];
}

/** Where an argument ends: at a comma, or a closing bracket. */
export function endOfExpression(code: string, start: number): number {
  return separators(code, start)?.[0] ?? code.length;
}

/** Where the commas of a bracket's content stand, and last its closing bracket. */
function separators(code: string, start: number): readonly number[] | null {
  const found: number[] = [];
  let level = 0;
  for (let index = start; index < code.length; index += 1) {
    const character = code.charAt(index);
    if (level === 0 && /[)\]},]/.test(character)) {
      found.push(index);
      if (character !== ',') {
        return found;
      }
    }
    level += bracketStep(character);
  }
  return null;
}

/** How a program names the one that runs it. */
const interpreters: Readonly<Record<string, string>> = {
  'sys.executable': 'python3',
  'process.execPath': 'node',
  'process.argv[0]': 'node',
};

/** One expression: a string, a list, a name; everything else is `other`. */
export function readArgument(written: string, interpolation: Interpolation): SourceArgument {
  const text = written.trim();
  const summands = summandsOf(text);
  if (summands.length > 1 && isChoice(text)) {
    return { kind: 'other', written: text };
  }
  if (summands.length > 1) {
    return joined(
      summands.map((summand) => readArgument(summand, interpolation)),
      text,
    );
  }
  if (/^-?\d+$/.test(text)) {
    return { kind: 'text', text: [text] };
  }
  const read = (part: string) => readArgument(part, interpolation);
  const made = formattedText(text, read) ?? joinedByText(text, read) ?? sameItems(text, read) ?? lengthened(text, read);
  if (made !== null) {
    return made;
  }
  const [, spread = '', rest = text] = /^(\*|\.\.\.)(?=\w)([\s\S]*)$/.exec(text) ?? [];
  const split = splitIn(rest);
  if (split !== null) {
    const whole = read(split.of);
    return takenApart(whole, split.separator, spread !== '') ?? { kind: 'other', written: text };
  }
  if (/^[A-Za-z_$][\w$]*$/.test(rest)) {
    return { kind: 'name', name: rest, isSpread: spread !== '' };
  }
  const interpreter = interpreters[text];
  if (interpreter !== undefined) {
    return { kind: 'text', text: [interpreter] };
  }
  const [, converted] = /^(?:str|String)\(\s*([\w$.]+)\s*\)$/.exec(text) ?? [];
  if (converted !== undefined) {
    return { kind: 'text', text: [{ expression: converted }] };
  }
  return /^[[(]/.test(text) ? readBracket(text, interpolation) : readText(text, interpolation);
}

/** `list(args)`, `args.map(String)`: as `[*args]`; null for everything else. */
function sameItems(text: string, read: ReadExpression): SourceArgument | null {
  const same = sameItemsIn(text);
  const items = same === null ? null : read(same.of);
  if (items?.kind === 'name') {
    const several = { ...items, isSpread: true };
    const whole: Extract<SourceArgument, { kind: 'list' }> = { kind: 'list', items: [several] };
    return same?.withoutEmpty === true ? withoutEmpty(whole) : whole;
  }
  return items?.kind !== 'list' ? null : same?.withoutEmpty === true ? withoutEmpty(items) : items;
}

/** `base.concat(['status'])`, as `[...base].concat(['status'])`; `args.join(' ')`; null for everything else. */
function lengthened(text: string, read: ReadExpression): SourceArgument | null {
  const [, name] = /^([\w$]+)\s*\.\s*(?:concat|filter|join|map|flat|slice)\s*\(/.exec(text) ?? [];
  return name === undefined
    ? null
    : withMethods({ kind: 'list', items: [{ kind: 'name', name, isSpread: true }] }, text.slice(name.length), read);
}

/** What becomes of an argument whose text is taken apart; null where that can't be told. */
export function takenApart(
  argument: SourceArgument,
  separator: RegExp | undefined,
  isSpread: boolean,
): Extract<SourceArgument, { kind: 'list' | 'name' }> | null {
  switch (argument.kind) {
    case 'text':
      return separator === undefined || isSpread
        ? null
        : {
            kind: 'list',
            items: partsOf(argument.text, separator).map((text) => ({ kind: 'text', text })),
            text: argument.text,
          };
    case 'name':
      return { ...argument, isSpread, ...(separator === undefined ? {} : { separator }) };
    default:
      return null;
  }
}

/** Brackets in brackets, each of which would be read through once more. */
const tooDeep = /^(?:[[(]\s*){12}/;

/** A list, Python's tuples among them, or an expression in brackets. */
function readBracket(text: string, interpolation: Interpolation): SourceArgument {
  if (tooDeep.test(text)) {
    return { kind: 'other', written: text };
  }
  const code = codeOf(text, false);
  const ends = separators(code, 1);
  const close = ends?.at(-1) ?? text.length;
  if (close < text.length - 1) {
    const read = (part: string) => readArgument(part, interpolation);
    const list = readBracket(text.slice(0, close + 1), interpolation);
    return withMethods(list, text.slice(close + 1), read) ?? { kind: 'other', written: text };
  }
  const isWhole = close === text.length - 1 && !isComprehension(code);
  const items = isWhole ? argumentsAt(text, code, 1, interpolation) : null;
  const [only] = items ?? [];
  if (items === null) {
    return { kind: 'other', written: text };
  }
  return text.startsWith('(') && ends?.length === 1 && only !== undefined ? only : { kind: 'list', items };
}

/** `[path for path in paths]`: what it makes are not the items that are written there. */
function isComprehension(code: string): boolean {
  let outer = '';
  let level = 0;
  for (const character of code.slice(1, -1)) {
    const step = bracketStep(character);
    outer += level === 0 && step === 0 ? character : '';
    level += step;
  }
  return /\bfor\b[\s\S]*\bin\b/.test(outer);
}

function readText(text: string, interpolation: Interpolation): SourceArgument {
  const literal = readLiteral(text, 0, interpolation);
  if (literal?.kind !== 'string' || text.slice(literal.end).trim() !== '') {
    return { kind: 'other', written: text };
  }
  if (literal.value !== null) {
    return { kind: 'text', text: [literal.value] };
  }
  const [, prefix = '', quote = ''] = /^([rRbBuUfF]*)("""|'''|"|'|`)/.exec(text) ?? [];
  const body = text.slice(prefix.length + quote.length, literal.end - quote.length);
  if (quote !== '`' && !/f/i.test(prefix)) {
    return { kind: 'text', text: withOpen(/r/i.test(prefix) ? body : unescaped(body)) };
  }
  const parts = quote === '`' ? body.split(insertedInTemplate) : formattedParts(body);
  const shape = parts.map((part, at) => (at % 2 === 1 ? openPart : part)).join('');
  return /[{}\\]/.test(shape.replace(bracesOfGit, ''))
    ? { kind: 'other', written: text }
    : {
        kind: 'text',
        text: parts.flatMap((part, at) => (at % 2 === 1 ? { expression: part.trim() } : withOpen(part))),
      };
}

const insertedInTemplate = /\$\{([^{}]*)\}/g;
/** `stash@{1}`, `@{u}`, `v1^{commit}`: braces of a revision, with what is put into them. */
const bracesOfGit = /(?<!\$)[@^]\{[^{},\\$]*\}/g;

/** Parts of a formatted text, of which each other one is what is put in; `{{` is a brace. */
function formattedParts(body: string): readonly string[] {
  const parts = [''];
  let from = 0;
  for (const { index, 0: found, 1: expression } of body.matchAll(/\{\{|\}\}|\{([^{}]*)\}/g)) {
    const before = (parts.pop() ?? '') + body.slice(from, index);
    parts.push(...(expression === undefined ? [before + found.charAt(0)] : [before, expression, '']));
    from = index + found.length;
  }
  return [...parts.slice(0, -1), (parts.at(-1) ?? '') + body.slice(from)];
}

/** A literal of a program of which not all is known. */
function withOpen(text: string): OpenText {
  return text.split(openPart).flatMap((part, at) => (at === 0 ? [part] : [{ expression: 'a value' }, part]));
}

/** `["git"] + args`, `'git log ' + name`: what stands between the plus signs outside of brackets and strings. */
function summandsOf(text: string): readonly string[] {
  const code = text.includes('+') ? codeOf(text, false) : '';
  const summands: string[] = [];
  let level = 0;
  let start = 0;
  for (let index = 0; index < code.length; index += 1) {
    const character = code.charAt(index);
    level += bracketStep(character);
    if (level === 0 && character === '+') {
      summands.push(text.slice(start, index));
      start = index + 1;
    }
  }
  return [...summands, text.slice(start)];
}

function expressionOf(summand: SourceArgument, written: string): string {
  return summand.kind === 'name' ? summand.name : summand.kind === 'other' ? summand.written : written;
}

/** Lists make a list, of which a name is a part; texts make a text. */
function joined(summands: readonly SourceArgument[], written: string): SourceArgument {
  if (summands.some(({ kind }) => kind === 'list') && !summands.some(({ kind }) => kind === 'text')) {
    return {
      kind: 'list',
      items: summands.flatMap((summand): readonly SourceArgument[] =>
        summand.kind === 'list'
          ? summand.items
          : [
              summand.kind === 'name'
                ? { ...summand, isSpread: true }
                : { kind: 'name', name: written, isSpread: true },
            ],
      ),
    };
  }
  return summands.some(({ kind }) => kind === 'text')
    ? {
        kind: 'text',
        text: summands.flatMap((summand) =>
          summand.kind === 'text' ? summand.text : [{ expression: expressionOf(summand, written) }],
        ),
      }
    : { kind: 'other', written };
}
