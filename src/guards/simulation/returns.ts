import { casesOf, implies, runsOnlyAfter } from '../../shell/path.ts';
import {
  type Origin,
  programName,
  runsBeside,
  type SimpleCommand,
  type Step,
  type Word,
} from '../../shell/simple-command.ts';
import { readInvocation } from '../git-command/invocation.ts';
import { shown, textsOf } from '../git-command/words.ts';

/** Programs, and subcommands of git, that only look: the line goes on after them. */
const looking = new Set(['echo', 'printf', 'pwd', 'ls', 'cat', 'head', 'tail', 'wc', 'sort', 'true', ':', 'date']);
const lookingAtGit = new Set(['log', 'status', 'show', 'diff', 'rev-parse', 'describe', 'shortlog', 'rev-list']);

/** Programs that may end the shell itself. */
const ending = new Set(['kill', 'pkill', 'killall']);

/** Whether the line comes back to where HEAD stood: always, or only if the switch away from there succeeds. */
export type ComingBack = 'always' | 'after success';

/**
 * Switches that the same line takes back: `git checkout main && git log -1 && git checkout -`, and resets of the branch:
 * `was=$(git rev-parse HEAD); git reset --hard HEAD~2; npm test; git reset --hard $was`.
 */
export class Returns {
  readonly #steps: readonly Step[];
  #left: ReadonlyMap<SimpleCommand, ComingBack> | undefined;

  /** @param steps of the whole line */
  constructor(steps: readonly Step[]) {
    this.#steps = steps;
  }

  /** Does the line come back to where HEAD stands before this command? null: no, or not for sure. */
  after(command: SimpleCommand): ComingBack | null {
    this.#left ??= leavingForAMoment(this.#steps);
    return this.#left.get(command) ?? null;
  }
}

interface Switch {
  readonly command: SimpleCommand;
  /** Its place among the steps. */
  readonly at: number;
  /** Where git stands; null: not known. */
  readonly directory: string | null;
  readonly words: readonly string[];
}

function leavingForAMoment(steps: readonly Step[]): ReadonlyMap<SimpleCommand, ComingBack> {
  const switches = steps.some(mayBeSwitch) ? steps.flatMap(switchAt) : [];
  if (switches.length < 2) {
    return new Map();
  }
  return new Map(
    switches.flatMap((leaving, index) => {
      const returning = switches[index + 1];
      const back = returning === undefined ? null : comingBack(leaving, returning, steps);
      return back === null ? [] : [[leaving.command, back] as const];
    }),
  );
}

function namesSwitch(word: Word): boolean {
  const text = shown(word);
  return text === 'checkout' || text === 'switch' || text === 'reset';
}

function mayBeSwitch(step: Step): step is SimpleCommand {
  return step.kind === 'command' && step.argv.some(namesSwitch) && programName(step.argv[0]) === 'git';
}

function switchAt(step: Step, at: number): readonly Switch[] {
  if (!mayBeSwitch(step)) {
    return [];
  }
  const { words, directory } = invocationOf(step);
  const [subcommand = '', ...rest] = words.map(shown);
  return subcommand === 'checkout' || subcommand === 'switch' || (subcommand === 'reset' && rest.includes('--hard'))
    ? [
        {
          command: step,
          at,
          directory: directory.kind === 'known' ? directory.path : null,
          words: [subcommand, ...rest],
        },
      ]
    : [];
}

function comingBack(leaving: Switch, returning: Switch, steps: readonly Step[]): ComingBack | null {
  const between = steps.slice(leaving.at + 1, returning.at);
  const [from, to] = [leaving.command.origin, returning.command.origin];
  const isChained = runsOnlyAfter(to, from) && between.every(looks) && dependsOnlyOn(to, [leaving.command, ...between]);
  const isCertain = implies(from.path, to.path) && !runsBeside(from, to) && !between.some(mayEnd);
  const isSamePlace = leaving.directory !== null && leaving.directory === returning.directory;
  const isReset = returning.words[0] === 'reset';
  const isAlike = (leaving.words[0] === 'reset') === isReset;
  const back = isSamePlace && isAlike && (isChained || isCertain) ? wayBack(leaving, returning, steps) : null;
  // What git does in between may be a later entry of the reflog.
  if (back === 'previous' && isReset && !between.every((step) => looks(step) || isOtherProgram(step))) {
    return null;
  }
  // Where the first switch fails and the line goes on, the branch before it is another.
  return back === 'previous' && !isChained ? 'after success' : back === null ? null : 'always';
}

