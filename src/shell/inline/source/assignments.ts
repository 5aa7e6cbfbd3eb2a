import type { SourceArgument } from './argument.ts';
import { argumentsAt, endOfExpression, readArgument } from './arguments.ts';
import { bracketAround, bracketStep } from './brackets.ts';
import type { SourceCode } from './code.ts';
import { wholeText } from './command.ts';
import { endOfBody } from './functions.ts';
import { readLiteral } from './literal.ts';

/** A statement by which a variable gets another value. */
export interface Assignment {
  readonly index: number;
  /**
   * What the variable holds then, in which its own name stands for what it held before; null where that can't be told.
   */
  readonly value: SourceArgument | null;
  /** By another value, rather than in what the variable holds: `cmd.pop()`. */
  readonly isAnother: boolean;
  /** It comes as surely as what follows; otherwise the variable may have kept its value. */
  readonly isSure: boolean;
}

/** Where and how a variable is changed. */
export interface Change {
  readonly index: number;
  /** `=`, `+=`, `append`; anything else that changes it is not followed. */
  readonly by: string;
  /** Where the new value begins, or what a method is given. */
  readonly from: number;
}

const methods = 'append|extend|insert|push|unshift|splice|pop|shift|remove|clear|sort|reverse|fill';

/** Where a variable is changed, in their order; not what a call is given by that name: `run(cwd=place)`. */
export function changesIn(name: string, code: string): readonly Change[] {
  const own = `(?<![\\w$.])${name.replaceAll('$', '\\$')}(?![\\w$])`;
  const annotation = '(?:[ \\t]*:[^=\\n()]{1,60})?';
  const change = new RegExp(
    `${own}(?:${annotation}\\s*(?<by>[-+*/|&%?]{0,2}=)(?![=>])|\\s*(?<member>\\[[^\\n=]*\\]\\s*[-+*/|&]?=(?!=))|\\s*\\.\\s*(?<method>${methods})\\s*\\(|(?<others>(?:(?:\\s*,\\s*[\\w$*.]+)+\\s*\\]?|\\s*\\])\\s*=(?![=>])))`,
    'g',
  );
  return Array.from(code.matchAll(change), ({ 0: whole, index, groups }) => ({
    index,
    by: groups?.by ?? groups?.method ?? 'other',
    from: index + whole.length,
    isGiven: groups?.method === undefined && groups?.member === undefined && isGiven(index, code),
  })).filter(({ isGiven }) => !isGiven);
}

