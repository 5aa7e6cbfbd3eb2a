import type { ArithmeticExpression } from 'unbash';
import type { Word } from '../simple-command.ts';
import { parseArithmetic } from './syntax.ts';

/** What arithmetic needs of the shell. Null stands for a value that can't be known. */
export interface ArithmeticScope {
  read(name: string): string | null;
  assign(name: string, value: number | null): void;
  /** A word with expansions in it, expanded. */
  expand(word: ArithmeticExpression & { type: 'ArithmeticWord' }): string | null;
  substitute(expansion: ArithmeticExpression & { type: 'ArithmeticCommandExpansion' }): string | null;
  /** Expands what a value holds, which runs the commands in it. */
  expandValue(text: string): Word;
}

/** A value in which bash would run commands, were it evaluated: `a[$(…)]`. */
export function holdsSubstitution(text: string): boolean {
  return text.includes('$(') || text.includes('`');
}

/** Evaluates as bash(1) "ARITHMETIC EVALUATION" does; null where a part is unknown or no number. */
export function evaluate(expression: ArithmeticExpression, scope: ArithmeticScope, depth = 0): number | null {
  if (depth > 64) {
    return null;
  }
  switch (expression.type) {
    case 'ArithmeticWord':
      return evaluateWord(expression, scope);
    case 'ArithmeticGroup':
      return evaluate(expression.expression, scope, depth + 1);
    case 'ArithmeticTernary': {
      const test = evaluate(expression.test, scope, depth + 1);
      return test === null
        ? null
        : evaluate(test === 0 ? expression.alternate : expression.consequent, scope, depth + 1);
    }
    case 'ArithmeticUnary':
      return evaluateUnary(expression, scope, depth);
    case 'ArithmeticBinary':
      return evaluateBinary(expression, scope, depth);
    case 'ArithmeticCommandExpansion': {
      const text = scope.substitute(expression);
      return text === null ? null : number(text.trim(), scope);
    }
  }
}

/** Evaluates what a word holds; null as in {@link evaluate}, and where it is no expression. */
export function evaluateValue(word: Word, scope: ArithmeticScope): number | null {
  const expression = word.kind === 'known' ? parseArithmetic(word.value) : null;
  return expression === null ? null : evaluate(expression, scope);
}

function evaluateWord(word: ArithmeticExpression & { type: 'ArithmeticWord' }, scope: ArithmeticScope): number | null {
  const text = word.parts === undefined ? word.value : scope.expand(word);
  return text === null ? null : number(text.trim(), scope);
}

function number(text: string, scope: ArithmeticScope, depth = 0): number | null {
  if (text === '') {
    return 0;
  }
  if (/^[+-]?(?:0[xX][0-9a-fA-F]+|[1-9][0-9]*|0)$/.test(text)) {
    return safe(text.startsWith('-') ? -Number(text.slice(1)) : Number(text));
  }
  if (/^0[0-7]+$/.test(text)) {
    return safe(Number.parseInt(text, 8));
  }
  const [, name] = /^\$?([A-Za-z_]\w*)$|^\$[0-9#]$/.exec(text) ?? [];
  if ((name !== undefined || text.startsWith('$')) && depth < 8) {
    const value = /^\$?\w+$|^\$#$/.test(text) ? scope.read(name ?? text.slice(1)) : null;
    return value === null ? null : number(value.trim(), scope, depth + 1);
  }
  if (holdsSubstitution(text)) {
    scope.expandValue(text);
  }
  return null;
}

function safe(value: number): number | null {
  return Number.isSafeInteger(value) ? value : null;
}

function evaluateUnary(
  expression: ArithmeticExpression & { type: 'ArithmeticUnary' },
  scope: ArithmeticScope,
  depth: number,
): number | null {
  const operand = evaluate(expression.operand, scope, depth + 1);
  if (expression.operator === '++' || expression.operator === '--') {
    const changed = operand === null ? null : safe(operand + (expression.operator === '++' ? 1 : -1));
    if (expression.operand.type === 'ArithmeticWord') {
      scope.assign(expression.operand.value, changed);
    }
    return expression.prefix ? changed : operand;
  }
  if (operand === null) {
    return null;
  }
  switch (expression.operator) {
    case '-':
      return -operand;
    case '+':
      return operand;
    case '!':
      return operand === 0 ? 1 : 0;
    case '~':
      return ~operand;
    default:
      return null;
  }
}

const operations: Readonly<Record<string, (left: number, right: number) => number>> = {
  '+': (left, right) => left + right,
  '-': (left, right) => left - right,
  '*': (left, right) => left * right,
  '/': (left, right) => Math.trunc(left / right),
  '%': (left, right) => left % right,
  '**': (left, right) => left ** right,
  '<': (left, right) => Number(left < right),
  '>': (left, right) => Number(left > right),
  '<=': (left, right) => Number(left <= right),
  '>=': (left, right) => Number(left >= right),
  '==': (left, right) => Number(left === right),
  '!=': (left, right) => Number(left !== right),
  '&&': (left, right) => Number(left !== 0 && right !== 0),
  '||': (left, right) => Number(left !== 0 || right !== 0),
  '<<': (left, right) => left * 2 ** right,
  '>>': (left, right) => Math.floor(left / 2 ** right),
  '&': (left, right) => Number(BigInt(left) & BigInt(right)),
  '|': (left, right) => Number(BigInt(left) | BigInt(right)),
  '^': (left, right) => Number(BigInt(left) ^ BigInt(right)),
  ',': (_, right) => right,
};

/** What is given a value is not read; an index in it is. */
function indexed(target: ArithmeticExpression, scope: ArithmeticScope): number {
  if (target.type === 'ArithmeticWord' && target.parts !== undefined) {
    scope.expand(target);
  }
  return 0;
}

function evaluateBinary(
  expression: ArithmeticExpression & { type: 'ArithmeticBinary' },
  scope: ArithmeticScope,
  depth: number,
): number | null {
  const { operator } = expression;
  const assigns = operator.endsWith('=') && !['==', '!=', '<=', '>='].includes(operator);
  const left = operator === '=' ? indexed(expression.left, scope) : evaluate(expression.left, scope, depth + 1);
  if ((operator === '&&' && left === 0) || (operator === '||' && left !== null && left !== 0)) {
    return operator === '&&' ? 0 : 1;
  }
  const right = evaluate(expression.right, scope, depth + 1);
  const known = left !== null && right !== null;
  const apply = operations[assigns ? operator.slice(0, -1) : operator];
  const plain = operator === '=' ? right : null;
  const result = plain ?? (known && apply !== undefined ? safe(apply(left, right)) : null);
  if (assigns && expression.left.type === 'ArithmeticWord') {
    scope.assign(expression.left.value, result);
  }
  return result;
}
