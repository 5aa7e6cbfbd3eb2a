import { quoteWord } from '../../quote.ts';
import type { UnknownWord, Word } from '../../shell/simple-command.ts';
import { withoutBeginning } from '../../shell/words/field.ts';

export { beginningOf, type UnknownWord } from '../../shell/simple-command.ts';

/** A word whose value is known. */
export function known(value: string): Word {
  return { kind: 'known', value };
}

/** A word of which only the beginning is known. */
export function begun(prefix: string, reason: string): Word {
  return { kind: 'unknown', source: prefix, reason, prefix, suffix: '', mayExpandToSeveral: false };
}

/** Where a branch may be named, `-` is the one before: git-checkout(1), git-rebase(1), git-worktree(1). */
export function orPrevious(name: Word): Word {
  return textOf(name) === '-' ? known('@{-1}') : name;
}

/** The word's value; null when it can't be known before the command runs. */
export function textOf(word: Word | null | undefined): string | null {
  return word?.kind === 'known' ? word.value : null;
}

/** The word as a person would recognise it: its value, or how it was written. */
export function shown(word: Word): string {
  return word.kind === 'known' ? word.value : word.source;
}

/** A word as a suggestion has it, which somebody pastes into a shell. */
export function pasted(word: Word): string {
  return word.kind === 'known' ? quoteWord(word.value) : word.source;
}

/** The word without its first `length` characters, which must be known. */
export function withoutPrefix(word: Word, length: number): Word {
  const rest = withoutBeginning(word, length);
  return rest.kind === 'known' ? rest : { ...rest, mayExpandToSeveral: false };
}

/** All values, or null when one of them is unknown. */
export function textsOf(words: readonly Word[]): readonly string[] | null {
  const values: string[] = [];
  for (const word of words) {
    if (word.kind === 'unknown') {
      return null;
    }
    values.push(word.value);
  }
  return values;
}

export function isUnknown(word: Word | null | undefined): word is UnknownWord {
  return word?.kind === 'unknown';
}
