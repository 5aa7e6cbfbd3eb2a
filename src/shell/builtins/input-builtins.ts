import { type Call, type ProgramReader, type Shell, through } from '../call.ts';
import { doubtful, either, fails, type ShellState, succeeds, withVariable } from '../shell-state.ts';
import {
  beginningOf,
  knownWord,
  nameOfEachWord,
  nameOfOneWord,
  type SimpleCommand,
  type UnknownWord,
  type Word,
} from '../simple-command.ts';
import type { Count, InputStream } from '../stream.ts';
import type { Variable } from '../variable.ts';
import { fieldWord, type Piece, splitFields } from '../words/field.ts';
import { fieldSeparators, unknownWord } from '../words/parameter.ts';
import { openNumber } from '../words/read-again.ts';

/** `read`: variables take what the input's next line has; unknown where that is. */
export const read: ProgramReader = (call) => {
  const { names, separators, raw, list, whole, input, delimiter, count } = readNames(call);
  const line = input === null ? null : count === null ? input.line(delimiter) : input.characters(count, delimiter);
  if (line === undefined) {
    const nothing = names.map(() => knownWord(''));
    return fails(assignFields(call.state, names, nothing));
  }
  if (line === null || delimiter === null) {
    return either(assignFields(call.state, names, unknownFields(names, input)));
  }
  // bash(1) "read": it fails where the input ends before the line does, and gives the values all the same.
  const isEnded = count === null ? input?.endedEarly === true : line.length < count.most;
  const ending = isEnded ? (count === null ? fails : either) : succeeds;
  const units = raw ? Array.from(line) : (line.match(/\\?[\s\S]/g) ?? []);
  if (!raw && units.at(-1) === '\\') {
    // The next line belongs to it.
    input?.drain();
    return either(assignFields(call.state, names, unknownFields(names, null)));
  }
  if (list !== null) {
    const words = splitFields(piecesOf(units), separators).map((field) => fieldWord(field, line));
    return ending(withVariable(call.state, list, listOf(words)));
  }
  const values = whole ? [plain(units)] : splitLine(units, names.length, separators);
  return ending(assignFields(call.state, names, values.map(knownWord)));
};

function unknownFields(names: readonly string[], stream: InputStream | null): readonly Word[] {
  const input = stream?.known();
  return names.map((name, index) => {
    const unknown = unknownWord(`$${name}`, `what ${name} was read from is not known`);
    const plain = input?.code === openNumber ? { ...unknown, code: openNumber } : unknown;
    const field = names.length === 1 ? { ...plain, ...shapeOfEachLine(input) } : plain;
    const isFirst = input?.names !== undefined && index === 0 && names.length > 1;
    const named = nameOfEachWord(input?.names) ?? (isFirst ? nameOfOneWord(input.names) : undefined);
    return named === undefined ? field : { ...field, names: named };
  });
}

/** Of a listing each line begins, ends and fits as the whole does. */
function shapeOfEachLine(input: UnknownWord | null | undefined): Partial<UnknownWord> {
  return input?.fits === undefined
    ? {}
    : { prefix: input.prefix, suffix: input.suffix.replace(/\n$/, ''), fits: input.fits };
}

interface ReadWords {
  readonly names: readonly string[];
  /** Nothing is taken off the line. */
  readonly whole: boolean;
  readonly separators: string;
  readonly raw: boolean;
  readonly list: string | null;
  readonly input: InputStream | null;
  /** What ends a line; null: not known. */
  readonly delimiter: string | null;
  /** So many characters at most. */
  readonly count: Count | null;
}

function readNames(call: Call): ReadWords {
  const { options, operands } = builtinOptions(call.argv.slice(1), 'adinNptu');
  const list = options.get('a') ?? null;
  const names = operands.flatMap((word) => (word.kind === 'known' && isName.test(word.value) ? [word.value] : []));
  const all = list?.kind === 'known' ? [list.value] : names;
  return {
    names: all.length === 0 ? ['REPLY'] : all,
    whole: all.length === 0,
    separators: fieldSeparators(call.state),
    raw: options.has('r'),
    list: list?.kind === 'known' ? list.value : null,
    input: inputOf(options, call),
    delimiter: options.has('N') ? '' : delimiterOf(options.get('d')),
    count: countOf(options.get('N') ?? options.get('n'), options.has('N')),
  };
}

