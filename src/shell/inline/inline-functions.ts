import { isAskedTop, topOfWorkTree } from './asked-of-git.ts';
import { directoryArgument, directoryOf, holdsOwnDirectory } from './inline-directories.ts';
import type { OpenText, SourceArgument } from './source/argument.ts';
import { argumentsAt, endOfExpression, readArgument } from './source/arguments.ts';
import { assignmentBefore, type Change, changesIn, endOfLoops } from './source/assignments.ts';
import { endOfBracket } from './source/brackets.ts';
import { alternativesIn } from './source/choices.ts';
import { codeOf, type SourceCode } from './source/code.ts';
import { asCommand, startedWords, takesWords, wholeText, wordsIn } from './source/command.ts';
import { ownFields } from './source/fields.ts';
import {
  ownMethods,
  pythonFunctions,
  type SourceFunction,
  scriptFunctions,
  scriptMethods,
  withoutLists,
} from './source/functions.ts';
import type { Language } from './source/languages.ts';
import { joinedList, joinIn } from './source/lists.ts';
import { loopsOf, type SourceLoop } from './source/loops.ts';
import type { OpenCommand } from './source/open-command.ts';
import { onlyShows } from './source/showing-functions.ts';
import { mentions, namesIn, placed, renamed, substituted, withValue } from './source/substitution.ts';
import { withSum } from './source/sums.ts';
import { memberNames, tableHeldBy, withMembers } from './source/tables.ts';
import { valuesIn } from './source/targets.ts';
import { textOfArgument } from './source/templates.ts';
import { heldBy } from './source/variables.ts';
import { walkIn } from './source/walks.ts';

/** Helpers within helpers are followed so deep. */
const maximumDepth = 3;
const maximumCommands = 200;
/** So many calls of helpers and rounds of loops are followed in one program; what is left then is not known. */
const maximumFollowed = 1500;

/** A command with the directory in which it is started: null where that is not known, undefined for the program's own. */
export interface PlacedCommand {
  readonly command: OpenCommand;
  readonly directory: string | null | undefined;
  /** Where the arguments begin of the call that leads to it: its own, or that of the helper which makes it. */
  readonly at: number;
}

/** The arguments of a call in one of the ways in which the program comes to it. */
interface Version {
  readonly given: readonly SourceArgument[];
  /** See {@link PlacedCommand}. */
  readonly at: number;
}

