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

/** How the line comes back to where HEAD stood, or keeps that commit otherwise. */
export interface ComingBack {
  /** Only if the switch away from there succeeds. */
  readonly needsSuccess: boolean;
  readonly how: WayBack;
}

/**
 * HEAD itself comes back; the commit gets a ref of this full name, if git has none yet; or it is picked where HEAD has gone:
 * it alone, or all that this has not.
 */
export type WayBack =
  | { readonly kind: 'head' }
  | { readonly kind: 'ref'; readonly name: string }
  | { readonly kind: 'picks'; readonly which: 'one' | 'all' };

/**
 * Switches that the same line takes back: `git checkout main && git log -1 && git checkout -`, resets of the branch
 * (`was=$(git rev-parse HEAD); git reset --hard HEAD~2; npm test; git reset --hard $was`), and commits that get a name as
 * soon as they are left, or are picked: `git switch main && git branch kept HEAD@{1}`, `git switch main && git cherry-pick -`.
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
      const back = staysHere(leaving) ? null : firstWayBack(leaving, switches.slice(index + 1), steps);
      return back === null ? [] : [[leaving.command, back] as const];
    }),
  );
}

/** By what comes before the next switch, or by that. @param behind all that follow */
function firstWayBack(leaving: Switch, behind: readonly Switch[], steps: readonly Step[]): ComingBack | null {
  const next = behind.findIndex((other) => !staysHere(other));
  const ways = behind.slice(0, next < 0 ? behind.length : next + 1).map((other) => comingBack(leaving, other, steps));
  return ways.find((way) => way !== null) ?? null;
}

/** It leaves nothing that HEAD has. */
function staysHere({ words: [subcommand = ''] }: Switch): boolean {
  return /^(?:branch|tag|cherry-pick)$/.test(subcommand);
}

const moving = new Set(['checkout', 'switch', 'reset', 'branch', 'tag', 'cherry-pick']);

function namesSwitch(word: Word): boolean {
  return moving.has(shown(word));
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
  return moving.has(subcommand) && (subcommand !== 'reset' || rest.includes('--hard'))
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
  const kept = namedAnew(returning.words) ?? pickedAgain(leaving, returning, steps);
  const ofReset = leaving.words[0] === 'reset';
  const isAlike = kept !== null || (!staysHere(returning) && ofReset === (returning.words[0] === 'reset'));
  const words = kept === null ? operandsOf(returning.words) : [kept.commit];
  const back =
    isSamePlace && isAlike && (isChained || isCertain)
      ? wayBack(leaving, { ...returning, words }, ofReset, steps)
      : null;
  // What git does in between may be a later entry of the reflog.
  const isEntry = back === 'previous' && (ofReset || /\{1\}$/.test(words[0] ?? ''));
  if (isEntry && !between.every((step) => looks(step) || isOtherProgram(step))) {
    return null;
  }
  // Where the first switch fails and the line goes on, the branch before it is another.
  const needsSuccess = back === 'previous' && !isChained;
  return back === null ? null : { needsSuccess, how: kept?.how ?? { kind: 'head' } };
}

/** How a commit is kept that is left, and the word that names it. */
interface KeptCommit {
  readonly how: WayBack;
  readonly commit: string;
}

/** `git cherry-pick COMMIT`, `git cherry-pick WHERE-IT-WENT..COMMIT`, where the line then leaves alone what comes of it. */
function pickedAgain(leaving: Switch, { words, at }: Switch, steps: readonly Step[]): KeptCommit | null {
  const [subcommand, ...rest] = words;
  const operands = rest.filter(
    (word) => !/^(?:-x|-s|-xs|-sx|--signoff|--allow-empty|--keep-redundant-commits)$/.test(word),
  );
  const [, base, tip = ''] = /^(?:(.+?)\.\.(?!\.))?(.+)$/s.exec((operands[0] ?? '').replace(/^"(.*)"$/s, '$1')) ?? [];
  const isLeft = (step: Step) => looks(step) || isOtherProgram(step) || isPush(step);
  return subcommand !== 'cherry-pick' ||
    operands.length !== 1 ||
    (base !== undefined && leaving.words.filter((word) => !word.startsWith('-')).at(-1) !== base) ||
    !steps.slice(at + 1).every(isLeft)
    ? null
    : { how: { kind: 'picks', which: base === undefined ? 'one' : 'all' }, commit: tip };
}

