import { composed, isSeveral } from './interpolated-call.ts';
import type { OpenText } from './source/argument.ts';
import { writtenAt } from './source/arguments.ts';
import type { Language } from './source/languages.ts';
import type { OpenCommand } from './source/open-command.ts';
import { endOfWords } from './source/statements.ts';
import { sizeOf, type Value } from './source/value.ts';
import { writingOf } from './source/value-forms.ts';
import { type WrittenBlock, writtenBlocks } from './source/written-blocks.ts';
import { changesOf, type WrittenChange } from './source/written-changes.ts';
import { writtenCode } from './source/written-code.ts';
import { type WrittenCode, type WrittenFunction, writtenFunctions } from './source/written-functions.ts';
import { type Held, namesOf, outside, readValue, readValues, withValues } from './source/written-values.ts';

/** Functions within functions and loops within loops are followed so deep. */
const maximumDepth = 4;
/** So many ways to come to one call are followed, and so many steps in one program. */
const maximumCommands = 200;
const maximumSteps = 1500;
/** So often names of a call are replaced before it is left as it is. */
const maximumRounds = 20;
/** Characters and parts: a variable may hold another one twice, and that the next. */
const maximumSize = 16_384;

/** What a program gives to a call in one of the ways in which it comes to it. */
interface Version {
  readonly given: readonly Value[];
  /** Where the arguments begin of the call that leads to it. */
  readonly at: number;
}

/** A command with the place where the arguments begin of the call that leads to it. */
interface CalledCommand {
  readonly command: OpenCommand;
  readonly at: number;
}

/** Where the arguments of a call begin, and what stands before them. */
interface WrittenCall {
  readonly start: number;
  readonly caller: string;
  /** What it is called on counts as its first argument. */
  readonly isMethod: boolean;
}

type Scope = { readonly function: WrittenFunction } | { readonly block: WrittenBlock };

/** Reads what calls of Ruby, Perl and PHP would start, through the program's own functions, loops and variables. */
export class WrittenCalls {
  readonly #written: WrittenCode;
  #functions: readonly WrittenFunction[] | null = null;
  #blocks: readonly WrittenBlock[] | null = null;
  readonly #changes = new Map<string, readonly WrittenChange[]>();
  readonly #callers = new Map<WrittenFunction, readonly WrittenCall[] | null>();
  #steps = 0;

  /** Languages whose functions, loops and variables are followed here. */
  static reads(language: Language): boolean {
    return writingOf(language) !== null;
  }

  constructor(language: Language, source: string) {
    this.#written = writtenCode(language, source);
  }

  /**
   * The commands of a call, one for each way in which the program comes to it.
   *
   * @param start where its arguments begin
   * @param caller what stands before: up to and with the opening bracket, where there is one
   * @returns null where its words can't be told
   */
  commandsAt(start: number, caller: string): readonly CalledCommand[] | null {
    const given = this.#argumentsAt({ start, caller, isMethod: false });
    return given === null ? null : this.#commands(given, start, caller);
  }

  /** The same of a text that is run as it stands there. */
  commandsOf(text: OpenText, position: number): readonly CalledCommand[] | null {
    return this.#commands([{ kind: 'text', text }], position, '`');
  }

