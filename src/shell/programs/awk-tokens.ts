/** What an operand ends in; a `/` behind it divides, elsewhere it begins a regular expression. */
const operandEnd = /[\w")\]$]$/;

const token = /"(?:[^"\\]|\\[\s\S])*"|\$*[A-Za-z_]\w*|\$*\d[\w.]*|\|\||&&|\|&|[-+*/%^=!<>]=|\+\+|--|\n|[^\s]/y;
const expression = /\/(?:[^/\\\n[]|\\.|\[\^?\]?(?:\\.|[^\]\n])*\])*\//y;
const blank = /(?:[^\S\n]|\\\n|#[^\n]*)+/y;

/** The tokens of an awk program, without blanks, comments and regular expressions: awk(1p) "Lexical Conventions". */
export function awkTokens(program: string): readonly string[] {
  const tokens: string[] = [];
  let end = 0;
  const read = (pattern: RegExp): string | null => {
    pattern.lastIndex = end;
    const found = pattern.exec(program)?.[0] ?? null;
    end += found?.length ?? 0;
    return found;
  };
  while (end < program.length) {
    if (read(blank) !== null) {
      continue;
    }
    const isOperand = operandEnd.test(tokens.at(-1) ?? '');
    const literal = program[end] === '/' && !isOperand ? read(expression) : null;
    tokens.push(literal === null ? (read(token) ?? '') : '//');
  }
  return tokens;
}

/** Where a statement surely ends. */
export function endsStatement(text: string | undefined): boolean {
  return text === undefined || /^[;{}\n]$/.test(text);
}

/** The place behind the bracket that closes the one at `begin`; the end of all, where none does. */
export function behindBracket(tokens: readonly string[], begin: number): number {
  let depth = 0;
  for (let place = begin; place < tokens.length; place += 1) {
    const text = tokens[place] ?? '';
    depth += /^[([]$/.test(text) ? 1 : /^[)\]]$/.test(text) ? -1 : 0;
    if (depth === 0) {
      return place + 1;
    }
  }
  return tokens.length;
}

/** The place of the bracket that the one at `end` closes; -1: there is none. */
export function openingBracket(tokens: readonly string[], end: number): number {
  let depth = 0;
  for (let place = end; place >= 0; place -= 1) {
    const text = tokens[place] ?? '';
    depth += /^[)\]]$/.test(text) ? 1 : /^[([]$/.test(text) ? -1 : 0;
    if (depth === 0) {
      return place;
    }
  }
  return -1;
}

/** The parts of a list between its commas. */
export function listParts(tokens: readonly string[]): readonly (readonly string[])[] {
  const parts: string[][] = [[]];
  for (let place = 0; place < tokens.length; place += 1) {
    const end = /^[([]$/.test(tokens[place] ?? '') ? behindBracket(tokens, place) : place + 1;
    if (tokens[place] === ',') {
      parts.push([]);
    } else {
      parts.at(-1)?.push(...tokens.slice(place, end));
    }
    place = end - 1;
  }
  return parts;
}
