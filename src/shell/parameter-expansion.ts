import type { ParameterOperation, Word as SyntaxWord } from 'unbash';
import { type ArithmeticScope, evaluate, holdsSubstitution } from './arithmetic.ts';
import { joinPieces, openNumberPiece, type Piece, valuePieces } from './field.ts';
import {
  arrayKeys,
  type Environment,
  fieldSeparators,
  type ParameterValue,
  readParameter,
  unknownWord,
} from './parameter.ts';
import { changeCase, removePattern, repeatsMatch, replacePattern, slice, transform } from './parameter-operation.ts';
import type { ShellState } from './shell-state.ts';
import { knownWord, type UnknownWord, type Word } from './simple-command.ts';
import { parseArithmetic } from './syntax.ts';

/** What the expansion of a parameter needs of the expansion of words around it. */
export interface ParameterScope extends ArithmeticScope {
  readonly state: ShellState;
  readonly host: { readonly environment: Environment };
  /** A value that is neither split nor matched against files. */
  value(word: SyntaxWord): Word;
  /** The pieces of a word, before splitting. */
  pieces(word: SyntaxWord, quoted?: boolean): Piece[];
  assignWord(name: string, value: Word): void;
}

/** `$x`, `${x}` or `${x…}` as written. */
export interface WrittenParameter {
  readonly parameter: string;
  readonly text: string;
  readonly prefix?: '!' | '#' | undefined;
  readonly index?: SyntaxWord | undefined;
  readonly operation?: ParameterOperation | undefined;
}

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
    return lengthPieces(direct, written.text, quoted);
  }
  const value = written.prefix === '!' ? readIndirect(written, index, direct, expansion) : direct;
  if (value === null) {
    return unknown(`the variable that ${written.text} names is not known`);
  }
  const operation = written.operation;
  if (operation === undefined) {
    return plainPieces(written, index, value, quoted, expansion);
  }
  return operation.type === 'Default'
    ? defaultPieces(written, operation, value, quoted, expansion)
    : changedPieces(written, operation, value, quoted, expansion);
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
  const expression = parseArithmetic(word.value);
  const number = expression === null ? null : evaluate(expression, expansion);
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

function lengthPieces(value: ParameterValue, source: string, quoted: boolean): Piece[] {
  const length = valueLength(value);
  return length === null
    ? [openNumberPiece(source, quoted)]
    : [{ kind: quoted ? 'quoted' : 'split', text: String(length) }];
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

function plainPieces(
  written: WrittenParameter,
  index: string | null,
  value: ParameterValue,
  quoted: boolean,
  expansion: ParameterScope,
): Piece[] {
  switch (value.kind) {
    case 'unset':
      return quoted ? [{ kind: 'quoted', text: '' }] : [];
    case 'unknown':
      return [{ kind: 'unknown', reason: value.word.reason, quoted, of: value.word }];
    case 'value':
      return valuePieces(value.word, quoted);
    case 'several':
      return severalPieces(value.words, quoted, written.parameter === '*' || index === '*', expansion);
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
    const pieces = operand();
    const byDefault = operator === '-' || operator === '=' ? joinPieces(pieces, written.text) : null;
    const word = withDefault(unknownWord(written.text, `whether ${written.parameter} is set is not known`), byDefault);
    if (operator === '=') {
      expansion.assignWord(written.parameter, word);
    }
    return [{ kind: 'unknown', reason: word.reason, quoted, of: word }];
  }
  if (operator === '+') {
    return state ? operand() : quoted ? [{ kind: 'quoted', text: '' }] : [];
  }
  if (state) {
    return plainPieces(written, null, value, quoted, expansion);
  }
  const pieces = operand();
  if (operator === '=') {
    expansion.assignWord(written.parameter, joinPieces(pieces, written.text));
  }
  return pieces;
}

/** A variable that the line doesn't set is mostly not set at all. */
function withDefault(word: UnknownWord, operand: Word | null): UnknownWord {
  return operand?.kind === 'known' ? { ...word, mayBe: [operand.value] } : word;
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
      if (!nullCounts) {
        return true;
      }
      return value.word.kind === 'known'
        ? value.word.value !== ''
        : value.word.prefix + value.word.suffix !== '' || null;
  }
}