/** `repo[name]('status')`: any of its methods. */
const computedCall = /[\w$)]\s*\[[^\]\n]*\]\s*\(/;

/** A function of the language's own has the name of one of the program: `asyncio.run(main())`. */
const ofModule = String.raw`(?<![\w$.])(?:asyncio|subprocess|child_process)\s*\.\s*`;

const none: SourceArgument = { kind: 'text', text: [] };

/** A part of the source. */
export interface Expression {
  readonly written: string;
  readonly position: number;
}

/** What was looked for before, or is found now. */
function once<Key, Value>(known: Map<Key, Value>, name: Key, find: () => Value): Value {
  const before = known.get(name);
  if (before !== undefined) {
    return before;
  }
  const value = find();
  known.set(name, value);
  return value;
}

/** Is a variable declared where it gets its first value? */
const isDeclared = (code: string, [first]: readonly Change[]): boolean =>
  first !== undefined && /\b(?:const|let|var)\s+$/.test(code.slice(Math.max(0, first.index - 20), first.index));

/** Has it one of these names in it, or a member of what they stand for? */
const isOf = (argument: SourceArgument, names: readonly string[]): boolean =>
  mentions(argument, names) || memberNames(argument).some((name) => names.includes(name));

/** Reads what calls with words that are not literal would start, through the program's own functions and variables. */
export class InlineFunctions {
  readonly #language: Language;
  readonly #source: string;
  readonly #code: string;
  readonly #isReached: (position: number) => boolean;
  readonly #literalFrom: number;
  /** The code without imports and exports. */
  #uses: string | null = null;
  #functions: readonly SourceFunction[] | null = null;
  #loops: readonly SourceLoop[] | null = null;
  #fields: SourceArgument | null = null;
  #followed = 0;
  #isComputed: boolean | null = null;
  readonly #commandsAt = new Map<number, readonly PlacedCommand[] | null>();
  readonly #callersOf = new Map<number, readonly number[] | null>();
  readonly #givenAt = new Map<number, readonly SourceArgument[] | null>();
  readonly #changes = new Map<string, readonly Change[]>();
  readonly #held = new Map<string, SourceArgument | null>();
  readonly #tables = new Map<string, SourceArgument | null>();

  /**
   * @param isReached whether a call is ever made, by its position: calls that are not say nothing of what is given
   * @param literalFrom from here on conditional expressions are not followed
   */
  constructor(
    language: Language,
    source: string,
    isReached: (position: number) => boolean = () => true,
    literalFrom = source.length,
  ) {
    this.#language = language;
    this.#source = source;
    this.#isReached = isReached;
    this.#literalFrom = literalFrom;
    this.#code = codeOf(source, language.name === 'python');
  }

  /** Languages whose functions and variables are followed. */
  static reads({ name }: Language): boolean {
    return /^(?:python|node|bun|deno)$/.test(name);
  }

  /**
   * The commands of the call whose arguments begin at `start`, one for each way in which the program calls it.
   *
   * @returns null where they can't be read
   */
  commandsAt(start: number): readonly PlacedCommand[] | null {
    return once(this.#commandsAt, start, () => this.#commandsOf(start));
  }

  #commandsOf(start: number): readonly PlacedCommand[] | null {
    const given = this.#argumentsAt(start);
    const option = this.#directoryAt(start);
    // The directory goes last, where it changes no place of the others.
    const versions = given === null ? null : this.#versions([...given, option ?? none], start, maximumDepth);
    const caller = this.#source.slice(Math.max(0, start - 80), start);
    const commands = versions?.map(({ given: words, at }) => {
      const command = this.#command(words.slice(0, -1), caller);
      return command === null
        ? null
        : { command, directory: option === null ? undefined : this.#directory(words.at(-1)), at };
    });
    return commands === undefined || commands.includes(null) ? null : commands.filter((command) => command !== null);
  }

  /** The directories in which a call starts what it starts: null for one that is not known, undefined for the program's own. */
  directoriesAt(start: number): readonly (string | null | undefined)[] {
    const option = this.#directoryAt(start);
    const versions = this.#versions(option === null ? [] : [option], start, maximumDepth) ?? [];
    return option === null
      ? [undefined]
      : versions.length === 0
        ? [null]
        : versions.map(({ given: [value] }) => this.#directory(value));
  }

  #directory(value: SourceArgument | undefined): string | null | undefined {
    if (value?.kind === 'name' && holdsOwnDirectory(value.name, this.#source)) {
      return;
    }
    const expression = value?.kind === 'name' ? value.name : value?.kind === 'other' ? value.written : null;
    return expression !== null && isAskedTop(expression, this.#source) ? topOfWorkTree : directoryOf(value);
  }

  #directoryAt(start: number): SourceArgument | null {
    return this.#isRead ? directoryArgument(this.#program, start) : null;
  }

  get #program(): SourceCode {
    return { source: this.#source, code: this.#code, interpolation: this.#language.interpolation };
  }

  /** The program's own function that is called there, by the name of one that starts something; null for any other. */
  ownAt(start: number): SourceFunction | null {
    const [, name = ''] = /(?<![\w$.])([\w$]+)\s*\($/.exec(this.#code.slice(Math.max(0, start - 80), start)) ?? [];
    const imported = new RegExp(`\\bimport\\b[^\\n;]*(?<![\\w$])${name.replaceAll('$', '\\$')}(?![\\w$])`);
    this.#functions ??= this.#isRead ? this.#functionsIn() : [];
    return name === '' || imported.test(this.#code)
      ? null
      : (this.#functions.find((one) => one.name === name && one.isMethod !== true && this.#isOuter(one)) ?? null);
  }

  /** Is it a function of the program that is called there, and one that starts nothing? */
  onlyShowsAt(start: number): boolean {
    const own = this.ownAt(start);
    const all = own === null ? [] : (this.#functions?.filter(({ name }) => name === own.name) ?? []);
    return (
      own !== null &&
      !this.#isReplaced(own) &&
      all.every((one) => onlyShows(this.#code.slice(one.start, one.end), this.#source.slice(one.start, one.end)))
    );
  }

  /** The same where the program calls nothing else by that name. */
  onlyAt(start: number): SourceFunction | null {
    const own = this.ownAt(start);
    const isOne = this.#functions?.filter(({ name }) => name === own?.name).length === 1;
    return own !== null && isOne && !this.#isReplaced(own) ? own : null;
  }

  /** Is another value given to its name? */
  #isReplaced(own: SourceFunction): boolean {
    return changesIn(own.name, this.#code).length !== (this.#isAssigned(own) ? 1 : 0);
  }

  /** `const run = (…) => …` */
  #isAssigned({ start, end }: SourceFunction): boolean {
    return !/^\s*(?:async\s+)?(?:def|function)\b/.test(this.#code.slice(start, end));
  }

  /** A function of a class of Python is called by way of an object. */
  #isOuter({ start }: SourceFunction): boolean {
    return this.#language.name !== 'python' || !/^[ \t]/.test(this.#code.slice(start, start + 1));
  }

  /** The texts that the call's first two arguments are, as far as they are known, for each way in which the program calls it. */
  textsAt(start: number): readonly (readonly [string | null, string | null])[] {
    return (this.#versionsAt(start) ?? []).map(({ given: [first, second] }) => [wholeText(first), wholeText(second)]);
  }

  /** The text that an expression is, with its variables replaced that hold a literal; null where it is none. */
  textOf(written: string): OpenText | null {
    const [only, ...others] = this.#resolved(readArgument(written, this.#language.interpolation));
    return only?.kind === 'text' && others.length === 0 ? only.text : null;
  }

  /** What the text is that an expression makes, in each way in which the program comes to it; null where that is not known. */
  textsOf(written: string, position: number): readonly (string | null)[] {
    const argument = readArgument(written.replace(/\.\s*encode\([^()]*\)$/, ''), this.#language.interpolation);
    const versions = this.#isRead ? this.#versions([argument], position, maximumDepth) : null;
    return versions?.map(({ given: [first] }) => wholeText(first)) ?? [null];
  }

  /** The value of an option (`input=…`, `{ input: … }`) of the call whose arguments begin there. */
  optionAt(start: number, name: string): Expression | null {
    const end = endOfBracket(this.#code, start);
    const option = new RegExp(`(?<![\\w$.-])${name}\\s*[=:](?!\\s*(?:None|null|undefined)\\b|=)`);
    const found = option.exec(this.#code.slice(start, end));
    return found === null ? null : this.#expression(start + found.index + found[0].length);
  }

  /** The first argument of each call that the pattern finds, which ends before it; calls without one are left out. */
  argumentsOf(call: RegExp): readonly Expression[] {
    const found = this.#isRead ? [...this.#code.matchAll(call)] : [];
    return found
      .map((match) => this.#expression(match.index + match[0].length))
      .filter(({ written }) => written !== '');
  }

  #expression(position: number): Expression {
    return { written: this.#source.slice(position, endOfExpression(this.#code, position)).trim(), position };
  }

  get #isRead(): boolean {
    return InlineFunctions.reads(this.#language);
  }

  #argumentsAt(start: number): readonly SourceArgument[] | null {
    return this.#isRead ? this.#argumentsOfCall(start) : null;
  }

  #argumentsOfCall(start: number): readonly SourceArgument[] | null {
    return once(
      this.#givenAt,
      start,
      () =>
        argumentsAt(this.#source, this.#code, start, this.#language.interpolation)?.map((one) => this.#summed(one)) ??
        null,
    );
  }

  /** JavaScript makes a text of what it adds. */
  #summed(argument: SourceArgument): SourceArgument {
    return this.#language.name === 'python' ? withSum(argument, this.#program) : argument;
  }

  #versionsAt(start: number): readonly Version[] | null {
    const given = this.#argumentsAt(start);
    return given === null ? null : this.#versions(given, start, maximumDepth);
  }

  /** The arguments, with parameters of the function around them replaced by what each of its callers gives. */
  #versions(given: readonly SourceArgument[], position: number, depth: number): readonly Version[] | null {
    const around = this.#around(position);
    const before = this.#before(given, position, around);
    if (before !== null) {
      const loop = depth === 0 ? null : this.#loopAround(given, position, around);
      // What a loop behind the change gives to another name is not known where the change stands.
      const isBehind = loop !== null && loop.at > before.index;
      const rounds = isBehind ? this.#rounds(given, loop, position, depth - 1) : null;
      return rounds ?? this.#earlier(before, position, depth);
    }
    const shadowing = around === null ? [] : [...around.parameters, ...around.named];
    const own = given.flatMap((argument) => this.#resolved(argument, maximumDepth, shadowing));
    const ways = position < this.#literalFrom ? this.#ways(own) : null;
    if (ways !== null) {
      return depth === 0 ? null : this.#each(ways, position, depth - 1);
    }
    const loop = this.#loopAround(own, position, around);
    const rounds = loop === null || depth === 0 ? null : this.#rounds(own, loop, position, depth - 1);
    if (rounds !== null) {
      return rounds;
    }
    const here = [{ given: own, at: position }];
    if (around === null || !own.some((argument) => mentions(argument, around.parameters))) {
      return here;
    }
    const versions = this.#calledWith(own, around, depth);
    return versions === null && around.isMethod === true ? here : versions;
  }

  /** What the arguments are before the last change of a variable among them; null where nothing changes one. */
  #before(
    given: readonly SourceArgument[],
    position: number,
    around: SourceFunction | null,
  ): { readonly ways: readonly (readonly SourceArgument[])[]; readonly index: number } | null {
    const own = [...(around?.parameters ?? []), ...(around?.named ?? [])];
    const found = [...new Set(given.flatMap(namesIn))].flatMap((name) => {
      const changes = this.#changesAround(name, position, around);
      const last = changes === null ? null : assignmentBefore(name, changes, position, this.#program);
      const value = last?.value == null ? null : this.#readable(this.#summed(last.value), name, given);
      // What a variable of its own holds that is not known is called by its name.
      return last === null || (value === null && last.isAnother && !own.includes(name))
        ? []
        : [{ name, ...last, value, isFirst: changes?.[0]?.index === last.index && !own.includes(name) }];
    });
    const [latest] = found.sort((a, b) => b.index - a.index);
    if (latest === undefined) {
      return null;
    }
    const { name, index } = latest;
    const isSure = latest.isSure || latest.isFirst;
    // Of a program that was there, what it does under conditions is not followed.
    const isOpen = latest.value === null || (!isSure && position >= this.#literalFrom);
    const value: SourceArgument =
      isOpen || latest.value === null ? { kind: 'name', name: `${name}…`, isSpread: true } : latest.value;
    const changed = given.flatMap((argument) => withValue(argument, name, value));
    // What is given no value before fails without it.
    return { ways: isSure || isOpen ? [changed] : [changed, given], index };
  }

  /** A value, where something can be told of it in the place of the name: of a table its members are looked up. */
  #readable(value: SourceArgument, name: string, given: readonly SourceArgument[]): SourceArgument | null {
    const isChosen =
      value.kind === 'other' &&
      given.some((argument) => argument.kind === 'name' && argument.name === name) &&
      alternativesIn(value.written, this.#language.name === 'python').length > 0;
    return value.kind === 'other' && !isChosen ? null : value;
  }

  /** Where a variable is changed in the function that a position stands in; null where others may change it as well. */
  #changesAround(name: string, position: number, around: SourceFunction | null): readonly Change[] | null {
    const all = once(this.#changes, name, () => changesIn(name, this.#code));
    const isOwn = all.length > 0 && all.every(({ index }) => this.#around(index)?.start === around?.start);
    const own = isOwn ? all : this.#ownChanges(name, all, around);
    const end = own?.some(({ index }) => index > position) === true ? endOfLoops(this.#code, position) : null;
    // What comes later in a loop comes before its next round.
    return end !== null && own?.some(({ index }) => index > position && index < end) === true ? null : own;
  }

  /** Those of a function's own variable, where other functions have one of that name, too. */
  #ownChanges(name: string, all: readonly Change[], around: SourceFunction | null): readonly Change[] | null {
    const own = all.filter(({ index }) => around !== null && this.#around(index)?.start === around.start);
    const isOwn =
      around !== null &&
      own.length > 0 &&
      (this.#language.name === 'python' || around.parameters.includes(name) || isDeclared(this.#code, own));
    return isOwn ? own : null;
  }

  #earlier(
    { ways, index }: { readonly ways: readonly (readonly SourceArgument[])[]; readonly index: number },
    position: number,
    depth: number,
  ): readonly Version[] | null {
    const versions = this.#mayFollow(ways.length) ? this.#each(ways, index, depth) : null;
    return versions?.map((one) => (one.at === index ? { ...one, at: position } : one)) ?? null;
  }

  /** The arguments, with the parameters of a function replaced; null where it can't be told by what. */
  #calledWith(own: readonly SourceArgument[], around: SourceFunction, depth: number): readonly Version[] | null {
    const callers = depth === 0 ? null : once(this.#callersOf, around.nameAt, () => this.#callers(around));
    if (callers === null || !this.#mayFollow(callers.length)) {
      return null;
    }
    const all: Version[] = [];
    for (const caller of callers) {
      const values = this.#argumentsOfCall(caller);
      const replaced = values === null ? null : own.flatMap((argument) => substituted(argument, around, values));
      const versions = replaced === null ? null : this.#versions(replaced, caller, depth - 1);
      if (versions === null || all.length > maximumCommands) {
        return null;
      }
      all.push(...versions);
    }
    return all;
  }

  /** Counts what is followed: methods of one name may each be called wherever another one is. */
  #mayFollow(count: number): boolean {
    this.#followed += count;
    return count <= maximumCommands && this.#followed <= maximumFollowed;
  }

  #each(several: readonly (readonly SourceArgument[])[], position: number, depth: number): readonly Version[] | null {
    const all = several.map((given) => this.#versions(given, position, depth));
    const read = all.flatMap((versions) => versions ?? []);
    return all.includes(null) || read.length > maximumCommands ? null : read;
  }

  /** The arguments with either value of the first conditional expression among them; null where there is none. */
  #ways(given: readonly SourceArgument[]): readonly (readonly SourceArgument[])[] | null {
    for (const [at, argument] of given.entries()) {
      const values =
        argument.kind === 'other' ? alternativesIn(argument.written, this.#language.name === 'python') : [];
      if (values.length > 0) {
        return values.map((value) => given.with(at, readArgument(value, this.#language.interpolation)));
      }
    }
    return null;
  }

  /** The loop that gives one of the arguments its value; null where there is none, or it is not followed. */
  #loopAround(given: readonly SourceArgument[], position: number, around: SourceFunction | null): SourceLoop | null {
    this.#loops ??= loopsOf(this.#source, this.#code);
    const own = [...(around?.parameters ?? []), ...(around?.named ?? [])];
    const loop = this.#loops.findLast(
      ({ names, start, at }) =>
        start <= position &&
        given.some((argument) => isOf(argument, names)) &&
        // A parameter of that name is another one.
        !(around !== null && at < around.start && names.some((name) => own.includes(name))),
    );
    // What stands behind was followed before.
    const isChanged = (name: string) =>
      changesIn(name, this.#code).some(({ index }) => loop !== undefined && loop.start < index && index < position);
    return loop === undefined || loop.names.some(isChanged) ? null : loop;
  }

  /** The arguments in each round of a loop; null where its values can't be read. */
  #rounds(
    given: readonly SourceArgument[],
    loop: SourceLoop,
    position: number,
    depth: number,
  ): readonly Version[] | null {
    const walk = walkIn(loop.values, loop.isOfKeys);
    const lists = walk.of.map((list) => readArgument(list, this.#language.interpolation));
    // Where the lists come from, others may have the names.
    const own = new Map(loop.names.map((name) => [name, `${name}_each_${loop.at}`]));
    const written = new Map(Array.from(own, ([name, one]) => [one, name]));
    const named = given.map((argument) => renamed(argument, own));
    const versions = this.#versions([...named, ...lists], loop.at, depth);
    const rounds = versions?.map(({ given: made, at }) => {
      const values = made.slice(named.length).map((list) => this.#asTable(list));
      const items = made.length === named.length + lists.length ? walk.itemsOf(values) : null;
      const each = items?.map((item) => {
        const parts = valuesIn(loop.target, item);
        const members = (name: string) => parts.get(written.get(name) ?? '') ?? null;
        return [...parts]
          .reduce<readonly SourceArgument[]>(
            (all, [name, value]) => all.flatMap((one) => withValue(one, own.get(name) ?? '', value)),
            made.slice(0, named.length).map((one) => withMembers(one, members)),
          )
          .map((one) => renamed(one, written));
      });
      const read = each === undefined || each.length === 0 ? null : this.#each(each, loop.at, depth);
      return read?.map((one) => (one.at === loop.at ? { ...one, at: at === loop.at ? position : at } : one)) ?? null;
    });
    return rounds === undefined || rounds.includes(null) ? null : rounds.flatMap((round) => round ?? []);
  }

  #asTable(argument: SourceArgument): SourceArgument {
    return argument.kind === 'name' ? (this.#tableHeldBy(argument.name) ?? argument) : argument;
  }

  /** The argument, with variables replaced that hold a literal. @param shadowing names that are others there */
  #resolved(
    argument: SourceArgument,
    depth = maximumDepth,
    shadowing: readonly string[] = [],
  ): readonly SourceArgument[] {
    if (depth === 0) {
      return [argument];
    }
    switch (argument.kind) {
      case 'name': {
        const value = shadowing.includes(argument.name) ? null : this.#heldBy(argument.name);
        return value === null || (argument.isSpread && value.kind !== 'list' && argument.separator === undefined)
          ? [argument]
          : placed(argument, value).flatMap((one) => this.#resolved(one, depth - 1, shadowing));
      }
      case 'list':
        return [{ kind: 'list', items: argument.items.flatMap((item) => this.#resolved(item, depth, shadowing)) }];
      case 'text':
        return [
          {
            kind: 'text',
            text: textOfArgument(this.#member(argument)).flatMap((part) => this.#resolvedPart(part, shadowing)),
          },
        ];
      case 'other': {
        const value = this.#member(argument);
        return value === argument ? [argument] : this.#resolved(value, depth - 1, shadowing);
      }
    }
  }

  /** With what tables hold that variables are given. */
  #member(argument: SourceArgument): SourceArgument {
    return memberNames(argument).length === 0
      ? argument
      : withMembers(argument, (name) => (/^(?:self|this)$/.test(name) ? this.#ownFields() : this.#tableHeldBy(name)));
  }

  #heldBy(name: string): SourceArgument | null {
    return once(this.#held, name, () => heldBy(name, this.#program));
  }

  #tableHeldBy(name: string): SourceArgument | null {
    return once(this.#tables, name, () => tableHeldBy(name, this.#program));
  }

  #ownFields(): SourceArgument {
    this.#fields ??= ownFields(this.#program, (position) => this.#around(position));
    return this.#fields;
  }

  #resolvedPart(part: OpenText[number], shadowing: readonly string[]): OpenText {
    const [, , text] = typeof part === 'string' ? [] : (/^(["'])([^"'\\]*)\1$/.exec(part.expression) ?? []);
    if (text !== undefined) {
      return [text];
    }
    const join = typeof part === 'string' ? null : joinIn(part.expression);
    if (join !== null) {
      const items = this.#resolved({ kind: 'name', name: join.name, isSpread: true }, 1, shadowing);
      return joinedList({ items }, join.separator).text;
    }
    const value =
      typeof part === 'string' || shadowing.includes(part.expression) ? null : this.#heldBy(part.expression);
    return value?.kind === 'text' ? value.text : [part];
  }

  #around(position: number): SourceFunction | null {
    this.#functions ??= this.#functionsIn();
    return this.#functions.findLast(({ start, end }) => start <= position && position < end) ?? null;
  }

  #functionsIn(): readonly SourceFunction[] {
    if (this.#language.name === 'python') {
      return pythonFunctions(this.#code, this.#source);
    }
    const functions = scriptFunctions(this.#code, this.#source);
    const methods = scriptMethods(this.#code, this.#source).filter(
      ({ nameAt }) => !functions.some((one) => one.nameAt === nameAt),
    );
    return [...functions, ...methods].sort((a, b) => a.start - b.start);
  }

  /** Where its arguments begin in each call; null where the function is also used in another way. */
  #callers({ name, start, end, isMethod }: SourceFunction): readonly number[] | null {
    const defined = this.#functions?.filter((one) => one.name === name).map(({ nameAt }) => nameAt) ?? [];
    this.#uses ??= withoutLists(this.#code);
    const uses = [
      ...this.#uses.matchAll(
        new RegExp(`(?<![\\w$]|${ofModule})${name.replaceAll('$', '\\$')}(?![\\w$])\\s*(\\(?)`, 'g'),
      ),
    ];
    const others = uses.filter(({ index }) => !defined.includes(index) && !(index >= start && index < end));
    this.#isComputed ??= computedCall.test(this.#code);
    const isOpen =
      isMethod === true &&
      (ownMethods.test(name) || this.#isComputed || others.every(({ index }) => this.#uses?.[index - 1] !== '.'));
    return isOpen || others.some(([, bracket]) => bracket === '')
      ? null
      : others.filter(({ index }) => this.#isReached(index)).map((use) => use.index + use[0].length);
  }

  /** @param caller what stands before the arguments */
  #command(given: readonly SourceArgument[], caller: string): OpenCommand | null {
    const [first, second] = given;
    if (this.#language.name === 'python' && takesWords.test(caller)) {
      return asCommand(startedWords(given, caller));
    }
    const isScript = /\bexec(?:Sync)?\s*\(\s*$/.test(caller);
    if (first?.kind === 'list') {
      return asCommand(first.items) ?? (first.text === undefined ? null : { script: first.text });
    }
    if (first?.kind !== 'text') {
      return null;
    }
    const more = this.#language.name === 'python' || isScript ? null : wordsIn(second);
    if (more !== null) {
      return asCommand([first, ...more]);
    }
    return { script: first.text };
  }
}