/** `git branch NAME START`, `git tag NAME START`, `git switch -c NAME START`: without force. */
function namedAnew([subcommand = '', ...rest]: readonly string[]): KeptCommit | null {
  const words = rest.filter((word) => !/^(?:-q|--quiet|--no-track)$/.test(word));
  const creating = { checkout: /^-q?b$/, switch: /^(?:-q?c|--create)$/ }[subcommand];
  const isCreated = creating?.test(words[0] ?? '') === true;
  const [name = '', start = '', ...more] = isCreated ? words.slice(1) : words;
  if ((creating !== undefined && !isCreated) || more.length > 0 || start === '' || /^-/.test(name + start)) {
    return null;
  }
  const namespace = subcommand === 'tag' ? 'refs/tags/' : subcommand === 'reset' ? null : 'refs/heads/';
  return namespace === null || !/^[\w./-]+$/.test(name)
    ? null
    : { how: { kind: 'ref', name: namespace + name }, commit: start };
}

/** What a switch or a reset is given, where that is one commit. */
function operandsOf([subcommand, ...rest]: readonly string[]): readonly string[] {
  const operands = rest.filter((word) => !/^(?:-q|--quiet|-d|--detach|--|--hard)$/.test(word));
  // git-switch(1) takes a commit only with this option.
  const takesCommit = subcommand !== 'switch' || rest.some((word) => /^(?:-d|--detach)$/.test(word));
  return takesCommit ? operands : [];
}

/** Does nothing decide whether it comes but whether these succeed, and what has decided about the first of them? */
function dependsOnlyOn({ path }: Origin, steps: readonly Step[]): boolean {
  const [first] = steps;
  const before = casesOf(first?.origin.path ?? null).flatMap((outcomes) => [...outcomes.keys()]);
  const known = new Set([...before, ...steps.map(({ origin }) => origin.success)]);
  return casesOf(path).every((outcomes) => [...outcomes.keys()].every((fork) => known.has(fork)));
}

/**
 * `git checkout -`, `git reset --hard ORIG_HEAD`, or the commit that `git rev-parse HEAD` named just before.
 *
 * @param returning its words are where it leads, alone
 */
function wayBack(
  { at }: Switch,
  { command, words }: Switch,
  ofReset: boolean,
  steps: readonly Step[],
): 'previous' | 'remembered' | null {
  const previous = ofReset ? /^(?:ORIG_HEAD|(?:HEAD)?@\{1\})$/ : /^(?:-|@\{-1\}|HEAD@\{1\})$/;
  const printed = command.argv.flatMap((word) =>
    word.kind === 'unknown' && word.suffix === '' && /^(?:.+\.\.)?$/s.test(word.prefix) ? (word.printedBy ?? []) : [],
  );
  const asked = printed[0] === undefined ? -1 : steps.indexOf(printed[0]);
  const isRemembered =
    asked >= 0 &&
    namingHead.test(textsOf(printed[0]?.argv.slice(1) ?? [])?.join(' ') ?? '') &&
    steps.slice(asked, at).every((step) => looks(step) || putsAway(step));
  if (words.length !== 1) {
    return null;
  }
  return previous.test(words[0] ?? '') ? 'previous' : isRemembered ? 'remembered' : null;
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

function isPush(step: Step): boolean {
  return (
    step.kind === 'command' &&
    programName(step.argv[0]) === 'git' &&
    invocationOf(step).words.slice(0, 1).map(shown).includes('push')
  );
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
