import type { Word } from '../../shell/simple-command.ts';
import type { Option, OptionTable } from './option-table.ts';
import { beginningOf, isUnknown, textOf, type UnknownWord, withoutPrefix } from './words.ts';

/** One option as it was given. */
export interface OptionUse {
  readonly name: string;
  /** `--no-force`, or `-n` of an option declared as `no-verify`. */
  readonly negated: boolean;
  readonly value: Word | null;
  /** Which of the words has it. */
  readonly at: number;
}

/** The arguments of one git command, sorted into options and operands. */
export interface Arguments {
  readonly uses: readonly OptionUse[];
  readonly operands: readonly Word[];
  /** How many operands stand before `--`; null without one. */
  readonly separator: number | null;
  /** A word that surely is an option, but not which one (`--$OPTION`). */
  readonly unknownOption: UnknownWord | null;
  /** Is the option on? The last use wins. */
  has(name: string): boolean;
  /** How often the option was given since it was last negated (`-ff`). */
  count(name: string): number;
  /** Its last value; undefined when it wasn't given, was negated, or had none. */
  value(name: string): Word | undefined;
  values(name: string): readonly Word[];
}

/** git itself stops at these arguments, so nothing happens. */
export interface Refusal {
  readonly refused: string;
}

/**
 * Sorts arguments as git's parse-options does (api-parse-options, gitcli(7)): bundled letters, values attached or
 * separate, unique prefixes of long names, `--no-`, `--`, `--end-of-options`, options after operands.
 * Options that the table doesn't know are skipped: a newer git may have them.
 */
export function parseOptions(table: OptionTable, words: readonly Word[]): Arguments | Refusal {
  const uses: OptionUse[] = [];
  const operands: Word[] = [];
  let separator: number | null = null;
  let unknownOption: UnknownWord | null = null;
  for (let index = 0; index < words.length; index += 1) {
    const word = words[index] as Word;
    const kind = kindOf(word);
    if (kind === 'end' || (kind === 'operand' && table.stopsAtArgument)) {
      separator = textOf(word) === '--' ? operands.length : null;
      operands.push(...words.slice(kind === 'end' ? index + 1 : index));
      break;
    }
    if (kind === 'operand') {
      operands.push(word);
      continue;
    }
    const read = kind === 'long' ? readLong(table, word) : readBundle(table, word);
    if ('refused' in read) {
      return read;
    }
    for (const { name, negated, value } of read.uses) {
      uses.push({ name, negated, value, at: index });
    }
    unknownOption ??= read.unknownOption;
    if (read.awaitsValue !== null) {
      const at = index;
      index += 1;
      const value = words[index];
      if (value === undefined) {
        return { refused: `option '${read.awaitsValue.name}' requires a value` };
      }
      uses.push({ name: read.awaitsValue.name, negated: false, value, at });
    }
  }
  return new SortedArguments(uses, operands, separator, unknownOption);
}

function kindOf(word: Word): 'end' | 'operand' | 'long' | 'short' {
  const text = beginningOf(word);
  if (word.kind === 'known' && (text === '--' || text === '--end-of-options')) {
    return 'end';
  }
  if (!text.startsWith('-') || (text === '-' && word.kind === 'known')) {
    return 'operand';
  }
  return text.startsWith('--') ? 'long' : 'short';
}

class SortedArguments implements Arguments {
  readonly uses: readonly OptionUse[];
  readonly operands: readonly Word[];
  readonly separator: number | null;
  readonly unknownOption: UnknownWord | null;

  constructor(
    uses: readonly OptionUse[],
    operands: readonly Word[],
    separator: number | null,
    unknownOption: UnknownWord | null,
  ) {
    this.uses = uses;
    this.operands = operands;
    this.separator = separator;
    this.unknownOption = unknownOption;
  }

  has(name: string): boolean {
    return this.#last(name)?.negated === false;
  }

  count(name: string): number {
    return this.#standing(name).length;
  }

  value(name: string): Word | undefined {
    return this.#last(name)?.value ?? undefined;
  }

  values(name: string): readonly Word[] {
    return this.uses.length === 0 ? [] : this.#standing(name).flatMap(({ value }) => (value === null ? [] : [value]));
  }

  #last(name: string): OptionUse | undefined {
    // Most calls have no options, and are asked for many.
    return this.uses.length === 0 ? undefined : this.uses.findLast((use) => use.name === name);
  }

  #standing(name: string): readonly OptionUse[] {
    const given = this.uses.filter((use) => use.name === name);
    return given.slice(given.findLastIndex((use) => use.negated) + 1);
  }
}

