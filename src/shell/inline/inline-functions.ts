import { remembered } from '../../remembered.ts';
import { isAskedTop, topOfWorkTree } from './asked-of-git.ts';
import { HeldValues } from './held-values.ts';
import { directoryArgument, directoryOf, holdsOwnDirectory } from './inline-directories.ts';
import { type FollowedProgram, OwnFunctions } from './own-functions.ts';
import type { OpenText, SourceArgument } from './source/argument.ts';
import { argumentsAt, endOfExpression, readArgument } from './source/arguments.ts';
import { assignmentBefore, type Change, changesIn, endOfLoops } from './source/assignments.ts';
import { endOfBracket } from './source/brackets.ts';
import { alternativesIn } from './source/choices.ts';
import { codeOf } from './source/code.ts';
import { asCommand, startedWords, takesWords, wholeText, wordsIn } from './source/command.ts';
import type { SourceFunction } from './source/functions.ts';
import type { Language } from './source/languages.ts';
import { loopsOf, type SourceLoop } from './source/loops.ts';
import type { OpenCommand } from './source/open-command.ts';
import { mentions, namesIn, renamed, substituted, withValue } from './source/substitution.ts';
import { withSum } from './source/sums.ts';
import { memberNames, withMembers } from './source/tables.ts';
import { valuesIn } from './source/targets.ts';
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

const none: SourceArgument = { kind: 'text', text: [] };

/** A part of the source. */
export interface Expression {
  readonly written: string;
  readonly position: number;
}

const grammarOf = (language: string): FollowedProgram['grammar'] =>
  language === 'python' ? 'python' : /^(?:node|bun|deno)$/.test(language) ? 'script' : null;

/** Is a variable declared where it gets its first value? */
const isDeclared = (code: string, [first]: readonly Change[]): boolean =>
  first !== undefined && /\b(?:const|let|var)\s+$/.test(code.slice(Math.max(0, first.index - 20), first.index));

/** Has it one of these names in it, or a member of what they stand for? */
const isOf = (argument: SourceArgument, names: readonly string[]): boolean =>
  mentions(argument, names) || memberNames(argument).some((name) => names.includes(name));

/** Reads what calls with words that are not literal would start, through the program's own functions and variables. */
export class InlineFunctions {
  /** The program's own functions. */
  readonly own: OwnFunctions;
  readonly #program: FollowedProgram;
  readonly #literalFrom: number;
  readonly #held: HeldValues;
  #loops: readonly SourceLoop[] | null = null;
  #followed = 0;
  readonly #changesOf = remembered((name: string) => changesIn(name, this.#program.code));

  /**
   * The commands of the call whose arguments begin at `start`, one for each way in which the program calls it.
   *
   * @returns null where they can't be read
   */
  readonly commandsAt = remembered((start: number) => this.#commandsOf(start));

  readonly #argumentsOfCall = remembered((start: number): readonly SourceArgument[] | null => {
    const { source, code, interpolation } = this.#program;
    return argumentsAt(source, code, start, interpolation)?.map((one) => this.#summed(one)) ?? null;
  });

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
    const { name, interpolation } = language;
    this.#literalFrom = literalFrom;
    this.#program = { source, code: codeOf(source, name === 'python'), interpolation, grammar: grammarOf(name) };
    this.own = new OwnFunctions(this.#program, isReached);
    this.#held = new HeldValues(this.#program, this.own);
  }

  /** Languages whose functions and variables are followed. */
  static reads({ name }: Language): boolean {
    return grammarOf(name) !== null;
  }

  #commandsOf(start: number): readonly PlacedCommand[] | null {
    const given = this.#argumentsAt(start);
    const option = this.#directoryAt(start);
    // The directory goes last, where it changes no place of the others.
    const versions = given === null ? null : this.#versions([...given, option ?? none], start, maximumDepth);
    const caller = this.#program.source.slice(Math.max(0, start - 80), start);
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
    if (value?.kind === 'name' && holdsOwnDirectory(value.name, this.#program.source)) {
      return;
    }
    const expression = value?.kind === 'name' ? value.name : value?.kind === 'other' ? value.written : null;
    return expression !== null && isAskedTop(expression, this.#program.source) ? topOfWorkTree : directoryOf(value);
  }

  #directoryAt(start: number): SourceArgument | null {
    return this.#program.grammar !== null ? directoryArgument(this.#program, start) : null;
  }

