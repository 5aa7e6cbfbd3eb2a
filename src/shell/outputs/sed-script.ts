import { lineExpression } from './line-expression.ts';

/** Where a command looks. */
interface Place {
  readonly line: string | null;
  readonly number: number;
  readonly isLast: boolean;
}

/** What a command makes of a line: null, the line goes. */
export interface Done {
  readonly line: string | null;
  /** What of it is printed at once. */
  readonly printed?: string;
  /** What is printed before it. */
  readonly text?: string;
  /** What is printed behind it. */
  readonly added?: string;
}

interface Command {
  /** @param inRange remembers for a whole text which ranges have begun */
  isMeant(place: Place, inRange: Map<object, boolean>): boolean;
  edit(line: string): Done;
}

export type Commands = readonly Command[];

interface Read<T> {
  readonly value: T;
  readonly rest: string;
}

type IsMeant = (place: Place) => boolean;

const maximumCommands = 40;

/** The commands of a script for sed(1), if all of them are followed here. */
export function readCommands(script: string, extended: boolean): Commands | null {
  const commands: Command[] = [];
  let rest = script.replace(/^[\s;]+/, '');
  while (rest !== '') {
    const read = commands.length < maximumCommands ? readCommand(rest, extended) : null;
    if (read === null) {
      return null;
    }
    commands.push(read.value);
    rest = read.rest.replace(/^[\s;]+/, '');
  }
  return commands;
}

function readCommand(script: string, extended: boolean): Read<Command> | null {
  const where = readAddresses(script, extended);
  if (where === null) {
    return null;
  }
  const rest = where.rest.replace(/^\s+/, '');
  // `2,3c TEXT` changes a range as a whole.
  const done = where.isRange === true && rest.startsWith('c') ? null : readEdit(rest, extended);
  return done === null ? null : { value: { isMeant: where.value, edit: done.value }, rest: done.rest };
}

/** `3`, `$`, `/PATTERN/`, two of them with a comma, and nothing for every line. */
function readAddresses(
  script: string,
  extended: boolean,
): (Read<Command['isMeant']> & { readonly isRange?: true }) | null {
  const first = readAddress(script, extended);
  if (first === null) {
    return null;
  }
  if (first.value === 'none') {
    return { value: () => true, rest: script };
  }
  const from = first.value;
  const comma = /^\s*,\s*/.exec(first.rest);
  const last = comma === null ? null : readAddress(first.rest.slice(comma[0].length), extended);
  if (comma !== null && (last === null || last.value === 'none' || from.line === 0)) {
    return null;
  }
  if (last === null || last.value === 'none') {
    return { value: (place) => from.isThere(place), rest: first.rest };
  }
  return { value: range(from, last.value), rest: last.rest, isRange: true };
}

interface Address {
  readonly isThere: IsMeant;
  /** The number of the line; null for every other one. */
  readonly line: number | null;
}

/** A range takes the line where it begins, and ends at once behind a number that is past. */
function range(from: Address, last: Address): Command['isMeant'] {
  const key = {};
  return (place, inRange) => {
    if (inRange.get(key) === true) {
      const isOver = last.line === null ? last.isThere(place) : place.number >= last.line;
      inRange.set(key, !isOver);
      return last.line === null || place.number <= last.line;
    }
    const begins = from.isThere(place);
    const goesOn = last.line === null || place.number < last.line;
    inRange.set(key, begins && goesOn);
    return begins;
  };
}

function readAddress(script: string, extended: boolean): Read<Address | 'none'> | null {
  const [whole, pattern, flag, number, last] = /^(?:\/((?:[^/\\\n]|\\.)*)\/(I?)|(\d+)(?!\s*~)|(\$))/.exec(script) ?? [];
  if (whole === undefined) {
    return /^[/\\\d]/.test(script) ? null : { value: 'none', rest: script };
  }
  const rest = script.slice(whole.length);
  if (pattern === undefined) {
    const line = number === undefined ? null : Number(number);
    return { value: { line, isThere: (place) => (last === undefined ? place.number === line : place.isLast) }, rest };
  }
  const expression = expressionOf(pattern.replaceAll('\\/', '/'), extended, flag === 'I', false);
  return expression === null
    ? null
    : { value: { line: null, isThere: ({ line }) => line !== null && expression.test(line) }, rest };
}

