import type { Word } from '../simple-command.ts';

type Words = readonly string[];

const isOption = (word: string) => /^[-+]./.test(word);

/** `declare x` only makes x a variable; `declare -p x`, `declare -f x` and `declare` alone show something. */
const showsVariables = (words: Words) =>
  words.every(isOption) || words.some((word) => /^-\w*[pfF]/.test(word) && !/^-\w*x/.test(word));

/** When a builtin prints the shell's state: bash(1) "SHELL BUILTIN COMMANDS". */
const printing: ReadonlyMap<string, (words: Words) => boolean> = new Map<string, (words: Words) => boolean>([
  ['pushd', () => true],
  ['popd', () => true],
  ['cd', ([first]) => first === '-'],
  ['alias', (words) => words.length === 0 || words.some((word) => !word.includes('='))],
  ['set', (words) => words.length === 0 || /^[-+]o$/.test(words.at(-1) ?? '')],
  ['shopt', (words) => !words.some((word) => /^-\w*q/.test(word)) && (words.every(isOption) || !setsOption(words))],
  ['trap', (words) => words.length === 0 || /^-[lpP]/.test(words[0] ?? '')],
  ['umask', (words) => words.every(isOption)],
  ['hash', (words) => words.length === 0 || words.some((word) => /^-\w*[tl]/.test(word))],
  ...['declare', 'typeset', 'export', 'readonly', 'local'].map((name) => [name, showsVariables] as const),
]);

function setsOption(words: Words): boolean {
  return words.some((word) => /^-\w*[su]/.test(word));
}

/** Does the builtin print something that is not known here? */
export function printsState(name: string, words: readonly Word[]): boolean {
  return printing.get(name)?.(words.map((word) => (word.kind === 'known' ? word.value : word.prefix))) === true;
}
