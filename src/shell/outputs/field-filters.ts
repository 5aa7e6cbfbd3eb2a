import { lineExpression } from './line-expression.ts';
import { isBounded, linesOf } from './text-filters.ts';

/** What `cut` prints of its input: cut(1p); null where other options are given, or files. */
export function cutParts(args: readonly string[], text: string): string | null {
  const call = readCut(args);
  if (call === null || !isBounded(text)) {
    return null;
  }
  const { delimiter, isChosen } = call;
  const chosen = linesOf(text).map((line) => {
    const parts = delimiter === null ? Array.from(line) : line.split(delimiter);
    // cut(1p) `-f`: a line without a delimiter is printed as it is.
    const isWhole = delimiter !== null && parts.length === 1;
    return isWhole ? line : parts.filter((_, at) => isChosen(at + 1)).join(delimiter ?? '');
  });
  return chosen.map((line) => `${line}\n`).join('');
}

interface Cut {
  /** Null: characters are chosen. */
  readonly delimiter: string | null;
  /** @param at counted from 1 */
  readonly isChosen: (at: number) => boolean;
}

function readCut(args: readonly string[]): Cut | null {
  const given = new Map<string, string>();
  for (let at = 0; at < args.length; at += 1) {
    const [option, long = '', letter = long.charAt(0), attached] =
      /^(?:--(delimiter|fields|characters)=|-([dfc]))(.*)$/s.exec(args[at] ?? '') ?? [];
    if (option === undefined) {
      return null;
    }
    at += attached === '' ? 1 : 0;
    given.set(letter, attached === '' ? (args[at] ?? '') : (attached ?? ''));
  }
  const [fields, characters, delimiter = '\t'] = [given.get('f'), given.get('c'), given.get('d')];
  const isChosen = readList(fields ?? characters ?? '');
  const isPlain = (fields === undefined) !== (characters === undefined) && delimiter.length === 1;
  return isChosen === null || !isPlain ? null : { delimiter: fields === undefined ? null : delimiter, isChosen };
}

/** `2`, `1,3`, `2-`, `-3`, `2-4` */
function readList(list: string): Cut['isChosen'] | null {
  if (!/^(?:\d+|\d+-\d*|-\d+)(?:,(?:\d+|\d+-\d*|-\d+))*$/.test(list)) {
    return null;
  }
  const ranges = list.split(',').map((range) => {
    const [first = '', last = first] = range.split('-');
    return [Number(first || 1), last === '' ? Infinity : Number(last)] as const;
  });
  return (at) => ranges.some(([first, last]) => first <= at && at <= last);
}

/** `[NR==N | /EXPRESSION/] { print [$N | $NF] [; exit] }` */
const printing = /^\s*(?:NR ?== ?(\d+)|\/((?:[^/\\]|\\.)+)\/)? ?\{ ?print(?: ?\$(\d+|NF))? ?(; ?exit ?)?;? ?\}\s*$/;

/** What `awk` prints of its input where its program only chooses lines, and one word of each; null: it does more. */
export function awkFields(args: readonly string[], text: string): string | null {
  const [, attached, program = ''] = /^(?:-F ?(.+?)\0)?([^\0]+)$/s.exec(args.join('\0').replace(/^-F\0/, '-F')) ?? [];
  const [isRead, number, expression, field = '0', exits] = printing.exec(program) ?? [];
  const matches = expression === undefined ? null : lineExpression(expression, 'extended', false);
  const isPlain = attached === undefined || /^[/:,@#=-]$|^[\w/:, -]{2,}$/.test(attached);
  if (isRead === undefined || !isPlain || (expression !== undefined && matches === null) || !isBounded(text)) {
    return null;
  }
  const isMeant = (line: string, at: number) =>
    number === undefined ? matches?.test(line) !== false : at + 1 === Number(number);
  const lines = linesOf(text).filter(isMeant);
  const printed = (exits === undefined ? lines : lines.slice(0, 1)).map((line) => {
    const fields =
      attached === undefined ? line.split(/[ \t]+/).filter(Boolean) : line === '' ? [] : line.split(attached);
    return field === '0' ? line : (fields[field === 'NF' ? fields.length - 1 : Number(field) - 1] ?? '');
  });
  return printed.map((line) => `${line}\n`).join('');
}
