import type { ShellState } from '../shell-state.ts';
import { knownWord, openVariable, type UnknownWord, type Word } from '../simple-command.ts';
import type { Variable } from '../variable.ts';
import { openNumber } from './read-again.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** What a parameter stands for: one value, several (`$@`, arrays), surely nothing, or nobody knows. */
export type ParameterValue =
  | { readonly kind: 'value'; readonly word: Word }
  | { readonly kind: 'several'; readonly words: readonly Word[] }
  | { readonly kind: 'unset' }
  | { readonly kind: 'unknown'; readonly word: Word & { kind: 'unknown' } };

export function unknownWord(source: string, reason: string, several = true): Word & { kind: 'unknown' } {
  return { kind: 'unknown', source, reason, prefix: '', suffix: '', mayExpandToSeveral: several };
}

const unset: ParameterValue = { kind: 'unset' };

function value(word: Word): ParameterValue {
  return { kind: 'value', word };
}

/** Parameters that every run gives another value (bash(1) "Shell Variables"). */
const volatile = new Set([
  '?',
  '$',
  '!',
  '-',
  '_',
  'RANDOM',
  'SRANDOM',
  'SECONDS',
  'EPOCHSECONDS',
  'EPOCHREALTIME',
  'BASHPID',
  'LINENO',
  'PPID',
  'REPLY',
]);

/** Those of them that are numbers. */
const numbers = new Set([...volatile, 'UID', 'EUID'].filter((name) => !/^(?:-|_|REPLY)$/.test(name)));

/** Of those that nothing else has: those that are another one each time, and those that stay for a while. */
function uniqueness(name: string): Pick<UnknownWord, 'unique'> {
  return /^(?:S?RANDOM|EPOCHREALTIME)$/.test(name)
    ? { unique: Symbol(name) }
    : /^(?:\$|BASHPID|EPOCHSECONDS)$/.test(name)
      ? { unique: name }
      : {};
}

/** Reads a variable or special parameter, with an array index where one was written. */
export function readParameter(
  name: string,
  index: string | null,
  state: ShellState,
  environment: Environment,
): ParameterValue {
  const variable = state.variables.get(name);
  if (variable?.kind === 'reference') {
    return readReference(name, variable.target, index, state, environment);
  }
  if (variable !== undefined) {
    return readVariable(name, variable, index);
  }
  const special = readSpecial(name, state);
  if (special !== null) {
    return special;
  }
  const inherited = volatile.has(name) ? undefined : environment[name];
  if (inherited !== undefined) {
    return value(knownWord(inherited));
  }
  if (name === '?' && state.status !== null) {
    const status = unknownWord('$?', 'how the command before ends is not known', false);
    return value({ ...status, code: openNumber, statusOf: state.status });
  }
  if (name === openVariable) {
    return { kind: 'unknown', word: unknownWord('…', 'what was put there is not known') };
  }
  const own = state.options.nounset ? {} : { ownValueOf: name };
  const unknown = { ...unknownWord(`$${name}`, `$${name} has no known value`), ...own, ...uniqueness(name) };
  return { kind: 'unknown', word: numbers.has(name) ? { ...unknown, code: openNumber } : unknown };
}

/** What a name reference (bash(1) "PARAMETERS") leads to; one that leads to another one is not followed. */
function readReference(
  name: string,
  target: Word,
  index: string | null,
  state: ShellState,
  environment: Environment,
): ParameterValue {
  const isPlain = target.kind === 'known' && state.variables.get(target.value)?.kind !== 'reference';
  return isPlain
    ? readParameter(target.value, index, state, environment)
    : { kind: 'unknown', word: unknownWord(`$${name}`, `what ${name} refers to is not known`) };
}

function readVariable(
  name: string,
  variable: Exclude<Variable, { kind: 'reference' }>,
  index: string | null,
): ParameterValue {
  switch (variable.kind) {
    case 'unset':
      return unset;
    case 'scalar':
      if (index === '@' || index === '*') {
        return { kind: 'several', words: [variable.value] };
      }
      return index === '?'
        ? { kind: 'unknown', word: unknownWord(`$${name}`, `$${name} is not known`) }
        : index === null || index === '0'
          ? value(variable.value)
          : unset;
    case 'array': {
      if (index === '@' || index === '*') {
        return { kind: 'several', words: arrayWords(variable) };
      }
      const element = elementAt(index ?? '0', variable);
      return element === null
        ? { kind: 'unknown', word: anyElement(name, variable, index === '?') }
        : element === undefined
          ? unset
          : value(element);
    }
  }
}

