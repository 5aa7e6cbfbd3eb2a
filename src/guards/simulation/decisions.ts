import { casesOf, type Outcomes } from '../../shell/path.ts';
import {
  type Condition,
  type Fork,
  type Path,
  programName,
  type SimpleCommand,
  type Step,
} from '../../shell/simple-command.ts';
import { shown } from '../git-command/words.ts';

/** A fork, and the way that it goes. */
export type Decision = readonly [fork: Fork, holds: boolean];

/** By what a command tells that it has found nothing; `words`: those that git says to people. */
export type ToldBy = 'success' | 'no output' | 'either' | 'words';

/** Programs that choose lines of what a command prints, and how forks go if they choose none. */
export interface ChosenLines {
  readonly by: readonly SimpleCommand[];
  readonly ifNone: Decision;
}

/** What something later on the line depends on. */
export class Decisions {
  #steps: readonly Step[];
  #forks: ReadonlySet<Fork> | undefined;
  #ofEmpty: ReadonlyMap<SimpleCommand, readonly Decision[]> | undefined;
  #ofWords: ReadonlyMap<SimpleCommand, readonly Decision[]> | undefined;
  #ofChosen: ReadonlyMap<SimpleCommand, readonly ChosenLines[]> | undefined;
  /** Ways that forks surely do not go. */
  readonly #untaken: Decision[] = [];

  /** @param steps of the whole line */
  constructor(steps: readonly Step[]) {
    this.#steps = steps;
  }

  /** What a command sets off is there as well. */
  include(steps: readonly Step[]): void {
    this.#steps = [...this.#steps, ...steps];
    this.#forks = undefined;
    this.#ofEmpty = undefined;
    this.#ofWords = undefined;
    this.#ofChosen = undefined;
  }

  /** Does it depend on the command's success whether another one runs? */
  dependOn({ origin }: SimpleCommand): boolean {
    return this.#all.has(origin.success);
  }

  /** How forks go, on which something depends, if the command finds nothing. @param toldBy what tells that */
  ifNothing(command: SimpleCommand, toldBy: ToldBy): readonly Decision[] {
    if (toldBy === 'words') {
      this.#ofWords ??= this.#decidedByGrep(findsClean, true);
      return this.#ofWords.get(command) ?? [];
    }
    this.#ofEmpty ??= this.#decidedByOutput();
    const bySuccess: readonly Decision[] =
      toldBy !== 'no output' && this.dependOn(command) ? [[command.origin.success, true]] : [];
    return [...bySuccess, ...(toldBy === 'success' ? [] : (this.#ofEmpty.get(command) ?? []))];
  }

  /** How forks go, on which something depends, if lines are chosen of what the command prints: `… | grep -q '^ M'`. */
  ifChosen(command: SimpleCommand): readonly ChosenLines[] {
    this.#ofChosen ??= this.#decidedByChoice();
    return this.#ofChosen.get(command) ?? [];
  }

  /** What the line does before a command; null: the command is none of its own. */
  before({ origin }: SimpleCommand): readonly Step[] | null {
    const at = this.#steps.findIndex((step) => step.origin === origin);
    return at < 0 ? null : this.#steps.slice(0, at);
  }

  /** The forks surely do not go these ways. */
  rule(out: readonly Decision[]): void {
    this.#untaken.push(...out);
  }

  /** Would a fork have to go such a way, for a moment on the path to come? */
  neverComes(path: Path): boolean {
    const isUntaken = (outcomes: Outcomes) => this.#untaken.some(([fork, holds]) => outcomes.get(fork) === holds);
    return this.#untaken.length > 0 && casesOf(path).every(isUntaken);
  }

  get #all(): ReadonlySet<Fork> {
    this.#forks ??= forksOf(this.#steps);
    return this.#forks;
  }

  #decidedByOutput(): ReadonlyMap<SimpleCommand, readonly Decision[]> {
    const found = new Map(this.#decidedByGrep(findsAnything, false));
    for (const fork of this.#all) {
      if (fork.output !== null) {
        const printer = printerBehind(fork.output.of);
        found.set(printer, [...(found.get(printer) ?? []), [fork, fork.output.whenEmpty]]);
      }
    }
    return found;
  }

  #decidedByChoice(): ReadonlyMap<SimpleCommand, readonly ChosenLines[]> {
    const found = new Map<SimpleCommand, readonly ChosenLines[]>();
    const add = (chooser: SimpleCommand, ifNone: Decision) => {
      const by = choosersBehind(chooser);
      const printer = by[0] === undefined ? undefined : printerOf(by[0])[0];
      if (printer !== undefined) {
        found.set(printer, [...(found.get(printer) ?? []), { by, ifNone }]);
      }
    };
    for (const step of this.#steps) {
      if (step.kind === 'command' && isGrep(step) && this.dependOn(step)) {
        add(step, [step.origin.success, false]);
      }
    }
    for (const fork of this.#all) {
      if (fork.output !== null) {
        add(fork.output.of, [fork, fork.output.whenEmpty]);
      }
    }
    return found;
  }

  /** @param holds whether it finds what it looks for, where there is nothing */
  #decidedByGrep(
    isMeant: (step: SimpleCommand) => boolean,
    holds: boolean,
  ): ReadonlyMap<SimpleCommand, readonly Decision[]> {
    const found = new Map<SimpleCommand, readonly Decision[]>();
    for (const step of this.#steps) {
      const [printer] = step.kind === 'command' && this.dependOn(step) && isMeant(step) ? printerOf(step) : [];
      if (printer !== undefined) {
        const behind = printerBehind(printer);
        found.set(behind, [...(found.get(behind) ?? []), [step.origin.success, holds]]);
      }
    }
    return found;
  }
}

