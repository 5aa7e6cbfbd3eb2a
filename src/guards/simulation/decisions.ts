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

/** What something later on the line depends on. */
export class Decisions {
  #steps: readonly Step[];
  #forks: ReadonlySet<Fork> | undefined;
  #ofEmpty: ReadonlyMap<SimpleCommand, readonly Decision[]> | undefined;
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
  }

  /** Does it depend on the command's success whether another one runs? */
  dependOn({ origin }: SimpleCommand): boolean {
    return this.#all.has(origin.success);
  }

  /** How forks go, on which something depends, if the command finds nothing. @param toldBy what tells that */
  ifNothing(command: SimpleCommand, toldBy: 'success' | 'no output' | 'either'): readonly Decision[] {
    this.#ofEmpty ??= this.#decidedByOutput();
    const bySuccess: readonly Decision[] =
      toldBy !== 'no output' && this.dependOn(command) ? [[command.origin.success, true]] : [];
    return [...bySuccess, ...(toldBy === 'success' ? [] : (this.#ofEmpty.get(command) ?? []))];
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
    const found = new Map<SimpleCommand, readonly Decision[]>();
    const add = (command: SimpleCommand, decision: Decision) =>
      found.set(command, [...(found.get(command) ?? []), decision]);
    for (const fork of this.#all) {
      if (fork.output !== null) {
        add(printerBehind(fork.output.of), [fork, fork.output.whenEmpty]);
      }
    }
    for (const step of this.#steps) {
      const [printer] = step.kind === 'command' && this.dependOn(step) && findsAnything(step) ? printerOf(step) : [];
      if (printer !== undefined) {
        add(printerBehind(printer), [step.origin.success, false]);
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

function printerOf({ input }: SimpleCommand): readonly SimpleCommand[] {
  return input?.kind === 'unknown' && input.printedBy !== undefined ? [input.printedBy] : [];
}

/** `grep -q .` */
function findsAnything({ argv }: SimpleCommand): boolean {
  const [program, ...words] = argv.map(shown);
  return (
    programName(argv[0]) === 'grep' && program !== undefined && /^(?:-q |--quiet )?(?:\.|\^)?$/.test(words.join(' '))
  );
}

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