/** Does nothing decide whether it comes but whether these succeed, and what has decided about the first of them? */
function dependsOnlyOn({ path }: Origin, steps: readonly Step[]): boolean {
  const [first] = steps;
  const before = casesOf(first?.origin.path ?? null).flatMap((outcomes) => [...outcomes.keys()]);
  const known = new Set([...before, ...steps.map(({ origin }) => origin.success)]);
  return casesOf(path).every((outcomes) => [...outcomes.keys()].every((fork) => known.has(fork)));
}

/** `git checkout -`, `git reset --hard ORIG_HEAD`, or the commit that `git rev-parse HEAD` named just before. */
function wayBack({ at }: Switch, { command, words }: Switch, steps: readonly Step[]): 'previous' | 'remembered' | null {
  const [subcommand, ...rest] = words;
  const operands = rest.filter((word) => !/^(?:-q|--quiet|-d|--detach|--|--hard)$/.test(word));
  // git-switch(1) takes a commit only with this option.
  const takesCommit = subcommand !== 'switch' || rest.some((word) => /^(?:-d|--detach)$/.test(word));
  const previous = subcommand === 'reset' ? /^(?:ORIG_HEAD|(?:HEAD)?@\{1\})$/ : /^(?:-|@\{-1\})$/;
  const isPrevious = previous.test(operands[0] ?? '');
  const printed = command.argv.flatMap((word) => (word.kind === 'unknown' ? (word.printedBy ?? []) : []));
  const asked = printed[0] === undefined ? -1 : steps.indexOf(printed[0]);
  const isRemembered =
    asked >= 0 &&
    namingHead.test(textsOf(printed[0]?.argv.slice(1) ?? [])?.join(' ') ?? '') &&
    steps.slice(asked, at).every((step) => looks(step) || putsAway(step));
  if (!takesCommit || operands.length !== 1) {
    return null;
  }
  return isPrevious ? 'previous' : isRemembered ? 'remembered' : null;
}

/** Calls that print the name of the commit at which HEAD stands, and nothing else. */
const namingHead =
  /^(?:rev-parse (?:(?:--verify|-q|--quiet|--short(?:=\d+)?) )*(?:HEAD|@)|log (?:-1|-n ?1) (?:--format=|--pretty=(?:t?format:)?)%[hH](?: HEAD)?)$/;

/** `git stash`: HEAD stays where it is. */
function putsAway(step: Step): boolean {
  const words =
    step.kind === 'command' && programName(step.argv[0]) === 'git' ? invocationOf(step).words.map(shown) : [];
  return words[0] === 'stash' && /^(?:push|save|-.*|)$/.test(words[1] ?? '');
}

function isOtherProgram(step: Step): boolean {
  return step.kind === 'command' && programName(step.argv[0]) !== null && programName(step.argv[0]) !== 'git';
}

function mayEnd(step: Step): boolean {
  return step.kind === 'unreadable' || (step.kind === 'command' && ending.has(programName(step.argv[0]) ?? ''));
}

function looks(step: Step): boolean {
  if (step.kind !== 'command') {
    return step.kind === 'write';
  }
  const program = programName(step.argv[0]) ?? '';
  const [subcommand] = program === 'git' ? invocationOf(step).words.map(shown) : [];
  return program === 'git' ? lookingAtGit.has(subcommand ?? '') : looking.has(program);
}

function invocationOf({ argv, cwd }: SimpleCommand) {
  return readInvocation(argv.slice(1), cwd, () => null);
}
