import type { Call } from '../call.ts';
import { beginningOf, type Word } from '../simple-command.ts';
import { withoutBeginning } from '../words/field.ts';
import type { Wrapper } from './wrapper.ts';

/** An option, as it is given once. */
export interface GivenOption {
  readonly name: string;
  readonly values: readonly Word[];
}

/** The words of a wrapper, told apart. */
export interface WrapperWords {
  readonly options: readonly Word[];
  readonly command: readonly Word[];
  readonly assignments: ReadonlyMap<string, Word>;
  readonly directory: Word | null;
  readonly script: Word | null;
  readonly named: ReadonlyMap<string, Word | null>;
  /** The same, each as often as it is given. */
  readonly given: readonly GivenOption[];
  /** What stands between the options and the command. */
  readonly operands: readonly Word[];
  /** An option with which no command runs. */
  readonly ends: boolean;
}

/** Reads options (with their values), assignments and positional words up to the command. */
export function readWrapperWords(wrapper: Wrapper, call: Call): WrapperWords {
  const words = call.argv.slice(1);
  const options: Word[] = [];
  const named = new Map<string, Word | null>();
  const given: GivenOption[] = [];
  const assignments = new Map<string, Word>();
  const operands: Word[] = [];
  const positional = wrapper.positional ?? 0;
  let onlyOperands = false;
  let index = 0;
  for (let word = words[0]; word !== undefined; word = words[index]) {
    const text = beginningOf(word);
    const assignment = wrapper.assignments && wrapper.run === undefined ? readAssignment(word) : null;
    if (text === '--' && !onlyOperands) {
      onlyOperands = true;
    } else if (text.startsWith('-') && !onlyOperands) {
      const option = readOption(wrapper, word, words[index + 1]);
      named.set(option.name, option.value);
      const pair = option.takes === 2 ? words.slice(index + 1, index + 3) : [];
      given.push({ name: option.name, values: option.value === null ? pair : [option.value] });
      options.push(word, ...words.slice(index + 1, index + 1 + option.takes));
      index += option.takes;
    } else if (assignment !== null) {
      assignments.set(assignment.name, assignment.value);
    } else if (operands.length < positional) {
      operands.push(word);
    } else if (!(wrapper.mixed && restHasScript(wrapper, words.slice(index)))) {
      break;
    }
    index += 1;
  }
  const optionValue = (names: readonly string[] = []) =>
    names.map((name) => named.get(name) ?? null).find(Boolean) ?? null;
  return {
    options,
    named,
    given,
    operands,
    command: words.slice(index),
    assignments,
    directory: optionValue(wrapper.directory),
    script: optionValue(wrapper.script),
    ends: wrapper.without?.some((name) => named.has(name)) ?? false,
  };
}

/** `NAME=value`, as `env` and `sudo` take it. */
export function readAssignment(word: Word | undefined): { name: string; value: Word } | null {
  const text = beginningOf(word);
  const [, name, value = ''] = /^([A-Za-z_]\w*|BASH_FUNC_[^=]+)=([\s\S]*)$/.exec(text) ?? [];
  if (name === undefined || word === undefined) {
    return null;
  }
  return { name, value: withoutBeginning(word, text.length - value.length) };
}

function restHasScript(wrapper: Wrapper, words: readonly Word[]): boolean {
  return words.some(
    (word) => word.kind === 'known' && wrapper.script?.some((option) => optionMatches(word.value, option)),
  );
}

function optionMatches(text: string, option: string): boolean {
  return option.startsWith('--')
    ? text === option || text.startsWith(`${option}=`)
    : /^-[a-zA-Z]/.test(text) && text.includes(option.slice(1)) && !text.startsWith('--');
}

interface ReadOption {
  readonly name: string;
  readonly value: Word | null;
  /** So many words behind it are its own. */
  readonly takes: number;
}

function readOption(wrapper: Wrapper, word: Word, next: Word | undefined): ReadOption {
  const text = beginningOf(word);
  const nextValue = next ?? null;
  if (text.startsWith('--')) {
    const equals = text.indexOf('=');
    if (equals !== -1) {
      return { name: text.slice(0, equals), value: withoutBeginning(word, equals + 1), takes: 0 };
    }
    const takes = wrapper.pairs?.includes(text) ? 2 : wrapper.long?.includes(text) ? 1 : 0;
    return { name: text, value: takes === 1 ? nextValue : null, takes };
  }
  for (let index = 1; index < text.length; index += 1) {
    if (wrapper.short?.includes(text.charAt(index))) {
      const name = `-${text.charAt(index)}`;
      if (index + 1 < text.length || word.kind === 'unknown') {
        return { name, value: withoutBeginning(word, index + 1), takes: 0 };
      }
      return { name, value: nextValue, takes: 1 };
    }
  }
  return { name: text.slice(0, 2), value: null, takes: 0 };
}
