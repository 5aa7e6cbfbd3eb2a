import { knownWord, type Word } from '../simple-command.ts';
import { evaluateValue } from './arithmetic.ts';
import { openInteger } from './declared-value.ts';
import type { Expansion } from './word-expansion.ts';

/** What an integer variable gets: bash(1) "declare", `-i`. @param before what it is added to */
export function integerValue(word: Word, before: Word | null, expansion: Expansion): Word {
  const values = [before, word].map((one) => (one === null ? 0 : evaluateValue(one, expansion)));
  const [start, more] = values;
  return start == null || more == null ? openInteger(word) : knownWord(String(start + more));
}