  #commands(given: readonly Value[], position: number, caller: string): readonly CalledCommand[] | null {
    const { language } = this.#written;
    const versions = this.#versions({ given, at: position }, position, maximumDepth);
    const commands = versions.map(({ given: words, at }) => {
      const command = composed(words, caller, language);
      return command === null ? null : { command, at };
    });
    const known = commands.filter((command) => command !== null);
    // What can't be read in one way is asked about once, whatever the others are.
    return known.length === 0
      ? null
      : known.length === commands.length
        ? known
        : [...known, unreadable(given, position)];
  }

  #argumentsAt({ start, caller }: WrittenCall): readonly Value[] | null {
    const { source, code, language } = this.#written;
    const isBracketed = caller.trimEnd().endsWith('(');
    const end = isBracketed ? 0 : endOfWords(code, start);
    const written = isBracketed
      ? writtenAt(source, code, start)
      : writtenAt(`${source.slice(0, end)})`, `${code.slice(0, end)})`, start);
    return written?.filter((one) => !isOption(one, language)).flatMap((one) => readValues(one, language)) ?? null;
  }

  #versions(version: Version, position: number, depth: number): readonly Version[] {
    const { language } = this.#written;
    const stuck = new Set<string>();
    let given = version.given.flatMap((value) => withValues(value, () => null, language));
    for (let round = 0; round < maximumRounds; round += 1) {
      const names = [...new Set(given.flatMap((value) => namesOf(value, language)))].filter((name) => !stuck.has(name));
      const scopes = this.#scopesAt(position);
      const free = names.filter((name) => !scopes.some((scope) => binds(scope, name)));
      if (free.length > 0) {
        const values = new Map(free.map((name) => [name, this.#assigned(name, position)] as const));
        const held: Held = (name) => values.get(name) ?? null;
        const next = given.flatMap((value) => withValues(value, held, language));
        if (next.reduce((sum, value) => sum + sizeOf(value), 0) > maximumSize) {
          break;
        }
        given = next;
        for (const name of free) {
          stuck.add(name);
        }
        continue;
      }
      const scope = scopes.find((one) => names.some((name) => binds(one, name)));
      if (scope === undefined) {
        break;
      }
      const bound = names.filter((name) => binds(scope, name));
      const isChanged = bound.some((name) => this.#isChangedIn(name, scope));
      const versions = isChanged || depth === 0 ? null : this.#through(scope, { ...version, given }, position, depth);
      if (versions !== null) {
        return versions;
      }
      for (const name of bound) {
        stuck.add(name);
      }
    }
    return [{ ...version, given }];
  }

  /** In each round of a loop, or each call of a function; null where these are not known. */
  #through(scope: Scope, version: Version, position: number, depth: number): readonly Version[] | null {
    const next =
      'block' in scope ? this.#rounds(scope.block, version, position) : this.#calls(scope.function, version, position);
    this.#steps += next?.length ?? 0;
    if (next === null || next.length === 0 || this.#steps > maximumSteps) {
      return null;
    }
    const all = next.flatMap(([one, from]) => this.#versions(one, from, depth - 1));
    return all.length > maximumCommands ? null : all;
  }

  #rounds(block: WrittenBlock, version: Version, position: number): readonly (readonly [Version, number])[] | null {
    const { language } = this.#written;
    const values = block.values === null ? null : this.#valuesOf(block.values, block);
    return (
      values?.map((value) => {
        const parts = value.kind === 'list' && block.names.length > 1 ? value.items : [value];
        // An element may be chosen by the value of a round: `$table{$_}`.
        const held: Held = (name) => parts[block.names.indexOf(name)] ?? this.#valueAt(name, position);
        const given = version.given.flatMap((one) => withValues(one, held, language));
        return [{ ...version, given }, block.head] as const;
      }) ?? null
    );
  }

  /** What a loop goes through, one by one; null where that is not known. */
  #valuesOf(written: string, block: WrittenBlock): readonly Value[] | null {
    const { language } = this.#written;
    const position = block.head;
    const read = this.#versions({ given: readValues(written, language), at: position }, position, 1);
    const [only, ...others] = read;
    if (only === undefined || others.length > 0) {
      return null;
    }
    const [list, ...more] = only.given;
    const values =
      language.name === 'perl' ? only.given : list !== undefined && more.length === 0 ? roundsOf(list, block) : null;
    return values?.every(({ kind }) => kind === 'open') === true ? null : values;
  }

  #calls(around: WrittenFunction, version: Version, position: number): readonly (readonly [Version, number])[] | null {
    const { language } = this.#written;
    const calls = this.#callersOf(around);
    return (
      calls?.flatMap((call) => {
        const given = this.#argumentsAt(call);
        const atCall: Held = (name) => this.#valueAt(name, call.start);
        const known = (given ?? [unknown]).flatMap((value) => withValues(value, atCall, language));
        const values = call.isMethod ? [object, ...known] : known;
        const held: Held = (name) => argumentOf(name, around, values, language) ?? this.#valueAt(name, position);
        const replaced = version.given.flatMap((value) => outside(value, held, language));
        return [[{ given: replaced, at: call.start }, call.start] as const];
      }) ?? null
    );
  }

  /** The scopes that a position stands in and whose names it sees, the inner before the outer. */
  #scopesAt(position: number): readonly Scope[] {
    this.#functions ??= writtenFunctions(this.#written);
    this.#blocks ??= writtenBlocks(this.#written);
    const functions = this.#functions.filter(({ start, end }) => start <= position && position < end);
    const from = functions.findLast(({ isOpen }) => !isOpen)?.start ?? 0;
    const blocks = this.#blocks.filter(({ start, end }) => start <= position && position < end);
    const scopes: readonly (readonly [number, Scope])[] = [
      ...functions.map((one) => [one.start, { function: one }] as const),
      ...blocks.map((one) => [one.start, { block: one }] as const),
    ];
    return scopes
      .filter(([start]) => start >= from)
      .toSorted(([a], [b]) => b - a)
      .map(([, scope]) => scope);
  }

  #changesOf(name: string): readonly WrittenChange[] {
    const known = this.#changes.get(name) ?? changesOf(name, this.#written);
    this.#changes.set(name, known);
    return known;
  }

  /** Is what a function or a loop gives a name changed there? */
  #isChangedIn(name: string, scope: Scope): boolean {
    const { start, end } = 'block' in scope ? scope.block : scope.function;
    const taken = 'block' in scope ? [] : parametersOf(scope.function, name).filter(({ isTaken }) => isTaken);
    const changes = this.#changesOf(name).filter(({ index }) => index >= start && index < end);
    return name !== '@_' && changes.length > taken.length;
  }

  /** The value of a variable that is given one once; null where that is not known. */
  #assigned(name: string, position: number): Value | null {
    const { language } = this.#written;
    const functionAt = (index: number) =>
      this.#functions?.findLast(({ start, end }) => start <= index && index < end) ?? null;
    const visible = this.#scopesAt(position);
    const isGlobal = language.name === 'ruby' && /^[@A-Z]/.test(name);
    const isSeen = (index: number) => {
      const around = functionAt(index);
      return (
        isGlobal ||
        visible.some((scope) => 'function' in scope && scope.function === around) ||
        (around === null && seesAll(visible))
      );
    };
    const all = this.#changesOf(name);
    const own = all.filter(({ index }) => isSeen(index));
    // A variable of the same name that a function has for itself is another one.
    const others = all.filter(({ index, isOwn }) => !isSeen(index) && !isOwn && functionAt(index)?.isOpen === true);
    const [only, ...more] = own;
    if (
      only === undefined ||
      only.value === null ||
      more.length > 0 ||
      others.length > 0 ||
      (only.index > position && !isGlobal)
    ) {
      return null;
    }
    const value = heldFrom(name, readValues(only.value, language), language);
    if (value === null || this.#areItemsChanged(name)) {
      return null;
    }
    const mayDiffer = namesOf(value, language).some(
      (inner) => this.#binding(inner, only.index) !== this.#binding(inner, position),
    );
    return mayDiffer ? null : value;
  }

  /** Does a loop change the items of a list as it goes through them? */
  #areItemsChanged(name: string): boolean {
    const own = this.#blocks?.filter(({ values }) => values?.includes(name) === true) ?? [];
    return own.some((block) => block.names.some((one) => this.#isChangedIn(one, { block })));
  }

  /** The same where no function and no loop gives the name another one. */
  #valueAt(name: string, position: number): Value | null {
    return this.#binding(name, position) === null ? this.#assigned(name, position) : null;
  }

  /** What gives a name its value at a position. */
  #binding(name: string, position: number): WrittenFunction | WrittenBlock | null {
    const scope = this.#scopesAt(position).find((one) => binds(one, name));
    return scope === undefined ? null : 'block' in scope ? scope.block : scope.function;
  }

  #callersOf(around: WrittenFunction): readonly WrittenCall[] | null {
    const known = this.#callers.get(around);
    const calls = known === undefined ? callersOf(around, this.#written, this.#functions ?? []) : known;
    this.#callers.set(around, calls);
    return calls;
  }
}