const isName = /^[A-Za-z_]\w*$/;

/** A builtin's options by their letters, bundled or not, with their values; null for one without. */
function builtinOptions(
  words: readonly Word[],
  valued: string,
): { readonly options: ReadonlyMap<string, Word | null>; readonly operands: readonly Word[] } {
  const options = new Map<string, Word | null>();
  let index = 0;
  for (; index < words.length; index += 1) {
    const text = beginningOf(words[index]);
    if (!/^-./.test(text) || text === '--') {
      index += text === '--' ? 1 : 0;
      break;
    }
    const at = Array.from(text).findIndex((letter, place) => place > 0 && valued.includes(letter));
    for (const letter of text.slice(1, at === -1 ? undefined : at)) {
      options.set(letter, null);
    }
    if (at !== -1) {
      const attached = text.slice(at + 1);
      index += attached === '' ? 1 : 0;
      options.set(text.charAt(at), attached === '' ? (words[index] ?? null) : knownWord(attached));
    }
  }
  return { options, operands: words.slice(index) };
}

/** What `-u` names, or standard input. */
function inputOf(options: ReadonlyMap<string, Word | null>, { state, frame }: Call): InputStream | null {
  const descriptor = options.get('u');
  if (descriptor === undefined || descriptor === null) {
    return frame.input;
  }
  return descriptor.kind === 'known' ? (state.descriptors.get(Number(descriptor.value)) ?? null) : null;
}

function delimiterOf(word: Word | null | undefined): string | null {
  if (word === undefined) {
    return '\n';
  }
  return word?.kind === 'known' ? word.value.charAt(0) || '\0' : null;
}

function countOf(word: Word | null | undefined, exact: boolean): Count | null {
  return word === undefined ? null : { most: numberOf(word), exact };
}

/** NaN where it is not known. */
function numberOf(word: Word | null): number {
  return word?.kind === 'known' ? Number(word.value) : Number.NaN;
}

function assignFields(state: ShellState, names: readonly string[], values: readonly Word[]): ShellState {
  return names.reduce((current, name, index) => {
    const before = current.variables.get(name);
    const exported = before?.kind === 'scalar' && before.exported;
    return withVariable(current, name, { kind: 'scalar', value: values[index] ?? knownWord(''), exported });
  }, state);
}

/** Characters of a line, each with the backslash before it. */
type Units = readonly string[];

const plain = (units: Units): string => units.map((unit) => unit.replace(/^\\(?=[\s\S])/, '')).join('');

function piecesOf(units: Units): readonly Piece[] {
  return units.map((unit) => ({ kind: /^\\[\s\S]/.test(unit) ? 'quoted' : 'split', text: plain([unit]) }));
}

/** As bash takes a line apart: blanks around a field go, and what stands behind the last one with its separators stays. */
function splitLine(line: Units, count: number, separators: string): readonly string[] {
  const values: string[] = [];
  let rest: Units = line.slice(blanks(line, 0, separators));
  while (values.length < count - 1) {
    const { field, behind } = firstField(rest, separators);
    values.push(plain(field));
    rest = behind;
  }
  const { field, behind } = firstField(rest, separators);
  let end = rest.length;
  while (end > 0 && isBlank(rest[end - 1], separators)) {
    end -= 1;
  }
  values.push(plain(behind.length === 0 ? field : rest.slice(0, end)));
  return values;
}

function firstField(units: Units, separators: string): { readonly field: Units; readonly behind: Units } {
  const found = units.findIndex((unit) => separators.includes(unit));
  const end = found === -1 ? units.length : found;
  let next = blanks(units, end, separators);
  const separator = units[next];
  if (separator !== undefined && separators.includes(separator)) {
    next = blanks(units, next + 1, separators);
  }
  return { field: units.slice(0, end), behind: units.slice(next) };
}

function isBlank(unit: string | undefined, separators: string): boolean {
  return unit !== undefined && separators.includes(unit) && /^[ \t\n]$/.test(unit);
}

