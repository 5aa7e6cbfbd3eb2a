import { knownWord, type UnknownWord, type Word } from '../simple-command.ts';
import type { Declared, Variable } from '../variable.ts';
import { eachValue } from './field.ts';
import { openNumber } from './read-again.ts';

/** A variable with its values as was declared: bash(1) "declare". What it had `before` stays as it is. */
export function asDeclared(variable: Variable, declared: Declared, before: Variable | undefined): Variable {
  if (variable.kind === 'scalar') {
    return { ...variable, ...declared, value: declaredWord(variable.value, declared) };
  }
  if (variable.kind === 'array') {
    const kept = before?.kind === 'array' ? before.elements : null;
    const changed = (key: string, word: Word) => (kept?.get(key) === word ? word : declaredWord(word, declared));
    const elements = new Map([...variable.elements].map(([key, word]) => [key, changed(key, word)]));
    return { ...variable, ...declared, elements };
  }
  return variable.kind === 'unset' ? { ...variable, ...declared } : variable;
}

function declaredWord(word: Word, { letters, integer, trapped }: Declared): Word {
  if (trapped === true) {
    const { code: _code, ...open } = openInteger(word);
    return { ...open, reason: 'a trap may give it another value' };
  }
  const number = integer === true ? plainNumber(word) : word;
  return letters === undefined ? number : inLetters(number, letters);
}

/** What needs no reckoning. */
function plainNumber(word: Word): Word {
  const text = word.kind === 'known' ? word.value.trim() : null;
  return text !== null && /^(?:-?[1-9]\d{0,14}|0|)$/.test(text) ? knownWord(text || '0') : openInteger(word);
}

/** A number that nobody knows, of what is not reckoned. */
export function openInteger(word: Word): UnknownWord {
  const source = word.kind === 'known' ? word.value : word.source;
  const reason = `the value of ${source} is not known`;
  return { kind: 'unknown', source, reason, prefix: '', suffix: '', mayExpandToSeveral: false, code: openNumber };
}

function inLetters(word: Word, letters: NonNullable<Declared['letters']>): Word {
  const change = (text: string) =>
    letters === 'upper'
      ? text.toUpperCase()
      : letters === 'lower'
        ? text.toLowerCase()
        : text.slice(0, 1).toUpperCase() + text.slice(1).toLowerCase();
  if (word.kind === 'known') {
    return knownWord(change(word.value));
  }
  const { kind, source, reason, mayExpandToSeveral } = word;
  const prefix = change(word.prefix);
  // A capital may be all that stands there.
  const suffix = change(letters === 'capital' ? word.suffix.slice(1) : word.suffix);
  const open: UnknownWord = { kind, source, reason, mayExpandToSeveral, prefix, suffix };
  return { ...open, ...(letters === 'capital' ? {} : eachValue(word, change)) };
}