/** Undefined: there is surely none; null: nobody knows, as one that it is counted from may be several words or none. */
function elementAt(index: string, variable: Variable & { kind: 'array' }): Word | null | undefined {
  const { elements, associative } = variable;
  const isLast = !associative && index.startsWith('-');
  const keys = arrayKeys(variable);
  const key = isLast ? (keys.at(Number(index)) ?? index) : index;
  const isPassed = (other: string) => (isLast ? Number(other) > Number(key) : Number(other) < Number(key));
  const isMoved = keys.some((other) => {
    const word = elements.get(other);
    return word?.kind === 'unknown' && word.mayExpandToSeveral && isPassed(other);
  });
  if (isMoved && !associative) {
    return null;
  }
  return elements.get(key) ?? (elements.has('?') || index === '?' ? null : undefined);
}

/** One of several words, nobody knows which: it may be any option among them. */
function anyOf(words: readonly Word[], source: string, reason: string): UnknownWord {
  const options = words.flatMap((word) => (word.kind === 'known' && word.value.startsWith('-') ? [word.value] : []));
  const word = unknownWord(source, reason);
  return options.length === 0 ? word : { ...word, options };
}

/** An element whose place is not known: each of them, or none. */
function anyElement(name: string, variable: Variable & { kind: 'array' }, isByPlace: boolean): UnknownWord {
  const words = arrayWords(variable);
  const word = anyOf(words, `$${name}`, `$${name} is not known`);
  const values = words.flatMap((one) => (one.kind === 'known' ? [one.value] : []));
  const isEach =
    isByPlace && !variable.elements.has('?') && values.length === words.length && values.length <= maximumValues;
  return isEach ? { ...word, oneOf: [...new Set([...values, ''])] } : word;
}

/** An element of a longer list is not looked at for each of its values. */
const maximumValues = 8;

/** The keys of an array in the order in which bash lists them. */
export function arrayKeys(variable: Variable & { kind: 'array' }): readonly string[] {
  const keys = [...variable.elements.keys()];
  return variable.associative ? keys : keys.sort((a, b) => Number(a) - Number(b));
}

function arrayWords(variable: Variable & { kind: 'array' }): readonly Word[] {
  return arrayKeys(variable).flatMap((key) => variable.elements.get(key) ?? []);
}

function readSpecial(name: string, state: ShellState): ParameterValue | null {
  switch (name) {
    case '@':
    case '*':
      return { kind: 'several', words: state.positional };
    case '#':
      return state.positional.some((word) => word.kind === 'unknown' && word.mayExpandToSeveral)
        ? { kind: 'unknown', word: unknownWord('$#', 'the number of arguments is not known') }
        : value(knownWord(String(state.positional.length)));
    case '0':
      return value(state.name);
    case 'PWD':
      return directoryValue('$PWD', state.cwd);
    case 'OLDPWD':
      return state.previousCwd === null ? null : directoryValue('$OLDPWD', state.previousCwd);
    case 'IFS':
      return value(knownWord(' \t\n'));
    default:
      return /^[0-9]+$/.test(name) ? readPositional(Number(name), state) : null;
  }
}

function directoryValue(source: string, directory: ShellState['cwd']): ParameterValue {
  return directory.kind === 'known'
    ? value(knownWord(directory.path))
    : { kind: 'unknown', word: unknownWord(source, directory.reason) };
}

function readPositional(position: number, state: ShellState): ParameterValue {
  const before = state.positional.slice(0, position);
  const open = before.find((word) => word.kind === 'unknown' && word.mayExpandToSeveral);
  if (open !== undefined && open.kind === 'unknown') {
    return { kind: 'unknown', word: anyOf(state.positional, `$${position}`, open.reason) };
  }
  const word = state.positional[position - 1];
  return word === undefined ? unset : value(word);
}

/** The value of IFS; the default where it is unknown. */
export function fieldSeparators(state: ShellState): string {
  const variable = state.variables.get('IFS');
  return variable?.kind === 'scalar' && variable.value.kind === 'known' ? variable.value.value : ' \t\n';
}