/** Stands it in what a function is given, or takes: `cwd=place`, `(words, cwd = '.')`, `({ cwd = '.' })`? */
function isGiven(index: number, code: string): boolean {
  const open = bracketAround(code, index);
  const isTaken = /^[[{]$/.test(code[open] ?? '') && /[(,]\s*$/.test(code.slice(Math.max(0, open - 40), open));
  return code[open] === '(' || isTaken;
}

/** How a variable has got the value that it has at a position; null where nothing gives it one between. */
export function assignmentBefore(
  name: string,
  changes: readonly Change[],
  position: number,
  read: SourceCode,
): Assignment | null {
  const change = changes.findLast(({ index, from }) => index < position && from <= position);
  if (change === undefined) {
    return null;
  }
  const { index } = change;
  const isAnother = change.by.endsWith('=');
  const around = blocksBetween(read.code, index, position).filter((head) => !entered.test(head));
  const loop = around.length === 1 ? loopOver(around[0] ?? '', index, read) : null;
  const isKnown = loop !== null || around.every((head) => conditional.test(head));
  const value = isKnown ? valueAfter(name, change, read) : null;
  return loop === null || value === null
    ? { index, value, isAnother, isSure: around.length === 0 || value === null }
    : { index: read.code.lastIndexOf(around[0] ?? '', index), isAnother, ...repeated(value, loop) };
}

const loops = /\b(?:for|while|do)\b|\.\s*(?:forEach|map|flatMap|filter|reduce|some|every)\s*\(/;

/** Where the outermost loop ends that a position stands in; null where it stands in none. */
export function endOfLoops(code: string, position: number): number | null {
  let end: number | null = null;
  const line = code.lastIndexOf('\n', position - 1) + 1;
  if (loops.test(code.slice(line, position))) {
    end = endOfBody(code, position);
  }
  for (let open = bracketAround(code, position); open >= 0; open = bracketAround(code, open)) {
    end = code[open] === '{' && loops.test(headBefore(code, open)) ? endOfBody(code, open) : end;
  }
  let depth = depthOf(code.slice(line, position));
  for (const head of linesAbove(code, line)) {
    if (depthOf(head) < depth) {
      depth = depthOf(head);
      const out = new RegExp(`\\n[ \\t]{0,${depth}}(?=[^\\s)\\]}])`).exec(code.slice(position));
      end = /^\s*(?:async\s+)?(?:for|while)\b/.test(head) ? position + (out?.index ?? code.length) : end;
    }
    if (depth === 0) {
      break;
    }
  }
  return end;
}

/** A block that surely comes. */
const entered = /^\s*with\s+open\s*\(/;

/** What may come, or not, but never several times. */
const conditional = /^\s*(?:\}?\s*(?:if|else|elif|try|except|finally|with|catch|case|default)\b)/;

/** `for a in args:`, `for (const a of args)`, of which nothing but the change is the body. */
interface OnlyLoop {
  readonly each: string;
  readonly of: SourceArgument;
}

const loopHead =
  /^\s*for\s+(?<each>\w+)\s+in\s+(?<of>[^\n]+?)\s*:\s*$|^\s*for\s*\(\s*(?:const|let|var)\s+(?<one>[\w$]+)\s+of\s+(?<list>[^\n]+?)\s*\)\s*\{?\s*$/;

function loopOver(head: string, index: number, { code, interpolation }: SourceCode): OnlyLoop | null {
  const { each, of, one, list } = loopHead.exec(head)?.groups ?? {};
  const before = code.slice(0, index).trimEnd();
  const isFirst = before.endsWith(head.trimEnd());
  const written = of ?? list;
  return !isFirst || written === undefined
    ? null
    : { each: each ?? one ?? '', of: readArgument(written, interpolation) };
}

/** `cmd.append(a)` for each of a list: all of its items are added. */
function repeated(value: SourceArgument, { each, of }: OnlyLoop): Pick<Assignment, 'value' | 'isSure'> {
  const last = value.kind === 'list' ? value.items.at(-1) : undefined;
  const isItem =
    value.kind === 'list' && value.items.length === 2 && last?.kind === 'name' && last.name === each && !last.isSpread;
  const items = itemsOf(of);
  return {
    value: isItem && items !== null ? { kind: 'list', items: [...value.items.slice(0, 1), ...items] } : null,
    isSure: true,
  };
}

function valueAfter(name: string, { by, from }: Change, read: SourceCode): SourceArgument | null {
  if (/=$/.test(by)) {
    const value = by === '=' || by === '+=' ? expressionAt(from, read) : null;
    return by === '=' || value === null ? value : sumOf(name, value);
  }
  const given = lengthens.test(by) ? argumentsAt(read.source, read.code, from, read.interpolation) : null;
  return given === null || given.length === 0 ? null : longerBy(by, given, { kind: 'name', name, isSpread: true });
}

const lengthens = /^(?:append|extend|push|unshift|insert)$/;

/** `cmd += ['--stat']`, `line += ' --stat'` */
function sumOf(name: string, added: SourceArgument): SourceArgument | null {
  if (added.kind === 'text') {
    return { kind: 'text', text: [{ expression: name }, ...added.text] };
  }
  const items = itemsOf(added);
  return items === null ? null : { kind: 'list', items: [{ kind: 'name', name, isSpread: true }, ...items] };
}

/** What a method makes of a list. @param before what was in it */
function longerBy(by: string, given: readonly SourceArgument[], before: SourceArgument): SourceArgument | null {
  const [first, ...others] = given;
  switch (by) {
    case 'unshift':
      return { kind: 'list', items: [...given, before] };
    case 'insert':
      return wholeText(first) === '0' ? { kind: 'list', items: [...others, before] } : null;
    case 'extend': {
      const items = first === undefined ? null : itemsOf(first);
      return items === null ? null : { kind: 'list', items: [before, ...items] };
    }
    default:
      return { kind: 'list', items: [before, ...given] };
  }
}

function itemsOf(list: SourceArgument): readonly SourceArgument[] | null {
  return list.kind === 'list' ? list.items : list.kind === 'name' ? [{ ...list, isSpread: true }] : null;
}

/** The expression that ends with its statement; null where more may belong to it. */
function expressionAt(from: number, { source, code, interpolation }: SourceCode): SourceArgument | null {
  const start = from + (/^\s*/.exec(source.slice(from))?.[0].length ?? 0);
  // A text may have several lines.
  const text = readLiteral(source, start, interpolation);
  const behind = text?.kind === 'string' ? Math.max(start, text.end) : start;
  const comma = endOfExpression(code, behind);
  const body = endOfBody(code, behind);
  const last = code.charAt(body - 1);
  const isCut = /[;\n]/.test(last) || (/[)\]}]/.test(last) && !isClosedAt(code, start, body));
  const end = Math.min(comma, isCut ? body - 1 : body);
  const isTuple = code[comma] === ',' && comma < body && !/\b(?:const|let|var)\b[^;\n]*$/.test(code.slice(0, start));
  const goesOn = /^\s*(?:\.(?!\.)|[-+*/%?|&:<>=])/.test(code.slice(end + 1, end + 40));
  return isTuple || (code[end] === '\n' && goesOn) ? null : readArgument(source.slice(start, end), interpolation);
}

function isClosedAt(code: string, start: number, end: number): boolean {
  let level = 0;
  for (let index = start; index < end; index += 1) {
    level += bracketStep(code.charAt(index));
  }
  return level === 0;
}

/** The heads of blocks that end between two positions, so that what stands in them may not have come: `if quiet:`. */
function blocksBetween(code: string, first: number, second: number): readonly string[] {
  const heads: string[] = [];
  const line = code.lastIndexOf('\n', first - 1) + 1;
  const before = code.slice(line, first);
  const [, inline] = /^\s*((?:\}?\s*(?:if|else|elif|for|while|do|case|default)\b).*)$/.exec(before) ?? [];
  if (inline !== undefined && !/[{]\s*$/.test(inline)) {
    heads.push(inline);
  } else if (/(?:&&|\|\||\?)\s*$/.test(before)) {
    heads.push('if');
  }
  // Brackets that close before the second: JavaScript's blocks.
  let open = bracketAround(code, first);
  while (open >= 0 && closesBefore(code, open, second)) {
    heads.push(code[open] === '{' ? headBefore(code, open) : code.slice(open, open + 1));
    open = bracketAround(code, open);
  }
  // Lines that stand further out: Python's.
  if (heads.length === 0) {
    heads.push(...outerLines(code, line, first, second));
  }
  return heads;
}

function closesBefore(code: string, open: number, second: number): boolean {
  let level = 0;
  for (let index = open; index < second; index += 1) {
    level += bracketStep(code.charAt(index));
    if (level === 0) {
      return true;
    }
  }
  return false;
}

/** What stands before a block of JavaScript in its line. */
function headBefore(code: string, open: number): string {
  return code.slice(code.lastIndexOf('\n', open - 1) + 1, open + 1);
}

const depthOf = (text: string) => /^[ \t]*/.exec(text)?.[0].length ?? 0;

/** The lines that say something, from the one before a position upwards. */
function* linesAbove(code: string, line: number): Generator<string> {
  for (let end = line - 1; end > 0; ) {
    const start = code.lastIndexOf('\n', end - 1) + 1;
    const text = code.slice(start, end);
    if (/[^\s)\]}]/.test(text)) {
      yield text;
    }
    end = start - 1;
  }
}

function outerLines(code: string, line: number, first: number, second: number): readonly string[] {
  const own = depthOf(code.slice(line, first));
  const between = code.slice(first, second).split('\n').slice(1);
  const out = Math.min(...between.filter((text) => /[^\s)\]}]/.test(text)).map(depthOf), own);
  const heads: string[] = [];
  let depth = own;
  for (const text of out < own ? linesAbove(code, line) : []) {
    if (depthOf(text) < depth) {
      depth = depthOf(text);
      heads.push(text);
    }
    if (depth <= out) {
      break;
    }
  }
  return heads;
}
