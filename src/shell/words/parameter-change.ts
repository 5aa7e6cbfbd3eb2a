import type { ParameterOperation, Word as SyntaxWord } from 'unbash';
import { matchesMarks, namesRefs } from '../outputs/branch-marks.ts';
import { knownWord, type Word, wordsOf } from '../simple-command.ts';
import { evaluateValue } from './arithmetic.ts';
import { joinPieces } from './field.ts';
import { type ParameterValue, unknownWord } from './parameter.ts';
import { changeCase, removePattern, repeatsMatch, replacePattern, slice, transform } from './parameter-operation.ts';
import type { ParameterScope, WrittenParameter } from './parameter-scope.ts';
import { settledText } from './read-again.ts';

/** An operation that makes another value of a parameter's: `${x#…}`, `${x/…/…}`, `${x:…}`, `${x^}`, `${x@…}`. */
export type ChangingOperation = Exclude<ParameterOperation, { type: 'Default' }>;

/** What an operation makes of a parameter's value. */
export function changedValue(
  written: WrittenParameter,
  operation: ChangingOperation,
  value: ParameterValue,
  expansion: ParameterScope,
): ParameterValue {
  const change = prepareChange(operation, expansion);
  const changeWord = (word: Word): Word => {
    const value = settledText(word);
    const text = value === null ? null : change.textOf(value);
    return text === null ? openValue(written, word, change) : knownWord(text);
  };
  switch (value.kind) {
    case 'value':
      return { kind: 'value', word: changeWord(value.word) };
    case 'several': {
      const { words } = value;
      return {
        kind: 'several',
        words: operation.type === 'Slice' ? sliceWords(words, written, operation, expansion) : words.map(changeWord),
      };
    }
    default:
      return value;
  }
}

interface Change {
  /** Null: that can't be told. */
  textOf(text: string): string | null;
  /** Nothing else goes than what no ref's name has. */
  readonly keepsNames?: boolean;
}

/** `${branch#\* }`: what git printed still names what it did. */
function openValue({ text }: WrittenParameter, word: Word, { keepsNames }: Change): Word {
  const open = unknownWord(text, `the value of ${text} is not known`);
  const isName = keepsNames === true && word.kind === 'unknown' && word.prefix === '' && word.suffix === '';
  const names = isName && word.names !== undefined && namesRefs(word.names) ? wordsOf(word.names) : undefined;
  return names === undefined ? open : { ...open, names };
}

const open: Change = { textOf: () => null };

/** How one value is changed. */
function prepareChange(operation: ChangingOperation, expansion: ParameterScope): Change {
  switch (operation.type) {
    case 'Remove': {
      const pattern = expansion.pieces(operation.operand);
      return {
        textOf: (text) => removePattern(text, operation.operator, pattern),
        keepsNames: matchesMarks(pattern, operation.operator.startsWith('#')),
      };
    }
    case 'Replace': {
      const pattern = expansion.pieces(operation.pattern);
      const pieces = expansion.pieces(operation.replacement);
      const replacement = joinPieces(pieces, operation.replacement.text);
      if (replacement.kind === 'unknown') {
        return open;
      }
      if (expansion.state.options.nocasematch) {
        return open;
      }
      const repeats = repeatsMatch(pieces);
      const textOf = (text: string) => {
        const replaced = replacePattern(text, operation.operator, pattern, repeats ? '\0' : replacement.value);
        return repeats && replaced !== text ? null : replaced;
      };
      return { textOf, keepsNames: replacement.value === '' && matchesMarks(pattern, false) };
    }
    case 'Slice': {
      const offset = arithmeticValue(operation.offset, expansion);
      const length = operation.length === undefined ? undefined : arithmeticValue(operation.length, expansion);
      return { textOf: (text) => (offset === null || length === null ? null : slice(text, offset, length ?? null)) };
    }
    case 'CaseModification': {
      const pattern = operation.operand === undefined ? null : expansion.pieces(operation.operand);
      return { textOf: (text) => changeCase(text, operation.operator, pattern) };
    }
    case 'Transform':
      return {
        textOf: (text) =>
          transform(text, operation.operand.value) ?? promptText(text, operation.operand.value, expansion),
      };
    case 'Names':
    case 'Unknown':
      return open;
  }
}

/** `${x@P}`: the value is expanded as a prompt is, commands in it included; null for a prompt's own escapes. */
function promptText(text: string, operator: string, expansion: ParameterScope): string | null {
  const word = operator === 'P' && !/[\\!]/.test(text) ? expansion.expandValue(text) : null;
  return word?.kind === 'known' ? word.value : null;
}

function arithmeticValue(word: SyntaxWord, expansion: ParameterScope): number | null {
  return evaluateValue(expansion.value(word), expansion);
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