/** An empty pattern is the one before. */
function expressionOf(pattern: string, extended: boolean, ignoresCase: boolean, everywhere: boolean): RegExp | null {
  const plain = pattern.replace(/\\(.)/g, (found, letter: string) =>
    letter === 't' ? '\t' : letter === 'r' ? '\r' : found,
  );
  return pattern === '' ? null : lineExpression(plain, extended ? 'extended' : 'basic', ignoresCase, everywhere);
}

type Edit = (line: string) => Done;

function readEdit(script: string, extended: boolean): Read<Edit> | null {
  const plain = /^([dp])(?=\s*(?:[;\n]|$))/.exec(script);
  if (plain !== null) {
    const edit: Edit = plain[1] === 'd' ? () => ({ line: null }) : (line) => ({ line, printed: line });
    return { value: edit, rest: script.slice(1) };
  }
  return /^[aic]/.test(script) ? readText(script) : readSubstitution(script, extended);
}

/** `a TEXT`, `a\TEXT`, `i\` with a line below: to the end of the script, or of the line. A tab is written as `\t`. */
function readText(script: string): Read<Edit> | null {
  const [whole, command, text = ''] =
    /^([aic])[ \t]*(?:\\\n?)?((?:[^\n\\]|\\[^\nacdfnorvx\d])+)(?=\n|$)/.exec(script) ?? [];
  if (whole === undefined) {
    return null;
  }
  const added = text.replace(/\\(.)/g, (_, letter: string) => (letter === 't' ? '\t' : letter));
  const edits: Readonly<Record<string, Edit>> = {
    a: (line) => ({ line, added }),
    i: (line) => ({ line, text: added }),
    c: () => ({ line: null, text: added }),
  };
  const value = edits[command ?? ''];
  return value === undefined ? null : { value, rest: script.slice(whole.length) };
}

/** `s/PATTERN/TEXT/gp`, with any character between. */
function readSubstitution(script: string, extended: boolean): Read<Edit> | null {
  const match = /^s([^\w\s\\])((?:(?!\1)[^\\\n]|\\.)*)\1((?:(?!\1)[^\\\n]|\\.)*)\1([gIip]*)(?=\s*(?:[;\n]|$))/.exec(
    script,
  );
  if (match === null) {
    return null;
  }
  const [whole, mark = '/', pattern = '', text = '', flags = ''] = match;
  const plain = (part: string) => part.replaceAll(`\\${mark}`, mark);
  const expression = expressionOf(plain(pattern), extended, /i/i.test(flags), flags.includes('g'));
  const replacement = replacementOf(plain(text));
  return expression === null || replacement === null
    ? null
    : { value: substituting(expression, replacement, flags.includes('p')), rest: script.slice(whole.length) };
}

/** @param prints `s/…/…/p`: where something was found */
function substituting(expression: RegExp, replacement: Replacement, prints: boolean): Edit {
  return (line) => {
    const edited = line.replace(expression, replacement);
    return prints && line.search(expression) !== -1 ? { line: edited, printed: edited } : { line: edited };
  };
}

type Replacement = (found: string, ...groups: readonly unknown[]) => string;

const escapes: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r' };

/** `&` and `\1` stand for what was found; null where case is changed (`\U`), or a line goes on. */
function replacementOf(text: string): Replacement | null {
  if (/\\(?:[^\w&\\./"'|,:;@#!$%*+=?()[\]{}~^<>` -]|[A-Za-mo-qsu-z])/.test(text)) {
    return null;
  }
  return (found, ...groups) =>
    text.replace(/\\(.)|&/g, (part, escaped: string | undefined) => {
      if (part === '&' || escaped === '0') {
        return found;
      }
      const group = groups[Number(escaped) - 1];
      return /\d/.test(escaped ?? '')
        ? typeof group === 'string'
          ? group
          : ''
        : (escapes[escaped ?? ''] ?? escaped ?? '');
    });
}
