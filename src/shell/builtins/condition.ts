import type { ArithmeticExpression, Word as SyntaxWord, TestExpression } from 'unbash';
import { endingAs } from '../last-status.ts';
import { chosenIn } from '../merged-values.ts';
import { newFork } from '../path.ts';
import { resolvePath } from '../path-resolution.ts';
import { either, fails, type Outcome, parted, type ShellState, succeeds } from '../shell-state.ts';
import { type Fork, hasText, knownWord, type TestedOutput, type UnknownWord, type Word } from '../simple-command.ts';
import { evaluate, evaluateValue, holdsSubstitution } from '../words/arithmetic.ts';
import { openInteger } from '../words/declared-value.ts';
import { settledPieces } from '../words/field.ts';
import { readParameter } from '../words/parameter.ts';
import { extendedPattern, lengthOf, wholePattern } from '../words/pattern.ts';
import { settledText } from '../words/read-again.ts';
import type { Expansion } from '../words/word-expansion.ts';
import { countedBy } from './counted-output.ts';
import { fileTests, type TestedFiles, testFile } from './file-tests.ts';

/** What a test asks of how a command has ended. */
interface TestedStatus {
  readonly status: Fork;
  /** Whether the test holds where the command has succeeded; it doesn't where it has failed, or the other way round. */
  readonly whenZero: boolean;
}

/** True or false where a test depends on known values alone; what it asks of a command; null: not known. */
export type Answer = boolean | TestedOutput | TestedStatus | null;

/** `[[ … ]]` */
export function evaluateTest(expression: TestExpression, expansion: Expansion, through: readonly string[]): Answer {
  switch (expression.type) {
    case 'TestGroup':
      return evaluateTest(expression.expression, expansion, through);
    case 'TestNot':
      return negate(evaluateTest(expression.operand, expansion, through), expression.negations.length);
    case 'TestLogical':
      return combine(
        expression.operator,
        expression.operands.map((operand) => evaluateTest(operand, expansion, through)),
      );
    case 'TestUnary':
      return unary(
        expression.operator,
        testedValue(expression, expansion),
        expansion.state,
        testedFiles(expansion.host, through),
      );
    case 'TestBinary': {
      const left = expansion.value(expression.left);
      if (['=', '==', '!='].includes(expression.operator)) {
        return negate(matches(left, expression.right, expansion), expression.operator === '!=' ? 1 : 0);
      }
      if (expression.operator === '=~') {
        const pattern = extendedPattern(
          expansion.pieces(expression.right),
          lengthOf(left),
          matchFlags(expansion.state),
        );
        return pattern === null || left.kind === 'unknown' ? null : pattern.test(left.value);
      }
      const right = expansion.value(expression.right);
      const isNumeric = comparisons[expression.operator] !== undefined;
      return isNumeric
        ? binary(numberOf(left, expansion), expression.operator, numberOf(right, expansion))
        : binary(left, expression.operator, right);
    }
  }
}

/** `[[ $x == PATTERN ]]` */
function matches(left: Word, right: SyntaxWord, expansion: Expansion): Answer {
  const text = settledText(left);
  const pieces = settledPieces(expansion.pieces(right));
  const longest = Math.max(...(chosenIn(left) ?? [text ?? '']).map(({ length }) => length));
  const pattern = wholePattern(pieces, longest, matchFlags(expansion.state));
  const fits = (value: string) => pattern?.test(value) ?? null;
  const literal = literalText(right.text);
  return text !== null
    ? fits(text)
    : (ofChosen(left, fits) ?? (literal === null ? null : binary(left, '=', knownWord(literal))));
}

/** What a test says of a word that has one of two values: what decides which of them, where it matters. */
function ofChosen(word: Word, test: (value: string) => Answer): Answer {
  const values = chosenIn(word);
  const fork = word.kind === 'unknown' ? word.chosenBy?.fork : undefined;
  const [holding, otherwise] = (values ?? []).map(test);
  if (fork === undefined || typeof holding !== 'boolean' || typeof otherwise !== 'boolean') {
    return null;
  }
  return holding === otherwise ? holding : { status: fork, whenZero: holding };
}

/** How patterns are compared with values: bash(1) "nocasematch". */
export function matchFlags({ options }: ShellState): string {
  return options.nocasematch ? 'i' : '';
}

function testedFiles({ files, overlay, steps }: Expansion['host'], through: readonly string[]): TestedFiles {
  return { files, overlay, steps, through };
}

/** `[[ -v 'a[$(…)]' ]]` evaluates the index. */
function testedValue(
  { operator, operand }: Extract<TestExpression, { type: 'TestUnary' }>,
  expansion: Expansion,
): Word {
  const word = expansion.value(operand);
  if (operator === '-v' && word.kind === 'known' && holdsSubstitution(word.value)) {
    expansion.expandValue(word.value);
  }
  return word;
}

/** `[[ x -eq 1 ]]`: both sides are arithmetic. */
function numberOf(word: Word, expansion: Expansion): Word {
  const isNumber = word.kind === 'known' && /^\s*-?(?:0|[1-9]\d*)\s*$/.test(word.value);
  const number = isNumber ? null : evaluateValue(word, expansion);
  return isNumber || word.kind === 'unknown' ? word : number === null ? openInteger(word) : knownWord(String(number));
}

