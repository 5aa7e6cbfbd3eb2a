import type { Input, Word } from '../../shell/simple-command.ts';
import type { Intent, UnreadableIntent } from '../intent.ts';
import type { OptionTable } from './option-table.ts';
import type { Arguments } from './parse-options.ts';
import { isUnknown, pasted, type UnknownWord } from './words.ts';

/** One git subcommand: its options, and what its arguments mean. */
export interface Subcommand {
  readonly options: OptionTable;
  /** Everything the guard has a rule for; empty when the call is harmless. */
  intents(args: Arguments, call: SubcommandCall): readonly Intent[];
  /** A word that can't be known where an option is likely, and the gravest that it could be; null: none is. */
  feared?(args: Arguments): FearedOption | null;
}

export interface FearedOption {
  readonly word: UnknownWord;
  readonly option: string;
}

/** A subcommand with subcommands of its own (`git stash drop`); the empty name is what it does without one. */
export interface SubcommandGroup {
  readonly members: Readonly<Record<string, Subcommand>>;
  /** Read when the first argument names no member (`git stash -u`). */
  readonly otherwise: Subcommand;
}

export interface SubcommandCall {
  /** `push`, `stash drop` */
  readonly name: string;
  /** The arguments as given, before they were sorted. */
  readonly words: readonly Word[];
  /** What it reads on standard input, where that is known. */
  readonly input: Input | null;
}

/** For words that could be an option of a command whose options matter. */
export function unknownOptions(args: Arguments, call: SubcommandCall): readonly UnreadableIntent[] {
  const word = args.unknownOption ?? args.operands.find(printsOption) ?? null;
  return word === null
    ? []
    : [{ kind: 'unreadable', source: word.source, reason: word.reason, could: `an option of git ${call.name}` }];
}

/** Where the command takes no operand there, or stands in the middle of something that an option ends. */
export function surelyOption(args: Arguments, option: string): FearedOption | null {
  const word = beforeSeparator(args).find(isUnknown);
  return word !== undefined && mayBeOption(word) ? { word, option } : null;
}

/** An operand before others, or the only one, which as such would mostly be quoted, or come from a command of git's. */
export function likelyOption({ operands, separator }: Arguments, option: string): FearedOption | null {
  const [word, ...others] = operands;
  const isUnquoted = isUnknown(word) && word.mayExpandToSeveral && separator !== 0 && !others.some(isUnknown);
  return isUnquoted && mayBeOption(word) ? { word, option } : null;
}

/**
 * Neither begins it with something else, nor is it one of what a command lists or names, nor a variable that the line does
 * not set: mostly nothing does.
 */
function mayBeOption({ prefix, fits, names, oneOf, ownValueOf }: UnknownWord): boolean {
  return prefix === '' && [fits, names, oneOf, ownValueOf].every((known) => known === undefined);
}

/** `$(test -f x || echo --no-verify)`: what is printed may be an option, and says so. */
function printsOption(word: Word): word is UnknownWord {
  return (
    word.kind === 'unknown' &&
    word.mayExpandToSeveral &&
    /\b(?:echo|printf)\b(?:\s+--)?\s+["']?-{1,2}[a-zA-Z]/.test(word.source)
  );
}

/**
 * The call as it would be without an option, to be pasted: `git commit -anm x` without `verify` is `git commit -am x`.
 *
 * @param letter the option's letter, taken out of bundles
 */
export function withoutOption(args: Arguments, call: SubcommandCall, name: string, letter: string | null): string {
  return ['git', call.name, ...wordsWithout(args, call.words, name, letter)].join(' ');
}

/** Words to be pasted, without an option that takes no value. */
export function wordsWithout(
  args: Pick<Arguments, 'uses'>,
  words: readonly Word[],
  name: string,
  letter: string | null,
): readonly string[] {
  const places = new Set(args.uses.filter((use) => use.name === name).map(({ at }) => at));
  return words.flatMap((word, index): readonly string[] => {
    const text = pasted(word);
    if (!places.has(index)) {
      return [text];
    }
    const bundle = text.startsWith('--') || letter === null ? '-' : text.replace(letter, '');
    return bundle === '-' ? [] : [bundle];
  });
}

/** Operands before `--`, or all of them without one. */
export function beforeSeparator(args: Arguments): readonly Word[] {
  return args.separator === null ? args.operands : args.operands.slice(0, args.separator);
}

/** Operands after `--`; empty without one. */
export function afterSeparator(args: Arguments): readonly Word[] {
  return args.separator === null ? [] : args.operands.slice(args.separator);
}
