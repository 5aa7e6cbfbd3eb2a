import { programName, type SimpleCommand, type Step } from '../../shell/simple-command.ts';
import { readInvocation } from '../git-command/invocation.ts';
import { shown, textsOf } from '../git-command/words.ts';

/** Programs, and subcommands of git, that only look: the line goes on after them. */
const looking = new Set(['echo', 'printf', 'pwd', 'ls', 'cat', 'head', 'tail', 'wc', 'sort', 'true', ':', 'date']);
const lookingAtGit = new Set(['log', 'status', 'show', 'diff', 'rev-parse', 'describe', 'shortlog', 'rev-list']);

/** Signs of conditions, loops, background and early ends: there a step's place in the line does not tell whether it runs. */
const branching =
  /\|\||\b(?:if|case|while|until|for|exit|exec|return|kill|trap|function)\b|\bset\s+-\w*e|(?<!\$)\(|(?:^|\s)\{\s|(?<![&>|])&(?![&>\d])/;

/** Switches that the same line takes back: `git checkout main && git log -1 && git checkout -`. */
export class Returns {
  readonly #source: string;
  readonly #steps: readonly Step[];
  #left: ReadonlySet<SimpleCommand> | undefined;

  /**
   * @param source the whole line
   * @param steps what it does
   */
  constructor(source: string, steps: readonly Step[]) {
    this.#source = source;
    this.#steps = steps;
  }

  /** Does the line come back to where HEAD stands before this command? */
  has(command: SimpleCommand): boolean {
    this.#left ??= branching.test(this.#source) ? new Set() : leavingForAMoment(this.#steps);
    return this.#left.has(command);
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

function leavingForAMoment(steps: readonly Step[]): ReadonlySet<SimpleCommand> {
  const switches = steps.flatMap(switchAt);
  const left = switches.filter((leaving, index) => {
    const returning = switches[index + 1];
    return returning !== undefined && isTakenBack(leaving, returning, steps);
  });
  return new Set(left.map(({ command }) => command));
}

function switchAt(step: Step, at: number): readonly Switch[] {
  const call = step.kind === 'command' && programName(step.argv[0]) === 'git' ? step : null;
  const { words, directory } = call === null ? { words: [], directory: null } : invocationOf(call);
  const [subcommand, ...rest] = words.map(shown);
  return call !== null && (subcommand === 'checkout' || subcommand === 'switch')
    ? [
        {
          command: call,
          at,
          directory: directory?.kind === 'known' ? directory.path : null,
          words: [subcommand, ...rest],
        },
      ]
    : [];
}

function isTakenBack(leaving: Switch, returning: Switch, steps: readonly Step[]): boolean {
  const { certain } = returning.command.origin;
  const between = steps.slice(leaving.at + 1, returning.at);
  const isReached = certain || between.every(looks);
  return (
    isReached &&
    leaving.directory !== null &&
    leaving.directory === returning.directory &&
    leadsBack(leaving, returning, steps)
  );
}

/** `git checkout -`, or the commit that `git rev-parse HEAD` named just before. */
function leadsBack({ at }: Switch, { command, words }: Switch, steps: readonly Step[]): boolean {
  const [subcommand, ...rest] = words;
  const operands = rest.filter((word) => !/^(?:-q|--quiet|-d|--detach|--)$/.test(word));
  // git-switch(1) takes a commit only with this option.
  const detaches = subcommand === 'checkout' || rest.some((word) => /^(?:-d|--detach)$/.test(word));
  const isPrevious = /^(?:-|@\{-1\})$/.test(operands[0] ?? '');
  const printed = command.argv.flatMap((word) => (word.kind === 'unknown' ? (word.printedBy ?? []) : []));
  const asked = printed[0] === undefined ? -1 : steps.indexOf(printed[0]);
  const isRemembered =
    asked >= 0 &&
    textsOf(printed[0]?.argv.slice(1) ?? [])?.join(' ') === 'rev-parse HEAD' &&
    steps.slice(asked, at).every(looks);
  return detaches && operands.length === 1 && (isPrevious || isRemembered);
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