const unknown: Value = { kind: 'open', written: '…value' };
/** What a method is called on. */
const object: Value = { kind: 'table', rows: [] };

function unreadable(given: readonly Value[], at: number): CalledCommand {
  const open = given.find(({ kind }) => kind === 'open');
  return { command: { script: [{ expression: open?.kind === 'open' ? open.written : 'words' }] }, at };
}

function binds(scope: Scope, name: string): boolean {
  return 'block' in scope ? scope.block.names.includes(name) : parametersOf(scope.function, name).length > 0;
}

const parametersOf = ({ parameters }: WrittenFunction, name: string) => parameters.filter((one) => one.name === name);

/** Does a position see what the whole program sees? */
const seesAll = (scopes: readonly Scope[]): boolean =>
  scopes.every((scope) => 'block' in scope || scope.function.isOpen);

/** What a call gives to a name of a function. */
function argumentOf(name: string, around: WrittenFunction, values: readonly Value[], language: Language): Value | null {
  const [parameter] = parametersOf(around, name);
  if (parameter === undefined) {
    return null;
  }
  const { place, isRest, usual } = parameter;
  const before = values.slice(0, isRest ? place : place + 1);
  if (before.some((value) => isSeveral(value, language))) {
    return unknown;
  }
  if (isRest) {
    return { kind: 'list', items: values.slice(place) };
  }
  const value = usual === null ? unknown : readValue(usual, language);
  return values[place] ?? (namesOf(value, language).length > 0 ? unknown : value);
}

/** What a loop goes through: the items of a list, the rows of a table, or its values alone. */
function roundsOf(value: Value, { names, isKeyed }: WrittenBlock): readonly Value[] | null {
  switch (value.kind) {
    case 'list':
      return isKeyed ? value.items.map((item) => ({ kind: 'list', items: [unknown, item] })) : value.items;
    case 'table':
      return value.rows.map(([key, one]) => (names.length > 1 ? { kind: 'list', items: [key, one] } : one));
    default:
      return null;
  }
}

