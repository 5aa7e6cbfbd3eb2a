import { lineExpression } from './line-expression.ts';

/** What `grep` prints of a text; null where that is not known. @param args what follows the program's name */
export function grepped(args: readonly string[], text: string, extended: boolean): string | null {
  const read = readGrep(args, extended);
  const expression = read === null ? null : lineExpression(read.pattern, read.kind, read.ignoresCase);
  if (read === null || expression === null || !isBounded(text)) {
    return null;
  }
  return linesOf(text)
    .filter((line) => expression.test(line) !== read.inverted)
    .map((line) => `${line}\n`)
    .join('');
}

interface Grep {
  readonly pattern: string;
  readonly kind: 'basic' | 'extended' | 'fixed';
  readonly ignoresCase: boolean;
  readonly inverted: boolean;
}

/** The pattern and how it is meant; null where other options are given. The files are somebody else's matter. */
function readGrep(args: readonly string[], extended: boolean): Grep | null {
  const letters = args.filter((arg) => /^-[a-zA-Z]+$/.test(arg)).join('');
  const operands = args.filter((arg) => !arg.startsWith('-') || arg === '-');
  const isPlain = args.every((arg) => !arg.startsWith('-') || /^-[vEGFihe]+$/.test(arg));
  const [pattern] = operands;
  return pattern === undefined || !isPlain || (letters.match(/e/g)?.length ?? 0) > 1
    ? null
    : {
        pattern,
        kind: letters.includes('F') ? 'fixed' : letters.includes('E') || extended ? 'extended' : 'basic',
        ignoresCase: letters.includes('i'),
        inverted: letters.includes('v'),
      };
}

/** The files that `grep` reads, by its words. */
export function greppedFiles(args: readonly string[]): readonly string[] {
  return args.filter((arg) => !arg.startsWith('-') || arg === '-').slice(1);
}

/** How `sed` is called: its script, and the files that it reads or, with `-i`, changes. */
export interface SedCall {
  readonly script: string;
  readonly files: readonly string[];
  readonly extended: boolean;
  readonly inPlace: boolean;
}

/** Null where other options are given. @param args what follows the program's name */
export function readSed(args: readonly string[]): SedCall | null {
  const scripts: string[] = [];
  const operands: string[] = [];
  let [extended, inPlace] = [false, false];
  for (let at = 0; at < args.length; at += 1) {
    const arg = args[at] ?? '';
    if (arg === '-e' || arg === '--expression') {
      at += 1;
      scripts.push(args[at] ?? '');
    } else if (/^-[Er]?i(?:\.\w+)?$|^--in-place(?:=.*)?$/.test(arg)) {
      inPlace = true;
      extended ||= /^-[Er]/.test(arg);
      // BSD's sed takes an ending there: `sed -i '' SCRIPT FILE`.
      at += arg === '-i' && args[at + 1] === '' ? 1 : 0;
    } else if (arg === '-E' || arg === '-r' || arg === '--regexp-extended') {
      extended = true;
    } else if (arg.startsWith('-') && arg !== '-') {
      return null;
    } else {
      operands.push(arg);
    }
  }
  const files = scripts.length === 0 ? operands.slice(1) : operands;
  const script = scripts.length === 0 ? operands[0] : scripts.join('\n');
  return script === undefined ? null : { script, files, extended, inPlace };
}

/** What `sed` makes of a text: substitutions and deleted lines are known, null for every other command. */
export function edited({ script, extended }: SedCall, text: string): string | null {
  const edits = isBounded(text) ? readEdits(script, extended) : null;
  if (edits === null) {
    return null;
  }
  const lines = linesOf(text);
  const result = lines.flatMap((line, at) => {
    const isLast = at + 1 === lines.length;
    let left: string | null = line;
    for (const edit of edits) {
      left = left === null ? null : edit(left, at + 1, isLast);
    }
    return left === null ? [] : [isLast && !text.endsWith('\n') ? left : `${left}\n`];
  });
  return result.join('');
}

/** One command for one line; null: the line goes. */
type Edit = (line: string, number: number, isLast: boolean) => string | null;

const maximumEdits = 20;

function readEdits(script: string, extended: boolean): readonly Edit[] | null {
  const edits: Edit[] = [];
  let rest = script.trim();
  while (rest !== '') {
    const read =
      edits.length < maximumEdits ? (readDeletion(rest, extended) ?? readSubstitution(rest, extended)) : null;
    if (read === null) {
      return null;
    }
    edits.push(read.edit);
    rest = read.rest.replace(/^[\s;]+/, '');
  }
  return edits;
}

interface ReadEdit {
  readonly edit: Edit;
  readonly rest: string;
}

/** `/PATTERN/d`, `3d`, `$d` */
function readDeletion(script: string, extended: boolean): ReadEdit | null {
  const match = /^(?:\/((?:[^/\\\n]|\\.)*)\/|(\d+)|(\$))\s*d(?=\s*(?:[;\n]|$))/.exec(script);
  if (match === null) {
    return null;
  }
  const [whole, pattern, number, last] = match;
  const rest = script.slice(whole.length);
  const expression = pattern === undefined ? null : lineExpression(pattern, extended ? 'extended' : 'basic', false);
  if (pattern !== undefined && expression === null) {
    return null;
  }
  const isMeant = (line: string, at: number, isLast: boolean) => {
    const isThere = last === undefined ? at === Number(number) : isLast;
    return expression === null ? isThere : expression.test(line);
  };
  return { edit: (line, at, isLast) => (isMeant(line, at, isLast) ? null : line), rest };
}

/** `s/PATTERN/TEXT/g`, with any character between. */
function readSubstitution(script: string, extended: boolean): ReadEdit | null {
  const match = /^s([^\w\s\\])((?:(?!\1)[^\\\n]|\\.)*)\1((?:(?!\1)[^\\\n]|\\.)*)\1([gI]*)(?=\s*(?:[;\n]|$))/.exec(
    script,
  );
  if (match === null) {
    return null;
  }
  const [whole, mark = '/', pattern = '', text = '', flags = ''] = match;
  const plain = (part: string) => part.replaceAll(`\\${mark}`, mark);
  const kind = extended ? 'extended' : 'basic';
  const expression = lineExpression(plain(pattern), kind, flags.includes('I'), flags.includes('g'));
  const replacement = plain(text);
  // `&` and `\1` stand for what was found.
  const isLiteral = !/&|\\[^&\\/."']/.test(replacement.replaceAll('\\&', ''));
  return expression === null || !isLiteral
    ? null
    : {
        edit: (line) => line.replace(expression, () => replacement.replace(/\\(.)/g, '$1')),
        rest: script.slice(whole.length),
      };
}

/** Expressions are tried on texts that are small enough for any of them. */
function isBounded(text: string): boolean {
  return text.length <= 32_768 && linesOf(text).every((line) => line.length <= 4096);
}

function linesOf(text: string): readonly string[] {
  return text === '' ? [] : text.replace(/\n$/, '').split('\n');
}
