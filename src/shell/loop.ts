import type { ArithmeticExpression, ArithmeticFor, For, Select, Statement, While } from 'unbash';
import { arithmeticOutcome } from './builtins/condition.ts';
import { type Frame, framed, jumpTarget, type ScriptShell } from './call.ts';
import { merge, mergeOutcome, sameState, stateAfter } from './merged-states.ts';
import { changedByLoop, keepsSwitches } from './merged-values.ts';
import {
  changed,
  doubtful,
  either,
  ended,
  type Outcome,
  parted,
  type ShellState,
  succeeds,
  withPath,
  withVariable,
} from './shell-state.ts';
import { knownWord, type Word } from './simple-command.ts';
import { declaredOf } from './variable.ts';
import { unknownWord } from './words/parameter.ts';
import { openNumber } from './words/read-again.ts';
import { Expansion } from './words/word-expansion.ts';

/** Loops whose end can't be told run at most this often; one with a known end runs to it. */
const maximumIterations = 1000;

/** `for x in …`, `select x in …` */
export function runFor(node: For | Select, state: ShellState, frame: Frame, shell: ScriptShell): Outcome {
  const expansion = new Expansion(shell, state);
  const words =
    node.wordlist === undefined ? state.positional : shell.expanding(frame, () => expansion.words(node.wordlist ?? []));
  const breaks = jumpTarget(frame.breaks);
  const name = node.name.value;
  const caught = shell.catchJumps(breaks, () => {
    let outcome = succeeds(expansion.state);
    for (const word of words) {
      const current: ShellState | null = stateAfter(outcome);
      if (current === null) {
        break;
      }
      const open = node.type === 'Select' || (word.kind === 'unknown' && word.mayExpandToSeveral);
      shell.overlay.isUnsettled ||= open;
      const value = open ? oneOf(word, name) : word;
      const before: ShellState = open ? doubtful(current) : current;
      const after = iterate(
        node.body.commands,
        assignLoopVariable(before, name, value),
        framed(frame, { breaks }),
        shell,
      );
      outcome = open ? mergeOutcome(after, outcome) : after;
    }
    return outcome;
  });
  // It ends as the last command did that ran in it (bash(1) "Compound Commands").
  const { success, failure } = caught.outcome;
  const { path } = behindLoop(state, caught);
  return parted({ success: success && withPath(success, path), failure: failure && withPath(failure, path) });
}

/** What comes after a loop comes as surely as the loop, unless something in it has led further out. */
function behindLoop(state: ShellState, { leaves }: { readonly leaves: boolean }): ShellState {
  return leaves ? doubtful(state) : state;
}

/** A loop's variable, where it is not known how many words there are. */
function oneOf(word: Word, name: string): Word {
  if (word.kind === 'known') {
    return unknownWord(`$${name}`, 'the choice is not known');
  }
  const { prefix, suffix, fits, names, reason, code, oneOf: values } = word;
  const [only, ...others] = values?.filter((one) => one !== '') ?? [];
  if (only !== undefined && others.length === 0 && !/\s/.test(only)) {
    // It runs for this one or not at all.
    return knownWord(only);
  }
  const open = unknownWord(`$${name}`, reason);
  const value = code === openNumber ? { ...open, code } : open;
  // Of a listing each name begins, ends and fits as the whole does.
  const listed = fits === undefined ? value : { ...value, prefix, suffix, fits };
  return names === undefined ? listed : { ...listed, names };
}

function assignLoopVariable(state: ShellState, name: string, value: Word): ShellState {
  const before = state.variables.get(name);
  return withVariable(state, name, { kind: 'scalar', value, exported: before?.kind === 'scalar' && before.exported });
}

/** One run of a loop's body, which may be left by a `continue`. */
function iterate(body: readonly Statement[], state: ShellState, frame: Frame, shell: ScriptShell): Outcome {
  const continues = jumpTarget(frame.continues);
  return shell.catchJumps(continues, () => shell.statements(body, state, framed(frame, { continues }))).outcome;
}

/** What a loop does around each run of its body. */
interface LoopParts {
  readonly test: (state: ShellState) => Outcome;
  readonly after: (state: ShellState) => ShellState;
  /** For a file that something else makes, once its body has run. */
  readonly mayWait: boolean;
}

/** `while`, `until` */
export function runWhile(node: While, state: ShellState, frame: Frame, shell: ScriptShell): Outcome {
  return runLoop(node.body.commands, state, frame, shell, {
    test: (current) => {
      const outcome = shell.statements(node.clause.commands, current, framed(frame, { inCondition: true }));
      return node.kind === 'while' ? outcome : { success: outcome.failure, failure: outcome.success };
    },
    after: (current) => current,
    mayWait: true,
  });
}

/** `for ((a; b; c))` */
export function runArithmeticFor(node: ArithmeticFor, state: ShellState, frame: Frame, shell: ScriptShell): Outcome {
  const arithmetic = (expression: ArithmeticExpression | undefined, current: ShellState) =>
    arithmeticOutcome(expression, new Expansion(shell, current), 1);
  const start = stateAfter(arithmetic(node.initialize, state)) ?? state;
  return runLoop(node.body.commands, start, frame, shell, {
    test: (current) => arithmetic(node.test, current),
    after: (current) => stateAfter(arithmetic(node.update, current)) ?? current,
    mayWait: false,
  });
}

/**
 * A loop runs exactly as long as its condition can be told. Where it can't, the body is read once as it may run first,
 * and once more with every variable it changes unknown.
 */
function runLoop(
  body: readonly Statement[],
  state: ShellState,
  frame: Frame,
  shell: ScriptShell,
  loop: LoopParts,
): Outcome {
  const breaks = jumpTarget(frame.breaks);
  const inner = framed(frame, { breaks });
  let leadsOut = false;
  const caught = shell.catchJumps(breaks, () => {
    let left: ShellState | null = null;
    let current: ShellState | null = state;
    let generalized = false;
    for (let count = 0; current !== null && count < maximumIterations; count += 1) {
      const condition = parted(loop.test(current));
      left = merge(left, condition.failure);
      if (condition.success === null) {
        break;
      }
      const open = condition.failure !== null;
      // Its body is not read once for each of its runs.
      shell.overlay.isUnsettled ||= open;
      const after = stateAfter(iterate(body, condition.success, inner, shell));
      shell.overlay.isUnsettled ||= loop.mayWait;
      if (after === null || (open && generalized && keepsSwitches(current, after))) {
        left = merge(left, after);
        leadsOut = left === null;
        break;
      }
      const next: ShellState = loop.after(after);
      if (!open && sameState(current, next) && frame.input?.rest() == null) {
        break;
      }
      current = open ? generalize(current, next) : next;
      generalized = open;
      if (open && current.variables === condition.success.variables) {
        left = merge(left, current);
        break;
      }
    }
    return { success: left, failure: null };
  });
  const after = caught.outcome.success ?? (leadsOut ? null : state);
  return after === null ? ended : either(withPath(after, behindLoop(state, caught).path));
}

/** The state after any number of runs: what the body changed is unknown. */
function generalize(before: ShellState, after: ShellState): ShellState {
  let variables = after.variables;
  for (const [name, variable] of after.variables) {
    if (before.variables.get(name) !== variable) {
      const exported = variable.kind === 'scalar' && variable.exported;
      const value = changedByLoop(name, before.variables.get(name), variable);
      variables = new Map(variables).set(name, { kind: 'scalar', value, exported, ...declaredOf(variable) });
    }
  }
  const together = merge(before, changed(after, { variables: before.variables }));
  return changed(together ?? after, { variables });
}
