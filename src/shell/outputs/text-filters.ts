import { lineExpression } from './line-expression.ts';

/** What `grep` prints of a text; null where that is not known. @param args what follows the program's name */
export function grepped(args: readonly string[], text: string, extended: boolean): string | null {
  const read = readGrep(args, extended);
  const expression = read === null ? null : expressionOf(read);
  if (read === null || expression === null || !isBounded(text)) {
    return null;
  }
  return linesOf(text)
    .filter((line) => expression.test(line) !== read.inverted)
    .map((line) => `${line}\n`)
    .join('');
}

/** Does `grep` find anything? null: that is not known. */
export function finds(args: readonly string[], text: string, extended: boolean): boolean | null {
  const printing = args
    .filter((arg) => !/^--(?:quiet|silent|no-messages)$/.test(arg))
    .map((arg) => (/^-[a-zA-Z]+$/.test(arg) ? arg.replace(/[qs]/g, '') : arg))
    .filter((arg) => arg !== '-');
  const found = args.includes('-') || args.includes('--') ? null : grepped(printing, text, extended);
  return found === null ? null : found !== '';
}

interface Grep {
  readonly pattern: string;
  readonly kind: 'basic' | 'extended' | 'fixed';
  readonly ignoresCase: boolean;
  readonly inverted: boolean;
  /** What has to be found: a whole line, whole words. */
  readonly whole: 'line' | 'words' | null;
}

/** grep(1) "-x", "-w" */
function expressionOf({ pattern, kind, ignoresCase, whole }: Grep): RegExp | null {
  const expression = lineExpression(pattern, kind, ignoresCase);
  if (expression === null || whole === null) {
    return expression;
  }
  const { source, flags } = expression;
  return whole === 'line'
    ? new RegExp(`^(?:${source})$`, flags)
    : expression.test('')
      ? null
      : new RegExp(`(?<!\\w)(?:${source})(?!\\w)`, flags);
}

/** The pattern and how it is meant; null where other options are given. The files are somebody else's matter. */
function readGrep(args: readonly string[], extended: boolean): Grep | null {
  const letters = args.filter((arg) => /^-[a-zA-Z]+$/.test(arg)).join('');
  const operands = args.filter((arg) => !arg.startsWith('-') || arg === '-');
  const isPlain = args.every((arg) => !arg.startsWith('-') || /^-[vEFGihewx]+$/.test(arg));
  const [pattern] = operands;
  return pattern === undefined || !isPlain || (letters.match(/e/g)?.length ?? 0) > 1
    ? null
    : {
        pattern,
        kind: letters.includes('F') ? 'fixed' : letters.includes('E') || extended ? 'extended' : 'basic',
        ignoresCase: letters.includes('i'),
        inverted: letters.includes('v'),
        whole: letters.includes('x') ? 'line' : letters.includes('w') ? 'words' : null,
      };
}

/** The files that `grep` reads, by its words. */
export function greppedFiles(args: readonly string[]): readonly string[] {
  return args.filter((arg) => !arg.startsWith('-') || arg === '-').slice(1);
}

/** Expressions are tried on texts that are small enough for any of them. */
export function isBounded(text: string): boolean {
  return text.length <= 32_768 && linesOf(text).every((line) => line.length <= 4096);
}

export function linesOf(text: string): readonly string[] {
  return text === '' ? [] : text.replace(/\n$/, '').split('\n');
}