/** Programs that print nothing exactly where they read nothing. */
const passing = new Set(['cat', 'head', 'tail', 'sort', 'uniq']);

/** Not the last one, which ends a line. */
const isByte = /^head -c ?[1-9]\d*$/;

/** The command whose output goes through such programs, unchanged in whether there is any. */
function printerBehind(command: SimpleCommand): SimpleCommand {
  const [, ...words] = command.argv.map(shown);
  const program = programName(command.argv[0]) ?? '';
  const isPassing =
    passing.has(program) &&
    (words.every((word) => /^(?:-(?:n?[1-9]\d*|n)|[1-9]\d*)$/.test(word)) ||
      isByte.test([program, ...words].join(' ')));
  const [printer] = isPassing ? printerOf(command) : [];
  return printer === undefined ? command : printerBehind(printer);
}

function isGrep({ argv }: SimpleCommand): boolean {
  return /^e?grep$/.test(programName(argv[0]) ?? '');
}

/** The programs through which what git prints goes, the first one first; empty where one does more than to choose lines. */
function choosersBehind(command: SimpleCommand): readonly SimpleCommand[] {
  const { argv, input } = command;
  const isPassing = argv.length === 1 && /^(?:cat|sort)$/.test(programName(argv[0]) ?? '');
  const isWhole = input?.kind === 'unknown' && /^$|\n$/.test(input.begins ?? '');
  const [printer] = printerOf(command);
  if (printer === undefined || !isWhole || (!isPassing && !isGrep(command))) {
    return [];
  }
  if (programName(printer.argv[0]) === 'git') {
    return [command];
  }
  const before = choosersBehind(printer);
  return before.length === 0 ? [] : [...before, command];
}

function printerOf({ input }: SimpleCommand): readonly SimpleCommand[] {
  return input?.kind === 'unknown' && input.printedBy !== undefined ? [input.printedBy] : [];
}

/** `grep -q .` */
function findsAnything(step: SimpleCommand): boolean {
  const { argv } = step;
  const words = argv.slice(1).map(shown);
  const anything = summing.test(printedWords(step)) ? /^(?:-q |--quiet )?(?:\.|\^|files?|changed)?$/ : plainly;
  return programName(argv[0]) === 'grep' && anything.test(words.join(' '));
}

const plainly = /^(?:-q |--quiet )?(?:\.|\^)?$/;

/** git-diff(1): where anything has changed, its last line says how many files have, in any language. */
const summing = /^git diff (?:.* )?--(?:shortstat|stat)(?: |$)/;

function printedWords(step: SimpleCommand): string {
  const [printer] = printerOf(step);
  return printer === undefined ? '' : printer.argv.map(shown).join(' ');
}

/** `grep -q 'nothing to commit'` */
function findsClean(step: SimpleCommand): boolean {
  const { argv } = step;
  const words = argv.slice(1).map((word) => (word.kind === 'known' ? word.value : ''));
  const [pattern = '', ...others] = words.filter((word) => !/^(?:-[qiEF]+|--quiet|--ignore-case)$/.test(word));
  return /^e?grep$/.test(programName(argv[0]) ?? '') && others.length === 0 && saysClean(pattern) && !readsAnyway(step);
}

/**
 * Does an expression find nothing but what `git status` says, in English, where there is nothing? It says nothing of the
 * kind in other languages. A branch's name has no blanks.
 */
function saysClean(expression: string): boolean {
  return expression.split(/\\?\|/).every((part) => clean.test(part));
}

/** Is it in what the line puts before or behind the output? */
function readsAnyway({ input }: SimpleCommand): boolean {
  if (input?.kind !== 'unknown') {
    return false;
  }
  const { begins = '', ends = '', printedBy } = input;
  const isPut = /nothing to commit|(?:tree|directory) clean/i.test(`${begins}\n${ends}`);
  return isPut || (printedBy !== undefined && readsAnyway(printedBy));
}

const clean =
  /^\^?(?:nothing to commit,?(?: working (?:tree|directory) clean)?|(?:working )?(?:tree|directory) clean)\$?$/i;

function forksOf(steps: readonly Step[]): ReadonlySet<Fork> {
  const forks = new Set<Fork>();
  const seen = new Set<Condition>();
  const open: Path[] = steps.map(({ origin }) => origin.path);
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    if (path === null || seen.has(path)) {
      continue;
    }
    seen.add(path);
    open.push(path.parent);
    if (path.kind === 'taken') {
      const { ends } = path.fork;
      forks.add(path.fork);
      open.push(...(ends === null || ends === 'several' ? [] : [ends.success ?? null, ends.failure ?? null]));
    } else {
      open.push(...path.ways);
    }
  }
  return forks;
}