interface Read {
  readonly uses: readonly Omit<OptionUse, 'at'>[];
  /** The option whose value is the next argument. */
  readonly awaitsValue: Option | null;
  readonly unknownOption: UnknownWord | null;
}

const nothing: Read = { uses: [], awaitsValue: null, unknownOption: null };

function readLong(table: OptionTable, word: Word): Read | Refusal {
  const text = beginningOf(word);
  const equals = text.indexOf('=');
  if (equals < 0 && isUnknown(word)) {
    return { uses: [], awaitsValue: null, unknownOption: word };
  }
  const spelled = text.slice(2, equals < 0 ? undefined : equals);
  const found = findLong(table, spelled);
  if (found === null && /^help(?:-all)?$/.test(spelled)) {
    return { refused: 'it only shows how it is used' };
  }
  if (found === 'ambiguous') {
    return { refused: `ambiguous option: --${spelled}` };
  }
  if (found === null) {
    return nothing;
  }
  const { option, negated } = found;
  const attached = equals < 0 ? null : withoutPrefix(word, equals + 1);
  if (attached !== null && (negated || option.value === 'none')) {
    return { refused: `option '${spelled}' takes no value` };
  }
  if (attached === null && !negated && option.value === 'required') {
    return { uses: [], awaitsValue: option, unknownOption: null };
  }
  return { uses: [{ name: option.name, negated, value: attached }], awaitsValue: null, unknownOption: null };
}

interface Spelling {
  readonly text: string;
  readonly option: Option;
  readonly negated: boolean;
}

interface Spellings {
  readonly all: readonly Spelling[];
  /** What a name that is written out means. */
  readonly exact: ReadonlyMap<string, Spelling>;
}

const spellingsOf = new WeakMap<OptionTable, Spellings>();

function spellings(table: OptionTable): Spellings {
  const known = spellingsOf.get(table);
  if (known !== undefined) {
    return known;
  }
  const all = table.options.flatMap((option) =>
    option.long === null
      ? []
      : [
          { text: option.name, option, negated: false },
          { text: `no-${option.name}`, option, negated: true },
        ],
  );
  const exact = new Map<string, Spelling>();
  for (const spelling of all) {
    const before = exact.get(spelling.text);
    // `--no-merged` of git-branch(1) is an option of its own, beside `--merged`.
    if (before === undefined || (before.negated && !spelling.negated)) {
      exact.set(spelling.text, spelling);
    }
  }
  spellingsOf.set(table, { all, exact });
  return { all, exact };
}

function findLong(table: OptionTable, spelled: string): Spelling | 'ambiguous' | null {
  const { all, exact } = spellings(table);
  const named = exact.get(spelled);
  if (named !== undefined) {
    return named;
  }
  const candidates = all.filter(({ text }) => text.startsWith(spelled));
  const older = candidates.filter(({ option }) => !option.recent);
  const [only, ...others] = candidates.length === 1 ? candidates : older;
  if (only === undefined) {
    return candidates.length === 0 ? null : 'ambiguous';
  }
  return others.length === 0 ? only : 'ambiguous';
}

function readBundle(table: OptionTable, word: Word): Read | Refusal {
  const text = beginningOf(word);
  const uses: Omit<OptionUse, 'at'>[] = [];
  for (let at = 1; at < text.length; at += 1) {
    const letter = text[at] as string;
    const option = table.options.find((candidate) => candidate.letter === letter);
    if (option === undefined) {
      continue;
    }
    const negated = option.long?.startsWith('no-') === true;
    if (option.value === 'none') {
      uses.push({ name: option.name, negated, value: null });
      continue;
    }
    const rest = withoutPrefix(word, at + 1);
    const isLast = rest.kind === 'known' && rest.value === '';
    if (isLast && option.value === 'required') {
      return { uses, awaitsValue: option, unknownOption: null };
    }
    uses.push({ name: option.name, negated, value: isLast ? null : rest });
    return { uses, awaitsValue: null, unknownOption: null };
  }
  return { uses, awaitsValue: null, unknownOption: isUnknown(word) ? word : null };
}

/** Was the option switched off, and not on again after? */
export function isNegated(args: Arguments, name: string): boolean {
  return args.uses.findLast((use) => use.name === name)?.negated === true;
}
