import type { ParameterOperation } from 'unbash';
import type { ShellState } from '../shell-state.ts';
import { hasText, knownWord, type SimpleCommand, type UnknownWord, type Word } from '../simple-command.ts';
import type { Variable } from '../variable.ts';
import { evaluateValue, holdsSubstitution } from './arithmetic.ts';
import { joinPieces, openNumberPiece, type Piece, valuePieces } from './field.ts';
import { arrayKeys, fieldSeparators, type ParameterValue, readParameter, unknownWord } from './parameter.ts';
import { changedValue } from './parameter-change.ts';
import type { ParameterScope, WrittenParameter } from './parameter-scope.ts';

/** Parameter expansion (bash(1) "Parameter Expansion"). */
export function expandParameter(written: WrittenParameter, quoted: boolean, expansion: ParameterScope): Piece[] {
  const unknown = (reason: string): Piece[] => [{ kind: 'unknown', reason, quoted }];
  if (written.prefix === '!' && written.operation?.type === 'Names') {
    return unknown(`the variables that ${written.text} names are not known`);
  }
  const index = readIndex(written, expansion);
  const variable = expansion.state.variables.get(written.parameter);
  const target = variable?.kind === 'reference' && variable.target.kind === 'known' ? variable.target.value : '';
  if (holdsSubstitution(target)) {
    expansion.expandValue(target);
  }
  const direct = readParameter(written.parameter, index, expansion.state, expansion.host.environment);
  if (written.prefix === '#') {
    return lengthPieces(direct, variable, written.text, quoted);
  }
  const value = written.prefix === '!' ? readIndirect(written, index, direct, expansion) : direct;
  if (value === null) {
    return unknown(`the variable that ${written.text} names is not known`);
  }
  const { operation } = written;
  if (operation?.type !== 'Default' && isMissed(value, variable, expansion.state)) {
    expansion.mayEnd = true;
  }
  if (operation?.type === 'Default') {
    return defaultPieces(written, operation, value, quoted, expansion);
  }
  const result = operation === undefined ? value : changedValue(written, operation, value, expansion);
  return plainPieces(result, quoted, written.parameter === '*' || index === '*', expansion);
}

/** `set -u`: is it an error that the parameter is not set? What the line does not set is mostly set by nobody. */
function isMissed(value: ParameterValue, variable: Variable | undefined, { options }: ShellState): boolean {
  return options.nounset && (value.kind === 'unset' || (value.kind === 'unknown' && variable === undefined));
}

function readIndex(written: WrittenParameter, expansion: ParameterScope): string | null {
  if (written.index === undefined) {
    const { options, variables } = expansion.state;
    return options.zshLists && variables.get(written.parameter)?.kind === 'array' ? '@' : null;
  }
  const { text } = written.index;
  if (text === '@' || text === '*') {
    return text;
  }
  const variable = expansion.state.variables.get(written.parameter);
  const word = expansion.value(written.index);
  if (word.kind === 'unknown' || (variable?.kind === 'array' && variable.associative)) {
    return word.kind === 'known' ? word.value : '?';
  }
  const number = evaluateValue(word, expansion);
  const first = expansion.state.options.zshLists ? 1 : 0;
  return number === null ? '?' : String(number > 0 ? number - first : number);
}

