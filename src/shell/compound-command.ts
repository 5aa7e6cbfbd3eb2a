import type { Case, CommandNode, Function as FunctionNode, If, Word as SyntaxWord } from 'unbash';
import {
  type Answer,
  arithmeticOutcome,
  decided,
  equalsLiteral,
  evaluateTest,
  matchFlags,
} from './builtins/condition.ts';
import { type Frame, framed, type ScriptShell } from './call.ts';
import { withoutStatus } from './last-status.ts';
import { runArithmeticFor, runFor, runWhile } from './loop.ts';
import { merge, mergeOutcome, stateAfter } from './merged-states.ts';
import { applyRedirections, closeDescriptors, finishRedirections, whereOpened, withFailure } from './redirection.ts';
import { changed, doubtful, either, ended, type Outcome, parted, type ShellState, succeeds } from './shell-state.ts';
import { knownWord, type Word } from './simple-command.ts';
import { InputStream } from './stream.ts';
import { unknownWord } from './words/parameter.ts';
import { lengthOf, wholePattern } from './words/pattern.ts';
import { Expansion } from './words/word-expansion.ts';

type Compound = Exclude<CommandNode, { type: 'Command' }>;

/** Those whose first words are expanded, or whose first command runs, once and before anything else: `$?` is as before. */
const beginsAtOnce: ReadonlySet<Compound['type']> = new Set([
  'Subshell',
  'BraceGroup',
  'If',
  'Case',
  'TestCommand',
  'ArithmeticCommand',
]);

/** Runs a compound command, a function definition or a coprocess (bash(1) "Compound Commands"). */
export function runCompound(node: Compound, before: ShellState, frame: Frame, shell: ScriptShell): Outcome {
  const state = beginsAtOnce.has(node.type) ? before : withoutStatus(before);
  switch (node.type) {
    case 'Subshell':
      return shell.subshell((inside) => shell.statements(node.body.commands, state, inside), state, frame);
    case 'BraceGroup':
      return shell.statements(node.body.commands, state, frame);
    case 'If':
      return runIf(node, state, frame, shell);
    case 'For':
    case 'Select':
      return runFor(node, state, frame, shell);
    case 'ArithmeticFor':
      return runArithmeticFor(node, state, frame, shell);
    case 'While':
      return runWhile(node, state, frame, shell);
    case 'Case':
      return runCase(node, state, frame, shell);
    case 'Function':
      return define(node, state, frame, shell);
    case 'Redirected': {
      const redirected = applyRedirections(node.redirects, state, frame, shell);
      const outcome = whereOpened(redirected, (opened) => runCompound(node.command, opened, redirected.frame, shell));
      finishRedirections(redirected, shell);
      return withFailure(closeDescriptors(outcome, state), redirected, state);
    }
    case 'TestCommand': {
      const expansion = new Expansion(shell, state);
      const result = shell.expanding(frame, () => evaluateTest(node.expression, expansion, frame.through));
      return decided(result, expansion.state);
    }
    case 'ArithmeticCommand':
      return shell.expanding(frame, () => arithmeticOutcome(node.expression, new Expansion(shell, state), 0));
    case 'Coproc': {
      const { body } = node;
      // It runs beside what follows.
      const begun = doubtful(state);
      shell.overlay.isUnsettled = true;
      const input = new InputStream(unknownWord('coproc', 'what is written to it is not known', false));
      const inner = framed(frame, { input });
      shell.subshell(
        (inside) =>
          body.type === 'CompoundList'
            ? shell.statements(body.commands, begun, inside)
            : shell.node(body, begun, inside),
        begun,
        inner,
      );
      return succeeds(state);
    }
  }
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

function runCase(node: Case, state: ShellState, frame: Frame, shell: ScriptShell): Outcome {
  const expansion = new Expansion(shell, state);
  const subject = shell.expanding(frame, () => expansion.value(node.word));
  let result = ended;
  let falling: Outcome | null = null;
  /** How it ends where nothing more fits. */
  let rest = succeeds(expansion.state);
  for (const item of node.items) {
    const open = stateAfter(rest);
    if (open === null && falling === null) {
      break;
    }
    const chosen: Outcome =
      open === null
        ? ended
        : matching(
            shell.expanding(frame, () => matchesAny(item.pattern, subject, expansion)),
            open,
          );
    const entering = merge(chosen.success, falling === null ? null : stateAfter(falling));
    const after = entering === null ? ended : shell.statements(item.body.commands, entering, frame);
    rest = endingIn(rest, chosen.failure);
    falling = item.terminator === ';&' ? after : null;
    if (item.terminator === ';;&') {
      rest = mergeOutcome(rest, after);
    } else if (item.terminator !== ';&') {
      result = mergeOutcome(result, after);
    }
  }
  return [falling ?? ended, rest].reduce(mergeOutcome, result);
}

/** What ends as the outcome does, in that state; null: it doesn't come to that. */
function endingIn({ success, failure }: Outcome, state: ShellState | null): Outcome {
  return { success: success && state, failure: failure && state };
}

/** The states in which a pattern fits and doesn't. */
function matching(matches: Answer, state: ShellState): Outcome {
  return matches === null ? parted(either(state)) : decided(matches, state);
}

function matchesAny(patterns: readonly SyntaxWord[], subject: Word, expansion: Expansion): Answer {
  const [only, ...others] = patterns;
  const whole = only !== undefined && others.length === 0 ? equalsLiteral(subject, only.text) : undefined;
  if (whole !== undefined) {
    return whole;
  }
  let result: boolean | null = false;
  for (const pattern of patterns) {
    const expression = wholePattern(expansion.pieces(pattern), lengthOf(subject), matchFlags(expansion.state));
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
