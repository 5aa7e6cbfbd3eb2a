import { type Assignment, type Command, parse, type Redirection } from 'unbash';
import { assignedWord, declaredWord, runAssignments, runPrompts } from './assignment.ts';
import { type Call, type Frame, framed, type ScriptShell } from './call.ts';
import { withAssignments, withoutAssignments } from './environment.ts';
import { withoutStatus } from './last-status.ts';
import { newFork } from './path.ts';
import {
  applyRedirections,
  closeDescriptors,
  finishRedirections,
  type Redirected,
  whereOpened,
  withFailure,
} from './redirection.ts';
import { runRewritten } from './rewritten-command.ts';
import {
  changed,
  either,
  fails,
  type Outcome,
  parted,
  type ShellState,
  unlessEnded,
  withVariable,
} from './shell-state.ts';
import { beginningOf, knownWord, type Word } from './simple-command.ts';
import type { InputStream } from './stream.ts';
import { withBeginning } from './words/field.ts';
import { Expansion } from './words/word-expansion.ts';

/** Runs a simple command: words, redirections and assignments are expanded in bash's order, then the call is made. */
export function runSimpleCommand(node: Command, state: ShellState, outer: Frame, shell: ScriptShell): Outcome {
  const frame = framed(outer, { input: standardInput(state, outer), success: newFork() });
  const source = frame.text.slice(node.pos, node.end);
  const rewritten = runRewritten(node, state, frame, shell);
  if (rewritten !== null) {
    return rewritten;
  }
  const expansion = new Expansion(shell, state);
  const command = state.options.keyword ? withKeywords(node) : node;
  const argv = shell.expanding(frame, () => commandWords(command, expansion));
  // Assignments alone are expanded as the words are; what a command runs is no longer behind what ran before it.
  const expanded = argv.length === 0 ? expansion.state : withoutStatus(expansion.state);
  if (expansion.surelyEnds) {
    return shell.exit(fails(expanded));
  }
  const before = expansion.mayEnd ? unlessEnded(expanded, (ended) => shell.exit(ended)) : expanded;
  const redirected = applyRedirections(redirectionsOf(node), before, frame, shell);
  const outcome = whereOpened(redirected, (opened) => runWords(command, argv, source, opened, redirected.frame, shell));
  finishRedirections(redirected, shell);
  const after = isExec(argv) ? withOpened(outcome, redirected, outer) : closeDescriptors(outcome, state);
  return parted(withFailure(after, redirected, before), frame.success);
}

/** `exec`, perhaps as `command exec`, with nothing but redirections: they last. */
function isExec(argv: readonly Word[]): boolean {
  return (
    beginningOf(argv[argv.length - 1]) === 'exec' &&
    argv
      .slice(0, -1)
      .map(beginningOf)
      .every((word) => word === 'command' || word === 'builtin')
  );
}

function standardInput({ standardInput: opened }: ShellState, { input }: Frame): InputStream | null {
  return opened !== null && opened.of === input ? opened.instead : input;
}

/** `exec <FILE >FILE`: the shell's own input and output from then on. */
function withOpened(outcome: Outcome, redirected: Redirected, outer: Frame): Outcome {
  const { input, printsPlainly } = redirected.frame;
  const open = (state: ShellState | null) => {
    if (state === null) {
      return null;
    }
    const after = printsPlainly || state.printsElsewhere ? state : changed(state, { printsElsewhere: true });
    return input === standardInput(state, outer)
      ? after
      : changed(after, { standardInput: { instead: input, of: outer.input } });
  };
  return { success: open(outcome.success), failure: open(outcome.failure) };
}

/** `set -k`: `git commit -m 'fix: it' HUSKY=0` has an assignment, wherever it stands. */
function withKeywords(node: Command): Command {
  const isKeyword = (text: string) => /^[A-Za-z_]\w*\+?=/.test(text);
  const words = node.args.filter(({ type, text }) => type === 'Word' && isKeyword(text));
  const prefix = words.flatMap(({ text }) => {
    const command = parse(text).commands[0]?.command;
    return command?.type === 'Command' ? command.prefix : [];
  });
  return words.length === 0
    ? node
    : { ...node, prefix: [...node.prefix, ...prefix], args: node.args.filter((word) => !words.includes(word)) };
}

function redirectionsOf(node: Command): readonly Redirection[] {
  return node.redirects;
}

function runWords(
  node: Command,
  argv: readonly Word[],
  source: string,
  state: ShellState,
  frame: Frame,
  shell: ScriptShell,
): Outcome {
  const assignments = node.prefix.filter((item): item is Assignment => item.type === 'Assignment');
  if (argv.length === 0) {
    const outcome = runAssignments(assignments, state, frame, shell);
    return node.name === undefined ? outcome : either(outcome.success ?? state);
  }
  if (assignments.length === 0) {
    const outcome = shell.run({ argv, state, frame, source, lookup: 'any' });
    return mentionsLastWord(frame.text) ? withLastWord(outcome, argv) : outcome;
  }
  const expansion = new Expansion(shell, state);
  const values = new Map<string, Word>();
  shell.expanding(frame, () => {
    for (const assignment of assignments) {
      values.set(assignment.name, assignedWord(assignment, expansion));
    }
  });
  const inside = withAssignments(expansion.state, values);
  runPrompts(values, inside, frame, shell);
  const call: Call = { argv, state: inside, frame, source, lookup: 'any' };
  const outcome = shell.run(call);
  const restore = (after: ShellState | null) =>
    after === inside ? expansion.state : withoutAssignments(after, expansion.state, values.keys());
  return { success: restore(outcome.success), failure: restore(outcome.failure) };
}

/** `$_`, in a text that is short enough to be looked through for each command. */
function mentionsLastWord(text: string): boolean {
  return text.length < 4096 && text.includes('$') && /\$(?:_\b|\{_)/.test(text);
}

/** `$_` is the last word of the command before: bash(1) "Special Parameters". */
function withLastWord({ success, failure }: Outcome, argv: readonly Word[]): Outcome {
  const value = argv.at(-1) ?? knownWord('');
  const after = (state: ShellState | null) =>
    state && withVariable(state, '_', { kind: 'scalar', value, exported: false });
  return { success: after(success), failure: after(failure) };
}

function commandWords(node: Command, expansion: Expansion): Word[] {
  if (node.name === undefined) {
    return [];
  }
  const words = expansion.words([node.name]);
  let { end } = node.name;
  for (const argument of node.args) {
    const read = argument.type === 'Word' ? expansion.words([argument]) : [declaredWord(argument, words, expansion)];
    // The parser takes `--file=<( … )` for two words.
    const [first] = read;
    const before = argument.pos === end && first !== undefined ? words.pop() : undefined;
    words.push(...(before === undefined || first === undefined ? read : [joined(before, first), ...read.slice(1)]));
    end = argument.end;
  }
  return words;
}

/** Two parts of one word. */
function joined(first: Word, second: Word): Word {
  if (first.kind === 'known') {
    return withBeginning(first.value, second);
  }
  return { ...first, suffix: second.kind === 'known' ? first.suffix + second.value : second.suffix };
}
