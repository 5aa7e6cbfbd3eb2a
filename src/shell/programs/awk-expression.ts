import { behindBracket, endsStatement, listParts } from './awk-tokens.ts';

/** Stands for what nobody knows of a text: the shell that runs it expands it, and nothing sets it. */
export const openField = '$awk_field';

/** More values than these are as good as any. */
const maximumTexts = 16;
/** Variables within each other. */
const deepest = 8;

type Tokens = readonly string[];

/** An awk program, and what its variables are set to before it begins. */
export interface AwkProgram {
  readonly tokens: Tokens;
  /** `-v NAME=TEXT`, or among the operands; null: not there. */
  readonly given: (name: string) => string | null;
  /** What the line has given a variable of the environment; null: nothing that is known. */
  readonly exported: (name: string) => string | null;
}

/**
 * The texts that an expression may have: literals beside each other, and variables that are set to such; what is not
 * known of them is {@link openField}. awk(1p) "Expressions in awk".
 */
export function textsOf(expression: Tokens, program: AwkProgram, depth = 0): readonly string[] {
  const parts: (readonly string[])[] = [];
  for (let place = 0; place < expression.length; ) {
    const end = behindOperand(expression, place);
    const operand = expression.slice(place, end);
    if (end === place) {
      // A comparison, a choice, a sum.
      return [openField];
    }
    parts.push(operandTexts(operand, program, depth));
    place = end;
  }
  return joined(parts);
}

/** What `printf` and `sprintf` make of a list, the first of which is the format. */
export function formatted(list: Tokens, program: AwkProgram, depth = 0): readonly string[] {
  const [formats = [], ...values] = listParts(list).map((part) => textsOf(part, program, depth));
  return formats.flatMap((format) => {
    const [first = '', ...others] = format.split(/%[-+ #0-9.]*[a-zA-Z]/);
    return joined([[first], ...others.flatMap((text, index) => [values[index] ?? [openField], [text]])]);
  });
}

/** What `print` makes of a list, without the line's end. */
export function printed(list: Tokens, program: AwkProgram): readonly string[] {
  const parts = listParts(list).map((part) => textsOf(part, program));
  return joined(parts.flatMap((part, index) => (index === 0 ? [part] : [[' '], part])));
}

/** The place behind an operand with all that belongs to it; the same place, where an operator stands there. */
export function behindOperand(tokens: Tokens, place: number): number {
  const text = tokens[place] ?? '';
  if (text === '(') {
    return behindBracket(tokens, place);
  }
  if (text === '$') {
    return behindOperand(tokens, place + 1);
  }
  if (!/^["\w$]/.test(text) || text === '"') {
    return place;
  }
  return /^[A-Za-z_$]/.test(text) && /^[([]$/.test(tokens[place + 1] ?? '')
    ? behindBracket(tokens, place + 1)
    : place + 1;
}

function operandTexts(operand: Tokens, program: AwkProgram, depth: number): readonly string[] {
  const [text = '', next] = operand;
  if (text === '(') {
    return textsOf(operand.slice(1, -1), program, depth);
  }
  if (text === 'sprintf' && next === '(') {
    return formatted(operand.slice(2, -1), program, depth);
  }
  if (next !== undefined) {
    const name = text === 'ENVIRON' && operand.length === 4 ? (operand[2] ?? '') : '';
    return [(name.startsWith('"') ? program.exported(literal(name)) : null) ?? openField];
  }
  if (text.startsWith('"')) {
    return [literal(text)];
  }
  return /^\d/.test(text) ? [text] : variableTexts(text, program, depth);
}

function literal(text: string): string {
  return text
    .slice(1, -1)
    .replace(/\\(["\\/])/g, '$1')
    .replaceAll('\\n', '\n')
    .replaceAll('\\t', '\t');
}

/** What a variable is set to, with what is once appended to it. */
function variableTexts(name: string, program: AwkProgram, depth: number): readonly string[] {
  const isName = /^[A-Za-z_]\w*$/.test(name);
  const values = isName && depth < deepest && !isChanged(name, program.tokens) ? assigned(name, program.tokens) : [];
  const given = isName ? program.given(name) : null;
  const isAppended = (value: Tokens) => value[0] === name;
  const whole = values.filter((value) => !isAppended(value)).map((value) => textsOf(value, program, depth + 1));
  const beginnings = [...(given === null ? [] : [given]), ...whole.flat()];
  const ends = values.filter(isAppended).map((value) => textsOf(value.slice(1), program, depth + 1));
  return values.length === 0 && given === null
    ? [openField]
    : joined([beginnings.length === 0 ? [''] : beginnings, ...ends]);
}

/** The expressions that a variable is set to. */
function assigned(name: string, tokens: Tokens): readonly Tokens[] {
  return tokens.flatMap((text, place) => {
    if (text !== name || tokens[place + 1] !== '=') {
      return [];
    }
    let end = place + 2;
    while (end < tokens.length && !endsStatement(tokens[end]) && !/^(?:[),\]|]|\|&)$/.test(tokens[end] ?? '')) {
      end = Math.max(behindOperand(tokens, end), end + 1);
    }
    return [tokens.slice(place + 2, end)];
  });
}

/** Does something else change it: what is read into it, a loop, a function? */
function isChanged(name: string, tokens: Tokens): boolean {
  return tokens.some(
    (text, place) =>
      text === name &&
      (/^(?:[-+*/%^]=|\+\+|--|in)$/.test(tokens[place + 1] ?? '') ||
        /^(?:\+\+|--|getline)$/.test(tokens[place - 1] ?? '') ||
        (tokens[place - 1] === ',' && tokens[place + 1] === ')' && isSubstitution(tokens, place))),
  );
}

/** `sub(/a/, "b", name)`: the last argument is changed. */
function isSubstitution(tokens: Tokens, end: number): boolean {
  let begin = end;
  while (begin > 0 && !endsStatement(tokens[begin]) && tokens[begin] !== 'sub' && tokens[begin] !== 'gsub') {
    begin -= 1;
  }
  return /^g?sub$/.test(tokens[begin] ?? '') && behindBracket(tokens, begin + 1) === end + 2;
}

/** Each text of a part beside each of the next. */
function joined(parts: readonly (readonly string[])[]): readonly string[] {
  return parts.reduce<readonly string[]>(
    (texts, part) => texts.flatMap((text) => part.map((more) => text + more)).slice(0, maximumTexts),
    [''],
  );
}