/** The place behind the blanks that stand at another. */
function blanks(units: Units, begin: number, separators: string): number {
  let place = begin;
  while (isBlank(units[place], separators)) {
    place += 1;
  }
  return place;
}

/** @param before what other elements it keeps */
function listOf(words: readonly Word[], first = 0, before?: Variable): Variable {
  const kept = before?.kind === 'array' ? before.elements : [];
  const elements = new Map([...kept, ...words.map((word, index): [string, Word] => [String(index + first), word])]);
  return { kind: 'array', elements, associative: false };
}

/** `mapfile -t name`: the lines of the input. `-C COMMAND` is run with what was read appended: bash(1). */
export const mapLines: ProgramReader = (call, shell) => {
  runCallback(call, shell);
  const { options, operands } = builtinOptions(call.argv.slice(1), 'dnOsuCc');
  const [target = knownWord('MAPFILE')] = operands;
  const [most, first, skipped] = ['n', 'O', 's'].map((letter) => {
    const word = options.get(letter);
    return word === undefined ? 0 : numberOf(word);
  });
  const delimiter = delimiterOf(options.get('d'));
  const isOpen =
    delimiter === null || target.kind === 'unknown' || Number.isNaN((most ?? 0) + (first ?? 0) + (skipped ?? 0));
  const input = inputOf(options, call);
  const listed = options.has('t') ? input?.known() : null;
  const names = nameOfEachWord(listed?.names);
  const text = isOpen ? null : (input?.drain() ?? null);
  if (text === null || delimiter === null || target.kind === 'unknown') {
    const each = shapeOfEachLine(listed);
    const isWhole = ['n', 'O', 's'].every((letter) => !options.has(letter));
    // What stands before it in a group may have read of the same input.
    const isItsOwn = /<\s*<\(/.test(call.source) && !options.has('u');
    const printed = isWhole && isItsOwn ? input?.known() : null;
    const filledBy = printed?.prefix === '' && printed.suffix === '' ? printed.printedBy : undefined;
    return forgetsBut(names === undefined ? each : { ...each, names }, filledBy, -1)(call, shell);
  }
  const lines = text.split(delimiter).map((line) => (options.has('t') ? line : line + delimiter));
  const read = (text.endsWith(delimiter) || text === '' ? lines.slice(0, -1) : lines).slice(skipped);
  const before = options.has('O') ? call.state.variables.get(target.value) : undefined;
  const elements = read.slice(0, most || undefined).map(knownWord);
  return succeeds(withVariable(call.state, target.value, listOf(elements, first, before)));
};

function runCallback(call: Call, shell: Shell): void {
  const at = call.argv.findIndex((word) => /^-[a-zA-Z]*C/.test(beginningOf(word)));
  const [option, next] = at === -1 ? [] : call.argv.slice(at);
  const attached = option?.kind === 'known' ? option.value.replace(/^-[a-zA-Z]*?C/, '') : '';
  const command = attached === '' ? next : knownWord(attached);
  if (command?.kind === 'known') {
    shell.runText(
      `${command.value} "$mapfile_index" "$mapfile_line"`,
      doubtful(call.state),
      through(call.frame, 'mapfile'),
    );
  } else if (command !== undefined) {
    shell.emitUnreadable(call, 'script', command.reason);
  }
}

/** `mapfile` with options, `getopts`, `select`'s REPLY: variables that take values which are not followed here. */
export function forgets(...positions: readonly number[]): ProgramReader {
  return forgetsBut({}, undefined, ...positions);
}

/**
 * @param kept what is known of each of the values
 * @param filledBy what prints them
 */
function forgetsBut(
  kept: Partial<UnknownWord>,
  filledBy: SimpleCommand | undefined,
  ...positions: readonly number[]
): ProgramReader {
  return (call) => {
    const names = positions.map((position) => call.argv.at(position)).filter((word) => word?.kind === 'known');
    const state = names.reduce((current, word) => {
      const name = word?.kind === 'known' ? word.value : '';
      const value = { ...unknownWord(`$${name}`, `the value of ${name} is not known`), ...kept };
      const list: Variable = { kind: 'array', elements: new Map([['?', value]]), associative: false };
      return withVariable(current, name, filledBy === undefined ? list : { ...list, filledBy });
    }, call.state);
    return either(state);
  };
}