function changedPieces(
  written: WrittenParameter,
  operation: Exclude<ParameterOperation, { type: 'Default' }>,
  value: ParameterValue,
  quoted: boolean,
  expansion: ParameterScope,
): Piece[] {
  const change = prepareChange(operation, expansion);
  const changeWord = (word: Word): Word => {
    const text = word.kind === 'known' ? change(word.value) : null;
    return text === null ? unknownWord(written.text, `the value of ${written.text} is not known`) : knownWord(text);
  };
  const changed = changeValue(value, changeWord, (words) =>
    operation.type === 'Slice' ? sliceWords(words, written, operation, expansion) : words.map(changeWord),
  );
  return plainPieces(written, written.index?.text ?? null, changed, quoted, expansion);
}

function changeValue(
  value: ParameterValue,
  one: (word: Word) => Word,
  several: (words: readonly Word[]) => readonly Word[],
): ParameterValue {
  switch (value.kind) {
    case 'value':
      return { kind: 'value', word: one(value.word) };
    case 'several':
      return { kind: 'several', words: several(value.words) };
    default:
      return value;
  }
}

type Change = (text: string) => string | null;

function prepareChange(operation: Exclude<ParameterOperation, { type: 'Default' }>, expansion: ParameterScope): Change {
  switch (operation.type) {
    case 'Remove': {
      const pattern = expansion.pieces(operation.operand);
      return (text) => removePattern(text, operation.operator, pattern);
    }
    case 'Replace': {
      const pattern = expansion.pieces(operation.pattern);
      const pieces = expansion.pieces(operation.replacement);
      const replacement = joinPieces(pieces, operation.replacement.text);
      if (replacement.kind === 'unknown') {
        return () => null;
      }
      const repeats = repeatsMatch(pieces);
      return (text) => {
        const replaced = replacePattern(text, operation.operator, pattern, repeats ? '\0' : replacement.value);
        return repeats && replaced !== text ? null : replaced;
      };
    }
    case 'Slice': {
      const offset = arithmeticValue(operation.offset, expansion);
      const length = operation.length === undefined ? undefined : arithmeticValue(operation.length, expansion);
      return (text) => (offset === null || length === null ? null : slice(text, offset, length ?? null));
    }
    case 'CaseModification': {
      const pattern = operation.operand === undefined ? null : expansion.pieces(operation.operand);
      return (text) => changeCase(text, operation.operator, pattern);
    }
    case 'Transform':
      return (text) => transform(text, operation.operand.value) ?? promptText(text, operation.operand.value, expansion);
    case 'Names':
    case 'Unknown':
      return () => null;
  }
}

/** `${x@P}`: the value is expanded as a prompt is, commands in it included; null for a prompt's own escapes. */
function promptText(text: string, operator: string, expansion: ParameterScope): string | null {
  const word = operator === 'P' && !/[\\!]/.test(text) ? expansion.expandValue(text) : null;
  return word?.kind === 'known' ? word.value : null;
}

function arithmeticValue(word: SyntaxWord, expansion: ParameterScope): number | null {
  const text = expansion.value(word);
  const expression = text.kind === 'known' ? parseArithmetic(text.value) : null;
  return expression === null ? null : evaluate(expression, expansion);
}

function sliceWords(
  words: readonly Word[],
  written: WrittenParameter,
  operation: Extract<ParameterOperation, { type: 'Slice' }>,
  expansion: ParameterScope,
): readonly Word[] {
  const offset = arithmeticValue(operation.offset, expansion);
  const length = operation.length === undefined ? undefined : arithmeticValue(operation.length, expansion);
  const open = words.some((word) => word.kind === 'unknown' && word.mayExpandToSeveral);
  if (offset === null || length === null || open) {
    return [unknownWord(written.text, `the value of ${written.text} is not known`)];
  }
  const positional = written.parameter === '@' || written.parameter === '*';
  const all = positional ? [expansion.state.name, ...words] : words;
  const start = offset < 0 ? Math.max(0, all.length + offset) : offset;
  return all.slice(start, length === undefined ? undefined : start + Math.max(0, length));
}
