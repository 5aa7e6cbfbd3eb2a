import type { OpenText } from './source/argument.ts';
import type { Language } from './source/languages.ts';
import type { OpenCommand, OpenWord } from './source/open-command.ts';
import type { Value } from './source/value.ts';
import { writingOf } from './source/value-forms.ts';
import { textWith, unsealed } from './source/written-values.ts';

/** A variable of Perl or an element of one, which is one word: `$mode`, `$o->{mode}`, `$ENV{MODE}`. */
const scalar = /^\$\w+(?:(?:->)?(?:\[[^[\]@.]*\]|\{[^{}@,]*\}))*$/;

/** May an expression be several words, of which nobody knows how many they are? */
export function isSeveral(value: Value, { name }: Language): boolean {
  const written = value.kind === 'open' ? unsealed(value.written) : '';
  // A list of Perl, or what a call of it answers, is as many words as it has.
  return value.kind === 'open' && (name === 'perl' ? !scalar.test(written) : /^(?:\*|\.{3})/.test(written));
}

/**
 * What a call of Ruby, Perl or PHP starts with these arguments: what the program puts in is data, as in a variable.
 *
 * @param caller up to and with the opening parenthesis, or the quote of a text that is run
 * @returns null where its words can't be told
 */
export function composed(given: readonly Value[], caller: string, language: Language): OpenCommand | null {
  const [first, ...others] = given;
  // PHP's other functions take what they answer with, and how, behind the command.
  const more = language.name !== 'php' ? others : caller.startsWith('pcntl') ? others.flatMap(itemsIn) : [];
  if (first === undefined) {
    return null;
  }
  if (first.kind === 'list' || more.length > 0 || isSeveral(first, language)) {
    return asWords(first.kind === 'list' ? first.items : [first, ...more], language);
  }
  if (first.kind === 'open') {
    const written = unsealed(first.written);
    return /^\$?\w+$/.test(written) ? { script: [{ expression: written }] } : null;
  }
  return first.kind === 'text'
    ? { script: caller.startsWith('open') ? withoutPipe(shown(first.text)) : shown(first.text) }
    : null;
}

const itemsIn = (value: Value): readonly Value[] => (value.kind === 'list' ? value.items : [value]);

/** Perl's and Ruby's `open "git log |"` marks the pipe in the text itself. */
const withoutPipe = (text: OpenText): OpenText =>
  text.map((part) => (typeof part === 'string' ? part.replace(/^\s*\||\|\s*$/g, '') : part));

const shown = (text: OpenText): OpenText =>
  text.map((part) => (typeof part === 'string' ? part : { expression: unsealed(part.expression) }));

/** `` `git log #{path}` `` */
export function interpolatedText(language: Language, command: string): OpenCommand | null {
  return writingOf(language) === null ? null : { script: textWith(command, language) };
}

function wordOf(value: Value, language: Language): OpenWord {
  if (value.kind === 'text') {
    return { text: shown(value.text) };
  }
  const written = value.kind === 'open' ? unsealed(value.written) : '[…]';
  return value.kind !== 'open' || isSeveral(value, language)
    ? { several: written }
    : { text: [{ expression: written }] };
}

function asWords(items: readonly Value[], language: Language): OpenCommand | null {
  const words = items.map((item) => wordOf(item, language));
  const [program] = words;
  const isNamed =
    program !== undefined && ('several' in program || program.text.every((part) => typeof part === 'string'));
  return isNamed ? { words } : null;
}