function readIndirect(
  written: WrittenParameter,
  index: string | null,
  value: ParameterValue,
  expansion: ParameterScope,
): ParameterValue | null {
  const variable = expansion.state.variables.get(written.parameter);
  if (index === '@' || index === '*') {
    const keys = variable?.kind === 'array' ? arrayKeys(variable) : ['0'];
    return { kind: 'several', words: keys.map(knownWord) };
  }
  if (value.kind !== 'value' || value.word.kind !== 'known') {
    return null;
  }
  const [, name = '', inner] = /^([^[]+)(?:\[(.*)\])?$/s.exec(value.word.value) ?? [];
  if (holdsSubstitution(inner ?? '')) {
    expansion.expandValue(inner ?? '');
    return null;
  }
  return readParameter(name, inner ?? null, expansion.state, expansion.host.environment);
}

function lengthPieces(value: ParameterValue, variable: Variable | undefined, source: string, quoted: boolean): Piece[] {
  const length = valueLength(value);
  return length === null
    ? [openNumberPiece(source, quoted, printerOfLength(value, variable))]
    : [{ kind: quoted ? 'quoted' : 'split', text: String(length) }];
}

/** The command whose output makes a value, or a list, longer than nothing. */
function printerOfLength(value: ParameterValue, variable: Variable | undefined): SimpleCommand | undefined {
  if (value.kind === 'several' && variable?.kind === 'array') {
    const [only, ...others] = value.words;
    const isPlain = others.length === 0 && only?.kind === 'unknown' && only.mayExpandToSeveral;
    return variable.filledBy ?? (isPlain ? wholeOutput(only) : undefined);
  }
  return value.kind === 'value' ? wholeOutput(value.word) : undefined;
}

/** The command, where the word is what it prints and nothing else. */
function wholeOutput(word: Word): SimpleCommand | undefined {
  return word.kind === 'unknown' && word.prefix + word.suffix === '' ? word.printedBy : undefined;
}

function valueLength(value: ParameterValue): number | null {
  switch (value.kind) {
    case 'unset':
      return 0;
    case 'unknown':
      return null;
    case 'several':
      return value.words.some((word) => word.kind === 'unknown') ? null : value.words.length;
    case 'value':
      return value.word.kind === 'known' ? value.word.value.length : null;
  }
}

/** @param joined in quotes several values become one word: `"$*"` */
function plainPieces(value: ParameterValue, quoted: boolean, joined: boolean, expansion: ParameterScope): Piece[] {
  switch (value.kind) {
    case 'unset':
      return quoted ? [{ kind: 'quoted', text: '' }] : [];
    case 'unknown':
      return [{ kind: 'unknown', reason: value.word.reason, quoted, of: value.word }];
    case 'value':
      return valuePieces(value.word, quoted);
    case 'several':
      return severalPieces(value.words, quoted, joined, expansion);
  }
}

function severalPieces(words: readonly Word[], quoted: boolean, joined: boolean, expansion: ParameterScope): Piece[] {
  const separator = fieldSeparators(expansion.state).slice(0, 1);
  return words.flatMap((word, position) => {
    const open = word.kind === 'unknown' && word.mayExpandToSeveral;
    const pieces = valuePieces(word, quoted && !open);
    if (position === 0) {
      return pieces;
    }
    return quoted && joined ? [{ kind: 'quoted', text: separator }, ...pieces] : [{ kind: 'end' }, ...pieces];
  });
}

function defaultPieces(
  written: WrittenParameter,
  operation: Extract<ParameterOperation, { type: 'Default' }>,
  value: ParameterValue,
  quoted: boolean,
  expansion: ParameterScope,
): Piece[] {
  const operand = () => {
    const pieces = expansion.pieces(operation.operand, quoted);
    return pieces.map((piece): Piece => (piece.kind === 'literal' ? { ...piece, kind: 'split' } : piece));
  };
  const nullCounts = operation.operator.startsWith(':');
  const state = isSet(value, nullCounts);
  const operator = operation.operator.replace(':', '');
  if (state === null) {
    const { ends } = expansion;
    const pieces = operand();
    // Whether that is looked at is not known.
    expansion.mayEnd ||= operator === '?' || expansion.ends;
    expansion.ends = ends;
    const open = unknownWord(written.text, `whether ${written.parameter} is set is not known`);
    const given = joinPieces(pieces, written.text);
    if (operator === '-' && isForTemporaries(written, given, expansion)) {
      return pieces;
    }
    if (operator === '-' && value.kind === 'value' && given.kind === 'known' && given.value === '') {
      // Nothing in the place of nothing: the value itself.
      return plainPieces(value, quoted, false, expansion);
    }
    const word = given.kind === 'known' ? eitherWay(open, { written, operator, value }, given.value) : open;
    if (operator === '=') {
      expansion.assignWord(written.parameter, word);
    }
    return [{ kind: 'unknown', reason: word.reason, quoted, of: word }];
  }
  if (operator === '+') {
    return state ? operand() : plainPieces({ kind: 'unset' }, quoted, false, expansion);
  }
  if (state) {
    return plainPieces(value, quoted, written.parameter === '*', expansion);
  }
  expansion.mayEnd ||= operator === '?';
  expansion.ends ||= operator === '?';
  const pieces = operand();
  if (operator === '=') {
    expansion.assignWord(written.parameter, joinPieces(pieces, written.text));
  }
  return pieces;
}

/** `${TMPDIR:-/tmp}`: where files for a while are made, whether the variable says so or not. */
function isForTemporaries(
  { parameter, prefix, index }: WrittenParameter,
  given: Word,
  { state }: ParameterScope,
): boolean {
  const isItself = parameter === 'TMPDIR' && prefix === undefined && index === undefined;
  return (
    isItself && !state.variables.has(parameter) && given.kind === 'known' && /^\/(?:var\/)?tmp\/?$/.test(given.value)
  );
}

/** What it comes to where the variable is set, and where it isn't. */
function eitherWay(
  open: UnknownWord,
  { written, operator, value }: { written: WrittenParameter; operator: string; value: ParameterValue },
  given: string,
): UnknownWord {
  if (operator === '-' || operator === '=') {
    return withDefault(open, written, given);
  }
  if (operator !== '+') {
    return open;
  }
  // What skips checks counts where the line itself sets the variable on one of its ways: mostly nobody does.
  const isEither = value.kind === 'value' || given !== '--no-verify';
  return isEither ? { ...open, oneOf: ['', given] } : { ...open, mayBe: [''] };
}

/** A variable that the line doesn't set is mostly not set at all. */
function withDefault(word: UnknownWord, { parameter, prefix, index }: WrittenParameter, value: string): UnknownWord {
  const isItself = prefix === undefined && index === undefined;
  return { ...word, mayBe: [value], ...(isItself ? { ownValueOf: parameter } : {}) };
}

/** Null where it can't be told. */
function isSet(value: ParameterValue, nullCounts: boolean): boolean | null {
  switch (value.kind) {
    case 'unset':
      return false;
    case 'unknown':
      return null;
    case 'several':
      return value.words.length > 0;
    case 'value':
      return nullCounts ? hasText(value.word) : true;
  }
}
