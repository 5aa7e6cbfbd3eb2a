import type {
  Case,
  CommandNode,
  For,
  Function as FunctionNode,
  If,
  Select,
  Statement,
  Word as SyntaxWord,
  While,
} from 'unbash';
import { evaluate } from './arithmetic.ts';
import { type Frame, framed, type JumpTarget, type ScriptShell } from './call.ts';
import { decided, evaluateTest } from './condition.ts';
import { merge, mergeOutcome, sameState } from './merged-states.ts';
import { changedByLoop, keepsSwitches } from './merged-values.ts';
import { unknownWord } from './parameter.ts';
import { wholePattern } from './pattern.ts';
import { applyRedirections, closeDescriptors, finishRedirections, withFailure } from './redirection.ts';
import {
  changed,
  doubtful,
  either,
  ended,
  fails,
  type Outcome,
  parted,
  type ShellState,
  succeeds,
  withPath,
  withVariable,
} from './shell-state.ts';
import { knownWord, type Word } from './simple-command.ts';
import { InputStream } from './stream.ts';
import { Expansion } from './word-expansion.ts';

type Compound = Exclude<CommandNode, { type: 'Command' }>;

/** Loops whose end can't be told run at most this often; one with a known end runs to it. */
const maximumIterations = 1000;

/** Runs a compound command, a function definition or a coprocess (bash(1) "Compound Commands"). */
export function runCompound(node: Compound, state: ShellState, frame: Frame, shell: ScriptShell): Outcome {
  switch (node.type) {
    case 'Subshell':
      return shell.subshell(() => shell.statements(node.body.commands, state, frame), state);
    case 'BraceGroup':
      return shell.statements(node.body.commands, state, frame);
    case 'If':
      return runIf(node, state, frame, shell);
    case 'For':
    case 'Select':
      return runFor(node, state, frame, shell);
    case 'ArithmeticFor':
      return runLoop(node.body.commands, state, frame, shell, {
        before: node.initialize,
        test: (current) => arithmeticOutcome(node.test, current, shell, 1),
        after: (current) => merged(arithmeticOutcome(node.update, current, shell, 1)) ?? current,
      });
    case 'While':
      return runWhile(node, state, frame, shell);
    case 'Case':
      return runCase(node, state, frame, shell);
    case 'Function':
      return define(node, state, frame, shell);
    case 'Redirected': {
      const redirected = applyRedirections(node.redirects, state, frame, shell);
      const outcome = runCompound(node.command, redirected.state, redirected.frame, shell);
      finishRedirections(redirected, state, shell);
      return withFailure(closeDescriptors(outcome, state), redirected, state);
    }
    case 'TestCommand': {
      const expansion = new Expansion(shell, state);
      const result = shell.expanding(frame, () => evaluateTest(node.expression, expansion));
      return decided(result, expansion.state);
    }
    case 'ArithmeticCommand':
      return shell.expanding(frame, () => arithmeticOutcome(node.expression, state, shell, 0));
    case 'Coproc': {
      const { body } = node;
      // It runs beside what follows.
      const begun = doubtful(state);
      const input = new InputStream(unknownWord('coproc', 'what is written to it is not known', false));
      const inner = framed(frame, { input });
      shell.subshell(
        () =>
          body.type === 'CompoundList' ? shell.statements(body.commands, begun, inner) : shell.node(body, begun, inner),
        begun,
      );
      return succeeds(state);
    }
  }
}

function merged(outcome: Outcome): ShellState | null {
  return merge(outcome.success, outcome.failure);
}

function arithmeticOutcome(
  expression: Parameters<typeof evaluate>[0] | undefined,
  state: ShellState,
  shell: ScriptShell,
  absent: number,
): Outcome {
  const expansion = new Expansion(shell, state);
  const result = expression === undefined ? absent : evaluate(expression, expansion);
  return decided(result === null ? null : result !== 0, expansion.state);
}

function runIf(node: If, state: ShellState, frame: Frame, shell: ScriptShell): Outcome {
  let result: Outcome = { success: null, failure: null };
  let open: ShellState | null = state;
  for (const { clause, then } of [node, ...node.elif]) {
    if (open === null) {
      return result;
    }
    const condition = parted(shell.statements(clause.commands, open, framed(frame, { inCondition: true })));
    if (condition.success !== null) {
      result = mergeOutcome(result, shell.statements(then.commands, condition.success, frame));
    }
    open = condition.failure;
  }
  if (open === null) {
    return result;
  }
  const last = node.else === undefined ? succeeds(open) : shell.statements(node.else.commands, open, frame);
  return mergeOutcome(result, last);
}

function runFor(node: For | Select, state: ShellState, frame: Frame, shell: ScriptShell): Outcome {
  const expansion = new Expansion(shell, state);
  const words =
    node.wordlist === undefined ? state.positional : shell.expanding(frame, () => expansion.words(node.wordlist ?? []));
  const breaks: JumpTarget = { state: null };
  const name = node.name.value;
  let current: ShellState | null = expansion.state;
  const outcome = shell.catchJumps(() => {
    for (const word of words) {
      if (current === null) {
        break;
      }
      const open = node.type === 'Select' || (word.kind === 'unknown' && word.mayExpandToSeveral);
      const value = open ? oneOf(word, name) : word;
      const before: ShellState = open ? doubtful(current) : current;
      const after = iterate(
        node.body.commands,
        assignLoopVariable(before, name, value),
        framed(frame, { breaks }),
        shell,
      );
      current = open ? merge(after, current) : after;
    }
    return { success: current, failure: null };
  });
  const end = merge(outcome.success, breaks.state);
  return { success: end && withPath(end, state.path), failure: outcome.failure };
}