  /** The texts that the call's first two arguments are, as far as they are known, for each way in which the program calls it. */
  textsAt(start: number): readonly (readonly [string | null, string | null])[] {
    return (this.#versionsAt(start) ?? []).map(({ given: [first, second] }) => [wholeText(first), wholeText(second)]);
  }

  /** The text that an expression is, with its variables replaced that hold a literal; null where it is none. */
  textOf(written: string): OpenText | null {
    const [only, ...others] = this.#held.resolved(readArgument(written, this.#program.interpolation));
    return only?.kind === 'text' && others.length === 0 ? only.text : null;
  }

  /** What the text is that an expression makes, in each way in which the program comes to it; null where that is not known. */
  textsOf(written: string, position: number): readonly (string | null)[] {
    const argument = readArgument(written.replace(/\.\s*encode\([^()]*\)$/, ''), this.#program.interpolation);
    const versions = this.#program.grammar !== null ? this.#versions([argument], position, maximumDepth) : null;
    return versions?.map(({ given: [first] }) => wholeText(first)) ?? [null];
  }

  /** The value of an option (`input=…`, `{ input: … }`) of the call whose arguments begin there. */
  optionAt(start: number, name: string): Expression | null {
    const end = endOfBracket(this.#program.code, start);
    const option = new RegExp(`(?<![\\w$.-])${name}\\s*[=:](?!\\s*(?:None|null|undefined)\\b|=)`);
    const found = option.exec(this.#program.code.slice(start, end));
    return found === null ? null : this.#expression(start + found.index + found[0].length);
  }

  /** The first argument of each call that the pattern finds, which ends before it; calls without one are left out. */
  argumentsOf(call: RegExp): readonly Expression[] {
    const found = this.#program.grammar !== null ? [...this.#program.code.matchAll(call)] : [];
    return found
      .map((match) => this.#expression(match.index + match[0].length))
      .filter(({ written }) => written !== '');
  }

  #expression(position: number): Expression {
    return {
      written: this.#program.source.slice(position, endOfExpression(this.#program.code, position)).trim(),
      position,
    };
  }

  #argumentsAt(start: number): readonly SourceArgument[] | null {
    return this.#program.grammar !== null ? this.#argumentsOfCall(start) : null;
  }

  /** JavaScript makes a text of what it adds. */
  #summed(argument: SourceArgument): SourceArgument {
    return this.#program.grammar === 'python' ? withSum(argument, this.#program) : argument;
  }

  #versionsAt(start: number): readonly Version[] | null {
    const given = this.#argumentsAt(start);
    return given === null ? null : this.#versions(given, start, maximumDepth);
  }

  /** The arguments, with parameters of the function around them replaced by what each of its callers gives. */
  #versions(given: readonly SourceArgument[], position: number, depth: number): readonly Version[] | null {
    const around = this.own.around(position);
    const before = this.#before(given, position, around);
    if (before !== null) {
      const loop = depth === 0 ? null : this.#loopAround(given, position, around);
      // What a loop behind the change gives to another name is not known where the change stands.
      const isBehind = loop !== null && loop.at > before.index;
      const rounds = isBehind ? this.#rounds(given, loop, position, depth - 1) : null;
      return rounds ?? this.#earlier(before, position, depth);
    }
    const shadowing = around === null ? [] : [...around.parameters, ...around.named];
    const own = given.flatMap((argument) => this.#held.resolved(argument, shadowing));
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
      alternativesIn(value.written, this.#program.grammar === 'python').length > 0;
    return value.kind === 'other' && !isChosen ? null : value;
  }

  /** Where a variable is changed in the function that a position stands in; null where others may change it as well. */
  #changesAround(name: string, position: number, around: SourceFunction | null): readonly Change[] | null {
    const all = this.#changesOf(name);
    const isOwn = all.length > 0 && all.every(({ index }) => this.own.around(index)?.start === around?.start);
    const own = isOwn ? all : this.#ownChanges(name, all, around);
    const end = own?.some(({ index }) => index > position) === true ? endOfLoops(this.#program.code, position) : null;
    // What comes later in a loop comes before its next round.
    return end !== null && own?.some(({ index }) => index > position && index < end) === true ? null : own;
  }

  /** Those of a function's own variable, where other functions have one of that name, too. */
  #ownChanges(name: string, all: readonly Change[], around: SourceFunction | null): readonly Change[] | null {
    const own = all.filter(({ index }) => around !== null && this.own.around(index)?.start === around.start);
    const isOwn =
      around !== null &&
      own.length > 0 &&
      (this.#program.grammar === 'python' || around.parameters.includes(name) || isDeclared(this.#program.code, own));
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
    const callers = depth === 0 ? null : this.own.callersOf(around.nameAt);
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
        argument.kind === 'other' ? alternativesIn(argument.written, this.#program.grammar === 'python') : [];
      if (values.length > 0) {
        return values.map((value) => given.with(at, readArgument(value, this.#program.interpolation)));
      }
    }
    return null;
  }

  /** The loop that gives one of the arguments its value; null where there is none, or it is not followed. */
  #loopAround(given: readonly SourceArgument[], position: number, around: SourceFunction | null): SourceLoop | null {
    this.#loops ??= loopsOf(this.#program.source, this.#program.code);
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
      changesIn(name, this.#program.code).some(
        ({ index }) => loop !== undefined && loop.start < index && index < position,
      );
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
    const lists = walk.of.map((list) => readArgument(list, this.#program.interpolation));
    // Where the lists come from, others may have the names.
    const own = new Map(loop.names.map((name) => [name, `${name}_each_${loop.at}`]));
    const written = new Map(Array.from(own, ([name, one]) => [one, name]));
    const named = given.map((argument) => renamed(argument, own));
    const versions = this.#versions([...named, ...lists], loop.at, depth);
    const rounds = versions?.map(({ given: made, at }) => {
      const values = made.slice(named.length).map((list) => this.#held.asTable(list));
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

  /** @param caller what stands before the arguments */
  #command(given: readonly SourceArgument[], caller: string): OpenCommand | null {
    const [first, second] = given;
    if (this.#program.grammar === 'python' && takesWords.test(caller)) {
      return asCommand(startedWords(given, caller));
    }
    const isScript = /\bexec(?:Sync)?\s*\(\s*$/.test(caller);
    if (first?.kind === 'list') {
      return asCommand(first.items) ?? (first.text === undefined ? null : { script: first.text });
    }
    if (first?.kind !== 'text') {
      return null;
    }
    const more = this.#program.grammar === 'python' || isScript ? null : wordsIn(second);
    if (more !== null) {
      return asCommand([first, ...more]);
    }
    return { script: first.text };
  }
}
