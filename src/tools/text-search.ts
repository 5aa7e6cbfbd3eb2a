/** What is sought in a text. */
export interface Search {
  /** One-based numbers of the lines that match, ascending, and where in the line the first match begins. */
  find(text: string): readonly LineMatch[];
  /** False when the bytes cannot have a match, told without decoding them. */
  mayMatch(bytes: Buffer): boolean;
}

export interface LineMatch {
  readonly line: number;
  readonly column: number;
}

export interface SearchOptions {
  readonly ignoreCase: boolean;
  /** Whether a match may span lines, and `.` takes line breaks. */
  readonly multiline: boolean;
}

/**
 * Compiles a pattern, a JavaScript regular expression. Leading `(?i)`, `(?s)` and `(?m)` are understood, since other
 * engines have them.
 *
 * @throws SyntaxError
 */
export function compileSearch(pattern: string, { ignoreCase, multiline }: SearchOptions): Search {
  const inline = /^\(\?([ims]+)\)/.exec(pattern);
  const source = inline === null ? pattern : pattern.slice(inline[0].length);
  const isCaseless = ignoreCase || inline?.[1]?.includes('i') === true;
  const flags = `m${isCaseless ? 'i' : ''}`;
  const literal = isCaseless ? '' : literalStart(source);
  const mayMatch = (bytes: Buffer) => literal === '' || bytes.includes(literal);
  if (multiline) {
    const expression = compile(source, `${flags}sg`);
    return { mayMatch, find: (text) => findAcrossLines(text, expression) };
  }
  const expression = compile(source, flags);
  // A look-around may see the line break where a single line has none: only then a text without a match may have one.
  const decidesWholeText = !source.includes('(?');
  return {
    mayMatch,
    find: (text) => (decidesWholeText && !expression.test(text) ? [] : findInLines(text, expression)),
  };
}

/** The text with which every match begins; empty when that cannot be said simply. */
function literalStart(source: string): string {
  const run = /^[\w /:;,<>="'`~@#%&!-]*/.exec(source)?.[0] ?? '';
  const isQuantified = /^[*?+{]/.test(source.slice(run.length));
  return source.includes('|') ? '' : isQuantified ? run.slice(0, -1) : run;
}

/** Unicode mode refuses harmless escapes such as `\-`: what it refuses is tried without. */
function compile(source: string, flags: string): RegExp {
  try {
    return new RegExp(source, `${flags}u`);
  } catch {
    return new RegExp(source, flags);
  }
}

function findInLines(text: string, expression: RegExp): readonly LineMatch[] {
  const matches: LineMatch[] = [];
  linesOf(text).forEach((line, index) => {
    const match = expression.exec(line);
    if (match !== null) {
      matches.push({ line: index + 1, column: match.index });
    }
  });
  return matches;
}

/** Without line endings; a final line break begins no line. */
export function linesOf(text: string): readonly string[] {
  const lines = text.split(/\r?\n/);
  if (lines.at(-1) === '') {
    lines.pop();
  }
  return lines;
}

function findAcrossLines(text: string, expression: RegExp): readonly LineMatch[] {
  const matches: LineMatch[] = [];
  let line = 1;
  let lineStart = 0;
  const advance = (offset: number) => {
    for (let at = text.indexOf('\n', lineStart); at !== -1 && at < offset; at = text.indexOf('\n', lineStart)) {
      line += 1;
      lineStart = at + 1;
    }
  };
  for (const match of text.matchAll(expression)) {
    advance(match.index);
    const column = match.index - lineStart;
    // A match at the very end of a text that ends with a line break is on no line.
    if (match.index === text.length && column === 0 && text !== '') {
      continue;
    }
    const spanned = match[0].replace(/\n$/, '').split('\n').length;
    for (let index = 0; index < spanned; index += 1) {
      if (line + index > (matches.at(-1)?.line ?? 0)) {
        matches.push({ line: line + index, column: index === 0 ? column : 0 });
      }
    }
  }
  return matches;
}