/** A loop's variable, where it is not known how many words there are. */
function oneOf(word: Word, name: string): Word {
  if (word.kind === 'known') {
    return unknownWord(`$${name}`, 'the choice is not known');
  }
  const value = unknownWord(`$${name}`, word.reason);
  return word.names === undefined ? value : { ...value, names: word.names };
}

function assignLoopVariable(state: ShellState, name: string, value: Word): ShellState {
  const before = state.variables.get(name);
  return withVariable(state, name, { kind: 'scalar', value, exported: before?.kind === 'scalar' && before.exported });
}

/** One run of a loop's body: the state after it, or after a `continue`; null where it never comes to its end. */
function iterate(body: readonly Statement[], state: ShellState, frame: Frame, shell: ScriptShell): ShellState | null {
  const continues: JumpTarget = { state: null };
  const outcome = shell.statements(body, state, framed(frame, { continues }));
  return merge(merged(outcome), continues.state);
}

interface LoopParts {
  readonly before: Parameters<typeof evaluate>[0] | undefined;
  readonly test: (state: ShellState) => Outcome;
  readonly after: (state: ShellState) => ShellState;
}

function runWhile(node: While, state: ShellState, frame: Frame, shell: ScriptShell): Outcome {
  return runLoop(node.body.commands, state, frame, shell, {
    before: undefined,
    test: (current) => {
      const outcome = shell.statements(node.clause.commands, current, framed(frame, { inCondition: true }));
      return node.kind === 'while' ? outcome : { success: outcome.failure, failure: outcome.success };
    },
    after: (current) => current,
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
  const breaks: JumpTarget = { state: null };
  const inner = framed(frame, { breaks });
  let left: ShellState | null = null;
  shell.catchJumps(() => {
    let current: ShellState | null = merged(arithmeticOutcome(loop.before, state, shell, 1));
    let generalized = false;
    for (let count = 0; current !== null && count < maximumIterations; count += 1) {
      const condition = parted(loop.test(current));
      left = merge(left, condition.failure);
      if (condition.success === null) {
        break;
      }
      const open = condition.failure !== null;
      const after = iterate(body, condition.success, inner, shell);
      if (after === null || (open && generalized && keepsSwitches(current, after))) {
        left = merge(left, after);
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
    return either(state);
  });
  const end = merge(left, breaks.state);
  return either(withPath(end ?? state, state.path));
}

/** The state after any number of runs: what the body changed is unknown. */
function generalize(before: ShellState, after: ShellState): ShellState {
  let variables = after.variables;
  for (const [name, variable] of after.variables) {
    if (before.variables.get(name) !== variable) {
      const exported = variable.kind === 'scalar' && variable.exported;
      const value = changedByLoop(name, before.variables.get(name), variable);
      variables = new Map(variables).set(name, { kind: 'scalar', value, exported });
    }
  }
  const together = merge(before, changed(after, { variables: before.variables }));
  return changed(together ?? after, { variables });
}

function runCase(node: Case, state: ShellState, frame: Frame, shell: ScriptShell): Outcome {
  const expansion = new Expansion(shell, state);
  const subject = shell.expanding(frame, () => expansion.value(node.word));
  let open: ShellState | null = expansion.state;
  let result: Outcome = { success: null, failure: null };
  let falling: Outcome | null = null;
  for (const item of node.items) {
    if (open === null && falling === null) {
      break;
    }
    const matches: boolean | null =
      open === null ? false : shell.expanding(frame, () => matchesAny(item.pattern, subject, expansion));
    const chosen: Outcome = open === null ? ended : matching(matches, open);
    const entering = merge(chosen.success, falling === null ? null : merged(falling));
    falling = null;
    if (entering !== null) {
      const after = shell.statements(item.body.commands, entering, frame);
      if (item.terminator === ';&') {
        falling = after;
      } else {
        result = mergeOutcome(result, after);
      }
    }
    open = item.terminator === ';;&' ? open : chosen.failure;
  }
  result = falling === null ? result : mergeOutcome(result, falling);
  return open === null ? result : mergeOutcome(result, succeeds(open));
}

/** The states in which a pattern fits and doesn't. */
function matching(matches: boolean | null, state: ShellState): Outcome {
  return matches === null ? parted(either(state)) : matches ? succeeds(state) : fails(state);
}

function matchesAny(patterns: readonly SyntaxWord[], subject: Word, expansion: Expansion): boolean | null {
  let result: boolean | null = false;
  for (const pattern of patterns) {
    const expression = wholePattern(expansion.pieces(pattern));
    if (pattern.text === '*' || (expression !== null && subject.kind === 'known' && expression.test(subject.value))) {
      return true;
    }
    result = expression === null || subject.kind === 'unknown' ? null : result;
  }
  return result;
}

/** bash runs `command_not_found_handle` where it finds no program, zsh the same with another name. */
function define(node: FunctionNode, state: ShellState, frame: Frame, shell: ScriptShell): Outcome {
  const name = node.name.value;
  const functions = new Map(state.functions).set(name, { node, source: frame.text, certain: true });
  const defined = changed(state, { functions });
  if (/^command_not_found_handler?$/.test(name)) {
    const argv = [knownWord(name)];
    shell.run({ argv, state: doubtful(defined), frame, source: name, lookup: 'any' });
  }
  return succeeds(defined);
}
