import type { TestExpression } from 'unbash';
import { resolvePath } from './path-resolution.ts';
import { extendedPattern, wholePattern } from './pattern.ts';
import type { ScriptFiles } from './script-files.ts';
import type { ShellState } from './shell-state.ts';
import type { Word } from './simple-command.ts';
import type { Expansion } from './word-expansion.ts';

/** `[[ … ]]`: true or false where it depends on known values alone, else null. */
export function evaluateTest(expression: TestExpression, expansion: Expansion): boolean | null {
  switch (expression.type) {
    case 'TestGroup':
      return evaluateTest(expression.expression, expansion);
    case 'TestNot':
      return negate(evaluateTest(expression.operand, expansion), expression.negations.length);
    case 'TestLogical':
      return combine(
        expression.operator,
        expression.operands.map((operand) => evaluateTest(operand, expansion)),
      );
    case 'TestUnary':
      return unary(expression.operator, expansion.value(expression.operand), expansion.state, expansion.host.files);
    case 'TestBinary': {
      const left = expansion.value(expression.left);
      if (['=', '==', '!='].includes(expression.operator)) {
        const pattern = wholePattern(expansion.pieces(expression.right));
        const result = pattern === null || left.kind === 'unknown' ? null : pattern.test(left.value);
        return negate(result, expression.operator === '!=' ? 1 : 0);
      }
      if (expression.operator === '=~') {
        const pattern = extendedPattern(expansion.pieces(expression.right));
        return pattern === null || left.kind === 'unknown' ? null : pattern.test(left.value);
      }
      const right = expansion.value(expression.right);
      return binary(left, expression.operator, right);
    }
  }
}

function negate(result: boolean | null, times: number): boolean | null {
  return result === null || times % 2 === 0 ? result : !result;
}

function combine(operator: '&&' | '||', results: readonly (boolean | null)[]): boolean | null {
  const deciding = operator === '||';
  if (results.includes(deciding)) {
    return deciding;
  }
  return results.includes(null) ? null : !deciding;
}

/** The `test` and `[` builtins with their words; null where the answer is not known. */
export function evaluateTestWords(words: readonly Word[], state: ShellState, files: ScriptFiles): boolean | null {
  if (words.some((word) => word.kind === 'unknown' && word.mayExpandToSeveral)) {
    return null;
  }
  const [first, second, third] = words;
  const firstText = first?.kind === 'known' ? first.value : null;
  if (firstText === '!' && words.length > 1) {
    return negate(evaluateTestWords(words.slice(1), state, files), 1);
  }
  const connective = words.findIndex((word) => word.kind === 'known' && (word.value === '-o' || word.value === '-a'));
  if (connective > 0 && words.length > 3) {
    const operator = words[connective];
    return combine(operator?.kind === 'known' && operator.value === '-o' ? '||' : '&&', [
      evaluateTestWords(words.slice(0, connective), state, files),
      evaluateTestWords(words.slice(connective + 1), state, files),
    ]);
  }
  if (first === undefined) {
    return false;
  }
  if (second === undefined) {
    return unary('-n', first, state, files);
  }
  if (third === undefined) {
    return firstText === null ? null : unary(firstText, second, state, files);
  }
  return second.kind === 'known' && words.length === 3 ? binary(first, second.value, third) : null;
}

function unary(operator: string, operand: Word, state: ShellState, files: ScriptFiles): boolean | null {
  switch (operator) {
    case '-z':
      return negate(notEmpty(operand), 1);
    case '-n':
      return notEmpty(operand);
    case '-d': {
      const path = resolvePath(operand, state.cwd);
      return path !== null && files.isDirectory(path) ? true : null;
    }
    default:
      return null;
  }
}

function notEmpty(word: Word): boolean | null {
  if (word.kind === 'known') {
    return word.value !== '';
  }
  return word.prefix !== '' || word.suffix !== '' ? true : null;
}

const comparisons: Readonly<Record<string, (left: number, right: number) => boolean>> = {
  '-eq': (left, right) => left === right,
  '-ne': (left, right) => left !== right,
  '-lt': (left, right) => left < right,
  '-le': (left, right) => left <= right,
  '-gt': (left, right) => left > right,
  '-ge': (left, right) => left >= right,
};

function binary(left: Word, operator: string, right: Word): boolean | null {
  if (left.kind === 'unknown' || right.kind === 'unknown') {
    return null;
  }
  if (operator === '=' || operator === '==' || operator === '!=') {
    return (left.value === right.value) === (operator !== '!=');
  }
  const compare = comparisons[operator];
  const integer = /^\s*-?\d{1,15}\s*$/;
  return compare !== undefined && integer.test(left.value) && integer.test(right.value)
    ? compare(Number(left.value), Number(right.value))
    : null;
}
