import { endOfBracket } from '../source/brackets.ts';
import { readLiteral } from '../source/literal.ts';
import { type ConditionedProgram, itemOf, type KnownValue, one } from './known-value.ts';
import { NamedValues, type ReadValue } from './named-values.ts';
import { isLogical, type Operator, operatorIn, ordered, outerCode } from './operators.ts';
import { ParsedOptions } from './parsed-options.ts';

/** Variables that hold others are followed so deep, and brackets in brackets. */
const maximumDepth = 12;
/** So many expressions of a program are looked at. */
const maximumSteps = 4000;

const constants: Readonly<Record<string, KnownValue>> = {
  True: one(true),
  true: one(true),
  False: one(false),
  false: one(false),
  None: one(null),
  null: one(null),
  undefined: one(null),
};

/** What is made of a list as a whole: `len(…)`, `set(…)`, `new Set(…)`. */
const around = {
  python: /^(?:(len)|(bool)|set|list|tuple)(?=\()/,
  script: /^(?:(?!)()|(Boolean)|new\s+Set|Array\.from)(?=\()/,
};
/** What the value of an expression is not told by. */
const untold = /=>|:=|[,;]|\b(?:lambda|for|await|yield)\b|(?<![=!<>])=(?![=>])/;
/** What is taken of a value: `[1]`, `[1:]`, `.length`, `.includes(`. */
const member =
  /(?:\[\s*(?<index>-?\d+)\s*\]|\[\s*(?<start>\d+)\s*:\s*\]|\.\s*(?<name>length|[A-Za-z_]\w*)|\.\s*(?<method>slice|includes|has|indexOf)\s*(?<call>\([^()]*\)))$/;

/** What the expressions of a program come to, as far as it is known before the program runs. */
export class KnownValues {
  readonly #program: ConditionedProgram;
  readonly #options: ParsedOptions;
  readonly #names: NamedValues;
  #steps = 0;

  constructor(program: ConditionedProgram) {
    this.#program = program;
    this.#options = new ParsedOptions(program);
    this.#names = new NamedValues(program);
  }

  /** Whether a condition holds; null where that is not known. */
  holds(from: number, to: number): boolean | null {
    return this.#isTrue(this.valueOf(from, to));
  }

  /** Is a value surely this text, or surely another one? Null: it may be. */
  isText(value: KnownValue | null, text: string): boolean | null {
    return value === null ? null : this.#areEqual(value, one(text));
  }

  /** The value of an expression; null where it is not known. */
  valueOf(from: number, to: number, depth = maximumDepth): KnownValue | null {
    const { code } = this.#program;
    this.#steps += 1;
    const [start, end] = this.#trimmed(from, to);
    if (depth === 0 || start >= end || this.#steps > maximumSteps) {
      return null;
    }
    if (code[start] === '(' && endOfBracket(code, start + 1) === end - 1 && !hasComma(code.slice(start + 1, end - 1))) {
      return this.valueOf(start + 1, end - 1, depth - 1);
    }
    const read = (first: number, last: number) => this.valueOf(first, last, depth - 1);
    if (/^[\w$]+$/.test(code.slice(start, end))) {
      return this.#primary(start, end, read);
    }
    const outer = outerCode(code.slice(start, end));
    if (untold.test(outer)) {
      return null;
    }
    const choice = this.#choice(outer, start);
    if (choice === null) {
      return this.#combined(outer, start, end, read);
    }
    const holds = this.#isTrue(read(...choice.condition));
    return holds === null ? null : read(...(holds ? choice.yes : choice.no));
  }

  #combined(outer: string, start: number, end: number, read: ReadValue): KnownValue | null {
    const found = operatorIn(outer, this.#program.isPython);
    // `not a == b` is about all of it, `not a or b` about the first.
    const [negation] = /^(?:not\b|!(?!=))/.exec(outer) ?? [];
    const isNegated = negation !== undefined && (found === null || (negation === 'not' && !isLogical(found.operator)));
    if (isNegated) {
      const holds = this.#isTrue(read(start + negation.length, end));
      return holds === null ? null : one(!holds);
    }
    return found === null
      ? this.#primary(start, end, read)
      : this.#operated(found.operator, read(start, start + found.from), () => read(start + found.to, end));
  }

  #operated(operator: Operator, left: KnownValue | null, second: () => KnownValue | null): KnownValue | null {
    if (isLogical(operator)) {
      return this.#logical(operator, left, second());
    }
    const right = second();
    if (left === null || right === null) {
      return null;
    }
    const answer = this.#compared(operator, left, right);
    return answer === null ? null : one(answer);
  }

  #logical(operator: Operator, left: KnownValue | null, right: KnownValue | null): KnownValue | null {
    const holds = this.#isTrue(left);
    switch (operator) {
      case 'or':
        return holds === false ? right : holds === true ? left : this.#isTrue(right) === true ? one(true) : null;
      case 'and':
        return holds === true ? right : holds === false ? left : this.#isTrue(right) === false ? one(false) : null;
      default:
        return left?.kind !== 'one' ? null : left.value === null ? right : left;
    }
  }

  #compared(operator: Operator, left: KnownValue, right: KnownValue): boolean | null {
    const negated = (answer: boolean | null) => (answer === null ? null : !answer);
    switch (operator) {
      case 'equal':
        return this.#areEqual(left, right);
      case 'unequal':
        return negated(this.#areEqual(left, right));
      case 'in':
        return this.#has(right, left);
      case 'not in':
        return negated(this.#has(right, left));
      default:
        return left.kind === 'one' &&
          right.kind === 'one' &&
          typeof left.value === 'number' &&
          typeof right.value === 'number'
          ? ordered(operator, left.value, right.value)
          : null;
    }
  }

  #areEqual(left: KnownValue, right: KnownValue): boolean | null {
    if (left.kind === 'one' && right.kind === 'one') {
      const isAlike = typeof left.value === typeof right.value || left.value === null || right.value === null;
      return isAlike ? left.value === right.value : null;
    }
    const [ours, theirs] = [this.#itemsOf(left), this.#itemsOf(right)];
    if (ours !== null && theirs !== null) {
      // A list is no tuple, and JavaScript asks whether it is the same one.
      const isAlike = ours.every((item) => theirs.includes(item)) && theirs.every((item) => ours.includes(item));
      return isAlike ? null : false;
    }
    const text = left.kind === 'given' ? right : right.kind === 'given' ? left : null;
    return text?.kind === 'one' && typeof text.value === 'string' && this.#isInNoWord(text.value) ? false : null;
  }

  #itemsOf(value: KnownValue): readonly string[] | null {
    return value.kind === 'list'
      ? value.items
      : value.kind === 'arguments' && value.before === 0
        ? this.#program.given.given
        : null;
  }

  /** A word may have an option's value behind its name: `--mode=reset`. */
  #isInNoWord(text: string): boolean {
    return this.#program.given.words?.some((word) => word.includes(text)) === false;
  }

  #isSurelyNotGiven(text: string): boolean {
    return this.#program.given.words?.includes(text) === false;
  }

  #has(list: KnownValue, item: KnownValue): boolean | null {
    if (item.kind === 'given') {
      return list.kind === 'list' && list.items.every((text) => this.#isInNoWord(text)) ? false : null;
    }
    if (item.kind !== 'one' || typeof item.value !== 'string') {
      return null;
    }
    switch (list.kind) {
      case 'list':
        return list.items.includes(item.value);
      case 'arguments':
        return this.#program.given.given?.includes(item.value) === true
          ? true
          : this.#isSurelyNotGiven(item.value)
            ? false
            : null;
      case 'one':
        return typeof list.value === 'string' ? list.value.includes(item.value) : null;
      default:
        return null;
    }
  }

  #isTrue(value: KnownValue | null): boolean | null {
    switch (value?.kind) {
      case 'one':
        return Boolean(value.value);
      case 'list':
        return value.items.length > 0 || !this.#program.isPython;
      case 'arguments': {
        const length = this.#lengthOf(value);
        return length === null ? null : length > 0 || !this.#program.isPython;
      }
      default:
        return null;
    }
  }

  #lengthOf(value: KnownValue): number | null {
    switch (value.kind) {
      case 'list':
        return value.items.length;
      case 'arguments':
        return this.#program.given.given === null ? null : this.#program.given.given.length + value.before;
      case 'one':
        return typeof value.value === 'string' ? value.value.length : null;
      default:
        return null;
    }
  }

  #primary(start: number, end: number, read: ReadValue): KnownValue | null {
    const { source, code, isPython } = this.#program;
    const written = source.slice(start, end);
    const literal = /^[\w]{0,2}["'`]/.test(written) ? readLiteral(source, start, isPython ? /(?!)/ : /\$\{/) : null;
    if (literal?.kind === 'string') {
      return literal.end === end && literal.value !== null ? one(literal.value) : null;
    }
    if (Object.hasOwn(constants, written)) {
      return constants[written] ?? null;
    }
    if (/^-?\d+$/.test(written)) {
      return one(Number(written));
    }
    const isImported = written === 'argv' && /\bfrom\s+sys\s+import\b[^\n]*\bargv\b/.test(code);
    if ((/^sys\s*\.\s*argv$/.test(written) || isImported) && isPython) {
      return { kind: 'arguments', before: 1 };
    }
    if (/^process\s*\.\s*argv$/.test(written) && !isPython) {
      return { kind: 'arguments', before: 2 };
    }
    if (/^[[({]/.test(written)) {
      return endOfBracket(code, start + 1) === end - 1 ? listOf(source.slice(start, end)) : null;
    }
    if (/^[A-Za-z_$][\w$]*$/.test(written)) {
      return this.#names.valueAt(written, start, read);
    }
    return this.#member(start, end, read) ?? this.#wrapped(start, end, read);
  }

  #wrapped(start: number, end: number, read: ReadValue): KnownValue | null {
    const { code } = this.#program;
    const [name = '', length, truth] =
      around[this.#program.isPython ? 'python' : 'script'].exec(code.slice(start, end)) ?? [];
    if (name === '' || endOfBracket(code, start + name.length + 1) !== end - 1) {
      return null;
    }
    const value = read(start + name.length + 1, end - 1);
    if (value === null) {
      return null;
    }
    const answer = length !== undefined ? this.#lengthOf(value) : this.#isTrue(value);
    if (length === undefined && truth === undefined) {
      const items = /\bset$|\bSet$/.test(name) ? this.#itemsOf(value) : null;
      return items === null ? value : { kind: 'list', items: [...new Set(items)] };
    }
    return answer === null ? null : one(answer);
  }

  #member(start: number, end: number, read: ReadValue): KnownValue | null {
    const { code, source, isPython } = this.#program;
    const found = member.exec(code.slice(start, end));
    const { index, start: first, name, method, call = '' } = found?.groups ?? {};
    if (found === null || found.index === 0) {
      return null;
    }
    const open = end - call.length;
    if (name !== undefined && !(name === 'length' && !isPython)) {
      return isPython ? this.#options.valueOf(code.slice(start, start + found.index).trim(), name) : null;
    }
    const of = read(start, start + found.index);
    if (of === null) {
      return null;
    }
    if (index !== undefined) {
      return itemOf(of, Number(index), this.#program);
    }
    if (name !== undefined) {
      const length = this.#lengthOf(of);
      return length === null ? null : one(length);
    }
    if (first !== undefined) {
      return rest(of, Number(first));
    }
    return this.#called(method, of, source.slice(open + 1, end - 1), read(open + 1, end - 1));
  }

  /** What a method of a list answers. */
  #called(method: string | undefined, of: KnownValue, given: string, item: KnownValue | null): KnownValue | null {
    if (method === 'slice') {
      return /^\s*\d+\s*$/.test(given) ? rest(of, Number(given)) : null;
    }
    const isIn = item === null || this.#program.isPython ? null : this.#has(of, item);
    return isIn === null || (isIn && method === 'indexOf') ? null : one(method === 'indexOf' ? -1 : isIn);
  }

  /** `a if b else c`, `b ? a : c`; null where it is none. */
  #choice(outer: string, start: number): Choice | null {
    const [whole, yes = '', condition = ''] = this.#program.isPython
      ? (/^([\s\S]*?)(?<!\w)if(?!\w)([\s\S]*?)(?<!\w)else(?!\w)/.exec(outer) ?? [])
      : (/^([\s\S]*?)\?(?![?.])([\s\S]*?):/.exec(outer) ?? []);
    if (whole === undefined) {
      return null;
    }
    const end = start + outer.length;
    const second = start + yes.length + (this.#program.isPython ? 2 : 1);
    const first = [start, start + yes.length] as const;
    const middle = [second, second + condition.length] as const;
    const no = [start + whole.length, end] as const;
    return this.#program.isPython ? { yes: first, condition: middle, no } : { condition: first, yes: middle, no };
  }

  #trimmed(from: number, to: number): readonly [number, number] {
    const written = this.#program.source.slice(from, to);
    const before = written.length - written.trimStart().length;
    return [from + before, from + written.trimEnd().length];
  }
}

interface Choice {
  readonly yes: readonly [number, number];
  readonly condition: readonly [number, number];
  readonly no: readonly [number, number];
}

function rest(list: KnownValue, from: number): KnownValue | null {
  return list.kind === 'list'
    ? { kind: 'list', items: list.items.slice(from) }
    : list.kind === 'arguments' && from === list.before
      ? { kind: 'arguments', before: 0 }
      : null;
}

const hasComma = (code: string): boolean => outerCode(code).includes(',');

/** A list, a set or a tuple of texts alone. */
function listOf(written: string): KnownValue | null {
  const bracketed = written.startsWith('{') ? `[${written.slice(1, -1)}]` : written;
  const literal = /^\{\s*\}$/.test(written) ? null : readLiteral(bracketed, 0, /\$\{/);
  const items = literal?.kind === 'list' && literal.end === bracketed.length ? literal.values : [null];
  const known = items.filter((item) => item !== null);
  return known.length === items.length ? { kind: 'list', items: known } : null;
}