function negate(result: Answer, times: number): Answer {
  if (result === null || times % 2 === 0) {
    return result;
  }
  if (typeof result === 'boolean') {
    return !result;
  }
  return 'status' in result ? { ...result, whenZero: !result.whenZero } : { ...result, whenEmpty: !result.whenEmpty };
}

/** Nothing, or a number: what is no pattern, and the same in quotes. */
function literalText(written: string): string | null {
  return /^(?:""|''|(["']?)\d+\1)$/.test(written) ? written.replace(/["']/g, '') : null;
}

function combine(operator: '&&' | '||', results: readonly Answer[]): boolean | null {
  const deciding = operator === '||';
  if (results.includes(deciding)) {
    return deciding;
  }
  return results.every((result) => result === !deciding) ? !deciding : null;
}

/** The `test` and `[` builtins with their words; null where the answer is not known. */
export function evaluateTestWords(words: readonly Word[], state: ShellState, host: TestedFiles): Answer {
  const [first, second, third] = words;
  const firstText = first?.kind === 'known' ? first.value : null;
  // Without quotes, nothing leaves `[ -z ]`, which holds as well; several words are an error.
  const isEmptiness = firstText === '-z' && words.length === 2;
  const isNumber = (word: Word) =>
    countedBy(word) !== null ||
    statusOf(word) !== null ||
    chosenIn(word)?.every((value) => /^\w+$/.test(value)) === true;
  const maySplit = (word: Word) => word.kind === 'unknown' && word.mayExpandToSeveral && !isNumber(word);
  if (!isEmptiness && words.some(maySplit)) {
    return null;
  }
  if (firstText === '!' && words.length > 1) {
    return negate(evaluateTestWords(words.slice(1), state, host), 1);
  }
  const connective = words.findIndex((word) => word.kind === 'known' && (word.value === '-o' || word.value === '-a'));
  if (connective > 0 && words.length > 3) {
    const operator = words[connective];
    return combine(operator?.kind === 'known' && operator.value === '-o' ? '||' : '&&', [
      evaluateTestWords(words.slice(0, connective), state, host),
      evaluateTestWords(words.slice(connective + 1), state, host),
    ]);
  }
  if (first === undefined) {
    return false;
  }
  if (second === undefined) {
    return unary('-n', first, state, host);
  }
  if (third === undefined) {
    return firstText === null ? null : unary(firstText, second, state, host);
  }
  return second.kind === 'known' && words.length === 3 ? binary(first, second.value, third) : null;
}

function unary(operator: string, operand: Word, state: ShellState, host: TestedFiles): Answer {
  switch (operator) {
    case '-z':
      return isEmpty(operand);
    case '-n':
      return notEmpty(operand);
    case '-d': {
      const path = resolvePath(operand, state.cwd);
      // What the line does before could have removed it; that a repository goes is refused.
      return path?.endsWith('/.git') === true && host.files.isDirectory(path)
        ? true
        : testFile(operator, operand, state, host);
    }
    case '-f': {
      const path = resolvePath(operand, state.cwd);
      return path?.endsWith('/.git') === true && host.files.isDirectory(path)
        ? false
        : testFile(operator, operand, state, host);
    }
    default:
      return fileTests.has(operator) ? testFile(operator, operand, state, host) : null;
  }
}

function isEmpty(word: Word): Answer {
  return negate(notEmpty(word), 1);
}

/** `case "$x" in '')`, `case $? in 0)`: is it what a pattern says, as written? Undefined: the pattern may say more. */
export function equalsLiteral(word: Word, written: string): Answer | undefined {
  const literal = literalText(written);
  return literal === null ? undefined : binary(word, '=', knownWord(literal));
}

function notEmpty(word: Word): Answer {
  const isSomething = hasText(word) ?? ofChosen(word, (value) => value !== '');
  return isSomething === null && word.kind === 'unknown' && word.printedBy !== undefined
    ? { of: word.printedBy, whenEmpty: false }
    : isSomething;
}

/** Whose exit status the word is; null: it is none, or not known. */
export function statusOf(word: Word): Fork | null {
  return word.kind === 'unknown' && word.prefix + word.suffix === '' ? (word.statusOf ?? null) : null;
}

/** `[ "$(git status --porcelain | wc -l)" -eq 0 ]`: what counts there, where nothing was printed or found. */
const ofNothing: ReadonlyMap<string, boolean> = new Map([
  ['-eq 0', true],
  ['= 0', true],
  ['== 0', true],
  ['-le 0', true],
  ['-lt 1', true],
  ['-ne 0', false],
  ['!= 0', false],
  ['-gt 0', false],
  ['-ge 1', false],
]);

function counted(word: Word, comparison: string): Answer {
  const whenZero = ofNothing.get(comparison);
  if (whenZero === undefined) {
    return null;
  }
  const [of, status] = [countedBy(word), statusOf(word)];
  return of !== null ? { of, whenEmpty: whenZero } : status === null ? null : { status, whenZero };
}

/** `[ "x$(…)" = x ]`: the letter before an output; else what stands before nothing. */
function beginningMark({ prefix, suffix, printedBy }: UnknownWord): string {
  return printedBy !== undefined && suffix === '' && /^[xX_.]$/.test(prefix) ? prefix : '';
}

const comparisons: Readonly<Record<string, (left: number, right: number) => boolean>> = {
  '-eq': (left, right) => left === right,
  '-ne': (left, right) => left !== right,
  '-lt': (left, right) => left < right,
  '-le': (left, right) => left <= right,
  '-gt': (left, right) => left > right,
  '-ge': (left, right) => left >= right,
};

function binary(left: Word, operator: string, right: Word): Answer {
  const isEquality = operator === '=' || operator === '==' || operator === '!=';
  if (left.kind === 'unknown' && isEquality && right.kind === 'known' && right.value === beginningMark(left)) {
    return negate(notEmpty({ ...left, prefix: '' }), operator === '!=' ? 0 : 1);
  }
  const [one, other] = isEquality ? [settledText(left), settledText(right)] : [null, null];
  if (one !== null && other !== null) {
    return (one === other) === (operator !== '!=');
  }
  if (left.kind === 'unknown' || right.kind === 'unknown') {
    const chosen = right.kind === 'known' ? ofChosen(left, (value) => binary(knownWord(value), operator, right)) : null;
    return chosen ?? (right.kind === 'known' ? counted(left, `${operator} ${right.value.trim()}`) : null);
  }
  const compare = comparisons[operator];
  const integer = /^\s*-?\d{1,15}\s*$/;
  return compare !== undefined && integer.test(left.value) && integer.test(right.value)
    ? compare(Number(left.value), Number(right.value))
    : null;
}

/** How a command ends whose success is the answer. */
export function decided(answer: Answer, state: ShellState): Outcome {
  if (typeof answer === 'boolean') {
    return answer ? succeeds(state) : fails(state);
  }
  if (answer === null) {
    return either(state);
  }
  if (!('status' in answer)) {
    return parted(either(state), newFork(answer));
  }
  const { success, failure } = endingAs(answer.status, state);
  return answer.whenZero ? { success, failure } : { success: failure, failure: success };
}

/** How an arithmetic command ends. @param absent what counts where there is no expression: `for ((;;))` */
export function arithmeticOutcome(
  expression: ArithmeticExpression | undefined,
  expansion: Expansion,
  absent: number,
): Outcome {
  return decided(expression === undefined ? absent !== 0 : arithmeticAnswer(expression, expansion), expansion.state);
}

/** As `[` compares numbers. */
const testOperators: Readonly<Record<string, string>> = {
  '==': '-eq',
  '!=': '-ne',
  '<': '-lt',
  '<=': '-le',
  '>': '-gt',
  '>=': '-ge',
};

/** `(( n ))` holds where the number isn't zero: a count of lines is compared with it as by `[ "$n" -ne 0 ]`. */
function arithmeticAnswer(expression: ArithmeticExpression, expansion: Expansion): Answer {
  if (expression.type === 'ArithmeticGroup') {
    return arithmeticAnswer(expression.expression, expansion);
  }
  if (expression.type === 'ArithmeticUnary' && expression.operator === '!') {
    return negate(arithmeticAnswer(expression.operand, expansion), 1);
  }
  const { number, operator, limit } = comparison(expression);
  if (number.type === 'ArithmeticCommandExpansion') {
    return binary(expansion.substituteCommand(number), operator, knownWord(limit));
  }
  if (number.type === 'ArithmeticWord' && /^\$\{#\w+(?:\[[@*]\])?\}$/.test(number.value)) {
    const word = expansion.joined(number);
    return word.kind === 'unknown' ? binary(word, operator, knownWord(limit)) : ofNumber(expression, expansion);
  }
  const [, name] = number.type === 'ArithmeticWord' ? (/^\$?([A-Za-z_]\w*|(?<=\$)\?)$/.exec(number.value) ?? []) : [];
  const variable = name === undefined ? null : readParameter(name, null, expansion.state, expansion.host.environment);
  if (variable?.kind === 'value' && variable.word.kind === 'unknown') {
    return binary(variable.word, operator, knownWord(limit));
  }
  return ofNumber(expression, expansion);
}

function ofNumber(expression: ArithmeticExpression, expansion: Expansion): boolean | null {
  const result = evaluate(expression, expansion);
  return result === null ? null : result !== 0;
}

/** What an expression compares with which number; any other one is compared with zero. */
function comparison(expression: ArithmeticExpression): {
  readonly number: ArithmeticExpression;
  readonly operator: string;
  readonly limit: string;
} {
  if (expression.type === 'ArithmeticBinary' && expression.right.type === 'ArithmeticWord') {
    const operator = testOperators[expression.operator];
    const { value } = expression.right;
    if (operator !== undefined && /^(?:0|[1-9]\d*)$/.test(value)) {
      return { number: expression.left, operator, limit: value };
    }
  }
  return { number: expression, operator: '-ne', limit: '0' };
}