/** What a variable of Perl holds that is given these values; of other languages it is given one. */
function heldFrom(name: string, values: readonly Value[], { name: language }: Language): Value | null {
  const [only, ...others] = values;
  if (language === 'perl' && name.startsWith('@')) {
    return { kind: 'list', items: values };
  }
  const isTable = language !== 'perl' || !name.startsWith('%') || only?.kind === 'table';
  return only === undefined || others.length > 0 || !isTable ? null : only;
}

/** Where a function is called; null where it is used in another way as well, or too often. */
function callersOf(
  { name, isHeld, start, end }: WrittenFunction,
  { language, source, code, isCertain }: WrittenCode,
  functions: readonly WrittenFunction[],
): readonly WrittenCall[] | null {
  const text = isCertain ? code : source;
  const bare = name.replace('$', '\\$');
  const flags = language.name === 'php' ? 'gi' : 'g';
  const uses = Array.from(text.matchAll(new RegExp(`(?<![\\w$@%])${bare}(?![\\w])`, flags)), ({ index }) => index);
  const defined = functions.filter((one) => one.name === name).map((one) => one.nameAt);
  const calls = uses
    .filter((index) => !defined.includes(index) && !(index >= start && index < end))
    .map((index) => callAt(index, index + name.length, isHeld, { language, source, code: text, isCertain }));
  const known = calls.filter((call) => call !== null);
  const isKnown = known.length === calls.length && calls.length <= maximumCommands && defined.length === 1;
  return isKnown && name !== '' && !isCalledByName(name, { source, text }, functions) ? known : null;
}

/** Functions that are given the name of one that they call, and calls of what a variable names. */
const byName = String.raw`\b(?:public_send|__send__|send|method|instance_method|call_user_func(?:_array)?|array_map|array_walk|can|is_callable)\b\s*\(?\s*`;
const byVariable =
  /(?<!\bfunction\s*)(?:&\s*\{?\s*)?(\$\w+)\s*\}?\s*(?:->\s*)?\(|\b(?:public_send|__send__|send)\b\s*\(?\s*(?![:"'(\s])/g;

/** May a text of the program name a function that it calls then? */
function isCalledByName(
  name: string,
  { source, text }: { readonly source: string; readonly text: string },
  functions: readonly WrittenFunction[],
): boolean {
  const held = functions.filter(({ isHeld }) => isHeld).map((one) => one.name);
  const mayBeCalled = Array.from(text.matchAll(byVariable)).some(
    ([, variable]) => variable === undefined || !held.includes(variable),
  );
  const bare = name.replace('$', '\\$');
  return new RegExp(
    `${byName}(?:["']|:)${bare}\\b${mayBeCalled ? `|["':]${bare}\\b["']?` : ''}|\\[\\s*[\\w$\\\\:]+,\\s*["']${bare}["']\\s*\\]`,
    'i',
  ).test(source);
}

/** A call of a function whose name ends at `behind`; null where it is used in another way. */
function callAt(index: number, behind: number, isHeld: boolean, { language, code }: WrittenCode): WrittenCall | null {
  const before = code.slice(Math.max(0, index - 20), index);
  const rest = code.slice(behind, behind + 60);
  const [call] = callPatterns(language, isHeld).exec(rest) ?? [];
  const isOther = /(?:[&\\]|(?<!:):|\balias\s+\w+\s+)\s*$/.test(before);
  // `git(...)` of PHP makes another function of it.
  if (call === undefined || isOther || /^\s*\(\s*\.{3}\s*\)/.test(rest)) {
    return null;
  }
  return { start: behind + call.length, caller: call, isMethod: language.name === 'perl' && /->\s*$/.test(before) };
}

/** Up to where the arguments of a call begin, behind its name. */
function callPatterns({ name }: Language, isHeld: boolean): RegExp {
  switch (name) {
    case 'ruby':
      return isHeld
        ? /^(?:\.call\(|\.\(|\.call[ \t]+(?=[\w"'%*[:@]))/
        : /^(?:\(|[ \t]+(?=["'%*[:@\w](?!=))|(?=\s*(?:[\n;)}]|$)))/;
    case 'perl':
      return isHeld ? /^\s*->\s*\(/ : /^(?:\s*\(|[ \t]+(?=["'$@\w])|(?=\s*(?:[;)}]|$)))/;
    default:
      return /^\s*\(/;
  }
}

/** `chdir: "lib"`, `:err => :out`, `**options`, `&block` */
function isOption(written: string, { name }: Language): boolean {
  return name === 'ruby' && /^\s*(?:\w+:(?!:)|:\w+\s*=>|\[:\w+[^\]]*\]\s*=>|\*\*|&)/.test(written);
}
