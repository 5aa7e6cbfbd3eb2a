import { openPart } from '../../simple-command.ts';
import { bracketStep } from './brackets.ts';

/** A literal in the source of an inline program; `value` null where it has a part that is not literal. */
export type SourceLiteral =
  | { readonly kind: 'string'; readonly value: string | null; readonly end: number }
  | { readonly kind: 'list'; readonly values: readonly (string | null)[]; readonly end: number };

/** What interpolates inside a string that interpolates at all. */
export type Interpolation = RegExp;

const named: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', '0': '\0', '\n': '' };

/** Reads a string or a list of strings at `start`, as Python, JavaScript, Perl, Ruby and PHP write them; null for anything else. */
export function readLiteral(source: string, start: number, interpolation: Interpolation): SourceLiteral | null {
  const from = skipSpace(source, start);
  const opener = /^(?:qw\(|%w[[(]|\[|\()/.exec(source.slice(from, from + 3))?.[0];
  if (opener !== undefined) {
    return readList(source, from, opener, interpolation);
  }
  return readString(source, from, interpolation);
}

function skipSpace(source: string, start: number): number {
  let index = start;
  while (index < source.length && /\s/.test(source.charAt(index))) {
    index += 1;
  }
  return index;
}

function readString(source: string, start: number, interpolation: Interpolation): SourceLiteral | null {
  const [, prefix = '', quote = ''] = /^([rRbBuUfF]{0,2})('''|"""|'|"|`)/.exec(source.slice(start, start + 5)) ?? [];
  if (quote === '') {
    return null;
  }
  const open = start + prefix.length + quote.length;
  let end = open;
  while (end < source.length && !source.startsWith(quote, end)) {
    end += source[end] === '\\' ? 2 : 1;
  }
  if (end >= source.length) {
    return null;
  }
  const body = source.slice(open, end);
  const formatted = /f/i.test(prefix) && /\{/.test(body);
  const interpolated = quote !== "'" && quote !== "'''" && interpolation.test(body);
  const value = /r/i.test(prefix) ? body : unescaped(body);
  const isOpen = formatted || interpolated || body.includes(openPart);
  return { kind: 'string', value: isOpen ? null : value, end: end + quote.length };
}

/** What escapes in a string's source stand for. */
export function unescaped(body: string): string {
  return body.replace(
    /\\(?:x([0-9a-fA-F]{2})|u\{?([0-9a-fA-F]{1,6})\}?|([0-7]{2,3})|([\s\S]))/g,
    (whole: string, hex?: string, unicode?: string, octal?: string, other?: string) => {
      if (other !== undefined) {
        return named[other] ?? other;
      }
      const code = octal === undefined ? Number.parseInt(hex ?? unicode ?? '', 16) : Number.parseInt(octal, 8);
      return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
    },
  );
}

function readList(source: string, start: number, opener: string, interpolation: Interpolation): SourceLiteral | null {
  const close = opener.endsWith('[') ? ']' : ')';
  if (opener.includes('w')) {
    const end = source.indexOf(close, start);
    const words = source.slice(start + opener.length, end).split(/\s+/);
    return end === -1 ? null : { kind: 'list', values: words.filter((word) => word !== ''), end: end + 1 };
  }
  const values: (string | null)[] = [];
  let index = skipSpace(source, start + 1);
  while (index < source.length && source[index] !== close) {
    const item = readString(source, index, interpolation);
    const after = item === null ? index : skipSpace(source, item.end);
    const whole = item?.kind === 'string' && (source[after] === ',' || source[after] === close);
    values.push(whole ? item.value : null);
    index = whole ? after : endOfItem(source, after, close);
    index = source[index] === ',' ? skipSpace(source, index + 1) : index;
  }
  return { kind: 'list', values, end: index + 1 };
}

/** The comma or closing bracket after an item that is no literal. */
function endOfItem(source: string, start: number, close: string): number {
  let level = 0;
  for (let index = start; index < source.length; index += 1) {
    const character = source.charAt(index);
    if (level === 0 && (character === ',' || character === close)) {
      return index;
    }
    level += bracketStep(character);
  }
  return source.length;
}
