import { mergeOutcome } from './merged-states.ts';
import { newFork, taking } from './path.ts';
import { findCarrier } from './programs/carriers.ts';
import { type Outcome, type ShellState, withPath } from './shell-state.ts';
import { knownWord, programName, type UnknownWord, type Word } from './simple-command.ts';
import { isTellingPath } from './telling-paths.ts';

/** More commands than these are not made of one whose words have several known values. */
const maximumCommands = 6;

export function fieldsOf(value: string): readonly string[] {
  return value.split(/\s+/).filter((field) => field !== '');
}

/** The words that a value becomes where the unknown word stands. */
export function wordsOfValue({ mayExpandToSeveral }: UnknownWord, value: string): readonly Word[] {
  return (mayExpandToSeveral ? fieldsOf(value) : [value]).map(knownWord);
}

/** What has to be known to count: that a word is an option, or a file that is guarded. Others count as anything. */
function isTelling(value: string): boolean {
  return fieldsOf(value).some((field) => field.startsWith('-')) || isTellingPath(value);
}

type IsTelling = (value: string) => boolean;

function hasChoice(word: Word, isCounted: IsTelling): boolean {
  return word.kind === 'unknown' && (word.oneOf !== undefined || word.mayBe?.some(isCounted) === true);
}

/** What may stand in a word's place; where its values are not all known, it itself may as well. */
function choicesOf(word: Word, isCounted: IsTelling): readonly (readonly Word[])[] {
  if (word.kind === 'known') {
    return [[word]];
  }
  if (word.oneOf !== undefined) {
    return word.oneOf.map((value) => wordsOfValue(word, value));
  }
  const counted = (word.mayBe ?? []).filter(isCounted);
  const { mayBe: _mayBe, ...other } = word;
  return counted.length === 0 ? [[word]] : [[other], ...counted.map((value) => wordsOfValue(word, value))];
}

/**
 * The commands that one may be, where words of it have one of few values: `git commit $NV` where one way set NV and the
 * other didn't, `git reset ${MODE:---hard}`. Null: there is nothing to choose, or too much.
 */
export function possibleCommands(argv: readonly Word[]): readonly (readonly Word[])[] | null {
  if (!argv.some((word) => hasChoice(word, () => true))) {
    return null;
  }
  // Of what runs a task or a script any word may name it: one that can't be known counts as nothing there.
  const isCounted = findCarrier(programName(argv[0]) ?? '') === null ? isTelling : () => true;
  if (!argv.some((word) => hasChoice(word, isCounted))) {
    return null;
  }
  let commands: readonly (readonly Word[])[] = [[]];
  for (const word of argv) {
    const choices = choicesOf(word, isCounted);
    const next = commands.flatMap((words) => choices.map((choice) => [...words, ...choice]));
    commands = next.length <= maximumCommands ? next : commands.map((words) => [...words, withoutChoice(word)]);
  }
  return commands;
}

function withoutChoice(word: Word): Word {
  if (word.kind === 'known') {
    return word;
  }
  const { oneOf: _one, mayBe: _may, ...rest } = word;
  return rest;
}

/** Runs one of several things; which of them is not known. */
export function runOneOf<Choice>(
  choices: readonly Choice[],
  state: ShellState,
  run: (choice: Choice, state: ShellState) => Outcome,
): Outcome {
  const [first, ...others] = choices;
  if (first === undefined) {
    return { success: state, failure: state };
  }
  if (others.length === 0) {
    return run(first, state);
  }
  const fork = newFork();
  const way = (holds: boolean) => withPath(state, taking(state.path, fork, holds));
  return mergeOutcome(run(first, way(true)), runOneOf(others, way(false), run));
}
